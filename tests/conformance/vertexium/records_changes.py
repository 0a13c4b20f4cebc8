"""Steps of scenarios as changes of records.

Times are those that the client's clock has in Vertexium, which ticks with every undated call; hides
and hard deletes are dated by the server. Within a mutation of an existing element, metadata goes
first, then values change their visibility, then values are set and deleted, then the element itself
changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from lexigraph.errors import InvalidVisibility
from lexigraph.layout.records.facts import EdgeShape
from lexigraph.layout.records.subjects import EdgeSubject, VertexSubject
from lexigraph.layout.records.write import changes as c
from tests.conformance.vertexium.answers import normal_visibility
from tests.conformance.vertexium.driver import EDGE, VERTEX, Step
from tests.conformance.vertexium.given import Ticks, read_value
from tests.conformance.vertexium.loaded import Element, Refused, Value

Load = Callable[[str, str, Any], Element]
"""Loads an element of a kind and an id with fetch hints; raises Refused if it is not seen."""

_RANKS = {"setPropertyMetadata": 0, "alterPropertyVisibility": 1}
_LAST = {"alterElementVisibility": 3, "alterEdgeLabel": 4}


def micros(millis: int) -> int:
    """Return a time in microseconds."""
    return millis * 1000


def vis(text: str | None) -> bytes:
    """Return a visibility as it is written, or refuse it."""
    if text is None:
        raise Refused("incomplete")
    try:
        return normal_visibility(text).encode()
    except InvalidVisibility:
        raise Refused("bad visibility") from None


class StepChanges:
    """Reads one step. Changes of the graph itself and of tables under elements are no changes."""

    def __init__(self, number: int, step: Step, load: Load) -> None:
        self._ticks, self._step, self._load = Ticks(number), step, load

    def changes(self) -> list[c.RecordChange]:
        """Return what the step changes; raise Refused if it cannot be said to a graph."""
        what = self._step["do"]
        if what in ("addVertex", "addEdge"):
            return list(self._built(self._step))
        if what == "saveElementMutations":
            return [one for built in self._step["builders"] for one in self._built(built)]
        if what == "mutate":
            return list(self._mutated())
        if what in ("defineProperty", "setMetadata", "deleteExtendedDataRow"):
            return []
        if "Propert" in what:
            return list(self._property_changed(what))
        return [self._element_changed(what)]

    def _built(self, built: Step) -> Iterator[c.RecordChange]:
        edge = "out" in built
        if built["id"] is None or (edge and None in (built["out"], built["in"], built["label"])):
            raise Refused("incomplete")
        time = self._ticks.tick(built.get("timestamp"))
        if edge:
            self._ticks.tick()
        subject = EdgeSubject(built["id"]) if edge else VertexSubject(built["id"])
        values, others = [], []
        for op in built.get("ops") or ():
            if op["op"] in ("addPropertyValue", "setProperty"):
                values.append(self._given(op))
            elif op["op"] in ("deleteProperty", "softDeleteProperty"):
                others.append(self._deleted(subject, op, op["op"] == "deleteProperty"))
            elif op["op"] == "alterEdgeLabel":
                built = {**built, "label": op["label"]}
        common: dict[str, Any] = {
            "id": built["id"],
            "values": tuple(values),
            "visibility": vis(built["visibility"]),
            "time": micros(time),
        }
        if edge:
            shape = EdgeShape(built["label"], built["out"], built["in"])
            yield c.AddEdge(shape=shape, **common)
        else:
            yield c.AddVertex(**common)
        yield from others

    def _given(self, op: Step) -> c.GivenValue:
        if (
            read_value(op.get("value")) is None
            or op.get("name") is None
            or op.get("key", "") is None
        ):
            raise Refused("incomplete")
        metadata = tuple(
            c.GivenMetadata(
                key=one["key"], value=read_value(one["value"]), visibility=vis(one["visibility"])
            )
            for one in op.get("metadata", ())
        )
        return c.GivenValue(
            name=op["name"],
            value=read_value(op["value"]),
            key=op.get("key", "").encode(),
            visibility=vis(op["visibility"]),
            metadata=metadata,
            time=micros(self._ticks.tick(op.get("timestamp"))),
        )

    def _deleted(self, subject: Any, op: Step, hard: bool) -> c.DeleteValues:  # noqa: FBT001
        return c.DeleteValues(
            subject=subject,
            name=op["name"],
            key=op["key"].encode(),
            visibility=vis(op["visibility"]),
            hard=hard,
            time=micros(self._ticks.tick()),
            note=read_value(op.get("eventData")),
        )

    def _loaded(self, default: str = "ALL") -> tuple[Any, Element]:
        step = self._step
        kind = step.get("element") or (EDGE if "Edge" in step["do"] else VERTEX)
        element = self._load(kind, step["id"], step.get("fetchHints") or default)
        return (VertexSubject if kind == VERTEX else EdgeSubject)(element.id), element

    def _mutated(self) -> Iterator[c.RecordChange]:
        subject, element = self._loaded()
        ranked: list[tuple[int, c.RecordChange]] = []
        last = []
        for op in self._step["ops"]:
            if op["op"] in _LAST:
                last.append((_LAST[op["op"]], op))
                if op["op"] == "alterEdgeLabel":
                    self._ticks.tick()
            else:
                found = self._operation(subject, element, op)
                ranked += [(_RANKS.get(op["op"], 2), one) for one in found]
        yield from (one for _, one in sorted(ranked, key=lambda pair: pair[0]))
        for _, op in sorted(last, key=lambda pair: pair[0]):
            yield from self._altered(subject, element, op)

    def _altered(self, subject: Any, element: Element, op: Step) -> Iterator[c.RecordChange]:
        if op["op"] == "alterEdgeLabel":
            yield c.Relabel(edge=subject, label=op["label"], time=micros(self._ticks.tick()))
        elif normal_visibility(op["visibility"]) != element.visibility:
            self._ticks.tick()
            yield c.MoveElement(
                subject=subject,
                to=vis(op["visibility"]),
                frm=element.visibility.encode(),
                time=micros(self._ticks.tick()),
                note=read_value(op.get("eventData")),
            )
            if element.shape is not None:
                for _ in range(4):
                    self._ticks.tick()

    def _operation(self, subject: Any, element: Element, op: Step) -> Iterator[c.RecordChange]:
        what = op["op"]
        if what in ("addPropertyValue", "setProperty"):
            yield c.PutValue(subject=subject, value=self._given(op))
        elif what in ("deleteProperty", "softDeleteProperty"):
            yield self._deleted(subject, op, what == "deleteProperty")
        elif what in ("deleteProperties", "softDeleteProperties"):
            yield from self._all_deleted(subject, element, op, what == "deleteProperties")
        elif what == "setPropertyMetadata":
            value = _found(element, op)
            yield c.SetMetadata(
                subject=subject,
                name=value.name,
                key=value.key.encode(),
                visibility=value.visibility.encode(),
                entry=op["metadataKey"],
                value=read_value(op["value"]),
                entry_visibility=vis(op["visibility"]),
            )
        elif what == "alterPropertyVisibility":
            value = _found(element, op)
            time = self._ticks.tick()
            self._ticks.tick()
            yield c.MoveValue(
                subject=subject,
                name=value.name,
                key=value.key.encode(),
                frm=value.visibility.encode(),
                to=vis(op["visibility"]),
                time=micros(time),
                note=read_value(op.get("eventData")),
            )

    def _all_deleted(
        self,
        subject: Any,
        element: Element,
        op: Step,
        hard: bool,  # noqa: FBT001
    ) -> Iterator[c.RecordChange]:
        for value in element.properties(op.get("name"), op.get("key")):
            named = {"name": value.name, "key": value.key, "visibility": value.visibility}
            yield self._deleted(subject, named, hard)

    def _property_changed(self, what: str) -> Iterator[c.RecordChange]:
        step = self._step
        hidden = "ALL_INCLUDING_HIDDEN" if what == "markPropertyVisible" else "ALL"
        subject, element = self._loaded(hidden)
        if what in ("deleteProperty", "softDeleteProperty"):
            yield self._deleted(subject, step, what == "deleteProperty")
        elif what in ("deleteProperties", "softDeleteProperties"):
            yield from self._all_deleted(subject, element, step, what == "deleteProperties")
        else:
            value = _found(element, step)
            kind = c.HideValue if what == "markPropertyHidden" else c.ShowValue
            yield kind(
                subject=subject,
                name=value.name,
                key=value.key.encode(),
                value_visibility=value.visibility.encode(),
                visibility=vis(step["visibility"]),
                time=micros(self._ticks.tick(step.get("timestamp"))),
                note=read_value(step.get("eventData")),
            )

    def _element_changed(self, what: str) -> c.RecordChange:
        step = self._step
        shows = what.endswith("Visible")
        subject, _ = self._loaded("ALL_INCLUDING_HIDDEN" if shows else "ALL")
        note = read_value(step.get("eventData"))
        if what.startswith("mark"):
            kind = c.Show if shows else c.Hide
            time = micros(self._ticks.server)
            return kind(subject=subject, visibility=vis(step["visibility"]), time=time, note=note)
        hard = what.startswith("delete")
        time = self._ticks.server if hard else self._ticks.tick(step.get("timestamp"))
        return c.DeleteElement(subject=subject, hard=hard, time=micros(time), note=note)


def _found(element: Element, op: Step) -> Value:
    visibility = op.get("propertyVisibility")
    wanted = None if visibility is None else normal_visibility(visibility)
    for one in element.properties(op["name"], op["key"]):
        if wanted in (None, one.visibility):
            return one
    raise Refused("no property")
