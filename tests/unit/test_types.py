"""Numbers with a width, and points."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from lexigraph.errors import InvalidValue
from lexigraph.types import BigInt, Float32, GeoPoint, Int8, Int16, Int32, Int64


@pytest.mark.parametrize(("kind", "bits"), [(Int8, 8), (Int16, 16), (Int32, 32), (Int64, 64)])
def test_a_width_holds_its_range_and_no_more(kind: Any, bits: int) -> None:
    edge = 2 ** (bits - 1)
    assert (kind(-edge), kind(edge - 1)) == (-edge, edge - 1)
    for outside in (-edge - 1, edge):
        with pytest.raises(InvalidValue, match=f"{kind.__name__} holds"):
            kind(outside)


@pytest.mark.parametrize("kind", [Int8, Int16, Int32, Int64, BigInt])
@pytest.mark.parametrize("value", [True, 1.0, "1", None])
def test_only_ints_become_integers(kind: Any, value: Any) -> None:
    with pytest.raises(InvalidValue, match=type(value).__name__):
        kind(value)


def test_an_int_too_long_to_print_is_refused_with_its_size() -> None:
    with pytest.raises(InvalidValue, match="33220 bits"):
        Int64(10**10_000)


def test_a_float_is_rounded_to_the_nearest_32_bit_one() -> None:
    assert Float32(0.1) == 0.10000000149011612
    assert repr(Float32(-0.0)) == "Float32(-0.0)"
    assert Float32(float("inf")) == float("inf")


@pytest.mark.parametrize("value", [1e39, -1e300, True, "1", None, 1 << 1200])
def test_what_is_no_32_bit_float_is_refused(value: Any) -> None:
    with pytest.raises(InvalidValue):
        Float32(value)


@pytest.mark.parametrize("value", [Int8(1), Int64(-5), BigInt(2**70), Float32(1.5), GeoPoint(1, 2)])
def test_types_survive_pickling(value: Any) -> None:
    again = pickle.loads(pickle.dumps(value))
    assert (type(again), again) == (type(value), value)


@pytest.mark.parametrize(
    ("latitude", "longitude"),
    [(90.1, 0), (-91, 0), (0, 180.5), (0, -181), (float("nan"), 0), (0, float("inf"))],
)
def test_a_point_off_the_globe_is_refused(latitude: float, longitude: float) -> None:
    with pytest.raises(InvalidValue, match="between"):
        GeoPoint(latitude, longitude)


@pytest.mark.parametrize("value", ["1", None, True])
def test_degrees_are_numbers(value: Any) -> None:
    with pytest.raises(InvalidValue, match="number of degrees"):
        GeoPoint(value, 0)


def test_whole_degrees_become_floats() -> None:
    assert type(GeoPoint(1, 2).latitude) is float
