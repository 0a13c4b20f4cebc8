"""Gaffer's aggregators and predicates in JSON: names, options, and what has no counterpart."""

from __future__ import annotations

from typing import Any

import pytest

from lexigraph.codec import codec_for
from lexigraph.errors import InvalidOption, InvalidValue, UnsupportedError
from lexigraph.functions import AGGREGATORS, aggregator_for, parse_predicate
from lexigraph.functions.gaffer.names import (
    AGGREGATOR_CLASSES,
    PREDICATE_CLASSES,
    aggregator_from_gaffer,
    aggregator_to_gaffer,
    short_name,
)
from lexigraph.functions.gaffer.predicates import predicate_from_gaffer
from lexigraph.functions.gaffer.values import read_java

LONG = "java.lang.Long"


@pytest.mark.parametrize("full", AGGREGATOR_CLASSES)
def test_every_class_is_known_by_its_full_name(full: str) -> None:
    name, options = aggregator_from_gaffer({"class": full})
    assert AGGREGATORS.find(name).name == name
    assert set(options) <= set(AGGREGATORS.find(name).options)


@pytest.mark.parametrize(
    ("given", "java", "expected"),
    [
        ({"class": "Sum"}, None, ("sum", {})),
        ({"class": "gaffer.function.simple.aggregate.Max"}, None, ("max", {})),
        ({"class": "StringConcat", "separator": ";"}, None, ("concat", {"separator": ";"})),
        ({"class": "StringDeduplicateConcat"}, None, ("concat", {"distinct": True})),
        ({"class": "CollectionConcat"}, "java.util.TreeSet", ("set", {})),
        ({"class": "CollectionConcat"}, "java.util.ArrayList", ("list", {})),
    ],
)
def test_names_and_fields_become_ours(given: Any, java: str | None, expected: Any) -> None:
    assert aggregator_from_gaffer(given, java) == expected


@pytest.mark.parametrize(
    ("name", "options"),
    [("sum", {}), ("list", {}), ("concat", {"separator": "|", "distinct": True}), ("hll", {})],
)
def test_what_is_written_back_is_read_as_the_same(name: str, options: dict[str, Any]) -> None:
    written = aggregator_to_gaffer(name, options)
    assert aggregator_from_gaffer(written, "java.util.ArrayList") == (name, options)
    aggregator_for(name, codec_for("str" if name != "sum" else "int"), options)


def test_what_has_no_counterpart_is_answered_with_the_nearest() -> None:
    with pytest.raises(InvalidOption, match="did you mean: StringConcat"):
        aggregator_from_gaffer({"class": "StringConcatt"})
    with pytest.raises(InvalidOption, match="did you mean: IsMoreThan"):
        predicate_from_gaffer({"class": "IsMoreThann"}, ["a"], {})
    with pytest.raises(InvalidOption, match="no equivalent of the aggregator 'top-n'"):
        aggregator_to_gaffer("top-n", {})


@pytest.mark.parametrize("full", PREDICATE_CLASSES)
def test_every_listed_predicate_is_read(full: str) -> None:
    given = {
        "class": full,
        "value": {LONG: 3},
        "predicate": {"class": "Exists"},
        "selection": [0],
    }
    if short_name(full) in ("HllSketchIsLessThan", "HyperLogLogPlusIsLessThan"):
        given["value"] = 3  # type: ignore[assignment]
    if "Regex" in full or "String" in full:
        given["value"] = ["a"] if "Multi" in full else "a"  # type: ignore[assignment]
    found = predicate_from_gaffer(given, ["a", "b"], {"a": LONG, "b": LONG})
    assert parse_predicate(found).to_json()["op"] == found["op"]


def test_the_old_age_off_of_gaffers_first_readme_is_read() -> None:
    given = {"class": "gaffer.function.simple.filter.AgeOff", "ageOffDays": "100"}
    assert predicate_from_gaffer(given, ["t"], {"t": LONG}) == {
        "op": "age-off",
        "field": "t",
        "ttl": 100 * 86_400_000_000,
    }


def test_a_control_of_another_class_is_never_met() -> None:
    given = {"class": "IsMoreThan", "value": 3}
    assert predicate_from_gaffer(given, ["a"], {"a": LONG}) == {"op": "or", "of": []}


@pytest.mark.parametrize("held", ["java.util.TreeSet", "java.util.HashSet"])
def test_collections_are_not_compared_and_the_error_names_what_to_ask(held: str) -> None:
    given = {"class": "IsEqual", "value": {"java.util.TreeSet": ["a"]}}
    with pytest.raises(UnsupportedError, match=r"java\.util\.TreeSet") as caught:
        predicate_from_gaffer(given, ["a"], {"a": held})
    assert "CollectionContains" in caught.value.hint


def test_nothing_else_is_equal_to_a_collection() -> None:
    given = {"class": "IsEqual", "value": {"java.util.TreeSet": ["a"]}}
    assert predicate_from_gaffer(given, ["a"], {"a": LONG}) == {"op": "or", "of": []}


def test_a_value_without_a_key_form_is_refused() -> None:
    given = {"class": "CollectionContains", "value": {"java.util.TreeSet": ["a"]}}
    with pytest.raises(UnsupportedError):
        predicate_from_gaffer(given, ["a"], {"a": "java.util.ArrayList"})


def test_a_collection_is_in_no_list_of_other_values() -> None:
    given = {"class": "IsIn", "values": ["a", 3]}
    assert predicate_from_gaffer(given, ["a"], {"a": "java.util.TreeSet"}) == {"op": "or", "of": []}


def test_bytes_are_read_from_base64() -> None:
    assert read_java({"[B": "aGk="}).value == b"hi"
    with pytest.raises(InvalidValue, match="base64"):
        read_java({"[B": "?"})
