"""A graph of records in a list of cells: takes commits as an engine does, answers readers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from lexigraph.cells.cell import Cell, order
from lexigraph.layout.records.assembler import assemble
from lexigraph.layout.records.cells import read_facts
from lexigraph.layout.records.elements import RecordEdge, RecordElement, RecordReference
from lexigraph.layout.records.fact_reader import MemoryFacts, sort_facts
from lexigraph.layout.records.facts import AnyFact
from lexigraph.layout.records.groups import EdgeGroup, RecordGroups
from lexigraph.layout.records.reading import FetchHints, RecordReading
from lexigraph.layout.records.rows import EDGES, VERTICES, SortField
from lexigraph.layout.records.subjects import Subject
from lexigraph.layout.records.write.changes import RecordChange
from lexigraph.layout.records.write.report import RecordReport
from lexigraph.layout.records.write.writer import RecordWriter
from lexigraph.security import ALL, All, Authorizations

LABELS = (
    EdgeGroup("PAID", (SortField("day", "int"),), ("sum",)),
    EdgeGroup("FOLLOWS", unidirected=True),
    EdgeGroup("OWNS", multiplicity="simple"),
    EdgeGroup("BORN", multiplicity="many2one"),
    EdgeGroup("LEADS", multiplicity="one2many"),
    EdgeGroup("WED", multiplicity="one2one"),
)
GROUPS = RecordGroups("str", {one.label: one for one in LABELS})
ROWS = GROUPS.rows()
EVERYTHING = dict.fromkeys(("labels", "properties", "metadata", "out_edges", "in_edges"), True)


def user(held: Iterable[str]) -> Authorizations:
    """Return the authorizations of a user: each letter is one."""
    return Authorizations(list(held))


class RawFacts(MemoryFacts):
    """Facts with all their versions, also those that a removal ends."""

    def facts(self, subject: Subject) -> list[AnyFact]:
        return sort_facts(self._held.get(subject, ()))


class World:
    """Cells by table. ``markers`` says whether delete markers count, as they do in an engine."""

    def __init__(self, *, markers: bool = True, groups: RecordGroups = GROUPS) -> None:
        self.cells: dict[str, list[Cell]] = {VERTICES: [], EDGES: []}
        self.markers, self.groups = markers, groups
        self.last = 0

    def writer(self, caller: Authorizations | All = ALL, now: int | None = None) -> RecordWriter:
        """Return a writer that sees all commits so far."""
        rows = self.groups.rows()
        kind = MemoryFacts if self.markers else RawFacts
        reader = kind(rows, self.facts(), self.last + 1 if now is None else now, groups=self.groups)
        return RecordWriter(rows, reader, caller, self.groups)

    def commit(
        self, *changes: RecordChange, at: int, caller: Authorizations | All = ALL
    ) -> RecordReport:
        """Write changes in one commit."""
        writer = self.writer(caller, at)
        for change in changes:
            writer.take(change)
        self.store(writer, at)
        return writer.report

    def store(self, writer: RecordWriter, at: int) -> None:
        """Store what a writer has for a commit of this time."""
        self.last = at
        for table, batch in writer.cells(at).items():
            cells = self.cells[table] + [one for one in batch.at(at) if not one.deleted]
            ended = {one.column: one.timestamp for one in batch.at(at) if one.deleted}
            if self.markers:
                cells = [one for one in cells if one.timestamp > ended.get(one.column, -1)]
            self.cells[table] = sorted(cells, key=order)

    def facts(self) -> Iterator[AnyFact]:
        """Yield all facts, in the order of their cells."""
        for table, cells in self.cells.items():
            yield from read_facts(self.groups.rows(), table, cells)

    def read(
        self,
        held: Iterable[str] | All = ALL,
        as_of: int | None = None,
        *,
        hidden: bool = False,
    ) -> list[RecordElement]:
        """Return everything that a reader sees."""
        who = held if isinstance(held, All) else user(held)
        hints = FetchHints(**EVERYTHING, hidden=hidden)
        return list(assemble(self.facts(), RecordReading(who, as_of, hints)))

    def find(self, id: str, held: Iterable[str] | All = ALL, **how: Any) -> Any:  # noqa: A002
        """Return the vertex or edge of an id, or ``None``."""
        for one in self.read(held, **how):
            if not isinstance(one, RecordReference) and one.id == id:
                return one
        return None

    def values(self, id: str, held: Iterable[str] | All = ALL, **how: Any) -> list[Any]:  # noqa: A002
        """Return name and value of what a reader sees of an element; nothing if it is not seen."""
        found = self.find(id, held, **how)
        return [] if found is None else [(one.name, one.value) for one in found.properties]

    def references(self, held: Iterable[str] | All = ALL, **how: Any) -> list[str]:
        """Return the references that a reader sees, as text."""
        return [
            f"{one.subject.vertex} {one.subject.direction} {one.subject.label} {one.subject.other}"
            for one in self.read(held, **how)
            if isinstance(one, RecordReference)
        ]


def described(element: RecordElement) -> tuple[Any, Any]:
    """Return what an element is, and what a reader sees of it, as the model has it."""
    seen: dict[str, Any] = {"hidden": element.hidden}
    if isinstance(element, RecordReference):
        one = element.subject
        place: Any = (one.vertex, one.direction, one.label, one.sort_key, one.other, one.edge)
        seen["shown"] = (element.visibility, element.time, element.signature)
        return place, seen
    shape = None
    if isinstance(element, RecordEdge):
        held = element.shape
        shape = (held.label, held.source, held.destination, held.directed, held.properties)
        place, seen["labels"] = ("e", element.id), []
    else:
        place, seen["labels"] = ("v", element.id), list(element.labels or ())
    seen["shown"] = (element.visibility, element.time, shape)
    seen["values"] = {
        (one.name, one.key, one.visibility): (
            one.value,
            one.time,
            one.hidden,
            {(entry.key, entry.visibility): entry.value for entry in one.metadata or ()},
        )
        for one in element.properties or ()
    }
    return place, seen
