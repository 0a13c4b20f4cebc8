"""Bytes worked out by hand from docs/formats/codec.md, not by the code."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum
from ipaddress import ip_address
from typing import Any
from uuid import UUID

import pytest

from lexigraph.codec import (
    codec_for,
    descending,
    enum_codec,
    list_codec,
    nullable,
    part_codec,
    tuple_codec,
)
from lexigraph.types import BigInt, Float32, GeoPoint, Int8, Int16, Int32, Int64

HOUR = timezone(timedelta(hours=1))
INF, NAN = float("inf"), float("nan")

# Codec, value, key, value form where it is not the key.
SIMPLE: list[tuple[str, Any, str, str | None]] = [
    ("null", None, "", None),
    ("bool", False, "00", None),
    ("bool", True, "01", None),
    ("int8", -128, "00", None),
    ("int8", 127, "ff", None),
    ("int16", -1, "7fff", None),
    ("int32", 1, "80000001", None),
    ("int64", -(2**63), "0000000000000000", None),
    ("int64", 2**63 - 1, "ffffffffffffffff", None),
    ("int", 0, "80", None),
    ("int", 1, "8101", None),
    ("int", 255, "81ff", None),
    ("int", 256, "820100", None),
    ("int", -1, "7efe", None),
    ("int", -255, "7e00", None),
    ("int", -256, "7dfeff", None),
    ("int", 2**64, "89010000000000000000", None),
    ("int", 2**960 - 1, "f8" + "ff" * 120, None),
    ("int", 2**960, "f97901" + "00" * 120, None),
    ("int", -(2**960), "0686fe" + "ff" * 120, None),
    ("float", 1.0, "bff0000000000000", None),
    ("float", -1.0, "400fffffffffffff", None),
    ("float", 0.0, "8000000000000000", None),
    ("float", -0.0, "8000000000000000", "7fffffffffffffff"),
    ("float", 5e-324, "8000000000000001", None),
    ("float", -5e-324, "7ffffffffffffffe", None),
    ("float", INF, "fff0000000000000", None),
    ("float", -INF, "000fffffffffffff", None),
    ("float", NAN, "fff8000000000000", None),
    ("float32", 1.0, "bf800000", None),
    ("float32", -0.0, "80000000", "7fffffff"),
    ("float32", NAN, "ffc00000", None),
    ("decimal", Decimal("1"), "03800b00", "008001"),
    ("decimal", Decimal("1.00"), "03800b00", "007efd64"),
    ("decimal", Decimal("100"), "0381020b00", "008064"),
    ("decimal", Decimal("1E+2"), "0381020b00", "00810201"),
    ("decimal", Decimal("12.34"), "0381010d2300", "007efd04d2"),
    ("decimal", Decimal("-12.34"), "017efef2dcff", "017efd04d2"),
    ("decimal", Decimal("105"), "0381020b3300", "008069"),
    ("decimal", Decimal("99"), "0381016400", "008063"),
    ("decimal", Decimal("0.001"), "037efc0b00", "007efc01"),
    ("decimal", Decimal("-1"), "017ff4ff", "018001"),
    ("decimal", Decimal("0"), "02", "0080"),
    ("decimal", Decimal("-0.0"), "02", "017efe"),
    ("decimal", Decimal("Infinity"), "04", "02"),
    ("decimal", Decimal("-Infinity"), "00", "03"),
    ("decimal", Decimal("NaN"), "05", "04"),
    ("str", "é", "c3a9", None),
    ("str", "😀", "f09f9880", None),
    ("bytes", b"\x00\xff", "00ff", None),
    ("date", date(1970, 1, 1), "80000000", None),
    ("date", date(1969, 12, 31), "7fffffff", None),
    ("date", date(1, 1, 1), "7ff506c6", None),
    ("date", date(9999, 12, 31), "802cc0a0", None),
    ("datetime", datetime(1970, 1, 1, 0, 0, 0, 1, UTC), "8000000000000001", "800000000000000180"),
    (
        "datetime",
        datetime(1970, 1, 1, 1, tzinfo=HOUR),
        "8000000000000000",
        "800000000000000084d693a400",
    ),
    ("naive_datetime", datetime(1969, 12, 31, 23, 59, 59, 999999), "7fffffffffffffff", None),
    ("time", time(0, 0, 1), "0080000000000f4240", None),
    (
        "time",
        time(1, tzinfo=HOUR),
        "018000000000000000",
        "0180000000d693a40084d693a400",
    ),
    ("time", time(0, tzinfo=HOUR), "017fffffff296c5c00", "01800000000000000084d693a400"),
    ("timedelta", timedelta(0), "800000000000000000", None),
    ("timedelta", timedelta(microseconds=-1), "7fffffff141dd75fff", None),
    ("timedelta", timedelta.max, "bb9ac9ff141dd75fff", None),
    ("uuid", UUID(int=1), "00000000000000000000000000000001", None),
    ("ip", ip_address("10.0.0.1"), "040a000001", None),
    ("ip", ip_address("::ffff:1.2.3.4"), "0600000000000000000000ffff01020304", None),
    ("geo", GeoPoint(0.0, 0.0), "c0" + "00" * 15, "80000000000000008000000000000000"),
    ("geo", GeoPoint(1.0, 0.0), "caaaaa00" + "00" * 12, "bff00000000000008000000000000000"),
    ("any", None, "10", None),
    ("any", True, "2001", None),
    ("any", 1, "308101", None),
    ("any", Int8(1), "308101", "3181"),
    ("any", Int16(1), "308101", "328001"),
    ("any", Int32(1), "308101", "3380000001"),
    ("any", Int64(1), "308101", "348000000000000001"),
    ("any", BigInt(1), "308101", "358101"),
    ("any", 1.5, "38bff8000000000000", None),
    ("any", Float32(1.5), "38bff8000000000000", "39bfc00000"),
    ("any", Decimal("1.00"), "4003800b00", "40007efd64"),
    ("any", "a", "486100", "4861"),
    ("any", b"\x00", "50010100", "5000"),
    ("any", date(1970, 1, 1), "5880000000", None),
    ("any", time(0, 0, 1), "600080000000000f4240", None),
    ("any", datetime(1970, 1, 1), "688000000000000000", None),
    ("any", datetime(1970, 1, 1, tzinfo=UTC), "708000000000000000", "70800000000000000080"),
    ("any", timedelta(0), "78800000000000000000", None),
    ("any", UUID(int=1), "8000000000000000000000000000000001", None),
    ("any", ip_address("10.0.0.1"), "88040a000001", None),
    ("any", GeoPoint(0, 0), "90c0" + "00" * 15, "90" + "8000000000000000" * 2),
    ("any", (), "9800", "98"),
    ("any", ("a", 1), "9848610030810100", "9802486103308101"),
    ("any", [Int8(1)], "9830810100", "99023181"),
    ("any", ((), [None]), "98980098100000", "98019803990110"),
]


@pytest.mark.parametrize(("name", "value", "key", "stored"), SIMPLE)
def test_a_key_has_the_bytes_worked_out_by_hand(
    name: str, value: Any, key: str, stored: str | None
) -> None:
    assert codec_for(name).encode(value).hex() == key


@pytest.mark.parametrize(("name", "value", "key", "stored"), SIMPLE)
def test_a_value_has_the_bytes_worked_out_by_hand(
    name: str, value: Any, key: str, stored: str | None
) -> None:
    assert codec_for(name).encode_value(value).hex() == (key if stored is None else stored)


class Colour(Enum):
    GREEN = "green"
    RED = 1


PARTS: list[tuple[Any, Any, str]] = [
    (codec_for("str"), "a\x00b\x01", "61010162010200"),
    (codec_for("str"), "", "00"),
    (codec_for("bytes"), b"\xff\x00", "ff010100"),
    (descending(codec_for("str")), "a", "9eff"),
    (descending(codec_for("str")), "", "ff"),
    (descending(codec_for("bytes")), b"\x00", "fefeff"),
    (descending(codec_for("int")), 1, "7efe"),
    (nullable(codec_for("int8")), None, "00"),
    (nullable(codec_for("int8")), 0, "0180"),
    (nullable(codec_for("int8"), "last"), None, "01"),
    (nullable(codec_for("int8"), "last"), 0, "0080"),
    (part_codec("int8", descending=True, nulls="first"), 0, "017f"),
    (part_codec("int8", descending=True, nulls="last"), None, "01"),
    (tuple_codec(codec_for("str"), codec_for("int8")), ("a", 0), "610080"),
    (tuple_codec(), (), ""),
    (list_codec(codec_for("int8")), [], "00"),
    (list_codec(codec_for("int8")), [0, 1], "0180018100"),
    (list_codec(codec_for("str")), ["", "a"], "010001610000"),
    (enum_codec(Colour), Colour.RED, "308101"),
    (enum_codec(Colour), Colour.GREEN, "48677265656e00"),
]


@pytest.mark.parametrize(("codec", "value", "part"), PARTS)
def test_a_part_has_the_bytes_worked_out_by_hand(codec: Any, value: Any, part: str) -> None:
    assert codec.encode_part(value).hex() == part
    assert codec.decode_part(bytes.fromhex(part), 0) == (value, len(part) // 2)


STORED: list[tuple[Any, Any, str]] = [
    (nullable(codec_for("str"), "last"), None, "00"),
    (nullable(codec_for("str"), "last"), "a", "0161"),
    (descending(codec_for("str")), "a", "61"),
    (tuple_codec(codec_for("str"), codec_for("int8")), ("a", 0), "01610180"),
    (list_codec(codec_for("bytes")), [b"", b"x" * 128], "008001" + "78" * 128),
    (enum_codec(Colour), Colour.GREEN, "48677265656e"),
]


@pytest.mark.parametrize(("codec", "value", "stored"), STORED)
def test_a_composite_value_has_the_bytes_worked_out_by_hand(
    codec: Any, value: Any, stored: str
) -> None:
    assert codec.encode_value(value).hex() == stored
    assert codec.decode_value(bytes.fromhex(stored)) == value


def test_times_that_reach_out_of_the_day_come_back_equal() -> None:
    codec = codec_for("time")
    early, late = time(0, tzinfo=HOUR), time(23, 30, tzinfo=timezone(-timedelta(hours=1)))
    assert codec.decode(codec.encode(early)) == early
    assert codec.decode(codec.encode(late)) == late
