"""Where records lie: the ranges and tables to read for a vertex, an edge or some references.

Layer ``layout``. A question names ids, directions, labels and sort keys; only this knows which rows
that means. Ranges hold all rows that are asked for, and no others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, groupby
from typing import Any

from lexigraph.cells.ranges import Range, trusted_rows
from lexigraph.codec import Codec, codec_for
from lexigraph.codec.composite import TupleCodec
from lexigraph.codec.escape import escape
from lexigraph.codec.prefix import Bound, KeyRange, bounded_range, following_prefix
from lexigraph.codec.selfdescribing import ANY
from lexigraph.layout.records.assembling.expiry import without_expired
from lexigraph.layout.records.assembling.retention import Retention, retained_now
from lexigraph.layout.records.bound import BoundRecords
from lexigraph.layout.records.facts import AnyFact
from lexigraph.layout.records.rows import RecordRows, SortField
from lexigraph.layout.records.subjects import EdgeSubject, VertexSubject
from lexigraph.schema.model import EDGE, VERTEX


@dataclass(frozen=True, slots=True)
class SortSlice:
    """A part of the references of a label: sort keys that start with ``values``.

    The part after those may have bounds. They are meant in the order of values, also if it is
    declared descending; null lies outside.
    """

    values: tuple[Any, ...] = ()
    lower: Bound | None = None
    upper: Bound | None = None


WHOLE = SortSlice()
"""All references of a label."""


@dataclass(frozen=True, slots=True)
class RecordTables:
    """The records of one graph: how rows are made, and what the engine calls the two tables.

    ``groups`` are the groups of the schema that are records. A graph that is ``open`` has records
    that no group declares.

    >>> tables = RecordTables(RecordRows("str"), {"vertices": "g.vertices", "edges": "g.edges"})
    >>> [one.start.row for one in tables.references("ann", ["out", "in"], "KNOWS")]
    [b'ann\\x00\\x02KNOWS\\x00', b'ann\\x00\\x03KNOWS\\x00']
    """

    rows: RecordRows
    names: Mapping[str, str]
    groups: frozenset[str] = frozenset()
    open: bool = False
    retentions: Mapping[str, Retention] = field(default_factory=dict)
    """How much history is kept of vertices and of edges, by ``vertex`` and ``edge``."""
    expires: bool = False
    """Whether any class or property has a time to live."""

    __hash__ = None  # type: ignore[assignment]

    @staticmethod
    def of(bound: BoundRecords) -> RecordTables:
        """Return where the records of a stored graph lie."""
        return RecordTables(
            bound.rows,
            bound.tables,
            frozenset(bound.schema.groups),
            bound.learns,
            bound.groups.retentions,
            bound.groups.expires,
        )

    def check_as_of(self, as_of: int | None, now: int) -> None:
        """Refuse an as-of time that lies before what is kept."""
        for one in self.retentions.values():
            one.check_as_of(as_of, now)

    @property
    def keeps_less(self) -> bool:
        """Whether the history of any class is limited."""
        return any(map(_limits, self.retentions.values()))

    def retained(self, facts: Iterator[AnyFact], now: int) -> Iterator[AnyFact]:
        """Yield the facts that readers judge, of facts in the order of their cells."""
        if not self.keeps_less:
            return without_expired(facts, now) if self.expires else facts
        kinds = groupby(facts, key=lambda one: isinstance(one.subject, VertexSubject))
        return chain.from_iterable(
            retained_now(found, self.retentions[VERTEX if is_vertex else EDGE], now)
            for is_vertex, found in kinds
        )

    @property
    def vertex_codec(self) -> Codec[Any]:
        """The codec of the ids of vertices."""
        return codec_for(self.rows.vertex_codec)

    def sort_key(self, label: str) -> tuple[SortField, ...]:
        """Return the parts of the sort key that a label declares."""
        return self.rows.sort_keys.get(label, ())

    def edge_key(self, edge: Any) -> bytes:
        """Return what tells edges apart: equal ids, equal bytes."""
        return self.rows.row_of(EdgeSubject(edge))

    def vertices(self, ids: Iterable[Any]) -> list[Range]:
        """Return the own rows of some vertices, in their order."""
        return _exact(self.rows.row_of(VertexSubject(one)) for one in ids)

    def edges(self, ids: Iterable[Any]) -> list[Range]:
        """Return the rows of some edges, in their order."""
        return _exact(self.rows.row_of(EdgeSubject(one)) for one in ids)

    def references(
        self,
        vertex: Any,
        directions: Iterable[str],
        label: str | None = None,
        part: SortSlice = WHOLE,
    ) -> list[Range]:
        """Return the references of a vertex: in some directions, of one label or of all."""
        own = self.rows.vertex_part(vertex)[:-1]
        spans = self.reference_spans(directions, label, part)
        return [trusted_rows(own + start, own + end) for start, end in spans]

    def reference_spans(
        self, directions: Iterable[str], label: str | None = None, part: SortSlice = WHOLE
    ) -> list[tuple[bytes, bytes]]:
        """Return the same for any vertex: what follows its id in the first row, and in the end."""
        found = []
        for direction in directions:
            start = self.rows.reference_start(direction, label)
            # Its first byte is 00, so there is something after it.
            after = following_prefix(start)
            assert after is not None
            if label is None or part == WHOLE:
                found.append((start, after))
                continue
            codec = TupleCodec(self.rows.sort_codecs(label))
            low, high = bounded_range(codec, part.values, lower=part.lower, upper=part.upper)
            # Only a prefix of FF bytes has nothing after it: then the references end there.
            end = after if high is None else start + high
            if start + low < end:
                found.append((start + low, end))
        return found

    def references_to(
        self, vertex: Any, directions: Iterable[str], label: str, other: Any
    ) -> list[Range]:
        """Return the references of a vertex to another; all of the label if it has a sort key."""
        if self.sort_key(label):
            return self.references(vertex, directions, label)
        starts = [
            self.rows.reference_prefix(vertex, direction, label) + self.rows.vertex_part(other)
            for direction in directions
        ]
        return [_range((start, following_prefix(start))) for start in starts]

    def vertices_between(self, first: Any, last: Any) -> list[Range]:
        """Return the rows of all vertices from one id to another, with their references."""
        start = self.rows.vertex_part(first)
        return [_range((start, following_prefix(self.rows.vertex_part(last))))]

    def vertices_starting(self, prefix: str | bytes) -> list[Range]:
        """Return the rows of all vertices whose ids start so, with their references."""
        start = self.vertex_codec.encode(prefix)
        if self.vertex_codec is ANY:
            # The key form of text ends with a byte of its own.
            start = start[:-1]
        start = escape(start)
        return [_range((start, following_prefix(start)))]

    def edges_between(self, first: Any, last: Any) -> list[Range]:
        """Return the rows of all edges from one id to another."""
        return [_range((ANY.encode(first), ANY.encode(last) + b"\0"))]

    def edges_starting(self, prefix: str | bytes) -> list[Range]:
        """Return the rows of all edges whose ids start so."""
        start = ANY.encode(prefix)[:-1]
        return [_range((start, following_prefix(start)))]


def _limits(retention: Retention) -> bool:
    return any(one is not None for one in (retention.history, *retention.names.values()))


def _exact(rows: Iterable[bytes]) -> list[Range]:
    return [trusted_rows(row, row + b"\0") for row in sorted(set(rows))]


def _range(bounds: KeyRange) -> Range:
    start, end = bounds
    return Range.rows(start) if end is None else trusted_rows(start, end)
