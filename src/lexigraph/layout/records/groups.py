"""What a schema says of records, as reading and writing facts need it.

Layer ``layout``. Made of the record groups of a schema; without a schema every label is free: no
sort key, no signature, any number of edges and of values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from lexigraph.errors import UnsupportedError, UsageError, nearest
from lexigraph.layout.records.assembling.retention import Retention
from lexigraph.layout.records.facts import EdgeShape, NamedValues
from lexigraph.layout.records.rows import RecordRows, SortField
from lexigraph.layout.records.subjects import RowSubject, Subject, VertexSubject
from lexigraph.schema.model import EDGE, MULTIPLICITIES, VERTEX, Group, History, Schema
from lexigraph.schema.records import shown_ttl

MULTI, SIMPLE, MANY_TO_ONE, ONE_TO_MANY, ONE_TO_ONE = MULTIPLICITIES


@dataclass(frozen=True, slots=True)
class EdgeGroup:
    """What a label of edges declares."""

    label: str
    sort_key: tuple[SortField, ...] = ()
    signature: tuple[str, ...] = ()
    multiplicity: str = MULTI
    unidirected: bool = False

    @property
    def shape_names(self) -> tuple[str, ...]:
        """The properties that are part of the shape, ordered by their bytes."""
        names = {*(one.name for one in self.sort_key), *self.signature}
        return tuple(sorted(names, key=str.encode))

    def sort_values(self, shape: EdgeShape) -> tuple[Any, ...]:
        """Return the values of the sort key; ``None`` for those that a shape does not have."""
        held = dict(shape.properties)
        return tuple(held.get(one.name) for one in self.sort_key)

    def signature_of(self, shape: EdgeShape) -> NamedValues:
        """Return the signature properties of a shape."""
        return tuple(pair for pair in shape.properties if pair[0] in self.signature)

    def check_shape(self, shape: EdgeShape) -> None:
        """Refuse properties that the label does not have in its sort key or signature."""
        for name, _ in shape.properties:
            if name not in self.shape_names:
                raise UsageError(
                    f"{name!r} is not in the sort key or the signature of {self.label!r}",
                    near=nearest(name, self.shape_names),
                    hint="Give it as a value of the edge.",
                )


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """The times to live that groups of one kind declare, in microseconds."""

    labels: Mapping[str, int] = field(default_factory=dict)
    names: Mapping[str, int] = field(default_factory=dict)

    @staticmethod
    def of(groups: Iterable[Group]) -> Lifetimes:
        """Return what groups declare."""
        found = [(one.name, one.record) for one in groups if one.record is not None]
        return Lifetimes(
            {name: one.ttl for name, one in found if one.ttl is not None},
            {name: ttl for _, one in found for name, ttl in one.ttls},
        )


@dataclass(frozen=True, slots=True)
class RecordGroups:
    """All labels of a graph of records.

    ``cardinalities`` are those of the properties that groups of vertices or of edges declare;
    ``retentions`` say how much of their history is kept. Both are by ``vertex`` and ``edge``.

    >>> RecordGroups().edge("KNOWS").multiplicity
    'multi'
    """

    vertex_codec: str = "any"
    edges: Mapping[str, EdgeGroup] = field(default_factory=dict)
    cardinalities: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    retentions: Mapping[str, Retention] = field(default_factory=dict)
    lifetimes: Mapping[str, Lifetimes] = field(default_factory=dict)
    """The times to live that are declared, by ``vertex`` and ``edge``."""
    static: frozenset[str] = frozenset()
    """The labels of vertices that never change."""

    @staticmethod
    def of(schema: Schema | None, *, vertex_codec: str | None = None) -> RecordGroups:
        """Return what the record groups of a schema say.

        ``vertex_codec`` is that of stored rows; without it, that of the ids of all these groups.
        """
        groups = [] if schema is None else [one for one in schema.groups.values() if one.record]
        codecs = {kind.codec for one in groups for kind in one.ids.values()}
        return RecordGroups(
            vertex_codec or (codecs.pop() if len(codecs) == 1 else "any"),
            {one.name: _edge_group(one) for one in groups if one.kind == EDGE},
            {kind: _cardinalities(groups, kind) for kind in (VERTEX, EDGE)},
            {kind: _retention([one for one in groups if one.kind == kind]) for kind in _KINDS},
            {kind: Lifetimes.of(one for one in groups if one.kind == kind) for kind in _KINDS},
            frozenset(one.name for one in groups if one.record is not None and one.record.static),
        )

    def edge(self, label: str) -> EdgeGroup:
        """Return what a label of edges declares; nothing if nobody declared it."""
        return self.edges.get(label) or EdgeGroup(label)

    def cardinality(self, subject: Subject, name: str) -> str | None:
        """Return the declared cardinality of a property, if there is one."""
        return self.cardinalities.get(_kind_of(subject), {}).get(name)

    def retention(self, subject: Subject) -> Retention:
        """Return how much history is kept of the facts of a subject."""
        return self.retentions.get(_kind_of(subject), _EVERYTHING)

    @property
    def expires(self) -> bool:
        """Whether anything has a time to live."""
        return any(one.labels or one.names for one in self.lifetimes.values())

    def ttl_of(self, subject: Subject, name: str) -> int | None:
        """Return the time to live of the values of a property, if they have one of their own."""
        found = self.lifetimes.get(_kind_of(subject))
        return None if found is None else found.names.get(name)

    def ttl_of_labels(self, subject: Subject, labels: Iterable[str]) -> int | None:
        """Return the time to live of an element with these labels: the longest of theirs."""
        found = self.lifetimes.get(_kind_of(subject))
        if found is None or not found.labels:
            return None
        ttls = [found.labels.get(one) for one in labels]
        known = [one for one in ttls if one is not None]
        return None if len(known) < len(ttls) else max(known, default=None)

    def check_same_ttl(self, before: str, after: str) -> None:
        """Refuse another label for an edge if it would live for another time."""
        labels = self.lifetimes[EDGE].labels if EDGE in self.lifetimes else {}
        if labels.get(before) != labels.get(after):
            raise UsageError(
                f"edges of {before!r} live {shown_ttl(labels.get(before))} and those of {after!r} "
                f"{shown_ttl(labels.get(after))}: an edge keeps its time to live",
                hint="Delete the edge, and add another one.",
            )

    def rows(self) -> RecordRows:
        """Return where records of these groups lie."""
        keys = {label: one.sort_key for label, one in self.edges.items() if one.sort_key}
        return RecordRows(self.vertex_codec, keys)


NO_GROUPS = RecordGroups()
"""Those of a graph without a schema."""
_KINDS = (VERTEX, EDGE)
_EVERYTHING = Retention()


def _kind_of(subject: Subject) -> str:
    # A reference has the facts of its edge, and keeps them as long; a row is kept as its element.
    of = subject.element if isinstance(subject, RowSubject) else subject
    return VERTEX if isinstance(of, VertexSubject) else EDGE


def _edge_group(group: Group) -> EdgeGroup:
    record = group.record
    if record is None:
        raise UsageError(f"{group.name!r} is not a group of records")
    if record.unidirected and record.multiplicity in (ONE_TO_MANY, ONE_TO_ONE):
        raise UnsupportedError(
            f"edges of {group.name!r} are unidirected: their destination does not know them, so "
            f"{record.multiplicity} cannot be checked",
            hint="Leave unidirected=True out, or declare many2one or simple.",
        )
    types = {one.name: one.type.codec for one in group.properties}
    return EdgeGroup(
        group.name,
        tuple(SortField(one.name, types[one.name], one.descending) for one in record.sort_key),
        record.signature,
        record.multiplicity,
        record.unidirected,
    )


def _cardinalities(groups: Iterable[Group], kind: str) -> dict[str, str]:
    return {
        one.name: one.cardinality
        for group in groups
        if group.kind == kind
        for one in group.properties
    }


def _retention(groups: list[Group]) -> Retention:
    names: dict[str, list[History | None]] = {}
    for group in groups:
        for one in group.properties:
            names.setdefault(one.name, []).append(_history_of(group))
    longest = {name: _longest(found) for name, found in names.items()}
    return Retention(_longest([_history_of(group) for group in groups]), longest)


def _history_of(group: Group) -> History | None:
    return None if group.record is None else group.record.history


def _longest(histories: list[History | None]) -> History | None:
    found = [one for one in histories if one is not None]
    if not found or len(found) < len(histories):
        return None
    return max(found, key=lambda one: (one.days or 0, one.versions or 0))
