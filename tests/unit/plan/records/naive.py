"""Answers of questions about records by hand: look at all assembled elements, and filter."""

from __future__ import annotations

import operator
from typing import Any

from lexigraph.layout.records.elements import (
    RecordEdge,
    RecordReference,
    RecordValue,
    RecordVertex,
)
from lexigraph.layout.records.reading import RecordReading
from lexigraph.layout.records.subjects import EITHER, IN, OUT
from lexigraph.layout.records.values import encode_fact_value
from lexigraph.plan import Elements
from lexigraph.plan.logical.elements import (
    Around,
    Between,
    ById,
    Everything,
    InRanges,
    Starting,
    Within,
)
from tests.unit.plan.records.worlds import DEFAULTS, SCHEMA, World

DIRECTIONS = {"out": {OUT, EITHER}, "in": {IN, EITHER}, "both": {OUT, IN, EITHER}}
CONSTANTS = {"since": 2, "weight": 2.0, "age": 7}
OPS = {"lt": operator.lt, "ge": operator.ge}
Condition = tuple[str, str, bool]
"""A property, a comparison with its constant, and whether it is turned by ``not``."""


def expected(
    world: World, asked: Elements, condition: Condition | None, reading: RecordReading
) -> list[tuple[Any, ...]]:
    """Return the answer, by looking at everything."""
    elements = world.assembled(reading)
    vertices = [one for one in elements if isinstance(one, RecordVertex)]
    found = [_vertex(one) for one in vertices if _is_asked(one, asked, condition)]
    rows = {one.id: one for one in elements if isinstance(one, RecordEdge)}
    seen = set()
    if isinstance(asked.source, Everything | ById):
        listed = list(rows) if isinstance(asked.source, Everything) else list(asked.source.ids)
        shapes = [_of_row(one) for one in rows.values() if one.id in listed]
    else:
        held = [one for one in elements if isinstance(one, RecordReference)]
        shapes = [_of_reference(one) for one in held if _has_reference(asked, one.subject)]
    for edge, label, source, destination, directed, pairs in shapes:
        mark = (edge, label, source, destination, repr(pairs.get("since")))
        if label not in asked.view or asked.directed not in (None, directed) or mark in seen:
            continue
        seen.add(mark)
        values = _by_name(rows[edge].properties if edge in rows else ())
        if condition is None or _passes(values, pairs, condition, label):
            ids = (None, source, destination, directed)
            found.append(("edge", label, repr(ids), repr(edge), _shown(values, pairs, label)))
    return sorted(found)


def _is_asked(one: RecordVertex, asked: Elements, condition: Condition | None) -> bool:
    if "Person" not in asked.view or "Person" not in (one.labels or ()):
        return False
    values = _by_name(one.properties)
    holds = condition is None or _passes(values, {}, condition, "Person")
    return holds and _has_vertex(asked.source, one.id)


def _vertex(one: RecordVertex) -> tuple[Any, ...]:
    ids = (one.id, None, None, None)
    return "vertex", "Person", repr(ids), "None", _shown(_by_name(one.properties), {}, "Person")


def _of_row(one: RecordEdge) -> tuple[Any, ...]:
    shape = one.shape
    pairs = {name: value for name, value in shape.properties if value is not None}
    return one.id, shape.label, shape.source, shape.destination, shape.directed, pairs


def _of_reference(one: RecordReference) -> tuple[Any, ...]:
    subject, pairs = one.subject, dict(one.signature)
    either = subject.direction == EITHER
    turned = subject.vertex > subject.other if either else subject.direction == IN
    ends = (subject.other, subject.vertex) if turned else (subject.vertex, subject.other)
    if subject.sort_key and subject.sort_key[0] is not None:
        pairs["since"] = subject.sort_key[0]
    return subject.edge, subject.label, *ends, not either, pairs


def _has_vertex(source: Any, vertex: str) -> bool:
    if isinstance(source, Around):
        ends = [end for a, b, _ in source.edges for end in (a, b)]
        return vertex in [*source.vertices, *ends]
    if isinstance(source, Between):
        return vertex in list(source.first) and bool(list(source.second))
    if isinstance(source, Within):
        return vertex in list(source.vertices)
    if isinstance(source, InRanges):
        return any(min(one) <= vertex <= max(one) for one in source.ranges)
    if isinstance(source, Starting):
        return vertex.startswith(source.prefixes)
    return isinstance(source, Everything)


def _has_reference(asked: Elements, subject: Any) -> bool:
    source = asked.source
    wanted = subject.direction in DIRECTIONS[asked.direction]
    if isinstance(source, Around):
        pair = (subject.vertex, subject.other, subject.direction == OUT)
        named = subject.direction != IN and pair in source.edges
        return (wanted and subject.vertex in list(source.vertices)) or named
    if isinstance(source, Between):
        ends = subject.vertex in list(source.first) and subject.other in list(source.second)
        return wanted and ends
    if isinstance(source, Within):
        return wanted and {subject.vertex, subject.other} <= {*source.vertices}
    return wanted and _has_vertex(source, subject.vertex)


def _passes(
    held: dict[str, list[RecordValue]], pairs: dict[str, Any], condition: Condition, group: str
) -> bool:
    name, op, turned = condition
    if name not in {one.name for one in SCHEMA.group(group).properties}:
        return False
    values = [pairs[name]] if name in pairs else [one.value for one in held.get(name, ())]
    if not values and name in DEFAULTS.get(group, {}):
        values = [DEFAULTS[group][name]]
    if op == "exists":
        return bool(values) != turned
    constant = CONSTANTS.get(name, "p")
    if not values:
        return False
    if op == "ne":
        return all(one != constant for one in values) != turned
    test = OPS.get(op, operator.eq)
    return any(test(one, constant) for one in values) != turned


def _by_name(values: Any) -> dict[str, list[RecordValue]]:
    found: dict[str, list[RecordValue]] = {}
    for one in values or ():
        found.setdefault(one.name, []).append(one)
    return found


def _shown(held: dict[str, list[RecordValue]], pairs: dict[str, Any], group: str) -> str:
    shown: dict[str, Any] = {**DEFAULTS.get(group, {}), **pairs}
    for name, values in held.items():
        if name == "tags":
            shown[name] = tuple(sorted({one.value for one in values}))
        else:
            latest = max(map(_rank, values))
            equal = [one for one in values if _rank(one) == latest]
            shown[name] = min(equal, key=lambda one: (one.key, one.visibility)).value
    return repr(sorted(shown.items()))


def _rank(value: RecordValue) -> tuple[int, int, bytes]:
    return value.fact.time, value.fact.written, encode_fact_value(value.fact)
