"""What a commit is going to write, over what is stored: all changes of one commit see each other.

Layer ``layout``. It reads as :class:`~..fact_reader.FactReader` does, with what is not written yet
on top. As long as the commit has no time, it has the time of the reader.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby
from typing import Any

from lexigraph.cells.cell import MIN_TIMESTAMP, Cell
from lexigraph.errors import EdgeNotFound, UnsupportedError, UsageError, VertexNotFound, show
from lexigraph.layout.records.assembling.assembler import assemble
from lexigraph.layout.records.cells import read_facts
from lexigraph.layout.records.elements import RecordReference
from lexigraph.layout.records.fact_reader import AskedReferences, FactReader, sort_facts
from lexigraph.layout.records.facts import AnyFact, ExistenceFact, FactState, ValueFact
from lexigraph.layout.records.families import CELL
from lexigraph.layout.records.groups import RecordGroups
from lexigraph.layout.records.reading import FetchHints, RecordReading
from lexigraph.layout.records.rows import VERTICES, RecordRows
from lexigraph.layout.records.subjects import (
    EdgeSubject,
    ReferenceSubject,
    RowSubject,
    Subject,
    VertexSubject,
)
from lexigraph.layout.records.under.pending import CellColumn, PendingCells
from lexigraph.layout.records.write.changes import AddVertices
from lexigraph.layout.records.write.columns import FOREVER, ChangeTime, Lifetime
from lexigraph.layout.records.write.references import EdgeReferences, ReferenceFacts
from lexigraph.layout.records.write.report import RecordReport
from lexigraph.layout.records.write.rows import PendingRow, SavedChanges
from lexigraph.layout.records.write.view import RowView
from lexigraph.layout.streams.placing import StreamPlace
from lexigraph.schema.records import shown_ttl
from lexigraph.security import All, Authorizations, LabelCache
from lexigraph.streaming import GivenStream, StreamingValue

_ALL_REFERENCES = FetchHints(out_edges=True, in_edges=True, hidden=True)
MOST_EDGES = 100_000
"""How many edges are deleted or hidden with their vertex: all of a commit is held in memory."""


class PendingRecords:
    """The rows that a commit changes, and what its caller can read of them."""

    def __init__(
        self,
        rows: RecordRows,
        reader: FactReader,
        caller: Authorizations | All,
        groups: RecordGroups,
        place: StreamPlace | None = None,
        *,
        logged: bool = False,
    ) -> None:
        self.groups, self.report, self.logged = groups, RecordReport(), logged
        self._place = place
        self.added: set[Subject] = set()
        """What was not there, as far as the caller can read, and is added."""
        self.own: frozenset[Subject] = frozenset()
        """What an attempt of the same write has added already, before it was stopped."""
        self.references_of = EdgeReferences(rows, groups)
        self.rows, self._reader = rows, reader
        self.cells = PendingCells()
        """What is added to rows of tables, as far as it is not among the rows below."""
        self._labels = LabelCache(caller)
        self._reading = RecordReading(caller, hints=_ALL_REFERENCES)
        self._held: dict[Subject, PendingRow] = {}
        self._facts_of: dict[tuple[str, bytes], RowSubject] = {}
        """The rows of tables among them, by their keys."""
        self._saved: dict[Subject, SavedChanges] = {}
        """What rows were to get before the present change."""
        self._references: dict[tuple[bytes, str, str], list[AnyFact]] = {}
        """References that were read with others, by key form of the vertex, direction and label."""
        self._new_ends: dict[bytes, dict[EdgeSubject, None]] = {}
        """Edges that get a shape in this commit, by the key forms of their ends."""
        self.ready: list[AddVertices] = []
        """Adds whose cells are written as they are, unless another change is about them too."""
        self._ready_ids: set[Any] = set()

    @contextmanager
    def whole_change(self) -> Iterator[None]:
        """Write all that is written inside, or nothing if an error is raised."""
        self._saved.clear()
        self.cells.begin()
        counted = replace(self.report)
        try:
            yield
        except BaseException:
            for subject, saved in self._saved.items():
                self._held[subject].restore(saved)
            self.cells.undo()
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
            for fact in read_facts(self.rows, VERTICES, change.cells.at(0)):
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
        found = self._reader.presence(wanted, hides=self.logged) if wanted else {}
        for subject, row in wanted.items():
            row.look_at_presence(found[subject], hides=self.logged)

    def look_beside(self, subjects: Iterable[VertexSubject | EdgeSubject]) -> None:
        """Read of rows that are changed blindly what the log says of them."""
        wanted = {one: row for one in subjects if not (row := self.row(one, look=False)).looked}
        found = self._reader.presence(wanted, hides=True) if wanted else {}
        for subject, row in wanted.items():
            row.beside = found[subject]

    def look_at_references(self, asked: Iterable[AskedReferences]) -> None:
        """Read references of many vertices at once, which will be needed."""
        key = self.rows.vertex_key
        wanted = {(key(one[0]), one[1], one[2]): one for one in asked}
        wanted = {one: held for one, held in wanted.items() if one not in self._references}
        if not wanted:
            return
        self._references |= {one: [] for one in wanted}
        for fact in self._reader.many_references(wanted.values()):
            if isinstance(one := fact.subject, ReferenceSubject):
                self._references[key(one.vertex), one.direction, one.label].append(fact)

    def presence(self, subject: VertexSubject) -> RowView:
        """Return whether the caller sees a vertex, and which existences; no labels, no values."""
        self.look_at_presence((subject,))
        row = self.row(subject, look=False)
        return RowView(row.presence(self.now), self._labels)

    def view(self, subject: Subject) -> RowView:
        """Return what the caller can read of a vertex or an edge."""
        return RowView(self.row(subject).facts(self.now), self._labels)

    def stored_view(self, subject: Subject) -> RowView:
        """Return what the caller can read of what is stored, without what the commit writes."""
        return RowView(sort_facts(self.row(subject).stored), self._labels)

    def found(self, subject: VertexSubject | EdgeSubject) -> RowView:
        """Return what the caller can read of an element; raise an error if it does not see it."""
        view = self.view(subject)
        self.check_seen(subject, view)
        return view

    def check_seen(self, subject: VertexSubject | EdgeSubject, view: RowView) -> None:
        """Raise an error if the caller does not see an element."""
        if view.seen:
            return
        if isinstance(subject, VertexSubject):
            raise VertexNotFound(f"there is no vertex {show(subject.id)}")
        raise EdgeNotFound(f"there is no edge {show(subject.id)}")

    def stored_value(self, given: Any, visibility: bytes) -> Any:
        """Return a value as it is written: of a stream, what refers to its bytes."""
        if not isinstance(given, GivenStream | StreamingValue):
            return given
        if self._place is None:
            raise UsageError("streams are stored in graphs: nothing here keeps their bytes")
        return self._place(given, visibility)

    def reads(self, fact: AnyFact) -> bool:
        """Return whether the caller can read a fact."""
        return self._labels.can_see(fact.visibility)

    def check_id(self, vertex: Any) -> None:
        """Refuse an id that vertices of this graph cannot have."""
        self.rows.vertex_key(vertex)

    def check_time(self, fact: AnyFact, own: int | None, life: Lifetime = FOREVER) -> None:
        """Refuse a time of its own before what the history keeps, or that has expired already."""
        if own is not None:
            dated = replace(fact, time=ChangeTime(own).at(own))
            self.groups.retention(fact.subject).check_write(dated, self.now)
            ttl = life.at(own)
            if ttl is not None and own + ttl <= self.now:
                raise UsageError(
                    f"what is dated {own} would have expired already: it lives {shown_ttl(ttl)}",
                    hint="Give it a later time.",
                )

    def note_ends(self, fact: ExistenceFact) -> None:
        """Remember the ends of an edge that gets a shape, to find it from there."""
        if isinstance(fact.subject, EdgeSubject) and fact.shape is not None:
            for end in (fact.shape.source, fact.shape.destination):
                key = self.rows.vertex_key(end)
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
        """Yield the facts of the references of a vertex, subject by subject.

        Those that are stored come as they are read, in the order of their rows: a vertex may have
        millions. Those that are new in this commit come last.
        """
        key = self.rows.vertex_key(vertex)
        waiting: ReferenceFacts = {}

        def note(edge: EdgeSubject) -> None:
            for subject, facts in self._added(edge).items():
                if (
                    self.rows.vertex_key(subject.vertex) == key
                    and direction in (None, subject.direction)
                    and label in (None, subject.label)
                ):
                    waiting[subject] = facts

        for edge in self._new_ends.get(key, {}):
            note(edge)
        given: set[ReferenceSubject] = set()
        stored: Iterable[AnyFact] | None = None
        if direction is not None and label is not None:
            stored = self._references.get((key, direction, label))
        if stored is None:
            stored = self._reader.references(vertex, direction, label)
        for subject, facts in groupby(stored, lambda fact: fact.subject):
            assert isinstance(subject, ReferenceSubject)
            if not self._changes(subject):
                yield from facts
                continue
            note(EdgeSubject(subject.edge))
            given.add(subject)
            yield from sort_facts([*facts, *waiting.get(subject, ())])
        for subject in sorted(waiting.keys() - given, key=self.rows.row_of):
            yield from sort_facts(waiting[subject])

    def many_references(self, asked: Iterable[AskedReferences]) -> Iterator[AnyFact]:
        """Yield the facts of references of many vertices."""
        for one in asked:
            yield from self.references(*one)

    def seen_references(
        self, vertex: Any, direction: str | None = None, label: str | None = None
    ) -> Iterator[RecordReference]:
        """Yield the references of a vertex that the caller can read, hidden or not."""
        found = assemble(self.references(vertex, direction, label), self._reading)
        return (one for one in found if isinstance(one, RecordReference))

    def seen_edges(self, vertex: Any, what: str) -> list[EdgeSubject]:
        """Return the edges at a vertex that the caller can read; refuse more than fit a commit."""
        found: dict[EdgeSubject, None] = {}
        for one in self.seen_references(vertex):
            found[EdgeSubject(one.subject.edge)] = None
            if len(found) > MOST_EDGES:
                raise UnsupportedError(
                    f"vertex {show(vertex)} has more than {MOST_EDGES:,} edges, too many to {what} "
                    "in one commit",
                    hint="Delete its edges first, in several commits: "
                    f"graph.vertex({show(vertex)}).delete_edges().",
                )
        return list(found)

    def rows_under(
        self,
        elements: Iterable[VertexSubject | EdgeSubject],
        table: str | None = None,
        ids: Iterable[Any] | None = None,
        *,
        stored: bool = True,
    ) -> list[PendingRow]:
        """Return the rows of tables under elements: all, or those that only this commit has."""
        listed, wanted = list(elements), None if ids is None else list(ids)
        found: dict[Subject, PendingRow] = {}
        read = self._reader.under(listed, table, wanted) if stored else ()
        for subject, facts in groupby(read, key=lambda fact: fact.subject):
            if isinstance(subject, RowSubject):
                row = found[subject] = self.row_under(subject)
                if not row.complete:
                    row.look(facts)
        for subject in self._pending_under(listed, table):
            if wanted is None or any(
                RowSubject(subject.element, subject.table, one) == subject for one in wanted
            ):
                found.setdefault(subject, self.row_under(subject))
        return list(found.values())

    def _pending_under(
        self, elements: Iterable[VertexSubject | EdgeSubject], table: str | None
    ) -> Iterator[RowSubject]:
        for one in elements:
            part, prefix = self.rows.table_of(one), self.rows.under_prefix(one, table)
            for row in self.cells.under(part, prefix):
                subject = self.rows.subject_of(part, row)
                if isinstance(subject, RowSubject):
                    yield subject
            for (other, row), held in list(self._facts_of.items()):
                if other == part and row.startswith(prefix):
                    yield held

    def end_rows(
        self, elements: Iterable[VertexSubject | EdgeSubject], state: FactState, time: int | None
    ) -> None:
        """Write, for those that have rows, that all rows which are there ended."""
        for one in self._reader.have_rows(elements):
            mark = RowSubject.mark_of(one)
            self.row_under(mark).end(ValueFact(subject=mark, time=0, name=""), state, time)

    def holds_row(self, part: str, row: bytes) -> bool:
        """Return whether facts of a row of a table are held, not only cells."""
        return (part, row) in self._facts_of

    def row_under(self, subject: RowSubject) -> PendingRow:
        """Return a row of a table, to write facts to it; its stored facts are not read."""
        row, part = self.row(subject, look=False), self.rows.table_of(subject)
        key = self.rows.row_of(subject)
        self._facts_of[part, key] = subject
        for column, value in self.cells.take(part, key).items():
            self.say_cell(row, column, value)
        return row

    def say_cell(self, row: PendingRow, column: CellColumn, value: bytes) -> None:
        """Write a cell that was encoded as a fact."""
        part, key = self.rows.table_of(row.subject), self.rows.row_of(row.subject)
        cell = Cell(key, CELL, *column, 0, False, value)
        for fact in read_facts(self.rows, part, [cell]):
            row.say(fact, None)

    def _added(self, edge: EdgeSubject) -> ReferenceFacts:
        row = self._held.get(edge)
        if row is None or not row.changed:
            return {}
        written, _ = row.written(self.now)
        found, _ = self.references_of.changed(edge.id, row.stored, written)
        return found
