"""What passes a validator can be written by a key plan, and its rules ask the plan's fields."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import lexigraph as lg
from lexigraph.functions import parse_predicate
from lexigraph.keyplan import KeyPlan
from lexigraph.schema import Group, Validator, group_of, merge_stored, plan_field, schema_of
from tests.unit.keyplan.plans import load_plan
from tests.unit.schema.calls import Calls


class Odd(lg.Edge, summary=True):
    """Names that a plan keeps for itself."""

    source: str
    destination: str
    sort: str = lg.group_by(name="timestamp", check=[lg.this != "never"])
    vertex: int = lg.sum(check=[lg.this > 0])
    pair: Any = lg.last(default=None)


def plan_of(group: Group) -> KeyPlan:
    """Lay a group out in the rows of byte-entity, as any layout would."""
    rows = load_plan("byte-entity").to_json()
    types = {one.name: one.type for one in group.properties}
    qualifier = [
        {"field": plan_field(group, name), "codec": types[name].codec, "form": "part"}
        for name in group.group_by
    ]
    properties = [
        {
            "id": one.number,
            "field": plan_field(group, one.name),
            "codec": one.type.codec,
            "aggregate": {"name": one.aggregate.name, **one.aggregate.options},
        }
        for one in group.values
        if one.aggregate is not None
    ]
    value = {"form": "tagged", "properties": properties}
    groups = {group.name: {"kind": group.kind, "qualifier": qualifier, "value": value}}
    return KeyPlan.parse(
        {"version": 1, "rows": rows["rows"], "family": rows["family"], "groups": groups}
    )


def check_round_trip(cls: Any, element: Any) -> None:
    group = merge_stored(None, schema_of([cls])).group(group_of(cls).name)
    plan = plan_of(group)
    fitting = Validator(group).check(element)
    cells = plan.encode(fitting)
    assert len(cells) == 2
    for cell in cells:
        read = plan.decode(cell)
        assert read is not None
        assert replace(read, matched=None, once=True) == fitting
    for rule in group.rules:
        assert parse_predicate(rule.where).bind(plan.fields())(fitting)


def test_an_element_with_everything() -> None:
    element = Calls("ann", "bob", date(2026, 1, 2), 3, 2.5, ("a", "b"), "x&y")  # type: ignore[arg-type]
    check_round_trip(Calls, element)


def test_absent_values_stay_absent() -> None:
    check_round_trip(Calls, Calls("ann", "bob", date(2026, 1, 2), 3, kinds=None))  # type: ignore[arg-type]


def test_names_that_a_plan_keeps_for_itself() -> None:
    check_round_trip(Odd, Odd("a", "b", sort="s", vertex=1, pair=("x", 1)))
    assert [plan_field(group_of(Odd), one) for one in ("timestamp", "vertex", "source")] == [
        ".timestamp",
        ".vertex",
        "source",
    ]
