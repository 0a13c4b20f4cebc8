"""Schemas that change: permanent numbers, and differences that are shown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import SchemaError
from lexigraph.schema import Group, Property, Schema, ValueType, group_of, schema_of
from lexigraph.schema.evolve import difference, merge_stored
from lexigraph.schema.keys import plan_field
from lexigraph.schema.model import Rule
from tests.unit.schema.calls import Calls, Place

STORED = merge_stored(None, schema_of([Calls, Place]))
CALLS = group_of(Calls)


def numbers(schema: Schema, group: str) -> dict[str, int]:
    return {one.name: one.number for one in schema.group(group).properties}


def with_calls(**changes: Any) -> Schema:
    return Schema({"Calls": replace(CALLS, **changes)})


def test_the_first_schema_numbers_properties_in_their_order() -> None:
    assert numbers(STORED, "Calls") == {"day": 1, "count": 2, "longest": 3, "kinds": 4, "label": 5}
    assert STORED.version == 1
    assert STORED.group("Calls").last_number == 5


def test_the_same_schema_again_changes_nothing() -> None:
    assert merge_stored(STORED, schema_of([Calls, Place])) is STORED


def test_reordering_fields_changes_nothing() -> None:
    turned = with_calls(properties=tuple(reversed(CALLS.properties)))
    assert merge_stored(STORED, turned) is STORED


def test_leaving_out_groups_and_properties_keeps_them_stored() -> None:
    fewer = with_calls(
        properties=tuple(one for one in CALLS.properties if one.name != "count"), rules=()
    )
    assert merge_stored(STORED, fewer) is STORED


def test_a_rule_stays_with_a_property_that_is_called_as_an_id() -> None:
    kind = ValueType("int")
    plain = Group("Odd", "vertex", {"vertex": kind}, (Property("vertex", kind),))
    where = {"op": "ge", "field": plan_field(plain, "vertex"), "value": b"\x80"}
    stored = merge_stored(None, Schema({"Odd": replace(plain, rules=(Rule(where, ("vertex",)),))}))
    fewer = Schema({"Odd": replace(plain, properties=())})
    assert merge_stored(stored, fewer) is stored


def test_new_properties_get_numbers_that_were_never_used() -> None:
    # As after a migration that dropped a property: its number stays taken.
    dropped = replace(STORED.group("Calls"), last_number=9)
    stored = replace(STORED, groups={"Calls": dropped})
    extra = Property("cost", ValueType("decimal", optional=True))
    merged = merge_stored(stored, with_calls(properties=(extra, *CALLS.properties)))
    assert numbers(merged, "Calls")["cost"] == 10
    assert numbers(merged, "Calls") == {**numbers(STORED, "Calls"), "cost": 10}
    assert merged.version == stored.version + 1


def test_new_groups_and_docs_are_taken() -> None:
    class Extra(lg.Vertex, summary=True):
        """More."""

        id: str

    merged = merge_stored(STORED, schema_of([Extra]))
    assert list(merged.groups) == ["Calls", "place", "Extra"]
    assert merge_stored(STORED, with_calls(doc="Other words.")).group("Calls").doc == "Other words."


def changed(name: str, **changes: Any) -> tuple[Property, ...]:
    return tuple(replace(one, **changes) if one.name == name else one for one in CALLS.properties)


@pytest.mark.parametrize(
    ("wanted", "line"),
    [
        (
            Schema({"Calls": Group("Calls", "vertex", {"vertex": ValueType("str")})}),
            "Calls: stored a group of kind edge, given of kind vertex",
        ),
        (
            with_calls(ids={"source": ValueType("int"), "destination": ValueType("str")}),
            "Calls.source: stored str, given int",
        ),
        (with_calls(directed=False), "Calls: stored directed=True, given directed=False"),
        (with_calls(aggregates=False), "Calls: stored aggregates=True, given aggregates=False"),
        (with_calls(visibility=None), "Calls: stored visibility='label', given visibility=None"),
        (with_calls(group_by=()), "Calls: stored grouped by day, given by nothing"),
        (
            with_calls(properties=changed("count", type=ValueType("int", bits=32))),
            "Calls.count: stored int, given int of 32 bits",
        ),
        (
            with_calls(properties=changed("day", type=ValueType("date", optional=True))),
            "Calls.day: stored is always there, given may be absent",
        ),
        (
            with_calls(properties=changed("count", aggregate=lg.top(3).aggregate)),
            "Calls.count: stored sum(), given top-n(n=3)",
        ),
        (with_calls(rules=()), "Calls: stored with the rule 'count >= 0', given without"),
    ],
)
def test_disagreement_is_an_error_that_shows_the_difference(wanted: Schema, line: str) -> None:
    assert list(difference(STORED, wanted)) == [line]
    with pytest.raises(SchemaError) as caught:
        merge_stored(STORED, wanted)
    assert line in str(caught.value)
    assert caught.value.context["difference"] == [line]


def calls_with(cost: Any, *rules: Any) -> Schema:
    class More(Calls, group="Calls"):
        """Calls by day."""

        price: int | None = cost

    More.rules = rules
    return schema_of([More])


def test_new_rules_are_added_and_not_taken_for_checked() -> None:
    harmless = calls_with(lg.sum(default=None, check=[lg.this >= 0]))
    wanted = with_rule(harmless, (lg.field("count") <= 9) & (lg.field("price") > 0))
    assert list(difference(STORED, wanted)) == []
    merged = merge_stored(STORED, wanted)
    assert [rule.checked for rule in merged.group("Calls").rules] == [True, False]
    assert merge_stored(merged, wanted) is merged
    [line] = difference(merged, harmless)
    assert "given without" in line


def with_rule(schema: Schema, condition: Any) -> Schema:
    from lexigraph.schema import Rule

    group = schema.group("Calls")
    rule = Rule(condition.to_predicate(group), tuple(condition.fields()))
    return Schema({"Calls": replace(group, rules=(*CALLS.rules, rule))})


def test_rules_of_a_new_group_are_checked_and_later_ones_are_not() -> None:
    assert [rule.checked for rule in STORED.group("Calls").rules] == [True]
    harmless = calls_with(lg.sum(default=None, check=[lg.this >= 0]))
    merged = merge_stored(STORED, harmless)
    assert [rule.checked for rule in merged.group("Calls").rules] == [True, False]
    # A schema that was read from another graph says nothing about what this one has stored.
    marked = tuple(replace(rule, checked=True) for rule in harmless.group("Calls").rules)
    given = Schema({"Calls": replace(harmless.group("Calls"), rules=marked)})
    assert merge_stored(STORED, given) == merged


def test_a_rule_takes_whether_it_removes_from_the_given_schema() -> None:
    def stored_and_given(*, remove: bool) -> Schema:
        class Small(lg.Vertex, summary=True):
            id: str
            total: int = lg.sum(check=[lg.rule(lg.this <= 10, remove=remove)])

        return schema_of([Small])

    stored = merge_stored(None, stored_and_given(remove=False))
    assert list(difference(stored, stored_and_given(remove=True))) == []
    merged = merge_stored(stored, stored_and_given(remove=True))
    assert [(rule.remove, rule.checked) for rule in merged.group("Small").rules] == [(True, True)]
    assert merged.version == stored.version + 1
    assert merge_stored(merged, stored_and_given(remove=True)) is merged
    assert merge_stored(stored, stored_and_given(remove=True), takes_removal=False) is stored


def test_a_stored_rule_that_lets_all_pass_is_no_difference() -> None:
    class Seen(lg.Vertex, summary=True):
        id: str
        times: int | None = lg.sum()

    there = {"op": "exists", "field": "times"}
    rule = Rule({"op": "or", "of": [{"op": "not", "of": there}, there]}, ("times",))
    stored = merge_stored(None, Schema({"Seen": replace(group_of(Seen), rules=(rule,))}))
    assert merge_stored(stored, schema_of([Seen])) is stored
