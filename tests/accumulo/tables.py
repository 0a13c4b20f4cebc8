"""Empty tables made ahead, for tests: one takes Accumulo a second, and much less beside others.

Every worker has a few in store. What a test left behind is dropped in the background too: the more
tables there are, the longer everything takes that has to do with tables.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from os import getpid
from queue import SimpleQueue
from threading import Lock
from typing import Any

from lexigraph.errors import LexigraphError
from lexigraph.store import TableSettings
from lexigraph.store.accumulo.bridge.jvm import translated
from lexigraph.store.accumulo.table_properties import to_properties, to_remove

AT_ONCE = 6
FEW = 4
WAIT_S = 120


class TablesAhead:
    """Tables with the properties of default settings, of which nobody has used any."""

    def __init__(self, admin: Any) -> None:
        self.properties = to_properties(TableSettings())
        self._admin = admin
        self._ready: SimpleQueue[str | LexigraphError] = SimpleQueue()
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="tables-ahead")
        self._numbers, self._lock = count(), Lock()
        self._expected = 0
        self._left: list[str] = []

    def take(self, properties: dict[str, str]) -> str:
        """Return what Accumulo calls an empty table that has these properties."""
        with self._lock:
            self._expected -= 1
            if self._expected < FEW:
                self._expected += AT_ONCE
                for _ in range(AT_ONCE):
                    self._threads.submit(self._make)
        made = self._ready.get(timeout=WAIT_S)
        if isinstance(made, LexigraphError):
            raise made
        if properties != self.properties:
            removed = to_remove(self.properties, properties)
            with translated():
                self._admin.changeProperties(made, json.dumps(properties), removed)
        return made

    def give_back(self, unused: Iterable[str]) -> None:
        """Take tables again that are as they were."""
        for name in unused:
            with self._lock:
                self._expected += 1
            self._ready.put(name)

    def drop(self, used: Iterable[str]) -> None:
        """Drop tables, some at a time."""
        with self._lock:
            self._left.extend(used)
            if len(self._left) < AT_ONCE:
                return
            dropped, self._left = self._left, []
        for name in dropped:
            self._threads.submit(self._drop, name)

    def _make(self) -> None:
        name = f"ahead{getpid()}_{next(self._numbers)}"
        try:
            with translated():
                self._admin.create(name, json.dumps(self.properties), [])
        except LexigraphError as error:
            self._ready.put(error)
        else:
            self._ready.put(name)

    def _drop(self, name: str) -> None:
        # A test may have dropped it, or renamed it.
        with suppress(LexigraphError), translated():
            self._admin.drop(name)
