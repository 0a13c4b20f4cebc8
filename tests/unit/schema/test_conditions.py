"""Conditions: how they are written, what predicate they become."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.codec import codec_for
from lexigraph.errors import (
    InvalidOption,
    InvalidValue,
    PropertyNotFound,
    UsageError,
    ValidationError,
)
from lexigraph.schema import FieldCondition, Validator, as_condition, group_of
from tests.unit.schema.calls import Calls, Place

CALLS, PLACE = group_of(Calls), group_of(Place)
DAY = date(2026, 1, 2)


def key(codec: str, value: Any) -> bytes:
    return codec_for(codec).encode(value)


def predicate(condition: Any) -> dict[str, Any]:
    return as_condition(condition).to_predicate(CALLS)


@pytest.mark.parametrize("op", ["lt", "le", "gt", "ge", "eq", "ne"])
def test_comparisons_hold_key_forms(op: str) -> None:
    compare = getattr(Calls.day, f"__{op}__")
    assert predicate(compare(DAY)) == {"op": op, "field": "day", "value": key("date", DAY)}


def test_fields_compare_with_one_another() -> None:
    assert predicate(Calls.source == Calls.destination) == {
        "op": "eq",
        "field": "source",
        "other": "destination",
    }


def test_nothing_is_asked_for_by_none() -> None:
    exists = {"op": "exists", "field": "longest"}
    assert predicate(lg.field(Calls.longest) != None) == exists  # noqa: E711
    assert predicate(lg.field(Calls.longest) == None) == {"op": "not", "of": exists}  # noqa: E711


def test_other_questions() -> None:
    field = lg.field
    assert predicate(field("count").is_in([1, 2])) == {
        "op": "in",
        "field": "count",
        "values": [key("int", 1), key("int", 2)],
    }
    assert predicate(field("source").matches("a.*")) == {
        "op": "regex",
        "field": "source",
        "pattern": "a.*",
    }
    assert predicate(field("day").age_off(hours=1)) == {
        "op": "age-off",
        "field": "day",
        "ttl": 3_600_000_000,
    }
    assert predicate(field("kinds").contains("sms")) == {
        "op": "contains",
        "field": "kinds",
        "value": b"sms",
    }
    assert predicate(field("source").has_text("a", ignore_case=True)) == {
        "op": "substring",
        "field": "source",
        "value": "a",
        "ignore_case": True,
    }
    assert predicate(field("source").length < 3)["size"] == 3


def test_conditions_join_without_losing_a_part() -> None:
    low, high = Calls.count >= 1, Calls.count <= 5
    assert predicate(~(low & high) | low) == {
        "op": "or",
        "of": [
            {"op": "not", "of": {"op": "and", "of": [predicate(low), predicate(high)]}},
            predicate(low),
        ],
    }
    assert predicate(lg.field(Calls.count).between(1, 5)) == predicate(low & high)
    with pytest.raises(UsageError, match="cannot be used as True or False"):
        _ = low and high
    with pytest.raises(UsageError, match="cannot be used as True or False"):
        _ = 1 <= lg.field(Calls.count) <= 5


def test_labels_and_times_are_fields_of_every_plan() -> None:
    assert predicate(Calls.label == "b&a") == {"op": "eq", "field": "visibility", "value": b"a&b"}
    moment = datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)
    assert as_condition(Place.seen >= moment).to_predicate(PLACE) == {  # type: ignore[operator]
        "op": "ge",
        "field": "timestamp",
        "value": key("int64", 1_000_000),
    }


def test_ids_and_foreign_names() -> None:
    assert as_condition(Place.id == 5).to_predicate(PLACE)["field"] == "vertex"
    assert as_condition(Place.road_use > 5).to_predicate(PLACE)["field"] == "road-use"


def test_what_does_not_fit_the_group_is_refused_with_names() -> None:
    with pytest.raises(InvalidValue, match="'day' of group 'Calls': it takes date"):
        predicate(Calls.day > "today")  # type: ignore[operator]
    with pytest.raises(PropertyNotFound, match=r"no property 'dya'.*day"):
        predicate(lg.field("dya") == 1)
    with pytest.raises(InvalidValue, match="does not fit into 32 bits"):
        as_condition(Place.low == 2**31).to_predicate(PLACE)
    with pytest.raises(InvalidOption, match="'kinds' of group 'Calls' holds a collection"):
        predicate(lg.field("kinds") == ("a",))
    with pytest.raises(InvalidOption, match="span of time"):
        lg.field("day").age_off()
    with pytest.raises(InvalidOption, match="a number from 0"):
        lg.field("day").length > -1  # noqa: B015
    with pytest.raises(UsageError, match="a condition is needed, not False"):
        as_condition(5 > 6)
    with pytest.raises(InvalidOption, match="named by text"):
        lg.field(5)


def test_rules_of_a_class_become_rules_of_its_group() -> None:
    (rule,) = PLACE.rules
    assert rule.doc == "low must not lie above high"
    assert rule.fields == ("low", "high")
    assert rule.where == {"op": "le", "field": "low", "other": "high"}
    (check,) = CALLS.rules
    assert check.where == {"op": "ge", "field": "count", "value": key("int", 0)}


def test_a_check_of_an_optional_value_lets_absent_ones_pass() -> None:
    class Thing(lg.Vertex, summary=True):
        id: str
        n: int | None = lg.sum(default=None, check=[lg.this > 0])

    (rule,) = group_of(Thing).rules
    assert rule.where["op"] == "or"
    assert rule.where["of"][0] == {"op": "not", "of": {"op": "exists", "field": "n"}}


def test_a_check_that_asks_for_a_value_refuses_elements_without_one() -> None:
    class Thing(lg.Vertex, summary=True):
        id: str
        n: int | None = lg.sum(check=[lg.this.exists()])
        m: int | None = lg.sum(check=[lg.this.exists() & (lg.this > 0)])

    judge = Validator(group_of(Thing))
    judge.check(Thing("a", n=1, m=1))
    for wrong in (Thing("a", m=1), Thing("a", n=1), Thing("a", n=1, m=0)):
        with pytest.raises(ValidationError, match="breaks the rule"):
            judge.check(wrong)


def test_a_rule_says_whether_merges_remove_what_breaks_it() -> None:
    class Thing(lg.Vertex, summary=True):
        id: str
        n: int = lg.sum(check=[lg.this > 0, lg.rule(lg.this < 9, remove=True)])
        at: datetime = lg.max(check=[lg.this.age_off(days=3, remove=True)])

        rules = {"odd": lg.rule(lg.field("n") != 3, remove=True), "even": lg.field("n") != 4}

    rules = group_of(Thing).rules
    assert [(rule.doc, rule.remove) for rule in rules] == [
        *[("", False), ("", True), ("", True)],
        *[("odd", True), ("even", False)],
    ]
    assert repr(lg.rule(lg.this < 9, remove=True)) == "rule(this < 9, remove=True)"
    with pytest.raises(InvalidOption, match="'remove' of a rule is True or False, not 1"):
        lg.rule(lg.this < 9, remove=1)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="a condition is needed, not rule"):
        as_condition(lg.rule(lg.this < 9))


def test_conditions_print_as_they_were_written() -> None:
    shown = repr(as_condition(Calls.count >= 1) & ~lg.field("kinds").exists())
    assert shown == "(count >= 1) & (~(kinds.exists()))"
    assert repr(FieldCondition("and")) == "and of nothing"
