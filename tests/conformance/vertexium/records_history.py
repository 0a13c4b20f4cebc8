"""The history of records as Vertexium's events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lexigraph.layout.records.assembling.events import RecordEvent, history
from lexigraph.layout.records.facts import (
    AnyFact,
    ExistenceFact,
    FactState,
    HideFact,
    ValueFact,
    ValueHideFact,
)
from lexigraph.layout.records.reading import RecordReading
from lexigraph.layout.records.subjects import ReferenceSubject, VertexSubject
from tests.conformance.vertexium.given import show_value

_ELEMENTS = {
    "added": "Add{}",
    "moved": "Alter{}Visibility",
    "moved away": "Delete{}",
    "deleted": "SoftDelete{}",
    "reshaped": "AlterEdgeLabel",
    "hidden": "MarkHidden",
    "shown": "MarkVisible",
    "value set": "AddProperty",
    "value deleted": "SoftDeleteProperty",
    "value hidden": "MarkPropertyHidden",
    "value shown": "MarkPropertyVisible",
    "edge added": "AddEdgeToVertex",
    "edge moved": "AddEdgeToVertex",
    "edge reshaped": "AddEdgeToVertex",
    "edge deleted": "SoftDeleteEdgeToVertex",
}


def events_of(
    facts: Iterable[AnyFact], reading: RecordReading, start: int | None
) -> list[dict[str, Any]]:
    """Return events in canonical form, oldest first."""
    since = None if start is None else start * 1000
    shapes: dict[Any, tuple[str, str, str]] = {}
    events = reversed(history(list(facts), reading, since=since))
    return [_shown(event, shapes) for event in events if event.kind in _ELEMENTS]


def _shown(event: RecordEvent, shapes: dict[Any, tuple[str, str, str]]) -> dict[str, Any]:
    fact, subject = event.fact, event.fact.subject
    vertex = isinstance(subject, VertexSubject | ReferenceSubject)
    kind = "Vertex" if vertex else "Edge"
    shown: dict[str, Any] = {
        "event": f"Historical{_ELEMENTS[event.kind].format(kind)}Event",
        "elementType": kind.upper(),
        "elementId": subject.vertex if isinstance(subject, ReferenceSubject) else subject.id,
        "timestamp": fact.time // 1000,
    }
    if fact.note is not None:
        shown["data"] = show_value(fact.note)
    if isinstance(fact, ValueFact | ValueHideFact):
        shown |= _property(fact, event)
    elif isinstance(fact, HideFact):
        shown["hiddenVisibility"] = fact.visibility.decode()
    elif isinstance(subject, ReferenceSubject):
        shown |= {
            "edgeDirection": subject.direction.upper(),
            "edgeId": subject.edge,
            "edgeLabel": subject.label,
            "edgeVisibility": fact.visibility.decode(),
            "otherVertexId": subject.other,
        }
    elif isinstance(fact, ExistenceFact):
        shown |= _existence(event, fact, shapes)
    return shown


def _existence(
    event: RecordEvent, fact: ExistenceFact, shapes: dict[Any, tuple[str, str, str]]
) -> dict[str, Any]:
    if fact.shape is not None:
        shapes[fact.subject] = (fact.shape.label, fact.shape.source, fact.shape.destination)
    if event.kind == "reshaped":
        return {"newEdgeLabel": shapes[fact.subject][0]}
    shown: dict[str, Any] = {}
    if fact.subject in shapes:
        names = ("edgeLabel", "outVertexId", "inVertexId")
        shown |= dict(zip(names, shapes[fact.subject], strict=True))
    if event.kind == "moved":
        old = event.moved_from[0].decode()
        return shown | {"newVisibility": fact.visibility.decode(), "oldVisibility": old}
    if event.kind == "added":
        shown["visibility"] = fact.visibility.decode()
    return shown


def _property(fact: ValueFact | ValueHideFact, event: RecordEvent) -> dict[str, Any]:
    shown: dict[str, Any] = {"propertyKey": fact.key.decode(), "propertyName": fact.name}
    if isinstance(fact, ValueHideFact):
        hidden = fact.visibility.decode()
        return shown | {
            "propertyVisibility": fact.value_visibility.decode(),
            "hiddenVisibility": hidden,
        }
    shown["propertyVisibility"] = fact.visibility.decode()
    if fact.state is FactState.SAID:
        shown["value"] = show_value(fact.value)
        if event.previous is not None:
            shown["previousValue"] = show_value(event.previous)
        if event.metadata:
            entries = sorted(event.metadata, key=lambda one: (one.key, one.visibility))
            shown["metadata"] = [
                {
                    "key": one.key,
                    "visibility": one.visibility.decode(),
                    "value": show_value(one.value),
                }
                for one in entries
            ]
    return shown


def past_values_of(
    facts: Iterable[AnyFact], reading: RecordReading, start: int | None
) -> list[dict[str, Any]]:
    """Return the versions of values in canonical form, newest first."""
    since = None if start is None else start * 1000
    found = []
    for event in history(list(facts), reading, since=since):
        fact = event.fact
        if isinstance(fact, ValueFact):
            shown = _property(fact, event)
            found.append(
                {
                    "name": shown["propertyName"],
                    "key": shown["propertyKey"],
                    "visibility": shown["propertyVisibility"],
                    "timestamp": fact.time // 1000,
                    "value": shown.get("value", show_value(event.previous)),
                    "deleted": fact.state is FactState.DELETED,
                    **({"metadata": shown["metadata"]} if "metadata" in shown else {}),
                }
            )
    return found
