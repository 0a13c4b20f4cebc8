"""Aggregators and predicates by name."""

from __future__ import annotations

from typing import Any

import pytest

from lexigraph.codec import codec_for
from lexigraph.errors import InvalidName, InvalidOption
from lexigraph.functions import (
    AGGREGATORS,
    PREDICATES,
    AnyOf,
    Both,
    Exists,
    Negation,
    Predicate,
    Registry,
    aggregator_for,
    compare,
    traits_of,
)
from lexigraph.functions.aggregators.extremes import Max
from lexigraph.functions.aggregators.lists import ListOf
from lexigraph.functions.predicates.comparisons import Equal


def test_the_built_in_aggregators_are_listed() -> None:
    names = (
        "and bitmap concat count first frequency-map frequent-items hll last list max min or "
        "product quantiles reservoir set sum theta time-series top-n"
    )
    assert AGGREGATORS.names == names.split()


def test_the_built_in_predicates_are_listed() -> None:
    assert PREDICATES.names == [
        *("age-off", "and", "contains", "eq", "exists", "ge", "gt", "in", "le", "length", "lt"),
        *("ne", "not", "or", "regex", "substring"),
    ]


@pytest.mark.parametrize("name", ["summ", "", None, 3])
def test_an_unknown_name_is_refused(name: Any) -> None:
    with pytest.raises(InvalidOption, match="there is no aggregator"):
        aggregator_for(name, codec_for("int"))


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(InvalidOption) as caught:
        AGGREGATORS.find("cuont")
    assert caught.value.context["near"][0] == "count"


class Longest(Max):
    name = "longest"


def test_a_user_can_add_an_aggregator() -> None:
    registry: Registry[Any] = Registry("aggregator", ())
    registry.register(Longest)
    assert registry.find("longest") is Longest


def test_a_taken_name_is_refused() -> None:
    with pytest.raises(InvalidName, match="already"):
        AGGREGATORS.register(Max)


@pytest.mark.parametrize("name", [None, "", 3])
def test_a_class_without_a_name_is_refused(name: Any) -> None:
    nameless = type("Nameless", (Max,), {"name": name})
    with pytest.raises(InvalidName, match="not a valid name"):
        AGGREGATORS.register(nameless)


def test_a_comparison_is_made_by_name() -> None:
    assert compare("eq", "day", b"x") == Equal("day", b"x")


def test_an_unknown_comparison_is_refused() -> None:
    with pytest.raises(InvalidOption, match="available: eq, ne, lt, le, gt, ge"):
        compare("like", "day", b"x")


def test_a_predicate_names_every_field_it_looks_at() -> None:
    predicate = Both((Negation(Exists("a")), AnyOf("b", (b"x",)), Equal("c", b"y")))
    assert list(predicate.fields()) == ["a", "b", "c"]


def test_predicates_built_by_hand_nest_no_deeper_than_those_of_a_scan() -> None:
    predicate: Predicate = Exists("a")
    for _ in range(31):
        predicate = Negation(predicate)
    with pytest.raises(InvalidOption, match="32 deep"):
        Both((predicate,))


def test_a_users_aggregator_does_not_inherit_the_promises_of_a_built_in_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Middle(ListOf):
        name = "middle-for-traits"

    # Other tests ask for every aggregator there is, so it must not stay.
    monkeypatch.setitem(AGGREGATORS._entries, Middle.name, Middle)
    assert AGGREGATORS.find(Middle.name) is Middle
    assert Middle.result_kind == "list"
    assert traits_of("middle-for-traits").result_kind is None
    assert traits_of("list").result_kind == "list"
