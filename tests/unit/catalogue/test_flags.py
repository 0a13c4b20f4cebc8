"""What the flags of aggregators promise is what they do; fields take the catalogue's defaults."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import reduce
from itertools import permutations
from typing import Any

import pytest

from lexigraph.codec import codec_for
from lexigraph.errors import InvalidOption
from lexigraph.functions import Aggregator, aggregator_for
from lexigraph.schema import declare
from lexigraph.schema.fields import Field
from tests.docs.pages import ROOT

AGGREGATORS = json.loads((ROOT / "spec/catalogue.json").read_bytes())["aggregators"]
# Floats first: they are where the order of adding shows.
VALUES: dict[str, list[Any]] = {
    "float": [0.1, 0.2, 0.3, 0.2],
    "int": [3, 1, 2, 1],
    "str": ["b", "a", "c", "a"],
    "bool": [True, False, True, True],
    "datetime": [datetime(2026, 1, day, tzinfo=UTC) for day in (3, 1, 2, 1)],
}


def with_flag(flag: str, *, held: bool = True) -> Any:
    names = [name for name, entry in AGGREGATORS.items() if (flag in entry["flags"]) is held]
    return pytest.mark.parametrize("name", names)


def bind(name: str) -> tuple[Aggregator, list[Any]]:
    for codec, values in VALUES.items():
        try:
            return aggregator_for(name, codec_for(codec)), values
        except InvalidOption:
            continue
    raise AssertionError(f"no values for {name}")


def merged(one: Aggregator, values: Iterable[Any]) -> Any:
    states = [one.start(value, timestamp) for timestamp, value in enumerate(values)]
    return reduce(one.merge, states)


@with_flag("idempotent")
def test_an_idempotent_one_does_not_see_repeats(name: str) -> None:
    one, values = bind(name)
    assert one.finish(merged(one, values)) == one.finish(merged(one, values * 3))


@with_flag("order_free")
def test_an_order_free_one_has_the_same_bytes_in_any_order(name: str) -> None:
    one, values = bind(name)
    # What decides by time must see the same times.
    states = [one.start(value, timestamp) for timestamp, value in enumerate(values)]
    assert len({one.encode(reduce(one.merge, order)) for order in permutations(states)}) == 1


@pytest.mark.parametrize("name", ["sum", "product"])
def test_adding_and_multiplying_floats_depend_on_the_order(name: str) -> None:
    one, values = bind(name)
    assert "order_free" not in AGGREGATORS[name]["flags"]
    found = {one.encode(reduce(one.merge, order)) for order in permutations(values)}
    assert len(found) > 1


@with_flag("picks_one")
def test_what_picks_one_returns_one_of_the_values(name: str) -> None:
    one, values = bind(name)
    assert one.finish(merged(one, values)) in values


@with_flag("takes_field", held=False)
def test_what_takes_no_field_does_not_look_at_values(name: str) -> None:
    one, values = bind(name)
    assert one.finish(merged(one, values)) == one.finish(merged(one, [object() for _ in values]))


@pytest.mark.parametrize("name", AGGREGATORS)
def test_a_result_is_of_the_kind_that_the_catalogue_says(name: str) -> None:
    one, values = bind(name)
    found = one.finish(merged(one, values))
    kinds: dict[str, Callable[[], bool]] = {
        "same": lambda: type(found) is type(values[0]),
        "list": lambda: {type(member) for member in found} == {type(values[0])},
        "map": lambda: isinstance(found, dict) and type(next(iter(found))) is type(values[0]),
        "integers": lambda: isinstance(found, tuple) and type(found[0]) is int,
        "float": lambda: type(found) is float,
        "count": lambda: found == len(values),
    }
    assert kinds[AGGREGATORS[name]["result"]]()


@pytest.mark.parametrize("name", [name for name, one in AGGREGATORS.items() if one["takes"]])
def test_what_takes_lists_takes_all_values_at_once(name: str) -> None:
    one, values = bind(name)
    assert one.finish(one.take(values, 0)) == one.finish(merged(one, values))
    if "map" in AGGREGATORS[name]["takes"]:
        counts = {value: values.count(value) for value in values}
        assert one.finish(one.take(counts, 0)) == one.finish(merged(one, values))


def fields() -> dict[str, Field[Any]]:
    made = {
        name: function()
        for name, function in vars(declare).items()
        if inspect.isfunction(function)
        and function.__module__ == declare.__name__
        and function not in (declare.aggregate, declare.expires)
    }
    return {name: field for name, field in made.items() if field.aggregate is not None}


def test_every_aggregator_has_a_field() -> None:
    assert {field.aggregate.name for field in fields().values() if field.aggregate} == set(
        AGGREGATORS
    )


@pytest.mark.parametrize("name", fields())
def test_a_field_takes_the_defaults_of_the_catalogue(name: str) -> None:
    aggregate = fields()[name].aggregate
    assert aggregate is not None
    options = AGGREGATORS[aggregate.name]["options"]
    assert {option: options[option]["default"] for option in aggregate.options} == dict(
        aggregate.options
    )
