"""Facts, elements and events as JSON: the form of spec/facts. Shared by the tests of vectors.

Text, integers and booleans are plain JSON, other values are tagged as in spec/codec.json.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from spec.tagged import from_json, to_json

from lexigraph.cells.jsonbytes import bytes_from_json, bytes_to_json
from lexigraph.layout.records.assembling.events import RecordEvent
from lexigraph.layout.records.elements import (
    RecordEdge,
    RecordElement,
    RecordMetadata,
    RecordReference,
    RecordValue,
)
from lexigraph.layout.records.facts import (
    AnyFact,
    EdgeShape,
    ExistenceFact,
    FactState,
    HideFact,
    LabelFact,
    MetadataFact,
    NamedValues,
    RequiredFact,
    ValueFact,
    ValueHideFact,
)
from lexigraph.layout.records.plan import read_fact_plan
from lexigraph.layout.records.reading import EVERYTHING, FetchHints, RecordReading
from lexigraph.layout.records.rows import RecordRows
from lexigraph.layout.records.subjects import (
    EdgeSubject,
    ReferenceSubject,
    Subject,
    VertexSubject,
)
from lexigraph.security import ALL, Authorizations

Json = dict[str, Any]
KINDS: dict[str, type[AnyFact]] = {
    "existence": ExistenceFact,
    "label": LabelFact,
    "value": ValueFact,
    "metadata": MetadataFact,
    "hide": HideFact,
    "value-hide": ValueHideFact,
    "required": RequiredFact,
}
PLANS = Path(__file__).parent / "plans"
_BYTES = {"visibility", "key", "value_visibility", "expression"}
_TYPED = {"value", "note", "cause"}


def value_from_json(given: Any) -> Any:
    """Read a value."""
    return from_json(given) if isinstance(given, dict) else given


def value_to_json(given: Any) -> Any:
    """Write a value."""
    plain = type(given) in (str, int) and (isinstance(given, str) or abs(given) < 2**53)
    return given if plain else to_json(given)


def rows_from_json(file: Json) -> RecordRows:
    """Read the key plan that a file names: one of ``spec/plans``."""
    return read_fact_plan(json.loads((PLANS / file["plan"]).read_bytes()))


def subject_from_json(data: Json) -> Subject:
    """Read a subject."""
    if "vertex" in data:
        return VertexSubject(value_from_json(data["vertex"]))
    if "edge" in data:
        return EdgeSubject(value_from_json(data["edge"]))
    one = data["reference"]
    vertex, other, edge = (value_from_json(one[name]) for name in ("vertex", "other", "edge"))
    sort_key = tuple(map(value_from_json, one["sort_key"]))
    return ReferenceSubject(vertex, one["direction"], one["label"], sort_key, other, edge)


def subject_to_json(subject: Subject) -> Json:
    """Write a subject."""
    if isinstance(subject, VertexSubject):
        return {"vertex": value_to_json(subject.id)}
    if isinstance(subject, EdgeSubject):
        return {"edge": value_to_json(subject.id)}
    return {
        "reference": {
            "vertex": value_to_json(subject.vertex),
            "direction": subject.direction,
            "label": subject.label,
            "sort_key": [value_to_json(one) for one in subject.sort_key],
            "other": value_to_json(subject.other),
            "edge": value_to_json(subject.edge),
        }
    }


def fact_from_json(data: Json) -> AnyFact:
    """Read a fact."""
    fields: Json = {}
    for name, given in data.items():
        if name in _BYTES:
            fields[name] = bytes_from_json(given)
        elif name in _TYPED:
            fields[name] = value_from_json(given)
        elif name == "signature":
            fields[name] = _pairs_from_json(given)
        elif name == "shape":
            fields[name] = _shape_from_json(given)
        elif name == "state":
            fields[name] = FactState[given.upper()]
        elif name not in ("fact", "of"):
            fields[name] = given
    return KINDS[data["fact"]](subject=subject_from_json(data["of"]), **fields)


def fact_to_json(fact: AnyFact) -> Json:
    """Write a fact as vectors have it: defaults are left out."""
    kind = next(name for name, one in KINDS.items() if one is type(fact))
    found: Json = {
        "fact": kind,
        "of": subject_to_json(fact.subject),
        "time": fact.time,
        "state": fact.state.name.lower(),
    }
    for name in fact.__dataclass_fields__:
        given = getattr(fact, name)
        absent = given is None if name in _TYPED else given in (None, b"", ())
        if name in found or name == "subject" or (absent and name != "expression"):
            continue
        if name in _BYTES:
            found[name] = bytes_to_json(given)
        elif name in _TYPED:
            found[name] = value_to_json(given)
        elif name == "signature":
            found[name] = _pairs_to_json(given)
        elif name == "shape":
            found[name] = shape_to_json(given)
        else:
            found[name] = given
    return found


def reading_from_json(data: Json) -> RecordReading:
    """Read a reader."""
    given = data["authorizations"]
    hints = EVERYTHING
    if "hints" in data:
        names = data["hints"].items()
        hints = FetchHints(
            **{name: frozenset(one) if isinstance(one, list) else one for name, one in names}
        )
    held = ALL if given == "ALL" else Authorizations(given)
    return RecordReading(held, data.get("as_of"), hints, data.get("now"))


def element_to_json(element: RecordElement) -> Json:
    """Write an element as vectors have it."""
    found: Json = {"time": element.time}
    if element.visibility:
        found["visibility"] = bytes_to_json(element.visibility)
    if element.hidden:
        found["hidden"] = True
    if isinstance(element, RecordReference):
        signature = _pairs_to_json(element.signature)
        return {**subject_to_json(element.subject), **found, "signature": signature}
    if element.properties is not None:
        found["properties"] = [_property_to_json(one) for one in element.properties]
    if isinstance(element, RecordEdge):
        return {"edge": value_to_json(element.id), "shape": shape_to_json(element.shape), **found}
    if element.labels is not None:
        found["labels"] = list(element.labels)
    return {"vertex": value_to_json(element.id), **found}


def event_to_json(event: RecordEvent) -> Json:
    """Write an event as vectors have it."""
    fact = event.fact
    found: Json = {"event": event.kind, "of": subject_to_json(fact.subject), "time": fact.time}
    if fact.visibility:
        found["visibility"] = bytes_to_json(fact.visibility)
    if fact.note is not None:
        found["note"] = value_to_json(fact.note)
    if isinstance(fact, LabelFact):
        found["label"] = fact.label
    if isinstance(fact, RequiredFact):
        found["expression"] = bytes_to_json(fact.expression)
    if isinstance(fact, HideFact) and fact.cause is not None:
        found["cause"] = value_to_json(fact.cause)
    if isinstance(fact, ValueFact | ValueHideFact):
        found["name"] = fact.name
        if fact.key:
            found["key"] = bytes_to_json(fact.key)
    if isinstance(fact, ValueHideFact) and fact.value_visibility:
        found["value_visibility"] = bytes_to_json(fact.value_visibility)
    if isinstance(fact, ValueFact) and fact.value is not None:
        found["value"] = value_to_json(fact.value)
    if event.previous is not None:
        found["previous"] = value_to_json(event.previous)
    if event.metadata:
        found["metadata"] = [_metadata_to_json(one) for one in event.metadata]
    if event.moved_from:
        found["from"] = [bytes_to_json(one) for one in event.moved_from]
    return found


def shape_to_json(shape: EdgeShape) -> Json:
    """Write a shape."""
    return {
        "label": shape.label,
        "source": value_to_json(shape.source),
        "destination": value_to_json(shape.destination),
        "directed": shape.directed,
        "properties": _pairs_to_json(shape.properties),
    }


def _shape_from_json(data: Json) -> EdgeShape:
    source, destination = (value_from_json(data[name]) for name in ("source", "destination"))
    properties = _pairs_from_json(data["properties"])
    return EdgeShape(data["label"], source, destination, data["directed"], properties)


def _pairs_from_json(data: list[list[Any]]) -> NamedValues:
    return tuple((name, value_from_json(given)) for name, given in data)


def _pairs_to_json(pairs: NamedValues) -> list[list[Any]]:
    return [[name, value_to_json(given)] for name, given in pairs]


def _property_to_json(one: RecordValue) -> Json:
    found: Json = {"name": one.name, "value": value_to_json(one.value), "time": one.time}
    if one.visibility:
        found["visibility"] = bytes_to_json(one.visibility)
    if one.key:
        found["key"] = bytes_to_json(one.key)
    if one.hidden:
        found["hidden"] = True
    if one.metadata is not None:
        found["metadata"] = [_metadata_to_json(entry) for entry in one.metadata]
    return found


def _metadata_to_json(one: RecordMetadata) -> Json:
    found = {"key": one.key, "value": value_to_json(one.value)}
    return {**found, **({"visibility": bytes_to_json(one.visibility)} if one.visibility else {})}
