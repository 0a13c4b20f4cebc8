"""Gaffer's functions by name, and what they are here."""

from __future__ import annotations

from typing import Any

import pytest

from lexigraph.codec import codec_for
from lexigraph.errors import SchemaError
from lexigraph.functions.gaffer_names import (
    AGGREGATORS,
    PREDICATES,
    canonical,
    find_function,
    translate_aggregator,
    translate_predicate,
)

K = "uk.gov.gchq.koryphe.impl.predicate"


class Numbers:
    """Two fields of ints, asked about."""

    fields = ("a", "b")

    def key(self, value: Any, at: int = 0, *, member: bool = False) -> bytes:
        return codec_for("int").encode(value)

    def is_a(self, java: str, at: int = 0) -> bool:
        return java == "java.lang.Integer"

    def inner(self, config: Any) -> dict[str, Any]:
        return translate_predicate(config, self)


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


@pytest.mark.parametrize("name", ["agoff", "no.such.AgeOff", None, 5])
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
        ({"class": "AreEqual"}, {"op": "eq", "field": "a", "other": "b"}),
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
        (
            {"class": "AgeOff", "ageOffTime": {"java.lang.Long": 5}},
            {"op": "age-off", "field": "a", "ttl": 5000},
        ),
        (
            {"class": "Regex", "value": {"java.util.regex.Pattern": "x*"}},
            {"op": "regex", "field": "a", "pattern": "x*"},
        ),
        (
            {"class": "IsLongerThan", "minLength": 3},
            {"op": "length", "field": "a", "compare": "gt", "size": 3},
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
    assert translate_predicate(config, Numbers()) == expected


@pytest.mark.parametrize(
    "config",
    [
        {"class": "AgeOff", "ageOffDays": "soon"},
        {"class": "AgeOff", "ageOffDays": 1.5},
        {"class": "IsLongerThan"},
        {"class": "Regex"},
    ],
)
def test_options_that_do_not_fit_are_refused(config: dict[str, Any]) -> None:
    with pytest.raises(SchemaError):
        translate_predicate(config, Numbers())


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
