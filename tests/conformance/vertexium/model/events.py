"""The events of an element as Vertexium makes them of its cells."""

from __future__ import annotations

from typing import Any

from tests.conformance.vertexium.driver import VERTEX
from tests.conformance.vertexium.given import read_value, show_value
from tests.conformance.vertexium.loaded import Entry, Refused
from tests.conformance.vertexium.model.cells import ModelCell, cell_key
from tests.conformance.vertexium.model.read import data_of, is_undone

Event = dict[str, Any]
_CLOSE = 100
"""Within so many milliseconds an end and a beginning are one change of visibility."""


class VertexiumEvents:
    """Walks over the cells of one row by time, as the iterator of Vertexium does."""

    def __init__(self, kind: str, id_: str) -> None:
        self._kind, self._id = kind, id_
        self._found: list[Event] = []
        self._shape: dict[str, str | None] = {}
        self._last: dict[str, str | None] = {}
        self._ends: dict[str, str] = {}
        self._edges: dict[str, tuple[str, str]] = {}
        self._value: Event | None = None
        self._values: dict[tuple[str, str], Any] = {}

    def events(self, cells: list[ModelCell]) -> list[Event]:
        """Return the events, oldest first."""
        ordered = sorted(cells, key=lambda one: (cell_key(one.place), -one.order))
        for one in sorted(ordered, key=lambda one: (one.time, _rank(one))):
            if one.place.family != "PROPMETA":
                self._end_value()
            self._take(one)
        self._end_value()
        ends = ("outVertexId", "inVertexId")
        if any(event.get(name, "") is None for event in self._found for name in ends):
            raise Refused("NullPointerException")
        return self._found

    def _take(self, one: ModelCell) -> None:
        family, qualifier, visibility = one.place
        if family == "V":
            self._vertex(one)
        elif family in ("E", "EOUT", "EIN") and self._kind != VERTEX:
            self._edge(one)
        elif family in ("EOUT", "EIN"):
            self._edges[qualifier[0]] = one.value
            self._refer("AddEdgeToVertex", one, family[1:])
        elif family in ("EOUTD", "EIND"):
            self._refer("SoftDeleteEdgeToVertex", one, family[1:-1])
        elif family == "PROP":
            name, key = qualifier
            self._value = self._event("AddProperty", one.time, propertyKey=key, propertyName=name)
            self._value |= {"propertyVisibility": visibility, "metadata": {}}
            self._value["value"] = show_value(read_value(one.value))
        elif family == "PROPMETA":
            self._metadata(one)
        elif family == "PROPD":
            name, key = qualifier
            self._say("SoftDeleteProperty", one, name, key, visibility)
        elif family == "PROPH":
            self._say("MarkProperty" + _mark(one), one, *qualifier, hiddenVisibility=visibility)
        elif family in ("H", "D"):
            self._shape, self._last = {}, {}
            if family == "H":
                self._found.append(self._event("Mark" + _mark(one), one.time, one))
                self._found[-1]["hiddenVisibility"] = visibility
            else:
                self._found.append(self._event(f"SoftDelete{self._name}", one.time, one))
                self._found[-1] |= self._known()

    @property
    def _name(self) -> str:
        return "Vertex" if self._kind == VERTEX else "Edge"

    def _event(
        self, name: str, time: int, one: ModelCell | None = None, **more: Any
    ) -> dict[str, Any]:
        found = {
            "event": f"Historical{name}Event",
            "elementType": self._kind.upper(),
            "elementId": self._id,
            "timestamp": time,
            **more,
        }
        data = None if one is None else data_of(one)
        return found if data is None else {**found, "data": show_value(read_value(data))}

    def _known(self) -> dict[str, Any]:
        if self._kind == VERTEX:
            return {}
        return {
            "edgeLabel": self._ends.get("label"),
            "outVertexId": self._ends.get("out"),
            "inVertexId": self._ends.get("in"),
        }

    def _vertex(self, one: ModelCell) -> None:
        visibility = one.place.visibility
        if is_undone(one):
            self._found.append(self._event("DeleteVertex", one.time, visibility=visibility))
        elif self._last.get("visibility") == visibility:
            return
        elif self._merges("DeleteVertex", one.time):
            old = self._found.pop()["visibility"]
            self._found.append(self._event("AlterVertexVisibility", one.time, one))
            self._found[-1] |= {"oldVisibility": old, "newVisibility": visibility}
        else:
            self._found.append(self._event("AddVertex", one.time, visibility=visibility))
        self._last["visibility"] = visibility

    def _merges(self, name: str, time: int) -> bool:
        last = self._found[-1] if self._found else self._event("", 0)
        close: bool = time - last["timestamp"] < _CLOSE
        return close and last["event"] == f"Historical{name}Event"

    def _edge(self, one: ModelCell) -> None:
        field = {"E": "label", "EOUT": "out", "EIN": "in"}[one.place.family]
        self._shape[field] = self._ends[field] = one.place.qualifier[0]
        if field == "label":
            self._shape["visibility"] = one.place.visibility
            self._time = one.time
            if is_undone(one):
                self._found.append(self._event("DeleteEdge", one.time))
                self._found[-1] |= {**self._shaped(), "visibility": one.place.visibility}
                self._last = dict(self._shape)
                return
        if not all(self._shape.get(name) for name in ("out", "in", "label")):
            return
        if len(self._last) == len(self._shape) and self._last == self._shape:
            return
        if self._merges("DeleteEdge", self._time):
            old = self._found.pop()["visibility"]
            self._found.append(self._event("AlterEdgeVisibility", self._time, one))
            self._found[-1] |= {
                **self._shaped(),
                "oldVisibility": old,
                "newVisibility": self._shape["visibility"],
            }
            self._last["visibility"] = self._shape["visibility"]
            return
        if self._last.get("label") in (None, self._shape["label"]):
            self._found.append(self._event("AddEdge", self._time))
            self._found[-1] |= {**self._shaped(), "visibility": self._shape["visibility"]}
        else:
            self._found.append(self._event("AlterEdgeLabel", self._time))
            self._found[-1]["newEdgeLabel"] = self._shape["label"]
        self._last = dict(self._shape)

    def _shaped(self) -> dict[str, Any]:
        return {
            "edgeLabel": self._shape.get("label"),
            "outVertexId": self._shape.get("out"),
            "inVertexId": self._shape.get("in"),
        }

    def _refer(self, name: str, one: ModelCell, direction: str) -> None:
        edge = one.place.qualifier[0]
        deleted = one if name.startswith("Soft") else None
        found = self._event(name, one.time, deleted, edgeDirection=direction, edgeId=edge)
        found["edgeVisibility"] = one.place.visibility
        if edge in self._edges:
            found["edgeLabel"], found["otherVertexId"] = self._edges[edge]
        self._found.append(found)

    def _say(
        self, name: str, one: ModelCell, property_: str, key: str, visibility: str, **more: Any
    ) -> None:
        found = self._event(name, one.time, one, propertyKey=key, propertyName=property_, **more)
        self._found.append({**found, "propertyVisibility": visibility})

    def _metadata(self, one: ModelCell) -> None:
        name, key, visibility, entry, _ = one.place.qualifier
        held, named = self._value, (name, key, visibility)
        names = ("propertyName", "propertyKey", "propertyVisibility")
        if held is None or tuple(held[field] for field in names) != named:
            self._end_value()
            return
        shown = Entry(entry, one.place.visibility, show_value(read_value(one.value)))
        held["metadata"][entry, one.place.visibility] = shown.shown()

    def _end_value(self) -> None:
        held, self._value = self._value, None
        if held is None:
            return
        metadata = held.pop("metadata")
        if metadata:
            held["metadata"] = [metadata[place] for place in sorted(metadata)]
        place = (held["propertyName"], held["propertyKey"])
        if place in self._values:
            held["previousValue"] = self._values[place]
        self._values[place] = held["value"]
        self._found.append(held)


def _mark(one: ModelCell) -> str:
    return "Visible" if is_undone(one) else "Hidden"


def _rank(one: ModelCell) -> str:
    family = one.place.family
    if family in ("EIN", "EOUT"):
        return "a"
    if family == "V":
        return "b"
    if family in ("PROP", "PROPMETA"):
        parts = one.place.qualifier[:2]
        visibility = one.place.visibility if family == "PROP" else one.place.qualifier[2]
        named = "_".join(part.encode().hex() for part in (*parts, visibility))
        return f"c_{named}" + ("_z" if family == "PROPMETA" else "")
    return "z"
