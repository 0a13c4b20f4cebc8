"""What does not fit together among the records of a graph: for a check by the owner.

Layer ``plan``. Reads every vertex and edge once, under every label, at present and with what is
hidden. Constraints are judged when somebody writes, over what this writer can read: so records that
break them together can stand side by side.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import chain, groupby, islice
from typing import Any

from lexigraph.cells.ranges import Range
from lexigraph.layout.records.assembling.assembler import assemble
from lexigraph.layout.records.assembling.retention import retained_now
from lexigraph.layout.records.bound import BoundRecords
from lexigraph.layout.records.cells import read_facts
from lexigraph.layout.records.elements import RecordEdge, RecordElement, RecordVertex
from lexigraph.layout.records.fact_reader import EngineFacts
from lexigraph.layout.records.facts import EdgeShape
from lexigraph.layout.records.families import CELL
from lexigraph.layout.records.groups import (
    MANY_TO_ONE,
    MULTI,
    ONE_TO_MANY,
    ONE_TO_ONE,
    SIMPLE,
)
from lexigraph.layout.records.reading import FetchHints, RecordReading
from lexigraph.layout.records.rows import EDGES, VERTICES
from lexigraph.layout.records.subjects import (
    EdgeSubject,
    ReferenceSubject,
    RowSubject,
    VertexSubject,
)
from lexigraph.layout.records.write.view import RowView
from lexigraph.schema.model import ONE
from lexigraph.security import ALL, LabelCache
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.snapshot import Snapshot
from lexigraph.store.spi import Engine

_READING = RecordReading(ALL, hints=FetchHints(properties=True, hidden=True))
_NO_ELEMENTS = (ReferenceSubject, RowSubject)
_CHUNK = 1000


@dataclass(slots=True)
class RecordFaults:
    """What was found."""

    vertices: int = 0
    edges: int = 0
    endless: list[Any] = field(default_factory=list)
    """Ids of edges of which an end is not there as a vertex."""
    multiplicity: list[tuple[Any, Any]] = field(default_factory=list)
    """Ids of pairs of edges that their label does not allow together."""
    cardinality: list[tuple[str, Any, str]] = field(default_factory=list)
    """Kind and id of elements that have several values of a property that is declared single."""
    rows: int = 0
    """How many rows of tables are stored under elements."""
    under: int = 0
    """Under how many elements."""
    orphans: list[tuple[str, Any]] = field(default_factory=list)
    """Kind and id of elements that have rows and are not there, not even in the past."""

    __hash__ = None  # type: ignore[assignment]


def find_record_faults(engine: Engine, bound: BoundRecords) -> RecordFaults:
    """Read all records and return what does not fit together."""
    found = RecordFaults()
    snapshots = engine.capabilities.snapshots
    with engine.snapshot() if snapshots else nullcontext() as moment:
        there: set[bytes] = set()
        for vertex in _elements(engine, bound, VERTICES, moment):
            if isinstance(vertex, RecordVertex):
                there.add(bound.rows.vertex_key(vertex.id))
                found.vertices += 1
                _check_values(bound, found, vertex)
        first: dict[tuple[Any, ...], Any] = {}
        for edge in _elements(engine, bound, EDGES, moment):
            if isinstance(edge, RecordEdge):
                found.edges += 1
                _check_values(bound, found, edge)
                ends = (edge.shape.source, edge.shape.destination)
                if not there.issuperset(map(bound.rows.vertex_key, ends)):
                    found.endless.append(edge.id)
                for place in set(_places(bound, edge.shape)):
                    if place in first:
                        found.multiplicity.append((first[place], edge.id))
                    first.setdefault(place, edge.id)
        for part in (VERTICES, EDGES):
            _check_rows(engine, bound, found, part, moment)
    return found


def _check_rows(
    engine: Engine, bound: BoundRecords, found: RecordFaults, part: str, moment: Snapshot | None
) -> None:
    """Count rows of tables, and find those whose element has no existence any more."""
    facts = EngineFacts(engine, bound.tables, bound.rows, moment, groups=bound.groups)
    for elements in _batched(_rows_by_element(engine, bound, part, moment)):
        found.rows += sum(elements.values())
        found.under += len(elements)
        for element, held in facts.many(elements).items():
            if not RowView(held, LabelCache(ALL)).exists and not isinstance(element, _NO_ELEMENTS):
                kind = "vertex" if isinstance(element, VertexSubject) else "edge"
                found.orphans.append((kind, element.id))


def _batched(
    pairs: Iterator[tuple[VertexSubject | EdgeSubject, int]],
) -> Iterator[dict[VertexSubject | EdgeSubject, int]]:
    """Yield elements with how many rows they have, so many at a time."""
    while held := dict(islice(pairs, _CHUNK)):
        yield held


def _rows_by_element(
    engine: Engine, bound: BoundRecords, part: str, moment: Snapshot | None
) -> Iterator[tuple[VertexSubject | EdgeSubject, int]]:
    spec = ScanSpec(ranges=[Range()], columns=[(CELL, None)], authorizations=ALL)
    with engine.scan(bound.tables[part], spec, snapshot=moment) as batches:
        rows = (row for row, _ in groupby(chain.from_iterable(batches), lambda cell: cell.row))
        subjects = (bound.rows.subject_of(part, row) for row in rows)
        under = (one for one in subjects if isinstance(one, RowSubject) and not one.is_mark)
        for element, held in groupby(under, key=lambda one: one.element):
            yield element, sum(1 for _ in held)


def _elements(
    engine: Engine, bound: BoundRecords, part: str, moment: Snapshot | None
) -> Iterator[RecordElement]:
    columns = [(family, None) for family in _READING.hints.families]
    spec = ScanSpec(ranges=[Range()], columns=columns, authorizations=ALL)
    subject = VertexSubject(0) if part == VERTICES else EdgeSubject(0)
    with engine.scan(bound.tables[part], spec, snapshot=moment) as batches:
        facts = read_facts(bound.rows, part, chain.from_iterable(batches))
        kept = retained_now(facts, bound.groups.retention(subject), engine.now() + 1)
        yield from assemble(kept, _READING)


def _check_values(
    bound: BoundRecords, found: RecordFaults, element: RecordVertex | RecordEdge
) -> None:
    kind = "vertex" if isinstance(element, RecordVertex) else "edge"
    subject = VertexSubject(0) if kind == "vertex" else EdgeSubject(0)
    keys: dict[str, set[bytes]] = {}
    for one in element.properties or ():
        keys.setdefault(one.name, set()).add(one.key)
    for name, held in keys.items():
        if len(held) > 1 and bound.groups.cardinality(subject, name) == ONE:
            found.cardinality.append((kind, element.id, name))


def _places(bound: BoundRecords, shape: EdgeShape) -> Iterator[tuple[Any, ...]]:
    """Yield what only one edge of a label may have."""
    multiplicity, key = bound.groups.edge(shape.label).multiplicity, bound.rows.vertex_key
    if multiplicity == MULTI:
        return
    source, destination = key(shape.source), key(shape.destination)
    if multiplicity == SIMPLE:
        yield shape.label, "between", source, destination
    both = () if shape.directed else (source, destination)
    if multiplicity in (MANY_TO_ONE, ONE_TO_ONE):
        yield from ((shape.label, "out", end) for end in both or (source,))
    if multiplicity in (ONE_TO_MANY, ONE_TO_ONE):
        yield from ((shape.label, "in", end) for end in both or (destination,))
