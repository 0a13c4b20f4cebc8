"""Where rules are asked: on reading, at merges, or never again; proven by merging values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from functools import reduce
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lexigraph as lg
from lexigraph.codec import codec_for
from lexigraph.errors import ValidationError
from lexigraph.functions import aggregator_for
from lexigraph.schema import Effect, Group, Rule, Validator, effect_of, group_of


class Thing(lg.Vertex, summary=True):
    id: str
    day: int = lg.group_by()
    at: datetime | None = lg.timestamp()
    label: str = lg.visibility(default="")
    total: int | None = lg.sum()
    ratio: float | None = lg.sum()
    price: Decimal | None = lg.sum()
    times: int | None = lg.product()
    most: int | None = lg.max()
    least: int | None = lg.min()
    any_: bool | None = lg.any_of(name="any")
    newest: str | None = lg.last()
    tags: set[str] | None = lg.set_of()
    odd: object | None = lg.last()


GROUP = group_of(Thing)
KEYS_ONLY = [
    lg.field("vertex") != "x",
    lg.field("day").is_in([1, 2]) | (lg.field("vertex") == "y"),
    lg.field("label") == "s",
]
KEPT = [
    *KEYS_ONLY,
    *[
        lg.field("total") >= 0,
        lg.field("total") > 3,
        lg.field("total") <= -1,
        lg.field("ratio") < 0,
    ],
    *[
        lg.field("ratio") >= 0.1,
        lg.field("price") > Decimal("0.5"),
        lg.field("price") <= Decimal(0),
    ],
    *[lg.field("total").exists(), ~lg.field("times").exists(), lg.field("times").exists()],
    ~lg.field("total").exists() | (lg.field("total") >= 2),
    (lg.field("total") >= 2) | ~lg.field("total").exists(),
    *[lg.field("most") <= 3, lg.field("most") != 2, ~(lg.field("least") == 1)],
    (lg.field("most") > 1) | (lg.field("day") == 3),
    lg.field("any") == True,  # noqa: E712
    lg.field("newest").matches("a.*") & (lg.field("most") > 2),
    lg.field("newest").length < 3,
]
ASKED_AGAIN = [
    *[lg.field("total") <= 3, lg.field("total") >= -1, lg.field("total") < 1],
    *[lg.field("total") != 0, lg.field("total") == 0, lg.field("total").is_in([1, 2])],
    *[lg.field("times") > 0, lg.field("tags").length < 3, lg.field("tags").contains("x")],
    (lg.field("total") >= 0) & (lg.field("total") <= 10),
    (lg.field("total") >= 0) | (lg.field("most") > 0),
    (lg.field("total") >= 0) | (lg.field("total") <= -5),
    ~(lg.field("total") >= 1),
    lg.field("least") < lg.field("most"),
    lg.field("odd").exists(),
    lg.field("at") > datetime.fromisoformat("2026-01-01T00:00:00+00:00"),
]


def effect(condition: Any, group: Group = GROUP, **flags: bool) -> Effect:
    rule = Rule(condition.to_predicate(group), tuple(condition.fields()), **flags)
    return effect_of(rule, group)


@pytest.mark.parametrize("condition", KEPT, ids=repr)
def test_what_merging_cannot_break_is_not_asked_again(condition: Any) -> None:
    found = effect(condition, checked=True)
    assert (found.on_read, found.at_merge) == (False, False)
    assert effect(condition).on_read


@pytest.mark.parametrize("condition", ASKED_AGAIN, ids=repr)
def test_what_merging_may_break_is_asked_again_and_only_hides(condition: Any) -> None:
    for checked in (True, False):
        found = effect(condition, checked=checked)
        assert (found.on_read, found.at_merge) == (True, False)
        assert effect(condition, checked=checked, remove=True).at_merge


@pytest.mark.parametrize("condition", KEYS_ONLY, ids=repr)
def test_rules_on_keys_that_were_added_later_remove(condition: Any) -> None:
    found = effect(condition)
    assert (found.on_read, found.at_merge) == (True, True)


def test_ages_are_always_asked_and_remove_if_nothing_grows_young() -> None:
    day = lg.field("day")
    assert effect(day.age_off(days=3), checked=True).at_merge
    assert not effect(~day.age_off(days=3), checked=True).at_merge
    assert not effect(day.age_off(days=3) | ~day.age_off(days=9), checked=True).at_merge
    assert not effect(lg.field("most").age_off(days=3), checked=True).at_merge
    assert effect(lg.field("most").age_off(days=3), remove=True).at_merge
    assert effect(day.age_off(days=3), checked=True).on_read


def test_a_group_that_keeps_duplicates_merges_nothing() -> None:
    group = replace(GROUP, aggregates=False)
    assert not effect(lg.field("total") <= 3, group, checked=True).on_read
    assert effect(lg.field("total") <= 3, group).at_merge
    assert effect(lg.field("at").exists(), group, checked=True).on_read


def test_a_predicate_of_a_users_own_is_always_asked() -> None:
    rule = Rule({"op": "prime", "field": "day"}, ("day",), checked=True)
    assert (effect_of(rule, GROUP).on_read, effect_of(rule, GROUP).at_merge) == (True, False)


VALUES: Mapping[str, Any] = {
    "total": st.integers(-9, 9),
    "ratio": st.floats(width=16),
    "price": st.decimals(-9, 9, places=1) | st.sampled_from([Decimal("NaN"), Decimal("Infinity")]),
    "times": st.integers(-3, 3),
    "most": st.integers(0, 4),
    "least": st.integers(0, 4),
    "any": st.booleans(),
    "newest": st.sampled_from(["a", "ab", "abc", "b"]),
}
PARTS = st.lists(st.fixed_dictionaries({}, optional=dict(VALUES)), min_size=2, max_size=4)


def merged(parts: list[dict[str, Any]]) -> dict[str, Any]:
    found = {}
    for name in {name for one in parts for name in one}:
        kind = GROUP.property(name)
        assert kind.aggregate is not None
        how = aggregator_for(kind.aggregate.name, codec_for(kind.type.codec))
        states = [how.start(one[name], at) for at, one in enumerate(parts) if name in one]
        found[name] = how.finish(reduce(how.merge, states))
    return found


@settings(max_examples=300)
@given(condition=st.sampled_from(KEPT), day=st.integers(1, 3), parts=PARTS)
def test_parts_that_pass_merge_to_what_passes(
    condition: Any, day: int, parts: list[dict[str, Any]]
) -> None:
    rule = Rule(condition.to_predicate(GROUP), tuple(condition.fields()))
    judge = Validator(replace(GROUP, rules=(rule,)), now=0)

    def passes(values: dict[str, Any]) -> bool:
        named = {"any_" if name == "any" else name: value for name, value in values.items()}
        try:
            judge.check(Thing("y", day=day, label="s", **named))
        except ValidationError:
            return False
        return True

    passing = [one for one in parts if passes(one)]
    if passing:
        assert passes(merged(passing))
