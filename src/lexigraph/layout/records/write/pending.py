"""What a commit is going to write, over what is stored: all changes of one commit see each other.

Layer ``layout``. It reads as :class:`~..fact_reader.FactReader` does, with what is not written yet
on top. As long as the commit has no time, it has the time of the reader.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, groupby
from typing import Any

from lexigraph.cells.cell import MIN_TIMESTAMP
from lexigraph.errors import EdgeNotFound, VertexNotFound, show
from lexigraph.layout.records.assembling.assembler import assemble
from lexigraph.layout.records.cells import read_facts
from lexigraph.layout.records.elements import RecordReference
from lexigraph.layout.records.fact_reader import FactReader, sort_facts
from lexigraph.layout.records.facts import AnyFact, ExistenceFact
from lexigraph.layout.records.groups import RecordGroups
from lexigraph.layout.records.reading import FetchHints, RecordReading
from lexigraph.layout.records.rows import VERTICES, RecordRows
from lexigraph.layout.records.subjects import (
    EdgeSubject,
    ReferenceSubject,
    Subject,
    VertexSubject,
)
from lexigraph.layout.records.write.changes import AddVertices
from lexigraph.layout.records.write.columns import ChangeTime
from lexigraph.layout.records.write.references import EdgeReferences, ReferenceFacts
from lexigraph.layout.records.write.report import RecordReport
from lexigraph.layout.records.write.rows import PendingRow, SavedChanges
from lexigraph.layout.records.write.view import RowView
from lexigraph.security import All, Authorizations, LabelCache

_ALL_REFERENCES = FetchHints(out_edges=True, in_edges=True, hidden=True)


class PendingRecords:
    """The rows that a commit changes, and what its caller can read of them."""

    def __init__(
        self,
        rows: RecordRows,
        reader: FactReader,
        caller: Authorizations | All,
        groups: RecordGroups,
    ) -> None:
        self.groups, self.report = groups, RecordReport()
        self.references_of = EdgeReferences(rows, groups)
        self._rows, self._reader = rows, reader
        self._labels = LabelCache(caller)
        self._reading = RecordReading(caller, hints=_ALL_REFERENCES)
        self._held: dict[Subject, PendingRow] = {}
        self._saved: dict[Subject, SavedChanges] = {}
        """What rows were to get before the present change."""
        self._new_ends: dict[bytes, dict[EdgeSubject, None]] = {}
        """Edges that get a shape in this commit, by the key forms of their ends."""
        self.ready: list[AddVertices] = []
        """Adds whose cells are written as they are, unless another change is about them too."""
        self._ready_ids: set[Any] = set()

    @contextmanager
    def whole_change(self) -> Iterator[None]:
        """Write all that is written inside, or nothing if an error is raised."""
        self._saved.clear()
        counted = replace(self.report)
        try:
            yield
        except BaseException:
            for subject, saved in self._saved.items():
                self._held[subject].restore(saved)
            self.report = counted
            raise

    @property
    def now(self) -> int:
        """The time that the commit has until it has its own."""
        return self._reader.now

    @property
    def changed(self) -> list[PendingRow]:
        """The rows of vertices and edges that the commit writes to, in the order of changes."""
        return [row for row in self._held.values() if row.changed]

    def take_ready(self, change: AddVertices) -> None:
        """Take adds whose cells are ready."""
        is_other = self._is_apart(change.ids)
        self.ready.append(change)
        self._ready_ids.update(change.ids)
        if not is_other:
            self.whole_rows()

    def whole_rows(self) -> None:
        """Make rows of all cells that are ready, as if each vertex had been added by itself."""
        ready, self.ready = self.ready, []
        self._ready_ids.clear()
        for change in ready:
            floor = MIN_TIMESTAMP
            for fact in read_facts(self._rows, VERTICES, change.cells.at(0)):
                row = self._held.setdefault(fact.subject, PendingRow(fact.subject))
                if isinstance(fact, ExistenceFact):
                    floor = row.say(replace(fact, stamp=None), None).floor
                else:
                    row.say(replace(fact, stamp=None), None, floor)

    def _take_apart(self, subject: Subject) -> None:
        if self._ready_ids and isinstance(subject, VertexSubject) and subject.id in self._ready_ids:
            self.whole_rows()

    def shown(self, vertices: Sequence[Any]) -> dict[Any, bytes] | None:
        """Return who may see each of some vertices that the caller sees; ``None`` if it looks."""
        if not self._is_apart(vertices):
            return None
        return self._reader.shown(vertices, self._reading.authorizations)

    def _is_apart(self, vertices: Iterable[Any]) -> bool:
        """Return whether no other change of the commit is about any of some vertices."""
        changed = (row.subject for row in self._held.values() if row.changed)
        other = {one.id for one in changed if isinstance(one, VertexSubject)} | self._ready_ids
        return other.isdisjoint(vertices)

    def row(self, subject: Subject, *, look: bool = True) -> PendingRow:
        """Return the row of a vertex or edge, with its stored facts unless ``look`` is false."""
        self._take_apart(subject)
        row = self._held.setdefault(subject, PendingRow(subject))
        if subject not in self._saved:
            self._saved[subject] = row.saved()
        if look and not row.complete:
            row.look(self._reader.facts(subject))
        return row

    def look_at(self, subjects: Iterable[Subject]) -> None:
        """Read many rows at once, which will be needed."""
        rows = [self.row(one, look=False) for one in subjects]
        wanted = [row for row in rows if not row.complete]
        found = self._reader.many([row.subject for row in wanted]) if wanted else {}
        for row in wanted:
            row.look(found[row.subject])

    def look_at_presence(self, subjects: Iterable[VertexSubject]) -> None:
        """Read of many rows at once whether the caller sees them: all that a plain add needs."""
        wanted = {one: row for one in subjects if not (row := self.row(one, look=False)).looked}
        found = self._reader.presence(wanted) if wanted else {}
        for subject, row in wanted.items():
            row.look_at_presence(found[subject])

    def presence(self, subject: VertexSubject) -> RowView:
        """Return whether the caller sees a vertex, and which existences; no labels, no values."""
        self.look_at_presence((subject,))
        row = self.row(subject, look=False)
        return RowView(row.presence(self.now), self._labels)

    def view(self, subject: Subject) -> RowView:
        """Return what the caller can read of a vertex or an edge."""
        return RowView(self.row(subject).facts(self.now), self._labels)

    def found(self, subject: VertexSubject | EdgeSubject) -> RowView:
        """Return what the caller can read of an element; raise an error if it does not see it."""
        view = self.view(subject)
        if view.seen:
            return view
        if isinstance(subject, VertexSubject):
            raise VertexNotFound(f"there is no vertex {show(subject.id)}")
        raise EdgeNotFound(f"there is no edge {show(subject.id)}")

    def check_id(self, vertex: Any) -> None:
        """Refuse an id that vertices of this graph cannot have."""
        self._rows.vertex_key(vertex)

    def check_time(self, fact: AnyFact, own: int | None) -> None:
        """Refuse a time of its own that lies before what the history keeps."""
        if own is not None:
            dated = replace(fact, time=ChangeTime(own).at(own))
            self.groups.retention(fact.subject).check_write(dated, self.now)

    def note_ends(self, fact: ExistenceFact) -> None:
        """Remember the ends of an edge that gets a shape, to find it from there."""
        if isinstance(fact.subject, EdgeSubject) and fact.shape is not None:
            for end in (fact.shape.source, fact.shape.destination):
                key = self._rows.vertex_key(end)
                self._new_ends.setdefault(key, {})[fact.subject] = None

    def facts(self, subject: Subject) -> list[AnyFact]:
        """Return the facts of one row."""
        if isinstance(subject, ReferenceSubject):
            stored = self._reader.facts(subject)
            added = self._added(EdgeSubject(subject.edge)).get(subject, ())
            return sort_facts([*stored, *added])
        self._take_apart(subject)
        held = self._held.get(subject)
        if held is None or not held.changed:
            return self._reader.facts(subject)
        return self.row(subject).facts(self.now)

    def many(self, subjects: Iterable[Subject]) -> dict[Subject, list[AnyFact]]:
        """Return the facts of many rows."""
        asked = list(subjects)
        found = self._reader.many([one for one in asked if not self._changes(one)])
        return {one: found[one] if one in found else self.facts(one) for one in asked}

    def _changes(self, subject: Subject) -> bool:
        if isinstance(subject, ReferenceSubject):
            subject = EdgeSubject(subject.edge)
        self._take_apart(subject)
        row = self._held.get(subject)
        return row is not None and row.changed

    def references(
        self, vertex: Any, direction: str | None = None, label: str | None = None
    ) -> Iterator[AnyFact]:
        """Yield the facts of the references of a vertex, in the order of their rows."""
        stored = self._reader.references(vertex, direction, label)
        found = {one: list(facts) for one, facts in groupby(stored, lambda fact: fact.subject)}
        key = self._rows.vertex_key(vertex)
        edges = {EdgeSubject(one.edge): None for one in found if isinstance(one, ReferenceSubject)}
        for edge in {**edges, **self._new_ends.get(key, {})}:
            for subject, facts in self._added(edge).items():
                if (
                    self._rows.vertex_key(subject.vertex) == key
                    and direction in (None, subject.direction)
                    and label in (None, subject.label)
                ):
                    found[subject] = sort_facts([*found.get(subject, ()), *facts])
        ordered = sorted(found, key=self._rows.row_of)
        return chain.from_iterable(found[subject] for subject in ordered)

    def seen_references(
        self, vertex: Any, direction: str | None = None, label: str | None = None
    ) -> list[RecordReference]:
        """Return the references of a vertex that the caller can read, hidden or not."""
        found = assemble(self.references(vertex, direction, label), self._reading)
        return [one for one in found if isinstance(one, RecordReference)]

    def _added(self, edge: EdgeSubject) -> ReferenceFacts:
        row = self._held.get(edge)
        if row is None or not row.changed:
            return {}
        written, _ = row.written(self.now)
        found, _ = self.references_of.changed(edge.id, row.stored, written)
        return found
