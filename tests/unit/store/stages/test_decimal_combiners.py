"""Decimals as BigDecimal has them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from lexigraph.errors import InvalidBytes
from lexigraph.store.stages.cells.decimal_combiners import MAX_DIGITS, add_decimals, read_decimal


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("1", "1"),
        ("+1.", "1"),
        (".5", "0.5"),
        ("-00.10", "-0.10"),
        ("1e3", "1E+3"),
        ("1E-3", "0.001"),
        ("123e-10", "1.23E-8"),
        ("0e5", "0E+5"),
        ("-0", "0"),
        ("\u0663.\u0665", "3.5"),
        ("9" * 50, "9" * 50),
    ],
)
def test_numbers_are_written_as_java_writes_them(text: str, written: str) -> None:
    assert str(read_decimal(text.encode())) == written


@pytest.mark.parametrize(
    "data",
    [
        *(
            b"",
            b"x",
            b" 1",
            b"1 ",
            b"1_0",
            b"NaN",
            b"Infinity",
            b"1e",
            b"e1",
            b".",
            b"0x1",
            b"\xff",
        ),
        *(b"1e9999999999", b"1e99999999999999999999", b"1e-99999999999999999999"),
        "\U0001d7d3".encode(),
        b"1" * (MAX_DIGITS + 1),
    ],
)
def test_what_is_no_decimal_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidBytes):
        read_decimal(data)


def test_a_sum_is_exact_and_keeps_the_larger_scale() -> None:
    assert (
        str(add_decimals(Decimal("1E+30"), Decimal("1E-30")))
        == "1" + "0" * 30 + "." + "0" * 29 + "1"
    )


def test_a_sum_of_opposites_is_no_negative_zero() -> None:
    assert str(add_decimals(Decimal("-1.0"), Decimal("1.00"))) == "0.00"


def test_a_zero_of_any_size_adds_nothing() -> None:
    assert str(add_decimals(Decimal("0E+999999999"), Decimal("1"))) == "1"


def test_numbers_too_far_apart_are_refused() -> None:
    with pytest.raises(InvalidBytes, match="too many digits"):
        add_decimals(Decimal("1E+999999"), Decimal("1E-999999"))
