"""Where a writer looks: all facts of a subject, as the owner sees them.

Layer ``layout``. Facts come with all their versions, in the order of their cells, and without what
the history of their group does not keep. What a caller may read of them is decided above.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, groupby
from typing import Any, Protocol

from lexigraph.cells.cell import Cell
from lexigraph.cells.ranges import Range
from lexigraph.codec.selfdescribing import ANY
from lexigraph.layout.records.assembling.native import prepare_records
from lexigraph.layout.records.assembling.retention import retained_now
from lexigraph.layout.records.cells import qualifier_of, read_facts
from lexigraph.layout.records.elements import RecordVertex
from lexigraph.layout.records.facts import AnyFact, ExistenceFact, HideFact, RequiredFact
from lexigraph.layout.records.families import CELL, EXISTENCE, FAMILY_OF, HIDE, REQUIRED
from lexigraph.layout.records.groups import NO_GROUPS, RecordGroups
from lexigraph.layout.records.reading import FetchHints, RecordReading
from lexigraph.layout.records.rows import EDGES, VERTICES, RecordRows
from lexigraph.layout.records.subjects import (
    DIRECTIONS,
    EdgeSubject,
    ReferenceSubject,
    RowSubject,
    Subject,
    VertexSubject,
)
from lexigraph.schema.model import VERTEX
from lexigraph.security import All, Authorizations
from lexigraph.store.operators import Declined, ReadRecords
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.snapshot import Snapshot
from lexigraph.store.spi import Engine

PRESENCE = (ExistenceFact, RequiredFact)
"""The facts that say whether a caller sees a subject, hidden or not."""
DECIDING = (*PRESENCE, HideFact)
"""The same, and the hides."""


AskedReferences = tuple[Any, str, str]
"""A vertex, a direction and a label of edges."""


class FactReader(Protocol):
    """Reads facts of one state of a graph."""

    @property
    def now(self) -> int:
        """A time after every commit that is read: that of the next one, as far as is known."""
        ...

    def facts(self, subject: Subject) -> list[AnyFact]:
        """Return the facts of one row."""
        ...

    def many(self, subjects: Iterable[Subject]) -> dict[Subject, list[AnyFact]]:
        """Return the facts of many rows, read at once; every subject has an entry."""
        ...

    def presence(
        self, subjects: Iterable[VertexSubject | EdgeSubject], *, hides: bool = False
    ) -> dict[Subject, list[AnyFact]]:
        """Return of many rows only the facts that say whether a caller sees the element."""
        ...

    def shown(
        self, vertices: Iterable[Any], caller: Authorizations | All
    ) -> dict[Any, bytes] | None:
        """Return the visibility of each vertex that a caller sees, hidden or not.

        ``None`` if it cannot be told without a look at the facts.
        """
        ...

    def references(
        self, vertex: Any, direction: str | None = None, label: str | None = None
    ) -> Iterator[AnyFact]:
        """Yield the facts of the references of a vertex: all, or of a direction and a label."""
        ...

    def under(
        self,
        elements: Iterable[VertexSubject | EdgeSubject],
        table: str | None = None,
        rows: Iterable[Any] | None = None,
    ) -> Iterator[AnyFact]:
        """Yield the facts of rows under elements: all, or of one table, or some rows of it."""
        ...

    def have_rows(
        self, elements: Iterable[VertexSubject | EdgeSubject]
    ) -> list[VertexSubject | EdgeSubject]:
        """Return the elements that have rows under them; reads hardly more than it has to."""
        ...

    def many_references(self, asked: Iterable[AskedReferences]) -> Iterator[AnyFact]:
        """Yield the facts of references of many vertices, read at once, in no certain order."""
        ...


def sort_facts(facts: Iterable[AnyFact]) -> list[AnyFact]:
    """Return facts of one subject in the order of their cells."""
    return sorted(facts, key=_place)


def _place(fact: AnyFact) -> tuple[bytes, bytes, bytes, int]:
    family = FAMILY_OF[type(fact.subject)][type(fact)]
    return family, qualifier_of(fact), fact.visibility, -fact.time


class MemoryFacts:
    """Facts that are held in memory: for tests, and as the meaning of the other one."""

    def __init__(
        self,
        rows: RecordRows,
        facts: Iterable[AnyFact] = (),
        now: int = 0,
        *,
        groups: RecordGroups = NO_GROUPS,
    ) -> None:
        self._rows, self.now, self._groups = rows, now, groups
        self._held: dict[Subject, list[AnyFact]] = {}
        for fact in facts:
            self._held.setdefault(fact.subject, []).append(fact)

    def facts(self, subject: Subject) -> list[AnyFact]:
        """Return the facts of one row."""
        facts = sort_facts(self._held.get(subject, ()))
        return list(retained_now(facts, self._groups.retention(subject), self.now))

    def many(self, subjects: Iterable[Subject]) -> dict[Subject, list[AnyFact]]:
        """Return the facts of many rows."""
        return {subject: self.facts(subject) for subject in subjects}

    def presence(
        self, subjects: Iterable[VertexSubject | EdgeSubject], *, hides: bool = False
    ) -> dict[Subject, list[AnyFact]]:
        """Return of many rows existences and additional visibilities, and maybe hides."""
        kinds = DECIDING if hides else PRESENCE
        return {
            subject: [one for one in facts if isinstance(one, kinds)]
            for subject, facts in self.many(subjects).items()
        }

    def shown(
        self, vertices: Iterable[Any], caller: Authorizations | All
    ) -> dict[Any, bytes] | None:
        """Return ``None``: facts have to be looked at."""
        return None

    def references(
        self, vertex: Any, direction: str | None = None, label: str | None = None
    ) -> Iterator[AnyFact]:
        """Yield the facts of the references of a vertex, in the order of their rows."""
        key = self._rows.vertex_key(vertex)
        found = [
            (self._rows.row_of(one), one)
            for one in self._held
            if isinstance(one, ReferenceSubject)
            and self._rows.vertex_key(one.vertex) == key
            and direction in (None, one.direction)
            and label in (None, one.label)
        ]
        for _, subject in sorted(found, key=lambda pair: pair[0]):
            yield from self.facts(subject)

    def under(
        self,
        elements: Iterable[VertexSubject | EdgeSubject],
        table: str | None = None,
        rows: Iterable[Any] | None = None,
    ) -> Iterator[AnyFact]:
        """Yield the facts of rows under elements, in the order of their rows."""
        ranges = _ranges_under(self._rows, elements, table, rows)
        found = [
            (part, self._rows.row_of(one), one)
            for one in self._held
            if isinstance(one, RowSubject)
            for part in (self._rows.table_of(one),)
            if any(each.contains(Cell(self._rows.row_of(one))) for each in ranges.get(part, ()))
        ]
        for *_, subject in sorted(found, key=lambda three: three[:2]):
            yield from self.facts(subject)

    def have_rows(
        self, elements: Iterable[VertexSubject | EdgeSubject]
    ) -> list[VertexSubject | EdgeSubject]:
        """Return the elements that have rows under them."""
        there = {one.element for one in self._held if isinstance(one, RowSubject)}
        return [one for one in elements if one in there]

    def many_references(self, asked: Iterable[AskedReferences]) -> Iterator[AnyFact]:
        """Yield the facts of references of many vertices."""
        for one in asked:
            yield from self.references(*one)


class EngineFacts:
    """Facts that an engine holds, at a snapshot.

    ``tables`` are the engine's names of ``vertices`` and ``edges``. What is read is appended to
    ``record``, for a write that depends on it (``if_unchanged``). ``groups`` say what is kept.
    """

    def __init__(
        self,
        engine: Engine,
        tables: Mapping[str, str],
        rows: RecordRows,
        snapshot: Snapshot | None = None,
        record: list[tuple[str, Range]] | None = None,
        *,
        groups: RecordGroups = NO_GROUPS,
    ) -> None:
        self._engine, self._tables, self._rows, self._groups = engine, tables, rows, groups
        self._snapshot, self._record = snapshot, record
        # A commit has at least the time after that of the last one.
        self.now = engine.now() + 1

    def facts(self, subject: Subject) -> list[AnyFact]:
        """Return the facts of one row."""
        return self.many((subject,))[subject]

    def many(self, subjects: Iterable[Subject]) -> dict[Subject, list[AnyFact]]:
        """Return the facts of many rows: one scan of each table."""
        return self._many(subjects)

    def _many(
        self,
        subjects: Iterable[Subject],
        columns: tuple[tuple[bytes, bytes | None], ...] = (),
    ) -> dict[Subject, list[AnyFact]]:
        found: dict[Subject, list[AnyFact]] = {subject: [] for subject in subjects}
        for table in (VERTICES, EDGES):
            ranges = [Range.row(self._rows.row_of(one)) for one in found if _table_of(one) == table]
            for fact in self._scan(table, ranges, columns):
                found[fact.subject].append(fact)
        return found

    def presence(
        self, subjects: Iterable[VertexSubject | EdgeSubject], *, hides: bool = False
    ) -> dict[Subject, list[AnyFact]]:
        """Return of many rows existences and additional visibilities, and read no other cells."""
        families = (EXISTENCE, REQUIRED, HIDE) if hides else (EXISTENCE, REQUIRED)
        return self._many(subjects, tuple((family, None) for family in families))

    def shown(
        self, vertices: Iterable[Any], caller: Authorizations | All
    ) -> dict[Any, bytes] | None:
        """Return the visibility of each vertex that a caller sees, as the engine assembles them."""
        if self._groups.retentions[VERTEX].keeps_less or self._groups.expires:
            return None
        reading = RecordReading(caller, hints=FetchHints(hidden=True))
        prepared, _ = prepare_records(self._rows, VERTICES, reading)
        if prepared is None:
            return None
        name = self._tables[VERTICES]
        operator = ReadRecords(name, prepared, reading.hints.families, caller)
        reader = self._engine.prepare(operator, snapshot=self._snapshot)
        if isinstance(reader, Declined):
            return None
        rows = sorted(self._rows.own_row(one) for one in vertices)
        if self._record is not None:
            self._record += [(name, Range.row(one)) for one in rows]
        found = reader.rows(rows, snapshot=self._snapshot)
        return {one.id: one.visibility for one in found if isinstance(one, RecordVertex)}

    def references(
        self, vertex: Any, direction: str | None = None, label: str | None = None
    ) -> Iterator[AnyFact]:
        """Yield the facts of the references of a vertex."""
        prefixes = (
            self._rows.reference_prefix(vertex, one, label)
            for one in DIRECTIONS
            if direction in (None, one)
        )
        return self._scan(VERTICES, [Range.prefix(prefix) for prefix in prefixes])

    def under(
        self,
        elements: Iterable[VertexSubject | EdgeSubject],
        table: str | None = None,
        rows: Iterable[Any] | None = None,
    ) -> Iterator[AnyFact]:
        """Yield the facts of rows under elements."""
        for part, ranges in _ranges_under(self._rows, elements, table, rows).items():
            yield from self._scan(part, ranges, ((CELL, None),))

    def have_rows(
        self, elements: Iterable[VertexSubject | EdgeSubject]
    ) -> list[VertexSubject | EdgeSubject]:
        """Return the elements that have rows under them."""
        found: list[VertexSubject | EdgeSubject] = []
        for part in (VERTICES, EDGES):
            own = {self._rows.under_prefix(one): one for one in elements if _table_of(one) == part}
            left = sorted(own)
            while left:
                # After a first cell the scan goes on behind the rows of its element.
                ranges = [Range.prefix(prefix) for prefix in left]
                first = next(self._scan(part, ranges, ((CELL, None),), batch_cells=1), None)
                if first is None or not isinstance(first.subject, RowSubject):
                    break
                prefix = self._rows.under_prefix(first.subject.element)
                found.append(own[prefix])
                left = [one for one in left if one > prefix]
        return found

    def many_references(self, asked: Iterable[AskedReferences]) -> Iterator[AnyFact]:
        """Yield the facts of references of many vertices: one scan."""
        prefixes = {self._rows.reference_prefix(*one) for one in asked}
        return self._scan(VERTICES, [Range.prefix(prefix) for prefix in sorted(prefixes)])

    def _scan(
        self,
        table: str,
        ranges: list[Range],
        columns: tuple[tuple[bytes, bytes | None], ...] = (),
        batch_cells: int = 4096,
    ) -> Iterator[AnyFact]:
        if not ranges:
            return iter(())
        name = self._tables[table]
        if self._record is not None:
            self._record += [(name, one) for one in ranges]
        # The owner's view, or as much of it as the engine was opened with.
        spec = ScanSpec(ranges=ranges, columns=columns, authorizations=self._engine.grants)
        batches = self._engine.scan(name, spec, snapshot=self._snapshot, batch_cells=batch_cells)
        return self._kept(read_facts(self._rows, table, chain.from_iterable(batches)))

    def _kept(self, facts: Iterator[AnyFact]) -> Iterator[AnyFact]:
        for subject, of_subject in groupby(facts, key=lambda fact: fact.subject):
            yield from retained_now(of_subject, self._groups.retention(subject), self.now)


def _ranges_under(
    rows: RecordRows,
    elements: Iterable[VertexSubject | EdgeSubject],
    table: str | None,
    ids: Iterable[Any] | None,
) -> dict[str, list[Range]]:
    found: dict[str, list[Range]] = {}
    for one in elements:
        prefix = rows.under_prefix(one, table)
        own = found.setdefault(rows.table_of(one), [])
        if ids is None:
            own.append(Range.prefix(prefix))
        else:
            own += [Range.row(prefix + ANY.encode(row)) for row in ids]
    return found


_table_of = RecordRows.table_of
