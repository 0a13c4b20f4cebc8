"""Engines on the cluster of this run, for suites that want a fresh, empty one for each test.

A prefix of its own to the names of tables makes an engine empty. Nothing is dropped afterwards: the
cluster goes with the run, and dropping tables takes longer than keeping them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import count
from pathlib import Path
from string import ascii_letters
from typing import Any

from lexigraph.cli.cluster.local import LocalCluster
from lexigraph.security import ALL, All, Authorizations
from lexigraph.store import AccumuloEngine, Clock, Engine
from tests.conftest import CLUSTER

_numbers = count()
_TOKENS = [*ascii_letters, "public", "secret"]
_shared: list[Any] = []


class Fresh(AccumuloEngine):
    """An engine with no tables, whose user may read all labels that tests write."""

    def __init__(
        self, *, clock: Clock | None = None, grants: Iterable[str | bytes] | All = ALL
    ) -> None:
        cluster = LocalCluster(Path(os.environ[CLUSTER]) / "cluster")
        properties = cluster.status().properties if _shared else cluster.start().properties
        self._prefix = f"t{os.getpid()}_{next(_numbers)}__"
        super().__init__(properties, clock=clock, grants=grants)
        if not self.readable():
            self._admin.authorize("root", [token.encode() for token in _TOKENS])

    def check_granted(self, asked: Iterable[str | bytes] | All) -> Authorizations | All:
        wanted = Engine.check_granted(self, asked)
        if not isinstance(wanted, All) and not wanted <= self.readable():
            # Any may be asked for, as in an engine that grants all.
            self.grant("root", wanted)
        return super().check_granted(wanted)

    def _connect(self) -> Any:
        # One connection for all tests of a process: a new one for each takes half a second.
        if not _shared:
            _shared.append(super()._connect())
        return _shared[0]

    def close(self) -> None:
        self.closed = True

    def _remote(self, name: str) -> str:
        return self._prefix + super()._remote(name)

    def _local(self, remote: str) -> str | None:
        if not remote.startswith(self._prefix):
            return None
        return super()._local(remote.removeprefix(self._prefix))
