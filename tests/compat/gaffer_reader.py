"""Gaffer's JSON elements and questions as plans, and answers written back: for tests only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lexigraph.errors import InvalidValue, SchemaError, UsageError
from lexigraph.layout import EdgeBound
from lexigraph.plan import (
    ELEMENT,
    Adjacent,
    Around,
    Between,
    Element,
    Elements,
    Everything,
    InRanges,
    Scope,
    Steps,
    Within,
    run,
)
from lexigraph.plan.logical.rows import VERTEX
from lexigraph.schema import Group, Schema
from lexigraph.schema.gaffer.types import java_class
from lexigraph.schema.gaffer.values import value_from_gaffer, value_to_gaffer
from lexigraph.types import Float32

from .gaffer_view import read_view, simple_name

Json = Mapping[str, Any]
_ELEMENTS = "uk.gov.gchq.gaffer.data.element"
_SEED = "uk.gov.gchq.gaffer.operation.data.EntitySeed"
_DIRECTED = {"EITHER": None, "DIRECTED": True, "UNDIRECTED": False}
_DIRECTION = {"EITHER": "both", "INCOMING": "in", "OUTGOING": "out"}

ASKED = {
    "GetElements",
    "GetAllElements",
    "GetAdjacentIds",
    "GetElementsBetweenSets",
    "GetElementsWithinSet",
    "GetElementsInRanges",
}


class WrongClass:
    """A value of another Java class than its property's, which no property can hold."""


def read_element(data: Json, schema: Schema) -> Element:
    """Read an element; properties that its group does not have are left out, as Gaffer does."""
    group = schema.groups.get(data.get("group") or "")
    known = {} if group is None else {one.name: one.type.java for one in group.properties}
    properties = {}
    for name, item in data.get("properties", {}).items():
        java, value = value_from_gaffer(item)
        if name in known:
            properties[name] = value if known[name] in (None, java) else WrongClass()
    if simple_name(data) == "Entity":
        vertex = value_from_gaffer(data.get("vertex"))[1]
        return Element("vertex", data.get("group", ""), properties, vertex=vertex)
    return Element(
        "edge",
        data.get("group", ""),
        properties,
        source=value_from_gaffer(data.get("source"))[1],
        destination=value_from_gaffer(data.get("destination"))[1],
        directed=data.get("directed", False),
    )


class Asker:
    """Answers Gaffer's questions about one graph."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.views: dict[str, Json] = {}

    def answer(self, operation: Json, scope: Scope) -> list[Any]:
        """Answer one operation as Gaffer writes it."""
        name = simple_name(operation)
        if name != "GetAllElements" and operation.get("input") is None:
            raise UsageError("an operation without input")
        asked = self.elements(operation, scope)
        if name == "GetAdjacentIds":
            found = run(Adjacent(asked, distinct=False), scope).values(VERTEX)
            java = self._id_class()
            return [{"class": _SEED, "vertex": value_to_gaffer(one, java)} for one in found]
        return [self.write(one, asked) for one in run(asked, scope).values(ELEMENT)]

    def elements(self, operation: Json, scope: Scope) -> Elements:
        """Give the plan of an operation."""
        view = read_view(self._named(operation.get("view")), self.schema)
        if simple_name(operation) == "GetAdjacentIds":
            view = {n: s for n, s in view.items() if self.schema.group(n).kind == "edge"}
        return Elements(
            self._source(operation, scope),
            view,
            _word(_DIRECTION, operation.get("includeIncomingOutGoing")),
            _word(_DIRECTED, operation.get("directedType")),
            both_ends=True,
        )

    def _named(self, view: Json | None) -> Json | None:
        if view is None or simple_name(view) != "NamedView":
            return view
        named = self.views.get(view["name"])
        if named is None:
            raise SchemaError(f"there is no view {view['name']!r}")
        values = {n: one.get("defaultValue") for n, one in named.get("parameters", {}).items()}
        found = _filled(named["view"], {**values, **view.get("parameters", {})})
        for kind in ("entities", "edges"):
            if view.get(kind):
                found = {**found, kind: {**found.get(kind, {}), **view[kind]}}
        return found

    def _source(self, operation: Json, scope: Scope) -> Any:
        name = simple_name(operation)
        if name == "GetAllElements":
            return Everything()
        given = operation["input"]
        if name == "GetElementsInRanges":
            ends = [(_bound(one["first"]), _bound(one["second"])) for one in given]
            return InRanges(tuple(ends))
        vertices = self._fitting((_vertex(one) for one in given if not _is_edge(one)), scope)
        if name == "GetElementsBetweenSets":
            return Between(vertices, self._fitting(map(_vertex, operation["inputB"]), scope))
        if name == "GetElementsWithinSet":
            return Within(vertices)
        return Around(vertices, tuple(_edge(one) for one in given if _is_edge(one)))

    def _fitting(self, vertices: Iterable[Any], scope: Scope) -> list[Any]:
        """Leave out seeds of another type: no vertex can be one of them."""
        found = []
        for vertex in vertices:
            try:
                scope.keys.vertex_codec.encode(vertex)
            except InvalidValue:
                continue
            found.append(vertex)
        return found

    def write(self, element: Element, asked: Elements) -> dict[str, Any]:
        """Write an element as Gaffer does."""
        group, steps = self.schema.group(element.group), asked.view[element.group]
        ids = self._id_class()
        out: dict[str, Any] = {"group": element.group}
        if element.kind == "vertex":
            out["class"] = f"{_ELEMENTS}.Entity"
            out["vertex"] = value_to_gaffer(element.vertex, ids)
        else:
            out["class"] = f"{_ELEMENTS}.Edge"
            out["source"] = value_to_gaffer(element.source, ids)
            out["destination"] = value_to_gaffer(element.destination, ids)
            out["directed"] = element.directed
            if element.matched is not None:
                out["matchedVertex"] = element.matched.upper()
        out["properties"] = {
            name: _written(item, self._class_of(group, name, steps))
            for name, item in element.properties.items()
        }
        return out

    def _class_of(self, group: Group, name: str, steps: Steps) -> str | None:
        kind, aggregate = steps.transient.get(name), None
        for one in group.properties:
            if one.name == name and kind is None:
                kind, aggregate = one.type, one.aggregate
        return None if kind is None else java_class(kind, aggregate)

    def _id_class(self) -> str:
        group = next(iter(self.schema.groups.values()))
        return java_class(next(iter(group.ids.values())), None)


def _word(words: Mapping[str, Any], word: Any) -> Any:
    if (word or "EITHER") not in words:
        raise SchemaError(f"{word!r} is none of {', '.join(words)}")
    return words[word or "EITHER"]


def _filled(data: Any, values: Json) -> Any:
    """Put values into the places of parameters."""
    if isinstance(data, Mapping):
        return {name: _filled(item, values) for name, item in data.items()}
    if isinstance(data, list):
        return [_filled(item, values) for item in data]
    if isinstance(data, str) and data.startswith("${"):
        return values[data[2:-1]]
    return data


def _is_edge(seed: Any) -> bool:
    return isinstance(seed, Mapping) and simple_name(_open(seed)) in ("EdgeSeed", "Edge")


def _open(seed: Json) -> Json:
    if "class" not in seed and len(seed) == 1:
        inner = next(iter(seed.values()))
        if isinstance(inner, Mapping) and "class" in inner:
            return inner
    return seed


def _vertex(seed: Any) -> Any:
    if isinstance(seed, Mapping):
        seed = _open(seed)
        if simple_name(seed) in ("EntitySeed", "Entity"):
            inner = seed.get("vertex")
            # An edge in the place of a vertex is a value that no vertex has.
            return WrongClass() if _is_edge(inner) else value_from_gaffer(inner)[1]
    return value_from_gaffer(seed)[1]


def _bound(seed: Any) -> Any:
    return EdgeBound(*_edge(seed)) if _is_edge(seed) else _vertex(seed)


def _edge(seed: Json) -> tuple[Any, Any, bool | None]:
    seed = _open(seed)
    directed = seed.get("directed", _DIRECTED[seed.get("directedType", "EITHER")])
    ends = [value_from_gaffer(seed.get(end))[1] for end in ("source", "destination")]
    return ends[0], ends[1], directed


def _written(value: Any, java: str | None) -> Any:
    if java is None:
        return value
    if java == "java.lang.Float":
        # As Java writes it: the shortest text that is this number in 32 bits.
        texts = (f"{value:.{digits}g}" for digits in range(1, 10))
        return {java: next(float(t) for t in texts if float(Float32(float(t))) == value)}
    return value_to_gaffer(value, java)


def operations(question: Json) -> list[Json]:
    """Give the operations of a question's chain; none where it is no JSON."""
    chain = question["operation"]
    if not isinstance(chain, Mapping):
        return []
    return list(chain.get("operations", [chain]))
