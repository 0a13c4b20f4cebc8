"""Numbered ids: blocks of numbers that are claimed from the store, each by one process and once.

Layer ``layout``. One cell for each kind and partition, in the table ``records.names``, holds the
last number that was claimed. It only grows: a conditional write replaces the value that was read.
Numbers of a block that a process does not use before it ends are never used.
"""

from __future__ import annotations

import os
import random
import time
import weakref
from collections.abc import Iterator
from itertools import chain
from threading import Lock
from typing import Final

from lexigraph.cells.cell import Cell
from lexigraph.cells.ranges import Range
from lexigraph.errors import Conflict, InvalidBytes, UsageError
from lexigraph.store.conditions import Condition, ConditionalMutation, Outcome
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.spi import Engine

VERTEX_IDS, EDGE_IDS, TYPE_IDS = "vertex", "edge", "type"
"""What is numbered: vertices, edges, and types of relations."""
KINDS: Final = (VERTEX_IDS, EDGE_IDS, TYPE_IDS)
LAST: Final = 2**63 - 1
"""The last number that there is."""
MAX_PARTITION: Final = 2**31 - 1
FIRST_BLOCK, LARGEST_BLOCK = 16, 16_384
"""Blocks grow, so that short programs leave few numbers unused and long ones write seldom."""
_FAMILY: Final = b"ids"
_TRIES: Final = 100


class IdBlocks:
    """The numbered ids of one graph.

    Numbers start at 1 and grow: a block that is claimed later has greater numbers. Threads may
    share it, and any number of processes may claim at the same time.
    """

    def __init__(self, engine: Engine, table: str) -> None:
        self._engine, self._table = engine, table
        self.forget()
        _OPEN.add(self)

    def forget(self) -> None:
        """Give up what is left of blocks: a process that was forked must not use them too."""
        self._lock = Lock()
        self._left: dict[tuple[str, int], Iterator[int]] = {}
        self._sizes: dict[tuple[str, int], int] = {}

    def next(self, kind: str, partition: int = 0) -> int:
        """Return a number that nobody else gets."""
        key = (kind, partition)
        with self._lock:
            found = next(self._left.get(key, iter(())), None)
            if found is None:
                size = self._sizes.get(key, FIRST_BLOCK)
                self._sizes[key] = min(4 * size, LARGEST_BLOCK)
                self._left[key] = iter(self.claim(kind, size, partition))
                found = next(self._left[key])
        return found

    def claim(self, kind: str, count: int, partition: int = 0) -> range:
        """Claim so many numbers, one after the other; raise UsageError if there are not enough."""
        row = f"ids:{kind}:{partition}".encode()
        for attempt in range(_TRIES):
            held = self._read(row)
            last = 0 if held is None else _number(held.value)
            if last + count > LAST:
                raise UsageError(f"{count:,} ids are asked for, but only {LAST - last:,} are left")
            value = None if held is None else held.value
            change = ConditionalMutation(row, [Condition(_FAMILY, value=value)])
            # Another client's clock may be ahead: what is replaced must not hide what replaces it.
            at = max(self._engine.now(), 0 if held is None else held.timestamp + 1)
            change.put(_FAMILY, b"", str(last + count), timestamp=at)
            [outcome] = self._engine.conditional_write(self._table, change)
            if outcome is Outcome.ACCEPTED:
                return range(last + 1, last + count + 1)
            # Also if it is unknown whether it was written: then its numbers stay unused.
            time.sleep(random.random() * min(0.2, 0.001 * 2**attempt))
        raise Conflict(
            "other processes claim ids all the time",
            hint="Claim more of them at once: graph.admin.claim_ids(100_000).",
        )

    def _read(self, row: bytes) -> Cell | None:
        spec = ScanSpec(ranges=[Range.row(row)], columns=[(_FAMILY, None)])
        with self._engine.scan(self._table, spec) as batches:
            return next(chain.from_iterable(batches), None)


def _number(value: bytes) -> int:
    if not value.isdigit() or not 0 < int(value) <= LAST:
        raise InvalidBytes(f"the last id that was claimed is not a number: {value!r}")
    return int(value)


_OPEN: weakref.WeakSet[IdBlocks] = weakref.WeakSet()


def _forget_all() -> None:
    for one in list(_OPEN):
        one.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
