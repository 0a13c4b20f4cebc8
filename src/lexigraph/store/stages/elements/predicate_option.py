"""The option ``where``: one predicate for all groups, or one for each.

Layer ``store``. A predicate is read when the stage is made, and bound to each group's fields, so a
misspelt field is refused before any cell is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lexigraph.cells.jsonbytes import bytes_from_json
from lexigraph.errors import InvalidOption, show
from lexigraph.functions import Predicate, parse_predicate
from lexigraph.functions.predicates.base import Test
from lexigraph.keyplan import KeyPlan
from lexigraph.store.stages.base import StageContext
from lexigraph.store.stages.options import OptionKind

Judged = Predicate | dict[str, Predicate]


def _read_where(value: Any, what: str) -> Judged:
    if not isinstance(value, Mapping):
        raise InvalidOption(f"{what} is a predicate or an object of them, not {show(value)}")
    if isinstance(value.get("op"), str):
        return parse_predicate(value, bytes_from_json)
    return {
        str(group): parse_predicate(item, bytes_from_json, f"where.{group}")
        for group, item in value.items()
    }


WHERE = OptionKind(
    _read_where,
    {
        "anyOf": [
            {"$ref": "#/$defs/predicate"},
            {"type": "object", "additionalProperties": {"$ref": "#/$defs/predicate"}},
        ]
    },
)


def bind_where(where: Judged | None, plan: KeyPlan, context: StageContext) -> dict[str, Test]:
    """Return a test for each group that can be kept at all; groups left out are not kept."""
    if where is None:
        return {group.name: _anything for group in plan.model.groups}
    if isinstance(where, Predicate):
        test = where.bind(plan.fields(now=context.now, sets=context.sets))
        return {group.name: test for group in plan.model.groups}
    now, sets = context.now, context.sets
    return {group: one.bind(plan.fields(group, now, sets)) for group, one in where.items()}


def _anything(element: Any) -> bool:
    return True
