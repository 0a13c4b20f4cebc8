"""The rules that excuse a function for differing from Gaffer's: they excuse that and no more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from lexigraph.errors import InvalidOption, UnsupportedError
from tests.conformance.gaffer_function_deviations import (
    AGGREGATOR_RULES,
    PREDICATE_RULES,
    TRANSFORM_RULES,
    Difference,
    Rule,
    explained,
)

MOMENT = {"java.util.Date": 86_400_000}
TREE = {"java.util.TreeSet": ["q"]}
EXCUSED: list[tuple[Mapping[str, Rule], Difference, Any]] = [
    (
        PREDICATE_RULES,
        Difference("IsEqual", {"value": TREE}, TREE, True, UnsupportedError("x")),
        False,
    ),
    (
        PREDICATE_RULES,
        Difference("AreEqual", {}, {"@tuple": [1, 1, 1]}, False, InvalidOption("x")),
        True,
    ),
    (
        PREDICATE_RULES,
        Difference(
            "CollectionContains",
            {"value": 8},
            {"java.util.ArrayList": [{"java.lang.Long": 8}]},
            False,
            True,
        ),
        None,
    ),
    (AGGREGATOR_RULES, Difference("Sum", {}, [2**31 - 5, 7], 2 - 2**31, 2**31 + 2), 5),
    (
        AGGREGATOR_RULES,
        Difference(
            "Sum",
            {},
            [{"java.lang.Short": 32000}, {"java.lang.Short": 900}],
            {"java.lang.Short": 32767},
            32900,
        ),
        32901,
    ),
    (
        AGGREGATOR_RULES,
        Difference("StringConcat", {"separator": "-"}, ["z", "y"], "z-y", "y-z"),
        "y-y",
    ),
    (
        AGGREGATOR_RULES,
        Difference(
            "StringDeduplicateConcat",
            {"separator": "|"},
            ["p|q", "q|r"],
            "p|||q|r",
            "p|q|r",
        ),
        "p|q",
    ),
    (
        AGGREGATOR_RULES,
        Difference("IterableMerge", {}, [], {"@iterable": [9, 4]}, [4, 9]),
        [4, 4],
    ),
    (AGGREGATOR_RULES, Difference("First", {}, [TREE, TREE], TREE, InvalidOption("x")), ["q"]),
    (
        TRANSFORM_RULES,
        Difference("MultiplyBy", {"by": 3}, 2**30, 3 * 2**30 - 2**32, 3 * 2**30),
        3 * 2**30 + 1,
    ),
    (
        TRANSFORM_RULES,
        Difference("ToFloat", {}, "16777217", {"java.lang.Float": 16777216.0}, 16777217.0),
        16777300.0,
    ),
    (
        TRANSFORM_RULES,
        Difference(
            "ToString", {}, MOMENT, "Fri Jan 02 00:00:00 UTC 1970", "1970-01-02 00:00:00+00:00"
        ),
        "1970-01-03 00:00:00+00:00",
    ),
]


@pytest.mark.parametrize(("rules", "difference", "wrong"), EXCUSED)
def test_a_rule_excuses_a_difference_but_not_a_wrong_answer(
    rules: Mapping[str, Rule], difference: Difference, wrong: Any
) -> None:
    assert explained(rules, difference) is not None
    if wrong is not None:
        assert explained(rules, difference._replace(found=wrong)) is None
