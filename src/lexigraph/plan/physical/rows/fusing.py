"""Filters of rows that a scan can make: comparisons of fields become predicates of the leaf.

Layer ``plan``. The leaf knows true and false only, rows know unknown too. So ``not`` is moved
inwards, where it turns the comparison round; then unknown and false are left out alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from lexigraph.errors import LexigraphError
from lexigraph.plan.logical.elements import Elements, Where
from lexigraph.plan.logical.expressions import (
    And,
    Compare,
    Constant,
    Expression,
    FieldValue,
    IsNull,
    Not,
    Or,
)
from lexigraph.plan.logical.rows import ELEMENT
from lexigraph.plan.physical.rows.columns import shown_properties
from lexigraph.schema.keys import key_form, plan_field, type_of
from lexigraph.schema.model import Group, Schema

_OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
_TYPES = {"str": str, "int": int, "bool": bool, "bytes": bytes}
"""By codec: the type of constants whose key forms compare as the values do."""

PushedPredicate = Mapping[str, Any]


class _NotFusible(Exception):
    """No predicate means the same."""


def fuse_filter(asked: Elements, where: Expression, schema: Schema) -> Elements | None:
    """Return the leaf with a filter of its rows; ``None`` if the filter stays in the client."""
    if asked.limit is not None:
        return None
    view = {}
    for name, steps in asked.view.items():
        if schema.group(name).record is not None:
            # A condition on a record is about all its values, a row has the newest.
            return None
        if steps.transforms or steps.last or steps.aggregators or steps.drop:
            return None
        if steps.keep is not None:
            return None
        shown = {one for one, _, _ in shown_properties(schema.group(name), steps)}
        try:
            found = _predicate(where, schema.group(name), shown, turned=False)
        except _NotFusible:
            return None
        view[name] = replace(steps, after=(*steps.after, Where(found, text=str(where))))
    return replace(asked, view=view)


def _predicate(
    expression: Expression, group: Group, shown: Iterable[str], *, turned: bool
) -> PushedPredicate:
    if isinstance(expression, Not):
        return _predicate(expression.of, group, shown, turned=not turned)
    if isinstance(expression, And | Or):
        op = "and" if isinstance(expression, And) != turned else "or"
        return {
            "op": op,
            "of": [_predicate(one, group, shown, turned=turned) for one in expression.of],
        }
    if isinstance(expression, IsNull):
        exists = {"op": "exists", "field": _field(expression.of, group, shown)}
        return exists if turned else {"op": "not", "of": exists}
    if not isinstance(expression, Compare) or not isinstance(expression.right, Constant):
        raise _NotFusible
    field, value = _field(expression.left, group, shown), expression.right.value
    assert isinstance(expression.left, FieldValue)
    name = expression.left.name
    if type(value) is not _TYPES.get(type_of(group, name).codec):
        raise _NotFusible
    try:
        form = key_form(group, name, value)
    except LexigraphError:
        raise _NotFusible from None
    op = _OPPOSITE[expression.op] if turned else expression.op
    return {"op": op, "field": field, "value": form}


def _field(expression: Expression, group: Group, shown: Iterable[str]) -> str:
    if not isinstance(expression, FieldValue) or expression.column != ELEMENT:
        raise _NotFusible
    name = expression.name
    if name in (group.visibility, group.timestamp) or name not in {*shown, *group.ids}:
        raise _NotFusible
    return plan_field(group, name)
