"""Values in Gaffer's JSON, both ways."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from lexigraph.errors import InvalidValue, SchemaError
from lexigraph.schema.gaffer.values import value_from_gaffer, value_to_gaffer

TYPES = "uk.gov.gchq.gaffer.types"


@pytest.mark.parametrize(
    ("data", "java", "value"),
    [
        ("a", "java.lang.String", "a"),
        (True, "java.lang.Boolean", True),
        (5, "java.lang.Integer", 5),
        (2.5, "java.lang.Double", 2.5),
        ({"java.lang.Long": 5}, "java.lang.Long", 5),
        ({"java.lang.Float": 2.5}, "java.lang.Float", 2.5),
        ({"java.math.BigDecimal": "1.50"}, "java.math.BigDecimal", Decimal("1.50")),
        (
            {"java.util.Date": 1500},
            "java.util.Date",
            datetime(1970, 1, 1, 0, 0, 1, 500_000, tzinfo=UTC),
        ),
        ({"java.util.TreeSet": ["a", "b"]}, "java.util.TreeSet", ("a", "b")),
        ({"java.util.ArrayList": ["b", "a"]}, "java.util.ArrayList", ["b", "a"]),
        ({"java.util.HashMap": {"a": 1}}, "java.util.HashMap", {"a": 1}),
        ({f"{TYPES}.FreqMap": {"a": 1}}, f"{TYPES}.FreqMap", {"a": 1}),
        ({f"{TYPES}.TypeValue": {"type": "t", "value": "v"}}, f"{TYPES}.TypeValue", ("t", "v")),
        (
            {f"{TYPES}.TypeSubTypeValue": {"type": "t", "value": "v"}},
            f"{TYPES}.TypeSubTypeValue",
            ("t", None, "v"),
        ),
        ({"[B": "AAE="}, "[B", b"\x00\x01"),
        (
            {"java.util.UUID": "12345678-1234-5678-1234-567812345678"},
            "java.util.UUID",
            UUID("12345678-1234-5678-1234-567812345678"),
        ),
        (
            {"java.util.TreeSet": [{"java.lang.Long": 2**40}]},
            "java.util.TreeSet",
            (2**40,),
        ),
    ],
)
def test_values_are_read_and_written_back(data: Any, java: str, value: Any) -> None:
    assert value_from_gaffer(data) == (java, value)
    assert value_to_gaffer(value, java) == data


def test_null_has_no_class() -> None:
    assert value_from_gaffer(None) == (None, None)
    assert value_to_gaffer(None, "java.lang.Long") is None


def test_sets_are_held_in_order_and_sketches_as_what_was_offered() -> None:
    assert value_from_gaffer({"HashSet": ["b", "a", "b"]})[1] == ("a", "b")
    offers = {"hyperLogLogPlus": {"p": 5, "sp": 5, "offers": ["x", "y"]}}
    assert value_from_gaffer({"HyperLogLogPlus": offers})[1] == ["x", "y"]


@pytest.mark.parametrize(
    "data",
    [
        {"java.util.Date": "today"},
        {"java.lang.Long": "5"},
        {"[B": "!"},
        {"java.util.UUID": "x"},
        {f"{TYPES}.TypeValue": 5},
        {"java.math.BigDecimal": "x"},
        {"a": 1, "b": 2},
        object(),
    ],
)
def test_what_is_no_value_is_refused(data: Any) -> None:
    with pytest.raises((InvalidValue, SchemaError)):
        value_from_gaffer(data)
