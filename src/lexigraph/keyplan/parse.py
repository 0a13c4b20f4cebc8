"""Key plans read from JSON.

Layer ``keyplan``. Reads what the grammar of ``spec/scan.md`` section 6 allows and no more; what
pieces must have in common is checked in ``check``.
"""

from __future__ import annotations

from typing import Any

from lexigraph.codec import Codec, codec_for
from lexigraph.errors import LexigraphError
from lexigraph.functions import Aggregator, aggregator_for
from lexigraph.keyplan.check import check_model
from lexigraph.keyplan.model import (
    ALWAYS,
    DESTINATION,
    EDGE,
    EITHER,
    ESCAPED,
    NEVER,
    NONE,
    ORDERED,
    PART,
    REST,
    SINGLE,
    SOURCE,
    TAGGED,
    VERTEX,
    AggregatePlan,
    Const,
    FieldPart,
    GroupPlan,
    Model,
    Part,
    Parts,
    PropertyPlan,
    Shape,
    Value,
)
from lexigraph.keyplan.reader import JsonNode

MAX_ID = 2**32 - 1


def parse_model(data: Any, path: str = "plan") -> Model:
    """Read and check a plan; errors say where in it they lie."""
    node = JsonNode(data, path)
    members = node.members(("version", "rows", "family", "groups"))
    members["version"].integer(1, 1)
    model = Model(
        tuple(_read_shape(item) for item in members["rows"].items()),
        _read_parts(members["family"]),
        tuple(_read_group(name, item) for name, item in members["groups"].object().items()),
    )
    check_model(model, node)
    return model


def _read_shape(node: JsonNode) -> Shape:
    own = ("group", "family")
    kind = node.members(("kind", "parts"), ("directed", "matched", "once", *own))["kind"].choice(
        (VERTEX, EDGE)
    )
    if kind == VERTEX:
        members = node.members(("kind", "parts"), own)
        return Shape(
            kind,
            _read_parts(members["parts"]),
            group=_read_name(members, "group"),
            family=_read_family(members),
        )
    members = node.members(("kind", "parts", "directed", "matched", "once"), own)
    return Shape(
        kind,
        _read_parts(members["parts"]),
        members["directed"].flag(),
        members["matched"].choice((SOURCE, DESTINATION, EITHER)),
        members["once"].choice((ALWAYS, NEVER, ORDERED)),
        _read_name(members, "group"),
        _read_family(members),
    )


def _read_name(members: dict[str, JsonNode], name: str) -> str | None:
    return members[name].text() if name in members else None


def _read_family(members: dict[str, JsonNode]) -> Parts | None:
    return _read_parts(members["family"]) if "family" in members else None


def _read_parts(node: JsonNode) -> Parts:
    return tuple(_read_part(item) for item in node.items())


def _read_part(node: JsonNode) -> Part:
    if "const" in node.object():
        data = node.members(("const",))["const"]
        if not data.byte_string():
            data.fail("a const needs at least one byte")
        return Const(data.byte_string())
    members = node.members(("field", "codec", "form"), ("descending", "nulls"))
    form = members["form"].choice((ESCAPED, PART, REST))
    for name in ("descending", "nulls"):
        if name in members and form != PART:
            members[name].fail(f"only a field of the form 'part' can be given {name!r}")
    return FieldPart(
        members["field"].text(),
        read_codec(members["codec"]),
        form,
        members["descending"].flag() if "descending" in members else False,
        members["nulls"].choice(("first", "last")) if "nulls" in members else None,
    )


def read_codec(node: JsonNode) -> str:
    """Read the name of a codec."""
    try:
        return codec_for(node.text()).name
    except LexigraphError as error:
        node.fail(str(error))


def _read_group(name: str, node: JsonNode) -> GroupPlan:
    members = node.members(("kind", "qualifier", "value"))
    return GroupPlan(
        name,
        members["kind"].choice((VERTEX, EDGE)),
        _read_parts(members["qualifier"]),
        _read_value(members["value"]),
    )


def _read_value(node: JsonNode) -> Value:
    form = node.members(("form",), ("property", "properties"))["form"].choice(
        (NONE, SINGLE, TAGGED)
    )
    if form == NONE:
        node.members(("form",))
        return Value(NONE)
    if form == SINGLE:
        return Value(SINGLE, (_read_property(node.members(("form", "property"))["property"]),))
    members = node.members(("form", "properties"))
    properties: list[PropertyPlan] = []
    for item in members["properties"].items():
        found = _read_property(item)
        if properties and found.id <= properties[-1].id:
            item.fail(f"ids ascend: {found.id} comes after {properties[-1].id}")
        properties.append(found)
    return Value(TAGGED, tuple(properties))


def _read_property(node: JsonNode) -> PropertyPlan:
    members = node.members(("id", "field", "codec"), ("aggregate",))
    codec = read_codec(members["codec"])
    aggregate = None
    if "aggregate" in members:
        bound = read_aggregator(members["aggregate"], codec_for(codec))
        if not bound.takes_field:
            members["aggregate"].object()["name"].fail(
                f"{bound.name!r} has no field; it works only in the stage 'summarise'"
            )
        aggregate = AggregatePlan(bound.name, bound.given)
    return PropertyPlan(members["id"].integer(0, MAX_ID), members["field"].text(), codec, aggregate)


def read_aggregator(node: JsonNode, codec: Codec[Any]) -> Aggregator:
    """Read ``{"name", option...}`` and bind the aggregator to a codec."""
    members = node.object()
    if "name" not in members:
        node.fail("the member 'name' is missing")
    named = members["name"]
    options = {name: item.value for name, item in members.items() if name != "name"}
    try:
        return aggregator_for(named.text(), codec, options)
    except LexigraphError as error:
        named.fail(str(error))
