"""What codecs refuse, and how they say so."""

from __future__ import annotations

import sys
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum
from ipaddress import ip_address, ip_interface
from typing import Any
from uuid import UUID

import pytest

from lexigraph.codec import (
    Bound,
    bounded_range,
    codec_for,
    descending,
    enum_codec,
    list_codec,
    names,
    nullable,
    tuple_codec,
)
from lexigraph.errors import InvalidBytes, InvalidOption, InvalidValue
from lexigraph.types import GeoPoint

ODD = object()
EXAMPLES: dict[str, Any] = {
    "null": None,
    "bool": True,
    "int": 1,
    "int8": 1,
    "int16": 1,
    "int32": 1,
    "int64": 1,
    "float": 1.0,
    "float32": 1.0,
    "decimal": Decimal(1),
    "str": "a",
    "bytes": b"a",
    "date": date(2000, 1, 1),
    "time": time(1),
    "naive_datetime": datetime(2000, 1, 1),
    "datetime": datetime(2000, 1, 1, tzinfo=UTC),
    "timedelta": timedelta(1),
    "uuid": UUID(int=1),
    "ip": ip_address("::1"),
    "geo": GeoPoint(0, 0),
}
INTEGERS = {"int", "int8", "int16", "int32", "int64"}
FLOATS = {"float", "float32"}


def alike(name: str, other: str) -> bool:
    return name == other or {name, other} <= INTEGERS or {name, other} <= FLOATS


STRANGERS = [(name, other) for name in EXAMPLES for other in EXAMPLES if not alike(name, other)]


@pytest.mark.parametrize(("name", "other"), STRANGERS)
def test_a_value_of_another_type_is_refused_by_its_name(name: str, other: str) -> None:
    value = EXAMPLES[other]
    for encode in (codec_for(name).encode, codec_for(name).encode_value):
        with pytest.raises(InvalidValue, match=rf"codec '{name}' holds .*{type(value).__name__}"):
            encode(value)


@pytest.mark.parametrize("name", [name for name in names() if name in {*EXAMPLES, "any"}])
def test_an_object_of_no_known_type_is_refused(name: str) -> None:
    with pytest.raises(InvalidValue, match="object"):
        codec_for(name).encode(ODD)


VALUES_REFUSED: list[tuple[str, Any, str]] = [
    ("int8", 128, "8 bits"),
    ("int8", -129, "8 bits"),
    ("int64", 2**63, "64 bits"),
    ("float32", 0.1, "rounding"),
    ("float32", 1e300, "rounding"),
    ("str", "\ud800", "surrogate"),
    ("decimal", Decimal("sNaN"), "signalling"),
    ("decimal", Decimal("1E+1000000001"), "exponents"),
    ("decimal", Decimal("1E-1000000001"), "exponents"),
    ("decimal", Decimal("0E+1000000001"), "exponents"),
    ("datetime", datetime.min.replace(tzinfo=timezone(timedelta(hours=1))), "years 1 to 9999"),
    ("datetime", datetime.max.replace(tzinfo=timezone(timedelta(hours=-1))), "years 1 to 9999"),
    ("ip", ip_address("fe80::1%eth0"), "scope"),
    ("ip", ip_interface("10.0.0.1/8"), "IPv4Interface"),
    ("any", {1}, "set"),
    ("any", {"a": 1}, "dict"),
    ("any", ("a", {}), "dict"),
    ("any", 1j, "complex"),
]


@pytest.mark.parametrize(("name", "value", "words"), VALUES_REFUSED)
def test_a_value_that_cannot_be_held_is_refused(name: str, value: Any, words: str) -> None:
    for encode in (codec_for(name).encode, codec_for(name).encode_value):
        with pytest.raises(InvalidValue, match=words):
            encode(value)


def test_an_int_of_more_digits_than_python_prints_is_refused_like_any_other() -> None:
    assert sys.get_int_max_str_digits() < 10_000
    with pytest.raises(InvalidValue, match="cannot be printed"):
        codec_for("str").encode(10**10_000)
    with pytest.raises(InvalidValue, match="33220 bits"):
        codec_for("int64").encode(10**10_000)


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = (value,)
    return value


def test_tuples_nest_as_deep_as_the_limit() -> None:
    codec = codec_for("any")
    assert codec.decode(codec.encode(nested(32))) == nested(32)
    assert codec.decode_value(codec.encode_value(nested(32))) == nested(32)


def test_deeper_tuples_are_refused() -> None:
    for encode in (codec_for("any").encode, codec_for("any").encode_value):
        with pytest.raises(InvalidValue, match="32 deep"):
            encode(nested(33))


def test_a_tuple_that_holds_itself_is_refused() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(InvalidValue, match="32 deep"):
        codec_for("any").encode(loop)


def test_bytes_that_nest_without_end_are_refused() -> None:
    with pytest.raises(InvalidBytes, match="32 deep"):
        codec_for("any").decode(b"\x98" * 100_000)


@pytest.mark.parametrize("data", ["61", "6101", "610100", "610300" + "01"])
def test_a_part_that_is_cut_or_wrongly_escaped_is_refused(data: str) -> None:
    codec = tuple_codec(codec_for("bytes"))
    with pytest.raises(InvalidBytes):
        codec.decode(bytes.fromhex(data))


@pytest.mark.parametrize("offset", [-1, 2, 100])
def test_an_offset_outside_the_bytes_is_refused(offset: int) -> None:
    for codec in (codec_for("int"), codec_for("int8"), codec_for("str"), nullable(codec_for("ip"))):
        with pytest.raises(InvalidBytes):
            codec.decode_part(b"\x80", offset)


def test_a_tuple_of_another_length_is_refused() -> None:
    codec = tuple_codec(codec_for("int"), codec_for("int"))
    for encode in (codec.encode, codec.encode_value):
        with pytest.raises(InvalidValue, match="2 parts, not 1"):
            encode((1,))
    with pytest.raises(InvalidValue, match="2 parts, not 3"):
        codec.encode_prefix((1, 2, 3))


def test_what_is_no_sequence_is_no_tuple_and_no_list() -> None:
    for codec in (tuple_codec(codec_for("str")), list_codec(codec_for("str"))):
        with pytest.raises(InvalidValue, match="not str"):
            codec.encode("a")


def test_null_is_refused_where_the_part_does_not_say_where_it_stands() -> None:
    with pytest.raises(InvalidValue, match="not NoneType"):
        tuple_codec(codec_for("int")).encode((None,))


def test_nulls_stand_first_or_last() -> None:
    with pytest.raises(InvalidOption, match="'first' or 'last'"):
        nullable(codec_for("int"), "middle")  # type: ignore[arg-type]


def test_a_name_in_place_of_a_codec_is_refused() -> None:
    for make in (descending, nullable, tuple_codec, list_codec):
        with pytest.raises(InvalidValue, match="made from codecs, not from str"):
            make("int")  # type: ignore[operator]


def test_null_is_no_bound() -> None:
    codec = tuple_codec(nullable(codec_for("int")))
    with pytest.raises(InvalidValue, match="null cannot be a bound"):
        bounded_range(codec, (), lower=Bound(None))


def test_a_part_that_is_not_there_cannot_be_bounded() -> None:
    with pytest.raises(InvalidValue, match="no part 2"):
        bounded_range(tuple_codec(codec_for("int")), (1,), lower=Bound(1))


class Size(Enum):
    SMALL = 1
    LARGE = "large"


class Clash(Enum):
    TUPLE = (1,)
    LIST = [1]


def test_bytes_of_no_member_are_refused() -> None:
    codec = enum_codec(Size)
    for value in (2, "small", 1.0, True, None):
        with pytest.raises(InvalidBytes):
            codec.decode(codec_for("any").encode(value))
        with pytest.raises(InvalidBytes):
            codec.decode_value(codec_for("any").encode_value(value))


def test_an_enum_whose_members_share_a_key_is_refused() -> None:
    with pytest.raises(InvalidValue, match="the same key"):
        enum_codec(Clash)


def test_a_value_is_no_member() -> None:
    with pytest.raises(InvalidValue, match="holds Size, not int"):
        enum_codec(Size).encode(1)  # type: ignore[type-var]


@pytest.mark.parametrize("data", ["a", None, 5, [1]])
@pytest.mark.parametrize("method", ["decode", "decode_part", "decode_value"])
@pytest.mark.parametrize("name", names())
def test_what_is_no_bytes_is_not_read(name: str, method: str, data: object) -> None:
    with pytest.raises(InvalidBytes, match=f"reads bytes, not {type(data).__name__}"):
        getattr(codec_for(name), method)(data)


def test_buffers_are_read_as_their_bytes() -> None:
    key = codec_for("str").encode("ann")
    assert codec_for("str").decode(memoryview(key)) == "ann"  # type: ignore[arg-type]
    assert codec_for("str").decode(bytearray(key)) == "ann"  # type: ignore[arg-type]
