"""Numbers as Accumulo's combiners store them, with what Java forgives and what it does not."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexigraph.codec.accumulo.counters import Counter, counter_for
from lexigraph.codec.accumulo.hadoop import decode_vint, decode_vlong, encode_vlong
from lexigraph.errors import InvalidBytes, InvalidName, InvalidValue
from tests.unit.codec.samples import longs, quick


@quick
@given(longs)
def test_a_vlong_comes_back(number: int) -> None:
    data = encode_vlong(number)
    assert decode_vlong(b"x" + data + b"x", 1) == (number, 1 + len(data))


# Worked out by hand from Hadoop's rule.
@pytest.mark.parametrize(
    ("data", "number"),
    [
        ("7f", 127),
        ("90", -112),
        ("8f80", 128),
        ("8f05", 5),
        ("8770", -113),
        ("88ffffffffffffffff", -1),
        ("80ffffffffffffffff", 0),
    ],
)
def test_a_vlong_is_read_as_java_reads_it(data: str, number: int) -> None:
    assert decode_vlong(bytes.fromhex(data)) == (number, len(data) // 2)


@pytest.mark.parametrize("data", ["", "8f", "8e01", "88ffffff"])
def test_a_vlong_that_is_cut_is_refused(data: str) -> None:
    with pytest.raises(InvalidBytes):
        decode_vlong(bytes.fromhex(data))


def test_a_vint_has_32_bits() -> None:
    assert decode_vint(encode_vlong(2**31 - 1))[0] == 2**31 - 1
    with pytest.raises(InvalidBytes, match="32 bits"):
        decode_vint(encode_vlong(2**31))


READ: list[tuple[str, bytes, int]] = [
    ("STRING", b"+5", 5),
    ("STRING", b"007", 7),
    ("STRING", b"-0", 0),
    ("STRING", "\uff11\uff12".encode(), 12),
    ("STRING", "-\u0663".encode(), -3),
    ("STRING", b"-9223372036854775808", -(2**63)),
    ("STRING", b"0" * 5000 + b"1", 1),
    ("VARLEN", b"\x05junk", 5),
    ("VARLEN", b"\xffjunk", -1),
    ("FIXEDLEN", b"\x00" * 7 + b"\x05junk", 5),
]


@pytest.mark.parametrize(("name", "data", "number"), READ)
def test_a_counter_is_read_as_java_reads_it(name: str, data: bytes, number: int) -> None:
    assert counter_for(name).decode(data) == number


UNREADABLE: list[tuple[str, bytes]] = [
    ("STRING", b""),
    ("STRING", b"+"),
    ("STRING", b"-"),
    ("STRING", b"--1"),
    ("STRING", b"1 "),
    ("STRING", b" 1"),
    ("STRING", b"1_0"),
    ("STRING", b"0x1"),
    ("STRING", b"1.0"),
    ("STRING", b"9223372036854775808"),
    ("STRING", b"-9223372036854775809"),
    ("STRING", b"9" * 5000),
    ("STRING", b"\xff"),
    ("STRING", "\U0001d7cf".encode()),
    ("STRING", "²".encode()),
    ("VARLEN", b""),
    ("VARLEN", b"\x8f"),
    ("FIXEDLEN", b"1234567"),
]


@pytest.mark.parametrize(("name", "data"), UNREADABLE)
def test_a_counter_that_java_cannot_read_is_refused(name: str, data: bytes) -> None:
    with pytest.raises(InvalidBytes):
        counter_for(name).decode(data)


ARRAYS: list[tuple[str, bytes, list[int]]] = [
    ("STRING", b"", [0]),
    ("STRING", b",", []),
    ("STRING", b",,,", []),
    ("STRING", b",1", [0, 1]),
    ("STRING", b"1,2,,,", [1, 2]),
    ("STRING", b"1,,3", [1, 0, 3]),
    ("VARLEN", b"\x00junk", []),
    ("VARLEN", b"\x02\x01\x02junk", [1, 2]),
    ("FIXEDLEN", b"\x01" + b"\x00" * 7 + b"\x09x", [9]),
]


@pytest.mark.parametrize(("name", "data", "numbers"), ARRAYS)
def test_an_array_is_read_as_java_reads_it(name: str, data: bytes, numbers: list[int]) -> None:
    assert counter_for(name).decode_array(data) == numbers


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("STRING", b"1,x"),
        ("STRING", b"1, 2"),
        ("VARLEN", b""),
        ("VARLEN", b"\x03\x01"),
        ("VARLEN", encode_vlong(2**31 - 1)),
        ("VARLEN", encode_vlong(2**40)),
        ("FIXEDLEN", b"\x01\x05"),
    ],
)
def test_an_array_that_java_cannot_read_is_refused(name: str, data: bytes) -> None:
    with pytest.raises(InvalidBytes) as caught:
        counter_for(name).decode_array(data)
    assert "negative_length" not in caught.value.context


@pytest.mark.parametrize("name", ["VARLEN", "FIXEDLEN"])
def test_a_negative_length_is_told_apart(name: str) -> None:
    with pytest.raises(InvalidBytes) as caught:
        counter_for(name).decode_array(b"\xff")
    assert caught.value.context["negative_length"] is True


@pytest.mark.parametrize("name", ["VARLEN", "FIXEDLEN", "STRING"])
@quick
@given(numbers=st.lists(longs, min_size=1, max_size=4), garbage=st.binary(max_size=10))
def test_counters_come_back_and_garbage_is_refused(
    name: str, numbers: list[int], garbage: bytes
) -> None:
    counter: Counter = counter_for(name)
    assert counter.decode_array(counter.encode_array(numbers)) == numbers
    assert counter.decode(counter.encode(numbers[0])) == numbers[0]
    for read in (counter.decode, counter.decode_array):
        # Nothing but InvalidBytes may come out of garbage.
        with suppress(InvalidBytes):
            read(garbage)


@pytest.mark.parametrize("name", ["VARLEN", "FIXEDLEN", "STRING"])
@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, True, 1.0])
def test_a_counter_has_64_bits(name: str, number: Any) -> None:
    with pytest.raises(InvalidValue):
        counter_for(name).encode(number)


def test_the_name_of_a_counter_is_case_sensitive() -> None:
    with pytest.raises(InvalidName, match="VARLEN, FIXEDLEN, STRING"):
        counter_for("string")
