"""The records of a question: vertices by their own rows, edges by references or by their rows.

Layer ``plan``. A reference has label, ends, sort key and signature of its edge; the row of an edge
is looked up only if something else is wanted of it, many at a time. Everything streams.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any

from lexigraph.cells.ranges import Range
from lexigraph.layout.records.elements import RecordEdge, RecordReference, RecordVertex
from lexigraph.layout.records.facts import EdgeShape
from lexigraph.layout.records.reading import FetchHints
from lexigraph.layout.records.rows import EDGES, VERTICES
from lexigraph.layout.records.subjects import (
    EITHER,
    EdgeSubject,
    ReferenceSubject,
    Subject,
    VertexSubject,
)
from lexigraph.plan.branches.cells import BATCH_CELLS, batch_for
from lexigraph.plan.logical.elements import Elements, Steps
from lexigraph.plan.records.found import FoundRecord
from lexigraph.plan.records.places import RecordPlaces, WantedLabel, WantedLabels, by_label
from lexigraph.plan.records.reading import EDGE_ROWS, OWN_ROWS, REFERENCES, RecordReader
from lexigraph.plan.records.steps import RecordSteps, fetched_hints, joined_names
from lexigraph.plan.scope import Scope
from lexigraph.plan.sources.find import FindAround
from lexigraph.plan.sources.finder import Finder
from lexigraph.plan.undeclared import undeclared_group, undeclared_name
from lexigraph.schema.model import ValueType

MOST_ROWS = 1024
"""How many rows of edges are looked up by one scan."""


PlacedRecord = tuple[FoundRecord, Subject]
"""A record of the answer, and the subject whose row it was found by."""


@dataclass(frozen=True, slots=True)
class RecordJob:
    """One scan: what it is for, and where."""

    what: str
    ranges: list[Range]
    pairs: bool = False

    __hash__ = None  # type: ignore[assignment]


class RecordBranch:
    """The record groups of one question, ready to run."""

    def __init__(self, asked: Elements, scope: Scope, finder: Finder) -> None:
        self.asked, self.scope, self.finder = asked, scope, finder
        self.tables = scope.keys.record_tables
        self.tables.check_as_of(scope.as_of, scope.time)
        self.groups = [RecordSteps(name, one, scope) for name, one in asked.view.items()]
        self.vertex_groups = [one for one in self.groups if one.group.kind == "vertex"]
        self.edge_groups = [one for one in self.groups if one.group.kind == "edge"]
        self.places = RecordPlaces(asked, finder, self.tables)
        self.fetched = fetched_hints(scope.fetch)
        self.first_of_runs: int | None = None
        """How many edges of each vertex, direction and label are enough; ``None`` for all."""
        self.wanted: int | None = asked.limit
        """How many records of a scan will be taken; ``None`` for all."""
        self._by_label = {one.label: one for one in self.edge_groups}
        self._plain: dict[str, RecordSteps] = {}

    def elements(self, scope: Scope, reader: RecordReader | None = None) -> Iterator[FoundRecord]:
        """Yield the records of the answer: vertices, then edges."""
        if scope.sees_nothing:
            return
        mine = reader or RecordReader(self.tables, scope)
        runs = None
        if self.first_of_runs is not None:
            runs = self.places.runs(self.wanted_labels)
        for job in self.jobs(with_references=runs is None):
            for found, _ in self._done(job, mine):
                yield found
        for _, ranges in runs or ():
            yield from self._first_of_run(ranges, mine)

    def placed(
        self, scope: Scope, after: tuple[int, bytes] | None
    ) -> Iterator[tuple[FoundRecord, int, Subject]]:
        """Yield records with the number of their scan and whose row they have, after such a row."""
        if scope.sees_nothing:
            return
        mine = RecordReader(self.tables, scope)
        for number, job in enumerate(self.jobs()):
            left = job
            if after is not None and number <= after[0]:
                if number < after[0]:
                    continue
                left = replace(job, ranges=_behind(job.ranges, after[1]))
            for found, subject in self._done(left, mine):
                yield found, number, subject

    def jobs(self, *, with_references: bool = True) -> Iterator[RecordJob]:
        """Yield the scans that the answer is made of, in its order."""
        places, labels = self.places, self.wanted_labels
        if self.vertex_groups:
            with_edges = bool(self.vertex_hints.reference_families)
            for ranges in places.vertices(with_edges=with_edges):
                yield RecordJob(OWN_ROWS, ranges)
        if not self.edge_groups:
            return
        if places.by_rows:
            for ranges in places.edges():
                yield RecordJob(EDGE_ROWS, ranges)
        elif with_references:
            for ranges in places.references(labels):
                yield RecordJob(REFERENCES, ranges)
            for ranges in places.pairs(labels):
                yield RecordJob(REFERENCES, ranges, pairs=True)

    def _done(self, job: RecordJob, reader: RecordReader) -> Iterator[PlacedRecord]:
        if job.what == OWN_ROWS:
            return self._vertices(job.ranges, reader)
        if job.what == EDGE_ROWS:
            return self._edges_by_rows(job.ranges, reader)
        return self._presented(self._references(job, reader), reader)

    def _references(
        self, job: RecordJob, reader: RecordReader
    ) -> Iterator[tuple[RecordReference, RecordSteps]]:
        cells = batch_for(self.wanted)
        read = reader.read(REFERENCES, VERTICES, job.ranges, self.reference_hints, cells)
        return self._paired(read) if job.pairs else self._kept(read)

    def count(self, scope: Scope) -> int:
        """Count the records of the answer; no element is made of references that all count."""
        makes = self.vertex_groups or self.places.by_rows
        if makes or not all(one.takes_all and one.why_row is None for one in self.edge_groups):
            return sum(1 for _ in self.elements(scope))
        if scope.sees_nothing:
            return 0
        mine = RecordReader(self.tables, scope)
        return sum(1 for job in self.jobs() for _ in self._references(job, mine))

    def _first_of_run(self, ranges: list[Range], reader: RecordReader) -> Iterator[FoundRecord]:
        # One cell more shows that the last row has ended.
        cells = min(BATCH_CELLS, (self.first_of_runs or 0) + 1)
        read = reader.read(REFERENCES, VERTICES, ranges, self.reference_hints, cells)
        left = self.first_of_runs or 0
        for found, _ in self._presented(self._kept(read), reader) if left else ():
            yield found
            # NaN comes after all numbers in an answer, wherever it stands among the keys.
            left -= 0 if any(one != one for one in found.properties.values()) else 1
            if not left:
                return

    @property
    def scans_several(self) -> bool:
        """Whether more than one scan may be needed."""
        finder = self.finder
        if isinstance(finder, FindAround) and len(finder.vertices) == 1 and not finder.edges:
            kinds = bool(self.vertex_groups) + bool(self.edge_groups)
            return kinds > 1 or any(one.why_row for one in self.edge_groups)
        return True

    @cached_property
    def vertex_hints(self) -> FetchHints:
        """What is read of vertices."""
        fetched = self.fetched
        return FetchHints(
            labels=True,
            properties=joined_names(one.reads for one in self.vertex_groups),
            metadata=joined_names(one.metadata for one in self.vertex_groups),
            out_edges=fetched.out_edges,
            in_edges=fetched.in_edges,
            hidden=fetched.hidden,
        )

    @cached_property
    def reference_hints(self) -> FetchHints:
        """What is read of references."""
        return FetchHints(out_edges=True, in_edges=True, hidden=self.fetched.hidden)

    @cached_property
    def row_hints(self) -> FetchHints:
        """What is read of the rows of edges."""
        needed = [one for one in self.edge_groups if one.why_row is not None]
        return FetchHints(
            properties=joined_names(one.reads for one in needed),
            metadata=joined_names(one.metadata for one in needed),
            hidden=self.fetched.hidden,
        )

    @cached_property
    def wanted_labels(self) -> WantedLabels:
        """The labels of edges to look for."""
        return by_label(
            (one.label, WantedLabel(one.slices, one.group.directed)) for one in self.edge_groups
        )

    def sorts_runs(self, names: list[tuple[str, bool]]) -> bool:
        """Return whether references of one vertex, direction and label come in an order.

        The order is given by names of properties, each with whether it is descending.
        """
        if self.places.by_rows or self.places.runs({}) is None or None in self.wanted_labels:
            return False
        return all(list(one.sort_names[: len(names)]) == names for one in self.edge_groups)

    def _vertices(self, ranges: list[Range], reader: RecordReader) -> Iterator[PlacedRecord]:
        held: RecordVertex | None = None
        references: list[RecordReference] = []
        read = reader.read(OWN_ROWS, VERTICES, ranges, self.vertex_hints, self._batch_cells)
        for one in read:
            if isinstance(one, RecordReference):
                references.append(one)
            elif isinstance(one, RecordVertex):
                yield from self._shown_vertex(held, references)
                held, references = one, []
        yield from self._shown_vertex(held, references)

    def _shown_vertex(
        self, held: RecordVertex | None, references: Iterable[RecordReference]
    ) -> Iterator[PlacedRecord]:
        if held is None:
            return
        own = None
        if self.vertex_hints.reference_families:
            # References of a vertex that is not seen come after it, too.
            encode = self.places.encode
            key = encode(held.id)
            mine = (one for one in references if encode(one.subject.vertex) == key)
            own = tuple(found for one in mine if (found := self._plain_edge(one)) is not None)
        for steps in self._groups_of(held.labels or ()):
            found = steps.vertex(held, own)
            if found is not None:
                yield found, VertexSubject(held.id)
                return

    def shown_vertex(self, vertex: RecordVertex) -> FoundRecord | None:
        """Return what the answer has of a vertex without its edges: one element, or none."""
        for steps in self._groups_of(vertex.labels or ()):
            found = steps.vertex(vertex, None)
            if found is not None:
                return found
        return None

    def _groups_of(self, labels: tuple[str, ...]) -> Iterator[RecordSteps]:
        for steps in self.vertex_groups:
            if steps.label is None:
                if not any(self._is_declared(label, "vertex") for label in labels):
                    yield steps
            elif steps.label in labels:
                yield steps

    def _is_declared(self, label: str, kind: str) -> bool:
        held = self.scope.schema.groups.get(label)
        return held is not None and held.kind == kind and label in self.tables.groups

    @property
    def _batch_cells(self) -> int:
        """Return how many cells of rows are read at once: a row has several."""
        return batch_for(self.wanted, 16)

    def _edges_by_rows(self, ranges: list[Range], reader: RecordReader) -> Iterator[PlacedRecord]:
        directed = self.asked.directed
        for one in reader.read(EDGE_ROWS, EDGES, ranges, self.row_hints, self._batch_cells):
            assert isinstance(one, RecordEdge)
            steps = self._steps_of(one.shape.label)
            if steps is None or directed not in (None, one.shape.directed):
                continue
            found = steps.edge(one, None)
            if found is not None:
                yield found, EdgeSubject(one.id)

    def _kept(self, read: Iterable[Any]) -> Iterator[tuple[RecordReference, RecordSteps]]:
        for one in read:
            steps = self._steps_of(one.subject.label)
            if steps is not None and self.places.keeps(one.subject):
                yield one, steps

    def _paired(self, read: Iterable[Any]) -> Iterator[tuple[RecordReference, RecordSteps]]:
        seen: set[tuple[Any, ...]] = set()
        for one in read:
            steps, subject = self._steps_of(one.subject.label), one.subject
            # An undirected edge may have been asked for from either end.
            mark = (subject.label, repr(subject.sort_key), self.tables.edge_key(subject.edge))
            if steps is not None and self.places.keeps_pair(subject) and mark not in seen:
                seen.add(mark)
                yield one, steps

    def _steps_of(self, label: str) -> RecordSteps | None:
        found = self._by_label.get(label)
        if found is None and None in self._by_label and not self._is_declared(label, "edge"):
            found = self._by_label[None]
        return found

    def _presented(
        self, references: Iterator[tuple[RecordReference, RecordSteps]], reader: RecordReader
    ) -> Iterator[PlacedRecord]:
        """Yield edges in the order of their references, with their rows if those are needed."""
        if all(one.why_row is None for one in self.edge_groups):
            for one, steps in references:
                yield from self._shown_edge(one, steps, None)
            return
        # A page is looked up at once. A stream begins with a few, because its reader may stop.
        size = min(16, self.first_of_runs or 16) if self.wanted is None else self.wanted
        size = max(1, min(size, MOST_ROWS))
        while batch := list(islice(references, size)):
            rows = self._rows([one for one, steps in batch if steps.why_row], reader)
            for one, steps in batch:
                row = rows.get(self.tables.edge_key(one.subject.edge)) if steps.why_row else None
                yield from self._shown_edge(one, steps, row)
            size = min(4 * size, MOST_ROWS)

    def _rows(
        self, references: Iterable[RecordReference], reader: RecordReader
    ) -> dict[bytes, RecordEdge]:
        ranges = self.tables.edges(one.subject.edge for one in references)
        found = {}
        for one in reader.read(EDGE_ROWS, EDGES, ranges, self.row_hints):
            assert isinstance(one, RecordEdge)
            found[self.tables.edge_key(one.id)] = one
        return found

    def _shown_edge(
        self, reference: RecordReference, steps: RecordSteps, row: RecordEdge | None
    ) -> Iterator[PlacedRecord]:
        record = self._edge(reference, row)
        if steps.why_row is not None and row is None:
            record = replace(record, properties=(), hints=self.row_hints)
        matched = self._matched(reference.subject) if self.finder.shows_matched else None
        found = steps.edge(record, matched)
        if found is not None:
            yield found, reference.subject

    def _edge(self, reference: RecordReference, row: RecordEdge | None) -> RecordEdge:
        """Return an edge with the shape of a reference and the properties of its row."""
        subject = reference.subject
        source, destination = self._ends(subject)
        names = (one.name for one in self.tables.sort_key(subject.label))
        pairs = {**dict(zip(names, subject.sort_key, strict=True)), **dict(reference.signature)}
        ordered = tuple(sorted(pairs.items(), key=lambda one: one[0].encode()))
        shape = EdgeShape(subject.label, source, destination, subject.direction != EITHER, ordered)
        return RecordEdge(
            None if row is None else row.properties,
            FetchHints() if row is None else row.hints,
            subject.edge,
            shape,
            reference.visibility,
            reference.time,
            reference.hidden,
        )

    def _ends(self, subject: ReferenceSubject) -> tuple[Any, Any]:
        ends = subject.vertex, subject.other
        return ends if self._matched(subject) == "source" else ends[::-1]

    def _matched(self, subject: ReferenceSubject) -> str:
        """Return the end of an edge that has this reference."""
        return "source" if self.places.is_first(subject) else "destination"

    def _plain_edge(self, reference: RecordReference) -> FoundRecord | None:
        """Return an edge that was fetched with its vertex."""
        label = reference.subject.label
        steps = self._plain.get(label)
        if steps is None:
            group = self.scope.schema.groups.get(label)
            if group is None or not self._is_declared(label, "edge"):
                ids = ValueType(self.tables.rows.vertex_codec)
                group = undeclared_group(undeclared_name("edge", label), ids)
            steps = self._plain[label] = RecordSteps(group.name, Steps(), self.scope, group)
        return steps.edge(self._edge(reference, None), self._matched(reference.subject))


def _behind(ranges: list[Range], row: bytes) -> list[Range]:
    """Return the parts of ranges that come after a row."""
    rest = Range.rows(row, start_inclusive=False)
    return [cut for one in ranges if (cut := one.clip(rest)) is not None]
