"""Deleting elements: those that the caller can read, under every label, in one write.

Layer ``graph``. What is to be deleted is read first, as the caller; the write counts only if
nothing of it has changed since. What the caller cannot read stays for those who can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from lexigraph.errors import Conflict
from lexigraph.graph.write.cell_sets import CellSet
from lexigraph.graph.write.delete_report import DeleteReport
from lexigraph.graph.write.given import iter_given
from lexigraph.graph.write.identities import Identities
from lexigraph.keyplan import Element
from lexigraph.layout import Place
from lexigraph.layout.spi import ELEMENTS
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.write.changes import Delete
from lexigraph.layout.write.doomed import Doomed
from lexigraph.layout.write.doomed_cells import DoomedCells
from lexigraph.layout.write.removing import Removal
from lexigraph.layout.write.sinks import Commit
from lexigraph.layout.write.writer import Writer
from lexigraph.plan import Scope
from lexigraph.schema.keys import label_of
from lexigraph.security import All
from lexigraph.store import Range, ScanSpec, Snapshot, StageSpec

TRIES = 20
_FILTER_PRIORITY = 50


D = TypeVar("D", Doomed, DoomedCells)


@dataclass(frozen=True, slots=True)
class Found(Generic[D]):
    """What a delete found in one snapshot."""

    doomed: D
    """The elements."""
    read: list[tuple[str, Range]] = field(default_factory=list)
    """What was read to find them."""

    def report(self, timestamp: int | None = None) -> DeleteReport:
        """Return what deleting them removes."""
        return DeleteReport(self.doomed.groups, cells=self.doomed.columns, timestamp=timestamp)


class Deleter:
    """Deletes elements of one graph as somebody."""

    def __init__(
        self, stored: StoredGraph, authorizations: Iterable[str | bytes] | All = ()
    ) -> None:
        self.stored = stored
        self.authorizations = stored.engine.check_granted(authorizations)
        self._commit = Commit(stored, self.authorizations)

    def delete(self, elements: Any, *, visibility: str | bytes | None = None) -> DeleteReport:
        """Delete elements by their identity and return how many there were.

        Of group-by properties that an element does not name, all values count. ``visibility`` is
        the one label to delete under; without it, all that the caller can read. All of them go in
        one commit, or none; on an engine that stores row by row, a delete that fails says how many
        elements are gone, and the same delete again removes the others.
        """
        wanted = Identities(self.stored, iter_given(elements))
        if not self.stored.engine.capabilities.transactions:
            # What is added meanwhile stays: a marker's time is that of its own commit.
            found = self.find(wanted, None, visibility)
            wanted.duplicates.check()
            return found.report(Removal(self.stored, found.doomed).by_row(self._commit))

        def find(snapshot: Snapshot, _attempt: int) -> Found[Doomed]:
            found = self.find(wanted, snapshot, visibility)
            wanted.duplicates.check()
            return found

        return self._remove(find)

    def delete_sets(self, sets: Sequence[CellSet], scope: Scope) -> DeleteReport:
        """Delete the elements that a question finds, as sets of cells; return how many there were.

        The question is asked of the moment from which the commit deletes.
        """

        def find(snapshot: Snapshot, attempt: int) -> Found[DoomedCells]:
            at = replace(scope, snapshot=snapshot, now=scope.time)
            writer = Writer(self.stored, self._commit)
            doomed = writer.doomed_cells
            for one in sets:
                for batch in one.batches(at):
                    writer.delete_cells(one.group, batch)
                doomed.groups[one.group.name] = one.count(at)
            if attempt:
                # Others write to these tables, so each row has to be looked at.
                return Found(doomed, list(doomed.rows()))
            scans = [scan for one in sets for scan in one.scans(at)]
            read = [(scan.table, item) for scan in scans for item in scan.spec.ranges]
            return Found(doomed, read)

        return self._remove(find)

    def _remove(self, find: Callable[[Snapshot, int], Found[D]]) -> DeleteReport:
        """Delete what is found in one snapshot, and look again if it has changed meanwhile."""
        for attempt in range(TRIES):
            with self.stored.engine.snapshot() as snapshot:
                found = find(snapshot, attempt)
                if not found.doomed.columns:
                    break
                removal = Removal(self.stored, found.doomed)
                try:
                    timestamp = removal.commit(self._commit, (snapshot, found.read))
                except Conflict as conflict:
                    if attempt == TRIES - 1:
                        conflict.hint = (
                            "Nothing was deleted: others keep writing to these elements. "
                            "Delete again, or fewer at once."
                        )
                        raise
                    continue
            return found.report(timestamp)
        return DeleteReport()

    def find(
        self,
        wanted: Identities,
        snapshot: Snapshot | None,
        visibility: str | bytes | None = None,
    ) -> Found[Doomed]:
        """Find what is to be deleted, and what was read to find it."""
        label = None if visibility is None else label_of(visibility)
        writer = Writer(self.stored, self._commit)
        wanted.duplicates.begin()
        read: dict[str, list[Range]] = {}
        for name, place in wanted.places():
            table = self.stored.tables[place.table]
            read.setdefault(table, []).extend(place.ranges)
            for element in self._scan(table, name, place, snapshot):
                right_label = label is None or element.visibility == label
                if element.group == name and right_label and wanted.match(element):
                    writer.take(Delete(element))
                    if wanted.duplicates:
                        wanted.see(element)
        merged = [(table, one) for table, ranges in read.items() for one in Range.merge(ranges)]
        return Found(writer.doomed, merged)

    def _scan(
        self, table: str, group: str, place: Place, snapshot: Snapshot | None
    ) -> Iterator[Element]:
        stages = []
        if place.where is not None:
            options = {"plan": ELEMENTS, "where": {group: place.where}}
            stages.append(StageSpec("filter", options, _FILTER_PRIORITY))
        spec = ScanSpec(
            ranges=place.ranges,
            columns=place.columns,
            authorizations=self.authorizations,
            stages=stages,
        )
        for batch in self.stored.engine.scan(table, spec, snapshot=snapshot):
            for cell in batch:
                element = self.stored.plan.decode(cell)
                if element is not None:
                    yield element
