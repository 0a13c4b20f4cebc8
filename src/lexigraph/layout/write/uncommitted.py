"""What a transaction has read and is going to write, held in memory until it commits.

Layer ``layout``. The sink of what it adds, and what its questions read: a snapshot, with what is
not written yet on top. A write adds to what lies on top; nothing that is there is made again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from lexigraph.cells.mutations import MutationBatch
from lexigraph.cells.ranges import Range
from lexigraph.errors import Closed, UsageError
from lexigraph.keyplan import StoredElement
from lexigraph.layout.observe.changed import Changed
from lexigraph.layout.observe.committing import observed_cells
from lexigraph.layout.observe.context import Moment
from lexigraph.layout.stored.catalogue import CATALOGUE
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.write.held_adds import HeldAdds, NamedElements
from lexigraph.layout.write.held_records import HeldRecords
from lexigraph.layout.write.removal.doomed import Doomed
from lexigraph.layout.write.removal.removing import Removal
from lexigraph.security import All, Authorizations
from lexigraph.store.scan.overlay import Overlay
from lexigraph.store.scan.runs import MergedRuns, Run, join_small

_Column = tuple[Any, ...]
"""A table and the key of a column in it."""


class Uncommitted:
    """The reads and writes of one transaction."""

    def __init__(self, stored: StoredGraph, authorizations: Authorizations | All) -> None:
        self._stored, self._authorizations = stored, authorizations
        self.snapshot = stored.engine.snapshot()
        self.engine = Overlay(stored.engine, self._pending)
        """What its questions read: the snapshot, and on top what it has not written yet."""
        self.closed = False
        self.read: list[tuple[str, Range]] = []
        """What was read, by the engine's table: the commit depends on it."""
        self._adds = HeldAdds(stored, authorizations)
        self._doomed = Doomed()
        self._deleted: set[_Column] = set()
        self._fresh = Doomed()
        """Deletes that do not lie on top yet."""
        self._runs: dict[str, MergedRuns] = {}
        self._time = 0
        """The time of all that lies on top, as one commit has."""
        self.records = HeldRecords(stored, authorizations, self.snapshot, self.read, self.write)
        """The changes of records, of which it also reads."""

    def record(self, table: str, ranges: Iterable[Range]) -> None:
        """Note that ranges of an engine's table were read: the commit depends on them."""
        self.check_open()
        self.read += [(table, one) for one in ranges]

    def write(self, changed: Changed) -> None:
        """Keep adds until the commit; what is deleted here cannot be added too."""
        if self._deleted:
            for group, batch in changed.added.items():
                self._check_not_deleted(self._stored.table_of(group), batch)
        self._adds.take(changed)

    def delete(self, doomed: Doomed, read: Iterable[tuple[str, Range]]) -> None:
        """Keep deletes until the commit, with what was read to find them."""
        self.read += read
        self._doomed.join(doomed)
        self._fresh.join(doomed)
        for table, cells in doomed.cells().items():
            self._deleted |= {(table, *cell[:4]) for cell in cells}

    def added(self, wanted: NamedElements) -> Iterator[StoredElement]:
        """Yield the elements that it adds and that are meant, each once."""
        return self._adds.matching(wanted)

    def withdraw(self, wanted: NamedElements, label: bytes | None = None) -> Counter[str]:
        """Take back adds that are meant; count those that are not stored too, by group."""
        gone, shown = self._adds.withdraw(wanted, label)
        if shown:
            for table, batch in self._cells(Changed(added=shown)).items():
                columns = {(*cell[:4], cell.deleted) for cell in batch.cells}
                held = self._runs[table].runs
                self._runs[table] = MergedRuns([run.without(columns) for run in held])
        count: Counter[str] = Counter()
        for group, cell, element in gone:
            table = self._stored.table_of(group)
            count[group] += element.once and (table, *cell[:4]) not in self._deleted
        return count

    def removal(self) -> Removal:
        """Return what removes the elements that it deletes."""
        return Removal(self._stored, self._doomed)

    def changed(self, removal: Removal) -> Changed:
        """Return all that it writes, in columns."""
        changed = removal.changed()
        changed.added |= self._adds.batches()
        changed.added_count = +self._adds.count
        return changed

    def check_open(self) -> None:
        """Raise if it has ended."""
        if self.closed:
            raise Closed("this transaction has ended", hint="Start a new transaction.")

    def close(self) -> None:
        """Release the snapshot; nothing more is read or kept."""
        if not self.closed:
            self.closed = True
            self.snapshot.close()

    def _check_not_deleted(self, table: str, batch: MutationBatch) -> None:
        for cell in batch.cells:
            if (table, *cell[:4]) in self._deleted:
                raise UsageError(
                    "this transaction deletes the element, so it cannot add it too",
                    hint="Commit the delete first, then add it in another transaction.",
                )

    def _pending(self) -> dict[str, MergedRuns]:
        """Return what is not written yet, at the time that a commit now would have."""
        own = self._pending_elements()
        return {**own, **self.records.runs()} if self.records else own

    def _pending_elements(self) -> dict[str, MergedRuns]:
        changed = self._fresh.changed()
        # A marker hides nothing newer, and another writer's clock may be ahead.
        latest = max(
            (cell.timestamp for held in self._fresh.cells().values() for cell in held), default=0
        )
        changed.added |= self._adds.fresh()
        if not changed:
            return self._runs
        known = self._runs
        if not self._time or latest >= self._time:
            self._time = max(self._stored.engine.now(), latest) + 1
            # One commit has one time, so what lies there already gets it too.
            changed, known = self.changed(self.removal()), {}
        batches = self._cells(changed)
        for table, batch in batches.items():
            held = known[table].runs if table in known else ()
            known[table] = MergedRuns(join_small((*held, Run.written(batch.at(self._time)))))
        self._runs, self._fresh = known, Doomed()
        self._adds.show_all()
        return self._runs

    def _cells(self, changed: Changed) -> dict[str, MutationBatch]:
        """Return the cells of changes with what observers add for them, by table."""
        unchanged = (self.snapshot, self.read)
        with Moment(self._stored, self._authorizations, unchanged) as moment:
            batches = observed_cells(self._stored, changed, moment)
        batches.pop(CATALOGUE, None)
        return batches
