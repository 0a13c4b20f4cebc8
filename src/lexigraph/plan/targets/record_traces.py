"""All that is stored about some records: every row that names them, for an erasure.

Layer ``plan``, for the owner alone. Reads raw cells under every label. An edge that ever was at one
of the vertices belongs to them, with its row and all its references, also those that are left of an
edge that was half-written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.cells.ranges import Range
from lexigraph.codec.escape import escape
from lexigraph.layout.records.bound import BoundRecords
from lexigraph.layout.records.cells import read_facts
from lexigraph.layout.records.facts import (
    AnyFact,
    ExistenceFact,
    HideFact,
    LabelFact,
    ValueFact,
)
from lexigraph.layout.records.families import EXISTENCE, HIDE, REFERENCE
from lexigraph.layout.records.rows import EDGES, VERTICES
from lexigraph.layout.records.subjects import (
    EITHER,
    IN,
    OUT,
    EdgeSubject,
    ReferenceSubject,
    RowSubject,
    Subject,
    VertexSubject,
)
from lexigraph.layout.records.write.references import EdgeReferences
from lexigraph.layout.streams.store import Streams
from lexigraph.layout.write.removal.erasing import ErasedColumns
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.spi import Engine
from lexigraph.streaming import StreamingValue

_OPPOSITE = {OUT: IN, IN: OUT, EITHER: EITHER}
_NAMING = (EXISTENCE, HIDE, REFERENCE + EXISTENCE, REFERENCE + HIDE)
_CHUNK = 1000


class RecordTraces:
    """What the tables of records hold about some vertices and edges."""

    def __init__(
        self,
        engine: Engine,
        bound: BoundRecords,
        streams: Streams,
        vertices: Sequence[Any],
        edges: Sequence[Any],
    ) -> None:
        self._streams = streams
        self._engine, self._bound, self._rows = engine, bound, bound.rows
        self._asked = {VertexSubject(one) for one in vertices}
        self._edges = [EdgeSubject(one) for one in edges]
        self._searched = [_patterns(self._rows.vertex_key(one), one) for one in vertices]
        self._there: set[VertexSubject] = set()

    def has(self, vertex: Any) -> bool:
        """Return whether something was found about a vertex."""
        return VertexSubject(vertex) in self._there

    @property
    def patterns(self) -> set[bytes]:
        """The bytes by which rows name the vertices and edges."""
        found = {one for keys, _ in self._searched for one in keys}
        return found | {edge.key for edge in self._edges}

    def find(self) -> ErasedColumns:
        """Return all columns to erase: of the vertices, their edges and all references of them."""
        edges, rows = dict.fromkeys(self._edges), set[bytes]()
        if self._asked:
            for fact in self._naming(VERTICES):
                self._note_row(fact, edges, rows)
            for fact in self._naming(EDGES):
                if self._is_named(fact):
                    edges[EdgeSubject(fact.subject.id)] = None  # type: ignore[union-attr]
        found = ErasedColumns()
        self._take(found, EDGES, (edge.key for edge in edges), rows)
        self._take(found, VERTICES, rows, set())
        self._take_under(found, EDGES, edges)
        self._take_under(found, VERTICES, self._asked)
        self._take_streams(found)
        return found

    def _take_streams(self, found: ErasedColumns) -> None:
        """Take the cells of the streaming values of what was found, without their bytes."""
        table = self._streams.table
        for value in found.streams:
            ranges = [Range.row(value.stored_as[0])]
            spec = ScanSpec(ranges=ranges, authorizations=self._engine.grants)
            with self._engine.scan(table, spec, batch_cells=8) as batches:
                for cell in chain.from_iterable(batches):
                    found.add(table, cell._replace(value=b""))

    def _take_under(
        self, found: ErasedColumns, part: str, elements: Iterable[VertexSubject | EdgeSubject]
    ) -> None:
        """Take all rows of tables under some elements, also of those that are not there."""
        table = self._bound.tables[part]
        ranges = [Range.prefix(self._rows.under_prefix(one)) for one in elements]
        for start in range(0, len(ranges), _CHUNK):
            for batch in self._engine.read_raw(table, ranges[start : start + _CHUNK]):
                for cell in batch:
                    found.add(table, cell)
                    subject = self._rows.subject_of(part, cell.row)
                    if isinstance(subject, RowSubject) and subject.element in self._asked:
                        self._there.add(VertexSubject(subject.element.id))

    def _note_row(self, fact: AnyFact, edges: dict[EdgeSubject, None], rows: set[bytes]) -> None:
        subject = fact.subject
        if isinstance(subject, VertexSubject):
            if subject in self._asked:
                self._there.add(subject)
                rows.add(self._rows.row_of(subject))
        elif isinstance(subject, ReferenceSubject) and self._is_named(fact):
            edges[EdgeSubject(subject.edge)] = None
            rows |= {self._rows.row_of(one) for one in (subject, _mirrored(subject))}

    def _is_named(self, fact: AnyFact) -> bool:
        """Return whether a fact of an edge names a vertex that is asked for, and note that."""
        named = {VertexSubject(one) for one in _ends(fact)} & self._asked
        self._there |= named
        return bool(named)

    def _take(
        self, found: ErasedColumns, part: str, rows: Iterable[bytes], references: set[bytes]
    ) -> None:
        """Take all cells of some rows; references of edges among them go into a set."""
        table, ordered = self._bound.tables[part], sorted(rows)
        for start in range(0, len(ordered), _CHUNK):
            ranges = [Range.row(row) for row in ordered[start : start + _CHUNK]]
            held: dict[Subject, list[AnyFact]] = {}
            for batch in self._engine.read_raw(table, ranges):
                for cell, fact in zip(batch, read_facts(self._rows, part, batch), strict=True):
                    found.add(table, cell)
                    if isinstance(fact, ValueFact) and isinstance(fact.value, StreamingValue):
                        found.streams[fact.value] = None
                    held.setdefault(fact.subject, []).append(fact)
            for subject, facts in held.items():
                if isinstance(subject, EdgeSubject):
                    references |= self._references(subject, facts)
                if not isinstance(subject, ReferenceSubject):
                    found.count(_labels(facts))

    def _references(self, edge: EdgeSubject, facts: list[AnyFact]) -> set[bytes]:
        made = EdgeReferences(self._rows, self._bound.groups)
        shapes = {
            repr(one.shape): one.shape
            for one in facts
            if isinstance(one, ExistenceFact) and one.shape is not None
        }
        return {
            self._rows.row_of(subject)
            for shape in shapes.values()
            for subject in made.of_shape(edge.id, shape)
        }

    def _naming(self, part: str) -> Iterator[AnyFact]:
        """Yield the facts of a table that may name one of the vertices."""
        searched = [one for keys, values in self._searched for one in (*keys, *(values or ()))]
        # In values a number is written with its width, which nobody can tell: all are read.
        whole = part == EDGES and any(values is None for _, values in self._searched)
        for batch in self._engine.read_raw(self._bound.tables[part], [Range()]):
            cells = list(batch if whole else _containing(batch, searched))
            if part == EDGES:
                cells = [cell for cell in cells if cell.family in _NAMING]
            yield from read_facts(self._rows, part, cells)


def _patterns(key: bytes, vertex: Any) -> tuple[list[bytes], list[bytes] | None]:
    """Return how rows name a vertex, and how values do, if that is known."""
    keys = [escape(key)]
    if isinstance(vertex, str):
        return keys, [vertex.encode()]
    return keys, [vertex] if isinstance(vertex, bytes) else None


def _containing(batch: CellBatch, patterns: Sequence[bytes]) -> Iterator[Cell]:
    whole = b"".join(bytes(column.data) for column in (batch.row, batch.qualifier, batch.value))
    here = [one for one in patterns if one in whole]
    for cell in batch if here else ():
        if any(one in part for one in here for part in (cell.row, cell.qualifier, cell.value)):
            yield cell


def _ends(fact: AnyFact) -> Iterator[Any]:
    if isinstance(fact.subject, ReferenceSubject):
        yield from (fact.subject.vertex, fact.subject.other)
    if isinstance(fact, ExistenceFact) and fact.shape is not None:
        yield from (fact.shape.source, fact.shape.destination)
    if isinstance(fact, HideFact) and fact.cause is not None:
        yield fact.cause


def _mirrored(one: ReferenceSubject) -> ReferenceSubject:
    opposite = _OPPOSITE[one.direction]
    return ReferenceSubject(one.other, opposite, one.label, one.sort_key, one.vertex, one.edge)


def _labels(facts: Iterable[AnyFact]) -> Counter[str]:
    """Return the labels of an element, also of those that it had."""
    found: Counter[str] = Counter()
    for one in facts:
        if isinstance(one, LabelFact):
            found[one.label] = 1
        elif isinstance(one, ExistenceFact) and one.shape is not None:
            found[one.shape.label] = 1
    return found
