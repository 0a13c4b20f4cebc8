"""Random groups, as classes or Gaffer's JSON could have made them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from lexigraph.schema import Aggregate, Group, Property, Rule, Schema, ValueType
from lexigraph.schema.keys import plan_field

NAMES = st.sampled_from(["a", "b", "c", "day", "count", "kind", "vertex", "road-use", "ä"])
AGGREGATES = {
    "int": [Aggregate("sum"), Aggregate("max"), Aggregate("top-n", {"n": 3})],
    "str": [Aggregate("last"), Aggregate("set"), Aggregate("concat", {"separator": ";"})],
    "date": [Aggregate("min"), Aggregate("first")],
}
KEYS = {"int": b"\x80", "str": b"caf\xc3\xa9", "date": b"\x80\x00\x00\x00"}


@st.composite
def types(draw: st.DrawFn) -> ValueType:
    codec = draw(st.sampled_from(sorted(AGGREGATES)))
    bits = draw(st.sampled_from([None, 8, 64])) if codec == "int" else None
    java = draw(st.sampled_from([None, "java.lang.Object"]))
    return ValueType(codec, bits, draw(st.booleans()), java)


@st.composite
def groups(draw: st.DrawFn, name: str) -> Group:
    kind = draw(st.sampled_from(["vertex", "edge"]))
    ids = ("vertex",) if kind == "vertex" else ("source", "destination")
    names = draw(st.lists(NAMES, unique=True, max_size=6))
    properties = []
    for one in names:
        held = draw(types())
        aggregate = draw(st.sampled_from([None, *AGGREGATES[held.codec]]))
        doc = draw(st.sampled_from(["", "Words."]))
        properties.append(Property(one, held, 0, aggregate, doc))
    special = draw(st.permutations(names))
    group = Group(
        name,
        kind,
        {one: draw(types()) for one in ids},
        tuple(properties),
        tuple(special[:2]),
        special[2] if len(special) > 2 else None,
        special[3] if len(special) > 3 else None,
        draw(st.sampled_from([None, True, False])) if kind == "edge" else None,
        draw(st.booleans()),
        draw(st.booleans()),
    )
    rules = tuple(draw(_rule(group, one)) for one in properties[:2])
    return Group(**{**_fields(group), "rules": rules})


def _fields(group: Group) -> dict[str, Any]:
    return {name: getattr(group, name) for name in Group.__dataclass_fields__}


@st.composite
def _rule(draw: st.DrawFn, group: Group, one: Property) -> Rule:
    field = plan_field(group, one.name)
    simple = {"op": "ge", "field": field, "value": KEYS[one.type.codec]}
    member = {"op": "in", "field": field, "values": [b"\x00", b"a"]}
    choices: list[dict[str, Any]] = [
        simple,
        {"op": "not", "of": {"op": "exists", "field": field}},
        {"op": "or", "of": [simple, member]},
    ]
    where = draw(st.sampled_from(choices))
    doc, remove = draw(st.sampled_from(["", "Because."])), draw(st.booleans())
    return Rule(where, (one.name,), doc, remove, draw(st.booleans()))


@st.composite
def schemas(draw: st.DrawFn) -> Schema:
    names = draw(st.lists(st.sampled_from(["G", "H"]), unique=True))
    return Schema({name: draw(groups(name)) for name in names})
