"""The vectors of spec/functions.json, which other languages test too."""

from __future__ import annotations

import json
from functools import reduce
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from lexigraph.cells.jsonbytes import bytes_from_json
from lexigraph.codec import codec_for
from lexigraph.errors import InvalidBytes, InvalidOption
from lexigraph.functions import Aggregator, aggregator_for, as_plain, parse_predicate
from lexigraph.functions.predicates.base import Holds
from lexigraph.keyplan.values import Faithful

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parents[3] / "spec" / "functions.json").read_bytes()
)


def each(section: str, name: str) -> Any:
    cases = VECTORS[section]
    return pytest.mark.parametrize("case", cases, ids=[case[name] for case in cases])


def bound(case: dict[str, Any]) -> Aggregator:
    return aggregator_for(case["aggregator"], codec_for(case["codec"]), case.get("options"))


def started(case: dict[str, Any]) -> list[Any]:
    aggregator, codec = bound(case), codec_for(case["codec"])
    return [
        aggregator.start(codec.decode_value(bytes_from_json(one["value"])), one["timestamp"])
        for one in case["inputs"]
    ]


@each("aggregators", "name")
def test_inputs_merged_in_every_order_give_the_state(case: dict[str, Any]) -> None:
    aggregator = bound(case)
    for states in permutations(started(case)):
        assert aggregator.encode(reduce(aggregator.merge, states)) == bytes_from_json(case["state"])


@each("aggregators", "name")
def test_inputs_merged_from_the_right_give_the_state(case: dict[str, Any]) -> None:
    aggregator = bound(case)
    *others, state = started(case)
    for other in reversed(others):
        state = aggregator.merge(other, state)
    assert aggregator.encode(state) == bytes_from_json(case["state"])


@each("aggregators", "name")
def test_states_written_and_read_between_merges_give_the_state(case: dict[str, Any]) -> None:
    aggregator = bound(case)

    def through_bytes(state: Any) -> Any:
        return aggregator.decode(aggregator.encode(state), 77)

    states = map(through_bytes, started(case))
    merged = reduce(lambda a, b: through_bytes(aggregator.merge(a, b)), states)
    assert aggregator.encode(merged) == bytes_from_json(case["state"])


@each("aggregators", "name")
def test_the_state_finishes_to_the_value(case: dict[str, Any]) -> None:
    aggregator = bound(case)
    finished = aggregator.finish(aggregator.decode(bytes_from_json(case["state"]), 0))
    # Compared as bytes, because NaN is not equal to itself and 1.0 is equal to 1.00.
    assert codec_for("any").encode_value(as_plain(finished)) == bytes_from_json(case["finished"])


@each("sketches", "name")
def test_a_sketch_that_either_side_made_finishes_to_the_value(case: dict[str, Any]) -> None:
    aggregator = bound(case)
    state = aggregator.decode(bytes_from_json(case["state"]), 0)
    expected = codec_for("any").decode_value(bytes_from_json(case["finished"]))
    found = as_plain(aggregator.finish(state))
    assert found == (pytest.approx(expected, rel=1e-9) if isinstance(found, float) else expected)
    again = aggregator.decode(aggregator.encode(aggregator.merge(state, state)), 0)
    if case["aggregator"] in ("hll", "theta", "bitmap"):
        assert as_plain(aggregator.finish(again)) == pytest.approx(found, rel=0.1)


@each("refused_states", "why")
def test_garbage_is_refused(case: dict[str, Any]) -> None:
    with pytest.raises(InvalidBytes):
        bound(case).decode(bytes_from_json(case["state"]), 0)


@each("refused_codecs", "codec")
def test_a_codec_that_cannot_be_aggregated_is_refused(case: dict[str, Any]) -> None:
    with pytest.raises(InvalidOption, match=case["codec"]):
        bound(case)


@each("refused_options", "why")
def test_an_option_that_does_not_fit_is_refused(case: dict[str, Any]) -> None:
    with pytest.raises(InvalidOption, match="option"):
        bound(case)


class KeyForms:
    """Fields that are their own key forms."""

    now = 0

    def holds(self, field: str) -> Any:
        raise AssertionError("key forms have no codec")

    def value_of(self, field: str) -> Any:
        raise AssertionError("key forms have no value")

    def key_of(self, field: str) -> Any:
        return lambda element: element.get(field)

    def presence_of(self, field: str) -> Any:
        return lambda element: field in element


@each("predicates", "name")
def test_a_predicate_holds_as_expected(case: dict[str, Any]) -> None:
    element = {name: bytes_from_json(key) for name, key in case["fields"].items()}
    predicate = parse_predicate(case["where"], bytes_from_json)
    assert predicate.bind(KeyForms())(element) is case["expected"]


@each("predicates", "name")
def test_a_predicate_comes_back_from_its_json(case: dict[str, Any]) -> None:
    predicate = parse_predicate(case["where"], bytes_from_json)
    assert parse_predicate(predicate.to_json()) == predicate


@each("refused_predicates", "why")
def test_a_wrong_predicate_is_refused_and_says_where(case: dict[str, Any]) -> None:
    with pytest.raises(InvalidOption, match="where"):
        parse_predicate(case["where"], bytes_from_json)


class Typed:
    """Fields of an element that is itself a dict of values by name."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.now = case.get("now", 0)
        self.kinds = {
            name: bound_field(one["codec"], one.get("aggregate"))
            for name, one in case["fields"].items()
        }
        for name, codec in case.get("absent", {}).items():
            self.kinds[name] = bound_field(codec, None)

    def holds(self, field: str) -> Holds:
        kind = self.kinds[field]
        return Holds(kind.codec, kind.result)

    def value_of(self, field: str) -> Any:
        return lambda element: element.get(field)

    def key_of(self, field: str) -> Any:
        codec = self.kinds[field].result
        if codec is None:
            raise InvalidOption("a collection")
        return lambda element: None if field not in element else codec.encode(element[field])

    def presence_of(self, field: str) -> Any:
        return lambda element: field in element

    def element(self, case: dict[str, Any]) -> dict[str, Any]:
        return {
            name: self.kinds[name].finish(self.kinds[name].decode(bytes_from_json(one["state"]), 0))
            for name, one in case["fields"].items()
        }


def bound_field(codec: str, aggregate: dict[str, Any] | None) -> Aggregator:
    if aggregate is None:
        return Faithful(codec_for(codec))
    options = {name: item for name, item in aggregate.items() if name != "name"}
    return aggregator_for(aggregate["name"], codec_for(codec), options)


@each("value_predicates", "name")
def test_a_predicate_over_values_holds_as_expected(case: dict[str, Any]) -> None:
    fields = Typed(case)
    predicate = parse_predicate(case["where"], bytes_from_json)
    assert predicate.bind(fields)(fields.element(case)) is case["expected"]
    assert parse_predicate(predicate.to_json()) == predicate


@each("refused_fields", "why")
def test_a_predicate_over_a_field_that_does_not_fit_is_refused(case: dict[str, Any]) -> None:
    with pytest.raises(InvalidOption):
        parse_predicate(case["where"], bytes_from_json).bind(Typed(case))
