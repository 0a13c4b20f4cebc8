"""The history of a vertex or an edge, as its reader sees it: typed events, newest first.

Layer ``plan``. Events are those of the layout, with text and moments in place of bytes. A page goes
on after the last event of the one before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from lexigraph.layout.records.assembling.events import EventPosition, RecordEvent, history
from lexigraph.layout.records.facts import (
    ExistenceFact,
    LabelFact,
    RequiredFact,
    ValueFact,
    ValueHideFact,
)
from lexigraph.layout.records.reading import EVERYTHING, RecordReading
from lexigraph.layout.records.rows import EDGES, VERTICES
from lexigraph.layout.records.subjects import ReferenceSubject
from lexigraph.plan.records.found import shown_moment, shown_visibility
from lexigraph.plan.records.reading import RecordReader
from lexigraph.plan.scope import Scope


@dataclass(frozen=True, slots=True)
class HistoryEvent:
    """One thing that happened: ``kind`` says what, ``note`` is the note of the change."""

    kind: str
    time: datetime | int
    visibility: str
    note: Any
    position: EventPosition = field(repr=False, compare=False)

    def told(self) -> dict[str, Any]:
        """Return what the event says besides, for tables."""
        return {}


@dataclass(frozen=True, slots=True)
class ExistenceEvent(HistoryEvent):
    """The element was added, reshaped, moved, deleted or removed, hidden or shown."""

    moved_from: tuple[str, ...] = ()

    def told(self) -> dict[str, Any]:
        """Return the visibilities that it was moved from."""
        return {"from": ", ".join(self.moved_from)} if self.moved_from else {}


@dataclass(frozen=True, slots=True)
class LabelEvent(HistoryEvent):
    """The vertex got or lost a label."""

    label: str = ""

    def told(self) -> dict[str, Any]:
        """Return the label."""
        return {"name": self.label}


@dataclass(frozen=True, slots=True)
class ValueEvent(HistoryEvent):
    """A value was set or deleted, hidden or shown; ``previous`` is the value before it."""

    name: str = ""
    key: bytes = b""
    value: Any = None
    previous: Any = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    __hash__ = None  # type: ignore[assignment]

    def told(self) -> dict[str, Any]:
        """Return name and values."""
        return {"name": self.name, "value": self.value, "previous": self.previous}


@dataclass(frozen=True, slots=True)
class RequiredEvent(HistoryEvent):
    """Readers must also satisfy an expression, or need no longer."""

    expression: str = ""

    def told(self) -> dict[str, Any]:
        """Return the expression."""
        return {"name": self.expression}


@dataclass(frozen=True, slots=True)
class EdgeEvent(HistoryEvent):
    """An edge of the vertex was added, deleted, and so on."""

    edge: Any = None
    label: str = ""
    direction: str = ""
    other: Any = None

    def told(self) -> dict[str, Any]:
        """Return the edge."""
        return {"name": self.label, "value": self.other, "previous": None}


def read_history(
    kind: str,
    record: Any,
    scope: Scope,
    *,
    limit: int | None = None,
    after: HistoryEvent | None = None,
    since: int | None = None,
    edges: bool = True,
) -> list[HistoryEvent]:
    """Return the events of a vertex or an edge, newest first: so many, after another one.

    With ``edges``, those of the references of a vertex too.
    """
    tables = scope.keys.record_tables
    tables.check_as_of(scope.as_of, scope.time)
    if scope.sees_nothing:
        return []
    reader = RecordReader(tables, scope)
    if kind == "edge":
        facts = reader.facts("history", EDGES, tables.edges([record]))
    else:
        own = tables.vertices([record])
        ranges = tables.vertices_between(record, record) if edges else own
        families = (*EVERYTHING.families, *EVERYTHING.reference_families)
        facts = reader.facts("history", VERTICES, ranges, families)
    reading = RecordReading(scope.authorizations, scope.as_of, EVERYTHING)
    position = None if after is None else after.position
    found = history(facts, reading, since=since, limit=limit, after=position)
    return [_typed(one, scope) for one in found]


def _typed(event: RecordEvent, scope: Scope) -> HistoryEvent:
    fact, subject = event.fact, event.fact.subject
    common: dict[str, Any] = {
        "kind": event.kind,
        "time": shown_moment(fact.time),
        "visibility": shown_visibility(fact.visibility),
        "note": fact.note,
        "position": event.position,
    }
    if isinstance(subject, ReferenceSubject):
        ends = {"direction": subject.direction, "other": subject.other}
        return EdgeEvent(edge=subject.edge, label=subject.label, **ends, **common)
    if isinstance(fact, LabelFact):
        return LabelEvent(label=fact.label, **common)
    if isinstance(fact, ValueFact):
        common["metadata"] = {one.key: one.value for one in event.metadata}
        common |= {"value": scope.bound(fact.value), "previous": scope.bound(event.previous)}
        return ValueEvent(name=fact.name, key=fact.key, **common)
    if isinstance(fact, ValueHideFact):
        return ValueEvent(name=fact.name, key=fact.key, **common)
    if isinstance(fact, RequiredFact):
        return RequiredEvent(expression=shown_visibility(fact.expression), **common)
    moved = event.moved_from if isinstance(fact, ExistenceFact) else ()
    return ExistenceEvent(moved_from=tuple(map(shown_visibility, moved)), **common)
