"""What an observer may ask while a write is on its way: reads of one snapshot, and their ranges.

Layer ``layout``. One :class:`Moment` serves all observers of a commit; each gets a
:class:`Context` of its own, which reads as the observer says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import TYPE_CHECKING, Self

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.ranges import Range
from lexigraph.errors import UnsupportedError
from lexigraph.layout.observe.contract import Observer, Reader
from lexigraph.layout.stored.indexes import Declared
from lexigraph.security import All, Authorizations
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.snapshot import Snapshot
from lexigraph.store.spi import Unchanged

if TYPE_CHECKING:
    from lexigraph.layout.stored.graph import StoredGraph


class Moment:
    """The snapshot of one write: taken when an observer first reads, unless the write has one."""

    def __init__(
        self,
        stored: StoredGraph,
        authorizations: Authorizations | All,
        if_unchanged: Unchanged | None = None,
        *,
        checks_ranges: bool = True,
    ) -> None:
        self.stored, self.authorizations = stored, authorizations
        self.checks_ranges = checks_ranges and stored.engine.capabilities.transactions
        self.timestamp = stored.engine.now()
        self._given, self._later = if_unchanged, ExitStack()
        self._snapshot = None if if_unchanged is None else if_unchanged[0]
        self.ranges: list[tuple[str, Range]] = []
        self.declared = Declared()

    def watch_indexes(self, *, unguarded: bool = False) -> list[Observer]:
        """Return all observers; let the commit count only if the graph has these indexes then.

        ``unguarded`` is for writers that know that there are no indexes.
        """
        stored = self.stored
        if unguarded:
            return stored.observers(self.declared)
        if self.checks_ranges:
            # First the snapshot, then what is read: nothing can change in between unseen.
            self.snapshot()
            self.ranges.append(stored.indexes.range)
        self.declared = stored.indexes.now(stored)
        return stored.observers(self.declared)

    def snapshot(self) -> Snapshot | None:
        """Return the snapshot that is read; ``None`` if the engine has none."""
        if self._snapshot is None and self.stored.engine.capabilities.snapshots:
            self._snapshot = self._later.enter_context(self.stored.engine.snapshot())
        return self._snapshot

    def unchanged(self) -> Unchanged | None:
        """Return what the commit depends on: what the write read, and what observers did."""
        if not self.ranges:
            return self._given
        before = [] if self._given is None else self._given[1]
        seen = self.snapshot()
        assert seen is not None
        return seen, [*before, *self.ranges]

    def context(self, reads_as: Reader) -> Context:
        """Return what one observer may ask."""
        return Context(self, reads_as)

    def __enter__(self) -> Self:
        """Return the moment itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Release the snapshot, if one was taken here."""
        self._later.close()


class Context:
    """What one observer may ask about one write."""

    def __init__(self, moment: Moment, reads_as: Reader) -> None:
        self._moment, self._reads_as = moment, reads_as

    @property
    def stored(self) -> StoredGraph:
        """The graph."""
        return self._moment.stored

    @property
    def authorizations(self) -> Authorizations | All:
        """Those of the writer."""
        return self._moment.authorizations

    @property
    def timestamp(self) -> int:
        """A provisional time of the commit, in microseconds; the real one is not earlier."""
        return self._moment.timestamp

    @property
    def checks_ranges(self) -> bool:
        """Whether the commit can depend on ranges; if not, use conditional writes of rows."""
        return self._moment.checks_ranges

    @property
    def loading(self) -> bool:
        """Whether a bulk load runs, which may have written entries of an index already."""
        return self._moment.declared.loading

    def read(self, table: str, ranges: Sequence[Range]) -> Iterator[CellBatch]:
        """Yield the cells of ranges of an engine's table, as the graph was before this write."""
        moment = self._moment
        owner = self._reads_as is Reader.OWNER
        seen = moment.stored.engine.grants if owner else moment.authorizations
        spec = ScanSpec(ranges=ranges, authorizations=seen)
        with moment.stored.engine.scan(table, spec, snapshot=moment.snapshot()) as batches:
            yield from batches

    def depend(self, table: str, ranges: Iterable[Range]) -> None:
        """Let the commit count only if nothing is written to these ranges until then.

        If something is, the observers are asked again about the new state; in a transaction it is
        a Conflict.
        """
        if not self.checks_ranges:
            engine = self._moment.stored.engine.capabilities.engine
            raise UnsupportedError(
                f"this write cannot depend on ranges (engine {engine!r})",
                hint="Use add in place of load, or answer with conditional writes.",
            )
        self._moment.ranges += [(table, one) for one in ranges]
