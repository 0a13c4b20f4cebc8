"""The functions that Gaffer's schemas name: found, judged, translated."""

from __future__ import annotations

from typing import Any

import pytest

from lexigraph.codec import codec_for
from lexigraph.errors import SchemaError, UnsupportedError
from lexigraph.schema.gaffer.functions import (
    AGGREGATORS,
    PREDICATES,
    canonical,
    find_function,
    translate_aggregator,
    translate_predicate,
    written_aggregator,
)

K = "uk.gov.gchq.koryphe.impl.predicate"


FIELDS = ("a", "b")
JAVA = dict.fromkeys(FIELDS, "java.lang.Integer")


def translated(config: dict[str, Any]) -> dict[str, Any]:
    """Translate a predicate about two ints, or about text where it asks for text."""
    java = dict.fromkeys(FIELDS, "java.lang.String") if "String" in config["class"] else JAVA
    whole = canonical(PREDICATES, config, "a rule")
    return translate_predicate(whole, FIELDS, java, lambda field, value, member: one(value))


def one(value: int) -> bytes:
    return codec_for("int").encode(value)


@pytest.mark.parametrize(
    "name",
    [
        "AgeOff",
        f"{K}.AgeOff",
        "gaffer.function.simple.filter.AgeOff",
        "gaffer.function.filter.AgeOff",
        "uk.gov.gchq.gaffer.function.simple.filter.AgeOff",
        "uk.gov.gchq.gaffer.function.filter.AgeOff",
    ],
)
def test_short_full_and_old_names_are_one(name: str) -> None:
    assert find_function(PREDICATES, name, "a rule").java == f"{K}.AgeOff"


def test_classes_that_were_renamed_are_found() -> None:
    old = "gaffer.function.simple.aggregate.ComparableMax"
    assert translate_aggregator({"class": old}, "java.lang.String") == ("max", {})


@pytest.mark.parametrize("name", ["agoff", "no.such.AgeOff", None, 5, ["AgeOff"]])
def test_other_names_are_refused(name: Any) -> None:
    with pytest.raises(SchemaError, match="which is not known"):
        find_function(PREDICATES, name, "a rule")


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"class": "IsMoreThan", "value": 1}, {"op": "gt", "field": "a", "value": one(1)}),
        (
            {"class": "IsLessThan", "value": 1, "orEqualTo": True},
            {"op": "le", "field": "a", "value": one(1)},
        ),
        ({"class": "IsEqual", "value": 1}, {"op": "eq", "field": "a", "value": one(1)}),
        ({"class": "IsEqual"}, {"op": "not", "of": {"op": "exists", "field": "a"}}),
        (
            {"class": "IsIn", "values": [1, 2]},
            {"op": "in", "field": "a", "values": [one(1), one(2)]},
        ),
        ({"class": "IsXMoreThanY"}, {"op": "gt", "field": "a", "other": "b"}),
        (
            {"class": "InRange", "start": 1, "end": 5, "endInclusive": False},
            {
                "op": "and",
                "of": [
                    {"op": "exists", "field": "a"},
                    {"op": "ge", "field": "a", "value": one(1)},
                    {"op": "lt", "field": "a", "value": one(5)},
                ],
            },
        ),
        ({"class": "AgeOff"}, {"op": "age-off", "field": "a", "ttl": 365 * 86_400_000_000}),
        (
            {"class": "AgeOff", "ageOffHours": 2},
            {"op": "age-off", "field": "a", "ttl": 7_200_000_000},
        ),
        ({"class": "AgeOff", "ageOffTime": 5}, {"op": "age-off", "field": "a", "ttl": 5000}),
        (
            {"class": "Regex", "value": {"java.util.regex.Pattern": "x*"}},
            {"op": "regex", "field": "a", "pattern": "x*"},
        ),
        (
            {"class": "IsLongerThan", "minLength": 3},
            {
                "op": "or",
                "of": [
                    {"op": "length", "field": "a", "compare": "gt", "size": 3},
                    {"op": "not", "of": {"op": "exists", "field": "a"}},
                ],
            },
        ),
        (
            {"class": "CollectionContains", "value": 1},
            {"op": "contains", "field": "a", "value": one(1)},
        ),
        (
            {"class": "StringContains", "value": "x"},
            {"op": "substring", "field": "a", "value": "x"},
        ),
        ({"class": "IsA", "type": "java.lang.Integer"}, {"op": "and", "of": []}),
        ({"class": "IsA", "type": "X"}, {"op": "not", "of": {"op": "exists", "field": "a"}}),
        ({"class": "Not"}, {"op": "or", "of": []}),
        (
            {"class": "Not", "predicate": {"class": "Exists"}},
            {"op": "not", "of": {"op": "exists", "field": "a"}},
        ),
        ({"class": "And"}, {"op": "and", "of": []}),
        (
            {"class": "Or", "predicates": [{"class": "Exists"}]},
            {"op": "or", "of": [{"op": "exists", "field": "a"}]},
        ),
    ],
)
def test_predicates_become_ours(config: dict[str, Any], expected: dict[str, Any]) -> None:
    assert translated(config) == expected


@pytest.mark.parametrize(
    "config",
    [
        {"class": "AgeOff", "ageOffDays": "soon"},
        {"class": "IsLongerThan", "minLength": "x"},
        {"class": "Regex"},
        {"class": "And", "predicates": 5},
        {"class": "IsXLessThanY", "predicate": 5},
    ],
)
def test_options_that_do_not_fit_are_refused(config: dict[str, Any]) -> None:
    with pytest.raises(SchemaError):
        translated(config)


def test_aggregators_depend_on_what_they_merge() -> None:
    concat = {"class": "CollectionConcat"}
    assert translate_aggregator(concat, "java.util.TreeSet") == ("set", {})
    assert translate_aggregator(concat, "java.util.ArrayList") == ("list", {})
    distinct = {"class": "StringDeduplicateConcat", "separator": ";"}
    assert translate_aggregator(distinct, "java.lang.String") == (
        "concat",
        {"separator": ";", "distinct": True},
    )


def test_functions_are_written_as_gaffer_writes_them() -> None:
    inside = {"class": "Not", "predicate": {"class": "IsMoreThan", "value": 1}}
    assert canonical(PREDICATES, {"class": "And", "predicates": [inside]}, "a rule") == {
        "class": f"{K}.And",
        "predicates": [
            {
                "class": f"{K}.Not",
                "predicate": {"class": f"{K}.IsMoreThan", "orEqualTo": False, "value": 1},
            }
        ],
    }
    with pytest.raises(SchemaError, match="an object with a 'class'"):
        canonical(AGGREGATORS, "Sum", "a type")


def test_aggregators_are_written_with_their_options() -> None:
    package = "uk.gov.gchq.koryphe.impl.binaryoperator"
    assert written_aggregator("concat", {"distinct": True}) == {
        "class": f"{package}.StringDeduplicateConcat",
        "separator": ",",
    }
    with pytest.raises(UnsupportedError, match="'hll' has no options lg_k"):
        written_aggregator("hll", {"lg_k": 8})
