"""Predicates in words, for messages: names and values as the schema has them.

Layer ``schema``. The way back from ``Condition.to_predicate``; never fails, whatever is stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lexigraph.errors import LexigraphError, show
from lexigraph.schema.keys import compared_by, plan_field
from lexigraph.schema.model import Group

_HOUR = 3_600_000_000
_SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def describe(where: Mapping[str, Any], group: Group) -> str:
    """Return what a predicate over a group asks for.

    >>> from lexigraph.schema.model import ValueType
    >>> group = Group("p", "vertex", {"vertex": ValueType("int")})
    >>> describe({"op": "gt", "field": "vertex", "value": b"\\x80"}, group)
    'vertex > 0'
    """
    op, inner = where.get("op"), where.get("of")
    if isinstance(inner, Mapping):
        return f"not ({describe(inner, group)})"
    if isinstance(inner, list | tuple):
        return f" {op} ".join(f"({describe(one, group)})" for one in inner) or f"{op} of nothing"
    field = str(where.get("field"))
    name = _name(group, field)
    if op in _SIGNS:
        other = where.get("other")
        value = _value(group, name, where.get("value")) if other is None else _name(group, other)
        return f"{name} {_SIGNS[op]} {value}"
    if op == "in" and "values" in where:
        return f"{name} in ({', '.join(_value(group, name, one) for one in where['values'])})"
    if op == "exists":
        return f"{name} is there"
    if op == "age-off" and isinstance(where.get("ttl"), int):
        return f"{name}.age_off({show_span(where['ttl'])}){_unit(group, name)}"
    rest = {
        option: _value(group, name, value) if isinstance(value, bytes) else show(value)
        for option, value in where.items()
        if option not in ("op", "field")
    }
    return f"{op}({', '.join([name, *(f'{option}={value}' for option, value in rest.items())])})"


def show_span(micros: int) -> str:
    """Return a span of time as ``age_off`` takes it.

    >>> show_span(34_560_000_000_000), show_span(93_600_000_000), show_span(90_000_000)
    ('days=400', 'days=1, hours=2', 'hours=0.025')
    """
    days, rest = divmod(micros, 24 * _HOUR)
    parts = [f"days={days}"] if days else []
    parts += [f"hours={rest / _HOUR:.10g}"] if rest or not days else []
    return ", ".join(parts)


def _unit(group: Group, name: str) -> str:
    """Return what numbers mean where a time is expected."""
    kinds = {one.name: one.type.codec for one in group.properties}
    return f", where {name} is in milliseconds since 1970" if kinds.get(name) == "int" else ""


def _name(group: Group, field: str) -> str:
    for one in group.properties:
        if plan_field(group, one.name) == field:
            return one.name
    return field


def _value(group: Group, name: str, data: Any) -> str:
    if not isinstance(data, bytes):
        return show(data)
    for member in (False, True):
        try:
            return show(compared_by(group, name, member=member).decode(data))
        except LexigraphError:
            continue
    return show(data)
