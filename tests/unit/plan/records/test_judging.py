"""Conditions on several values: true if any satisfies it, missing without any, else false."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from lexigraph.errors import InvalidOption
from lexigraph.functions import parse_predicate
from lexigraph.plan.records.conditions import judge_of
from lexigraph.plan.undeclared import ANY_VERTEX, OpenSchema
from lexigraph.schema import FieldCondition, Schema, field
from tests.unit.plan.records.worlds import SCHEMA

NAME, AGE, TAGS = field("name"), field("age"), field("tags")
PERSON = SCHEMA.group("Person")
ANYTHING = OpenSchema.over(Schema({}), "any").group(ANY_VERTEX)


def judge(condition: FieldCondition, group: Any = PERSON, **values: list[Any]) -> bool | None:
    predicate = parse_predicate(condition.to_predicate(group))
    return judge_of(predicate, group, now=0)(lambda name: values.get(name, []))


@pytest.mark.parametrize(
    ("condition", "values", "found"),
    [
        (NAME == "p", ["p"], True),
        (NAME == "p", ["q", "p"], True),
        (NAME == "p", ["q"], False),
        (NAME == "p", [], None),
        (NAME != "p", ["q", "p"], False),
        (NAME != "p", ["q"], True),
        (NAME != "p", [], None),
        (~(NAME == "p"), ["q", "p"], False),
        (~(NAME == "p"), ["q"], True),
        (~(NAME == "p"), [], None),
        (NAME > "p", ["a", "q"], True),
        (~(NAME > "p"), ["a", "q"], False),
        (NAME.exists(), [], False),
        (~NAME.exists(), [], True),
        (NAME.is_in(["a", "b"]), ["c", "b"], True),
        (NAME.has_text("nn"), ["ann"], True),
        (NAME.matches("a.*"), ["bob"], False),
        (NAME.length == 3, ["bob"], True),
        ((NAME == "p") & (NAME == "q"), ["p", "q"], True),
        ((NAME == "p") & (AGE == 3), ["p"], None),
        ((NAME == "q") & (AGE == 3), ["p"], False),
        ((NAME == "p") | (AGE == 3), ["p"], True),
        ((NAME == "q") | (AGE == 3), ["p"], None),
    ],
)
def test_a_condition_is_true_false_or_missing(
    condition: FieldCondition, values: list[Any], found: Any
) -> None:
    assert judge(condition, name=values) is found


def test_a_property_of_many_values_is_a_collection() -> None:
    assert judge(TAGS.contains("a"), tags=["b", "a"]) is True
    assert judge(TAGS.contains("a"), tags=["b"]) is False
    assert judge(TAGS.length == 2, tags=["b", "a"]) is True
    with pytest.raises(InvalidOption, match="one value of str, not a collection"):
        judge(NAME.contains("a"), name=["a"])


def test_two_fields_compare_if_any_of_their_values_do() -> None:
    assert judge(NAME == TAGS, name=["a"], tags=["b", "a"]) is True
    assert judge(NAME != TAGS, name=["a"], tags=["b", "a"]) is False
    assert judge(NAME == TAGS, name=["a"]) is None


@pytest.mark.parametrize(
    ("condition", "values", "found"),
    [
        (AGE > 29.5, [30], True),
        (AGE == 30, [30.0], True),
        (AGE == 30, ["30"], False),
        (AGE < 30, ["a"], False),
        (AGE.has_text("a"), [3, "ann"], True),
        (AGE.length == 2, [(1, 2)], True),
        (AGE.contains(2), [(1, 2)], True),
        (AGE.contains(2), [2], True),
        (date(2026, 1, 1) <= AGE, [date(2026, 1, 2), 7], True),
        (AGE.age_off(days=1), [datetime(1970, 1, 1, tzinfo=UTC)], True),
        (AGE.age_off(days=1), ["x"], False),
    ],
)
def test_undeclared_properties_compare_as_values_of_the_algebra(
    condition: FieldCondition, values: list[Any], found: Any
) -> None:
    assert judge(condition, ANYTHING, age=values) is found
    assert judge(~condition, ANYTHING, age=values) is (not found)


def test_a_value_of_another_type_than_the_declared_one_satisfies_nothing() -> None:
    assert judge(AGE == 3, age=["x"]) is False
    assert judge(AGE != 3, age=["x"]) is True
