"""What the catalogue says of the indexes of a graph, as data, and who observes writes for them.

Layer ``layout``. Every commit reads this again and counts only if it is unchanged, so a writer that
opened the graph before an index existed adds its entries all the same. Which observer an index has
is decided above this layer: whoever opens a graph hands over what makes it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from threading import RLock
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from lexigraph.cells.cell import Cell
from lexigraph.cells.ranges import Range
from lexigraph.errors import InternalError
from lexigraph.layout.observe.contract import Observer
from lexigraph.layout.stored.loads import BUFFERS, LOADS, is_running, note_buffering
from lexigraph.layout.table_names import CATALOGUE
from lexigraph.store.operators import ReadRows, RowReader
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.snapshot import Snapshot

if TYPE_CHECKING:
    from lexigraph.layout.stored.graph import StoredGraph

BUILDING, USABLE, REMOVING = "building", "ready", "dropping"
"""The states of an index: observed while it is built, then used by questions; its entries go."""

_GRAPH = b"graph"


@dataclass(frozen=True, slots=True)
class StoredIndex:
    """An index as the catalogue has it."""

    name: str
    number: int
    """What its entries start with; never used again for another index."""
    group: str
    field: str
    """A group-by property or an id, as the schema calls it."""
    state: str = BUILDING

    def to_json(self) -> dict[str, Any]:
        """Write it."""
        return {
            "name": self.name,
            "number": self.number,
            "group": self.group,
            "field": self.field,
            "state": self.state,
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> StoredIndex:
        """Read it."""
        return StoredIndex(**data)


@dataclass(frozen=True, slots=True)
class Declared:
    """What the catalogue said at one moment."""

    indexes: tuple[StoredIndex, ...] = ()
    loading: bool = False
    """Whether a bulk load runs."""
    buffering: frozenset[bytes] = frozenset()
    """Writers whose commits may stay in the memory of their processes."""
    logged: bool = False
    """Whether commits write the change log."""

    @property
    def kept(self) -> list[StoredIndex]:
        """Those that writes keep up to date."""
        return [one for one in self.indexes if one.state in (BUILDING, USABLE)]

    @property
    def free(self) -> bool:
        """Whether a commit need not know what is declared."""
        return not self.kept and not self.logged


UNGUARDED = RLock()
"""Held by commits of this process that do not depend on the catalogue, as they may be buffered."""


class _Changes:
    """How often indexes were changed by this process, of any graph."""

    count = 0


MakeObserver = Callable[["StoredGraph", StoredIndex], Observer]


class DeclaredIndexes:
    """The indexes of one graph, read from the catalogue whenever they are asked for."""

    def __init__(self, graph: str, suffix: str) -> None:
        self.row, self._suffix = graph.encode(), suffix
        self._writer = uuid4().hex
        self.make: MakeObserver | None = None
        """Makes the observer of an index; a graph that has indexes is not written without it."""
        self._reader: RowReader | None = None
        self._free_since = -1
        self._known: tuple[bytes, tuple[StoredIndex, ...], bool] = (b"", (), False)

    @property
    def last_logged(self) -> bool:
        """Whether commits wrote the change log when the catalogue was read last."""
        return self._known[2]

    @property
    def range(self) -> tuple[str, Range]:
        """What must not change until a commit that depends on them."""
        return CATALOGUE, Range.row(self.row)

    def now(self, stored: StoredGraph) -> Declared:
        """Read them as they are now."""
        if self._reader is None:
            self._reader = stored.engine.prepare(ReadRows(CATALOGUE))
        return self._read(self._reader.row(self.row), stored)

    def may_buffer(self, stored: StoredGraph) -> bool:
        """Return whether commits need not depend on what is declared: nothing, and others know.

        Call it with ``UNGUARDED`` held until the commit. Nothing is read if it was so before: while
        others find the note of this writer, only its own process can build an index.
        """
        changes = _Changes.count
        if self._free_since == changes:
            return True
        declared = self.now(stored)
        if declared.free and self._writer.encode() not in declared.buffering:
            note_buffering(stored.engine, self.row, self._writer)
            declared = self.now(stored)
        if not declared.free:
            return False
        self._free_since = changes
        return True

    def changed(self) -> None:
        """Let all graphs of this process read the catalogue again before they buffer a commit."""
        with UNGUARDED:
            _Changes.count += 1

    def other_buffering(self, declared: Declared) -> frozenset[bytes]:
        """Return the writers besides this one that may hold commits in memory."""
        return declared.buffering - {self._writer.encode()}

    def at(self, stored: StoredGraph, snapshot: Snapshot | None) -> Declared:
        """Read them as they were at a snapshot; ``None`` is now."""
        if snapshot is None:
            return self.now(stored)
        spec = ScanSpec(ranges=[Range.row(self.row)])
        with stored.engine.scan(CATALOGUE, spec, snapshot=snapshot) as batches:
            return self._read([cell for batch in batches for cell in batch], stored)

    def observers(self, stored: StoredGraph, declared: Declared) -> list[Observer]:
        """Return what observes writes for them."""
        kept = [one for one in declared.kept if one.group in stored.schema.groups]
        if kept and self.make is None:
            raise InternalError(
                f"graph {stored.name!r} has indexes and was opened without what observes them",
                hint="Open it by lexigraph.open.",
            )
        return [self._observer(stored, one) for one in kept]

    def _observer(self, stored: StoredGraph, index: StoredIndex) -> Observer:
        key = (index.number, index.group, index.field)
        found = stored.index_observers.get(key)
        if found is None:
            assert self.make is not None
            found = stored.index_observers[key] = self.make(stored, index)
        return found

    def _read(self, cells: Iterable[Cell], stored: StoredGraph) -> Declared:
        indexes: tuple[StoredIndex, ...] = ()
        loading, buffering, logged = False, set(), False
        for cell in cells:
            if cell.family == _GRAPH:
                indexes, logged = self._declared(cell.value)
            elif cell.family == LOADS:
                loading = loading or is_running(cell.value, stored.engine.now())
            elif cell.family == BUFFERS:
                buffering.add(cell.qualifier)
        return Declared(indexes, loading, frozenset(buffering), logged)

    def _declared(self, raw: bytes) -> tuple[tuple[StoredIndex, ...], bool]:
        # Most commits find what the one before found.
        known, indexes, logged = self._known
        if known == raw:
            return indexes, logged
        data = json.loads(raw)
        indexes, logged = (), False
        if data.get("suffix", "") == self._suffix:
            indexes = tuple(map(StoredIndex.from_json, data.get("indexes", ())))
            logged = data.get("logged", False)
        self._known = raw, indexes, logged
        return indexes, logged
