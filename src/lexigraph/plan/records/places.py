"""Where a question looks for records: rows of vertices, references around them, rows of edges.

Layer ``plan``. An edge has a reference at each of its ends; a source knows which of them it
reaches, so that each edge comes once. The rules are those of summary edges.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

from lexigraph.cells.ranges import Range
from lexigraph.codec import Codec
from lexigraph.errors import UnsupportedError
from lexigraph.layout.records.subjects import EITHER, IN, OUT, ReferenceSubject
from lexigraph.layout.records.tables import WHOLE, RecordTables, SortSlice
from lexigraph.layout.wanted import BOTH
from lexigraph.plan.logical.elements import Elements
from lexigraph.plan.sources.by_id import FindById
from lexigraph.plan.sources.find import FindAround, FindBetween, FindEverything
from lexigraph.plan.sources.finder import Finder
from lexigraph.plan.sources.ranges import FindInRanges
from lexigraph.plan.sources.seeds import SeedSet
from lexigraph.plan.sources.starting import FindStarting


class WantedLabel(NamedTuple):
    """What is wanted of one label: slices of its sort key, and whether its edges are directed."""

    slices: list[SortSlice]
    directed: bool | None = None


WantedLabels = dict[str | None, WantedLabel]
"""The labels of edges that are wanted; ``None`` stands for all labels."""
ReferenceRun = tuple[str | None, list[Range]]
"""References of one vertex, one direction and one label, in the order of their sort keys."""


class RecordPlaces:
    """Where the records of one source lie."""

    def __init__(self, asked: Elements, finder: Finder, tables: RecordTables) -> None:
        self.asked, self.finder, self.tables = asked, finder, tables
        codec = tables.vertex_codec
        self.encode = self._encode = codec.encode
        # Rows of records may have self-describing ids where those of summaries have plain ones.
        self._vertices = self._first = self._second = SeedSet((), codec)
        self._ranges: list[tuple[bytes, bytes]] = []
        if isinstance(finder, FindAround):
            self._vertices = _in_codec(finder.vertices, codec)
        elif isinstance(finder, FindBetween):
            self._first = _in_codec(finder.first, codec)
            self._second = _in_codec(finder.second, codec)
        elif isinstance(finder, FindInRanges):
            keys = ([self._encode(a), self._encode(b)] for a, b in finder.ranges)
            self._ranges = [(min(pair), max(pair)) for pair in keys]
        if isinstance(finder, FindInRanges) and finder.spans:
            raise UnsupportedError(
                "records cannot be read in a range that begins or ends with an edge",
                hint="Use ranges of vertices, or choose summary groups with .edges(...).",
            )

    @property
    def by_rows(self) -> bool:
        """Whether edges are found by their own rows, not by references."""
        return isinstance(self.finder, FindEverything | FindById)

    @cached_property
    def directions(self) -> tuple[str, ...]:
        """The directions of the references to read."""
        asked = self.asked
        either = (EITHER,) if asked.directed is not True else ()
        if asked.directed is False:
            return either
        wanted = {OUT: (OUT,), IN: (IN,), BOTH: (OUT, IN)}[asked.direction]
        return (*wanted, *either)

    def vertices(self, *, with_edges: bool) -> Iterator[list[Range]]:
        """Yield the rows of vertices, those of one scan at a time; with references, if asked."""
        finder = self.finder
        if isinstance(finder, FindAround):
            ends = (end for a, b, _ in finder.edges for end in (a, b))
            seeds = self._vertices
            if finder.edges:
                seeds = SeedSet(chain(seeds, ends), self.tables.vertex_codec)
            for batch in seeds.batches(finder.batch):
                yield self._own(batch, with_edges=with_edges)
        elif isinstance(finder, FindBetween):
            for batch in self._seeds():
                yield self._own(batch, with_edges=with_edges)
        elif isinstance(finder, FindInRanges):
            yield Range.merge(self._in_ranges())
        elif isinstance(finder, FindEverything):
            yield [Range()]

    def _own(self, vertices: list[Any], *, with_edges: bool) -> list[Range]:
        if not with_edges:
            return self.tables.vertices(vertices)
        return Range.merge([one for v in vertices for one in self.tables.vertices_between(v, v)])

    def edges(self) -> Iterator[list[Range]]:
        """Yield the rows of edges, if they are found by those."""
        if isinstance(self.finder, FindById):
            for batch in self.finder.batches():
                yield self.tables.edges(batch)
        elif isinstance(self.finder, FindEverything):
            yield [Range()]

    def references(self, labels: WantedLabels) -> Iterator[list[Range]]:
        """Yield references, those of one scan at a time."""
        finder = self.finder
        if isinstance(finder, FindInRanges):
            # A range of ids has the references of all labels: others are left out afterwards.
            yield Range.merge(self._in_ranges())
            return
        for batch in self._seeds():
            found = chain.from_iterable(self._around(one, labels) for one in batch)
            yield Range.merge(list(found))

    def pairs(self, labels: WantedLabels) -> Iterator[list[Range]]:
        """Yield the references of edges that were asked for by both of their ends."""
        if isinstance(self.finder, FindAround) and self.finder.edges:
            yield Range.merge(list(chain.from_iterable(self._pairs(self.finder, labels))))

    def runs(self, labels: WantedLabels) -> Iterator[ReferenceRun] | None:
        """Yield the references of each vertex, direction and label apart.

        ``None`` if the source does not start from vertices alone.
        """
        finder = self.finder
        if isinstance(finder, FindInRanges) or (isinstance(finder, FindAround) and finder.edges):
            return None
        return self._runs(labels)

    def _runs(self, labels: WantedLabels) -> Iterator[ReferenceRun]:
        for vertex in chain.from_iterable(self._seeds()):
            # In the order of rows: what is equal in a sort comes as it would from one scan.
            for direction in self.directions:
                for label, one in labels.items():
                    parts = one.slices if direction in self.directions_of(one) else ()
                    found = [self.tables.references(vertex, [direction], label, s) for s in parts]
                    ranges = Range.merge(list(chain.from_iterable(found)))
                    if ranges:
                        yield label, ranges

    def _seeds(self) -> Iterator[list[Any]]:
        finder = self.finder
        if isinstance(finder, FindAround):
            yield from self._vertices.batches(finder.batch)
        elif isinstance(finder, FindBetween) and len(self._second):
            yield from self._first.batches(finder.batch)

    def _around(self, vertex: Any, labels: WantedLabels) -> Iterator[Range]:
        for label, one in labels.items():
            directions = self.directions_of(one)
            for part in one.slices:
                yield from self.tables.references(vertex, directions, label, part)

    def directions_of(self, one: WantedLabel) -> list[str]:
        """Return the directions of the references of a label to read."""
        # Edges of a declared label are all directed, or none of them is.
        kinds = {True: (OUT, IN), False: (EITHER,), None: (OUT, IN, EITHER)}[one.directed]
        return [direction for direction in self.directions if direction in kinds]

    def _pairs(self, finder: FindAround, labels: WantedLabels) -> Iterator[list[Range]]:
        for source, other, directed in finder.edges:
            if self.asked.directed not in (None, directed):
                continue
            direction = [OUT if directed else EITHER]
            for label in labels:
                if label is None:
                    yield self.tables.references(source, direction)
                else:
                    yield self.tables.references_to(source, direction, label, other)

    def _in_ranges(self) -> list[Range]:
        assert isinstance(self.finder, FindInRanges)
        if isinstance(self.finder, FindStarting):
            starts = map(self.tables.vertices_starting, self.finder.prefixes)
            return list(chain.from_iterable(starts))
        found = (self.tables.vertices_between(a, b) for a, b in self.finder.ranges)
        return list(chain.from_iterable(found))

    def is_first(self, subject: ReferenceSubject) -> bool:
        """Return whether a reference is the one of its two by which ``everything`` counts it."""
        if subject.direction == EITHER:
            return self._encode(subject.vertex) <= self._encode(subject.other)
        return subject.direction == OUT

    def keeps(self, subject: ReferenceSubject) -> bool:
        """Return whether a reference belongs to the answer, which has each edge once."""
        finder, asked = self.finder, self.asked
        if subject.direction not in self.directions:
            return False
        turns = subject.direction == EITHER or asked.direction == BOTH
        if not turns and not isinstance(finder, FindBetween):
            return True
        other = self._encode(subject.other)
        if isinstance(finder, FindBetween) and other not in self._second:
            return False
        if asked.both_ends or not turns or self.is_first(subject):
            return True
        if isinstance(finder, FindBetween):
            return not (other in self._first and self._encode(subject.vertex) in self._second)
        if isinstance(finder, FindStarting):
            return not finder.starts(subject.other)
        if isinstance(finder, FindInRanges):
            return not any(low <= other <= high for low, high in self._ranges)
        return other not in self._vertices

    def keeps_pair(self, subject: ReferenceSubject) -> bool:
        """Return whether an edge was asked for by both of its ends, and not found before."""
        if self._is_covered(subject):
            return False
        assert isinstance(self.finder, FindAround)
        ends = self._encode(subject.vertex), self._encode(subject.other)
        return any(
            directed == (subject.direction == OUT)
            and (self._encode(source), self._encode(destination)) == ends
            for source, destination, directed in self.finder.edges
        )

    def _is_covered(self, subject: ReferenceSubject) -> bool:
        """Return whether an edge was found around a vertex already."""
        vertices, directions = self._vertices, self.directions
        if subject.direction == EITHER:
            ends = (subject.vertex, subject.other)
            return EITHER in directions and any(self._encode(end) in vertices for end in ends)
        leaves = OUT in directions and self._encode(subject.vertex) in vertices
        enters = IN in directions and self._encode(subject.other) in vertices
        return leaves or enters


def _in_codec(seeds: SeedSet, codec: Codec[Any]) -> SeedSet:
    return seeds if seeds.codec is codec else SeedSet(seeds, codec)


def by_label(wanted: Iterable[tuple[str | None, WantedLabel]]) -> WantedLabels:
    """Return labels in the order of their rows; all labels take the place of each."""
    found = dict(wanted)
    if None in found:
        return {None: WantedLabel([WHOLE])}
    return dict(sorted(found.items(), key=lambda one: (one[0] or "").encode()))
