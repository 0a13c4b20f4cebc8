"""A record as an answer holds it: an element that knows who may see it, since when, and more.

Layer ``plan``. The properties of the element are the newest values; the record behind it has all of
them. What the fetch hints did not ask for is not there, and asking for it is an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from lexigraph.errors import UsageError
from lexigraph.layout.records.elements import (
    RecordEdge,
    RecordMetadata,
    RecordValue,
    RecordVertex,
    newest_value,
)
from lexigraph.layout.records.reading import FetchHints
from lexigraph.plan.element import Element

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def shown_moment(time: int) -> datetime | int:
    """Return a time in microseconds as a moment; one that no calendar has stays a number.

    >>> shown_moment(1_000_000).isoformat(), shown_moment(2**62)
    ('1970-01-01T00:00:01+00:00', 4611686018427387904)
    """
    try:
        return _EPOCH + timedelta(microseconds=time)
    except OverflowError:
        return time


def shown_visibility(visibility: bytes) -> str:
    """Return a visibility as text; that of everybody is empty."""
    return visibility.decode("utf-8", "backslashreplace")


def group_in_view(element: Element) -> str:
    """Return the group of a view that an element was found as."""
    return element.asked_as if isinstance(element, FoundRecord) else element.group


def not_fetched(what: str, hint: str, verb: str = "was") -> UsageError:
    """Return the error for what was not fetched; it names the hint."""
    return UsageError(f"{what} {verb} not fetched", hint=f"Ask with {hint}.")


@dataclass(frozen=True, slots=True)
class FoundValue:
    """One value of a property: its key, who may see it, since when, and its metadata."""

    name: str
    value: Any
    key: bytes
    visibility: str
    time: datetime | int
    hidden: bool = False
    entries: tuple[RecordMetadata, ...] | None = field(default=(), repr=False)

    __hash__ = None  # type: ignore[assignment]

    @staticmethod
    def of(found: RecordValue) -> FoundValue:
        """Return a value as it was assembled."""
        return FoundValue(
            found.name,
            found.value,
            found.key,
            shown_visibility(found.visibility),
            shown_moment(found.time),
            found.hidden,
            found.metadata,
        )

    @property
    def metadata(self) -> Mapping[str, Any]:
        """The metadata by key; of a key under several visibilities, one value."""
        if self.entries is None:
            raise not_fetched(f"the metadata of {self.name!r}", '.fetch("properties", "metadata")')
        return {one.key: one.value for one in self.entries}


@dataclass(frozen=True, slots=True)
class FoundRecord(Element):
    """A vertex or an edge of a record group.

    ``edge`` is the id of an edge. ``fetched`` are the hints that the question was asked with.
    """

    edge: Any = None
    record: RecordVertex | RecordEdge | None = field(default=None, compare=False, repr=False)
    fetched: FetchHints = field(default=FetchHints(), compare=False, repr=False)
    asked_as: str = field(default="", compare=False, repr=False)
    """The group of the view that it was found as; its own ``group`` may be an undeclared label."""
    references: tuple[FoundRecord, ...] | None = field(default=None, compare=False, repr=False)
    """The edges of a vertex that were fetched with it."""

    @property
    def id(self) -> Any:
        """The id of the vertex, or of the edge."""
        return self.vertex if self.kind == "vertex" else self.edge

    @property
    def stored(self) -> frozenset[str]:
        """The names of the properties that it has itself; the others show their defaults."""
        record = self._held
        shape = dict(record.shape.properties) if isinstance(record, RecordEdge) else {}
        return frozenset({*shape, *(one.name for one in record.properties or ())})

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the vertex; of an edge, its one label."""
        record = self._held
        if isinstance(record, RecordEdge):
            return (record.shape.label,)
        if not self.fetched.labels or record.labels is None:
            raise not_fetched("the labels", '.fetch("labels")', "were")
        return record.labels

    @property
    def visibility(self) -> str:
        """Who may see it; empty for everybody."""
        return shown_visibility(self._held.visibility)

    @property
    def time(self) -> datetime | int:
        """Since when it exists."""
        return shown_moment(self._held.time)

    @property
    def hidden(self) -> bool:
        """Whether it is hidden; such records come with the hint ``hidden`` only."""
        return self._held.hidden

    @property
    def out_edges(self) -> tuple[FoundRecord, ...]:
        """Its edges that lead away from it, and undirected ones; if they were fetched."""
        return self._edges("out_edges", "source")

    @property
    def in_edges(self) -> tuple[FoundRecord, ...]:
        """Its edges that lead to it, and undirected ones; if they were fetched."""
        return self._edges("in_edges", "destination")

    def _edges(self, hint: str, end: str) -> tuple[FoundRecord, ...]:
        if self.references is None or not getattr(self.fetched, hint):
            raise not_fetched(f"{hint} of this vertex", f'.fetch("{hint}")', "were")
        return tuple(one for one in self.references if one.matched == end or not one.directed)

    def values(self, name: str) -> tuple[FoundValue, ...]:
        """Return all values of a property that the reader sees, by key and visibility."""
        record = self._held
        if isinstance(record, RecordEdge):
            pairs = dict(record.shape.properties)
            if name in pairs:
                # What belongs to the shape has the visibility and the time of the edge.
                return (FoundValue(name, pairs[name], b"", self.visibility, self.time),)
        self.check_fetched(name)
        if record.properties is None or not record.hints.wants_property(name):
            raise not_fetched(f"the property {name!r}", f'.fetch(properties=["{name}"])')
        return tuple(map(FoundValue.of, record.values(name)))

    def value(self, name: str) -> FoundValue | None:
        """Return the newest value of a property, ``None`` if there is none."""
        found = self.values(name)
        record = self._held
        if len(found) < 2 or record.properties is None:
            return found[0] if found else None
        newest = newest_value(one for one in record.properties if one.name == name)
        return None if newest is None else FoundValue.of(newest)

    def all_values(self) -> tuple[FoundValue, ...]:
        """Return the values of all properties that were fetched."""
        record = self._held
        shape = record.shape.properties if isinstance(record, RecordEdge) else ()
        own = [FoundValue(n, one, b"", self.visibility, self.time) for n, one in shape]
        return (*own, *map(FoundValue.of, record.properties or ()))

    def __getitem__(self, name: str) -> Any:
        """Return a property; one that was not fetched is an error that names the hint."""
        if name not in self.properties:
            self.check_fetched(name)
        return Element.__getitem__(self, name)

    def check_fetched(self, name: str) -> None:
        """Refuse a property that the hints did not ask for."""
        record = self._held
        shape = record.shape.properties if isinstance(record, RecordEdge) else ()
        if not self.fetched.wants_property(name) and name not in dict(shape):
            raise not_fetched(f"the property {name!r}", '.fetch("properties")')

    @property
    def _held(self) -> RecordVertex | RecordEdge:
        assert self.record is not None
        return self.record

    def __repr__(self) -> str:
        """Show it in one line."""
        text = Element.__repr__(self)
        return text if self.kind == "vertex" else f"{text[:-1]} #{self.edge}>"

    def __str__(self) -> str:
        """Show its values in a table, with visibilities, times and metadata."""
        from lexigraph.plan.records.showing import text_record

        return text_record(self)

    def _repr_html_(self) -> str:
        from lexigraph.plan.records.showing import html_record

        return html_record(self)
