"""Accumulo's encodings beyond the outside vectors: order, leniency of Java, refusals."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexigraph.codec import columns
from lexigraph.codec import lexicoders as lex
from lexigraph.codec.counters import Counter, counter_for
from lexigraph.codec.hadoop import decode_vint, decode_vlong, encode_vlong
from lexigraph.codec.rows import (
    FamilyCell,
    RowCell,
    pack_family,
    pack_row,
    unpack_family,
    unpack_row,
)
from lexigraph.errors import InvalidBytes, InvalidName, InvalidOption, InvalidValue
from tests.unit.codec.samples import quick, rising, sign

longs = st.integers(-(2**63), 2**63 - 1) | st.integers(-300, 300)


def java_uuid(value: UUID) -> tuple[int, int]:
    halves = value.int >> 64, value.int & (1 << 64) - 1
    high, low = (half - (1 << 64) if half >> 63 else half for half in halves)
    return high, low


def same(value: Any) -> Any:
    return value


def signed_zero(value: float) -> Any:
    bits = rising(value)
    return bits - 1 if str(value).startswith("-0.0") and value == 0 else bits


def opposite(value: int) -> int:
    return -value


# Lexicoder, values, and what orders them.
LEXICODERS: list[tuple[lex.Lexicoder[Any], st.SearchStrategy[Any], Callable[[Any], Any]]] = [
    (lex.ULongLexicoder(), st.integers(0, 2**64 - 1) | st.integers(0, 300), same),
    (lex.UIntegerLexicoder(), st.integers(0, 2**32 - 1), same),
    (lex.LongLexicoder(), longs, same),
    (lex.IntegerLexicoder(), st.integers(-(2**31), 2**31 - 1), same),
    (lex.DateLexicoder(), longs, same),
    (lex.DoubleLexicoder(), st.floats(allow_nan=False), signed_zero),
    (lex.FloatLexicoder(), st.floats(allow_nan=False, width=32), signed_zero),
    (lex.BigIntegerLexicoder(), st.integers(-(2**80), 2**80) | st.integers(-300, 300), same),
    (lex.StringLexicoder(), st.text(st.characters(exclude_categories=["Cs"])), same),
    (lex.TextLexicoder(), st.text("ab\x00é"), same),
    (lex.BytesLexicoder(), st.binary(), same),
    (lex.UuidLexicoder(), st.uuids(), java_uuid),
    (lex.ReverseLexicoder(lex.LongLexicoder()), longs, opposite),
    (
        lex.ListLexicoder(lex.BytesLexicoder()),
        st.lists(st.binary(min_size=1, max_size=2), min_size=1, max_size=3),
        same,
    ),
    (lex.SequenceLexicoder(lex.BytesLexicoder()), st.lists(st.binary(max_size=2)), same),
    (
        lex.PairLexicoder(lex.BytesLexicoder(), lex.LongLexicoder()),
        st.tuples(st.binary(max_size=2), longs),
        same,
    ),
]
each_lexicoder = pytest.mark.parametrize(
    ("coder", "values", "key"), LEXICODERS, ids=[type(row[0]).__name__ for row in LEXICODERS]
)


def test_there_are_sixteen_lexicoders() -> None:
    assert len({type(coder) for coder, _, _ in LEXICODERS}) == 16


@each_lexicoder
@quick
@given(data=st.data())
def test_a_lexicoder_keeps_the_order(coder: Any, values: Any, key: Any, data: Any) -> None:
    one, other = data.draw(values), data.draw(values)
    assert sign(coder.encode(one), coder.encode(other)) == sign(key(one), key(other))
    assert repr(coder.decode(coder.encode(one))) == repr(one)


@each_lexicoder
@quick
@given(data=st.data(), garbage=st.binary(max_size=12))
def test_a_lexicoder_reads_only_what_it_writes(
    coder: Any, values: Any, key: Any, data: Any, garbage: bytes
) -> None:
    valid = coder.encode(data.draw(values))
    at = data.draw(st.integers(0, len(valid)))
    for spoilt in (garbage, valid[:at], valid + garbage, valid[:at] + garbage + valid[at:]):
        try:
            found = coder.decode(spoilt)
        except InvalidBytes:
            continue
        assert coder.encode(found) == spoilt


REFUSED: list[tuple[lex.Lexicoder[Any], Any]] = [
    (lex.ULongLexicoder(), 2**64),
    (lex.UIntegerLexicoder(), -(2**31) - 1),
    (lex.LongLexicoder(), 2**63),
    (lex.IntegerLexicoder(), True),
    (lex.DateLexicoder(), datetime(2000, 1, 1)),
    (lex.DateLexicoder(), datetime(2000, 1, 1, microsecond=1, tzinfo=UTC)),
    (lex.DoubleLexicoder(), 1),
    (lex.FloatLexicoder(), 1e300),
    (lex.BigIntegerLexicoder(), 1.0),
    (lex.StringLexicoder(), "\udc00"),
    (lex.BytesLexicoder(), "a"),
    (lex.UuidLexicoder(), "a"),
    (lex.ListLexicoder(lex.StringLexicoder()), []),
    (lex.ListLexicoder(lex.StringLexicoder()), "ab"),
    (lex.SequenceLexicoder(lex.StringLexicoder()), "ab"),
    (lex.PairLexicoder(lex.StringLexicoder(), lex.StringLexicoder()), ("a",)),
]


@pytest.mark.parametrize(("coder", "value"), REFUSED)
def test_a_lexicoder_refuses_what_java_could_not_be_given(coder: Any, value: Any) -> None:
    with pytest.raises(InvalidValue):
        coder.encode(value)


def test_a_date_is_the_moment_it_means() -> None:
    zone = timezone(timedelta(hours=1))
    coder = lex.DateLexicoder()
    assert coder.decode(coder.encode(datetime(1970, 1, 1, 1, tzinfo=zone))) == 0


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


cells = st.builds(FamilyCell, st.binary(max_size=3), st.binary(max_size=3), longs, st.binary())


@quick
@given(st.lists(st.tuples(st.binary(max_size=3), cells), max_size=3), st.binary(max_size=20))
def test_packed_rows_come_back_and_garbage_is_refused(
    found: list[tuple[bytes, FamilyCell]], garbage: bytes
) -> None:
    row = [RowCell(family, *rest) for family, rest in found]
    assert unpack_row(pack_row(row)) == row
    assert unpack_family(pack_family(rest for _, rest in found)) == [rest for _, rest in found]
    for spoilt in (garbage, pack_row(row) + b"\x00", pack_row(row)[:-1]):
        for unpack in (unpack_row, unpack_family):
            with suppress(InvalidBytes):
                unpack(spoilt)


@pytest.mark.parametrize("data", ["", "ffffffff", "00000001", "00000001ffffffff", "0000000000"])
def test_a_packed_row_that_is_cut_or_negative_is_refused(data: str) -> None:
    with pytest.raises(InvalidBytes):
        unpack_row(bytes.fromhex(data))


def test_a_timestamp_has_64_bits() -> None:
    with pytest.raises(InvalidValue, match="timestamp"):
        pack_family([FamilyCell(b"", b"", 2**63, b"")])


@quick
@given(st.binary(max_size=4), st.none() | st.binary(min_size=1, max_size=4))
def test_a_column_comes_back(family: bytes, qualifier: bytes | None) -> None:
    text = columns.encode_column(family, qualifier)
    assert columns.decode_column(text) == (family, qualifier)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f", (b"f", None)),
        ("f:", (b"f", None)),
        ("f::", (b"f", None)),
        ("f:q:", (b"f", b"q")),
        (":q", (b"", b"q")),
        ("", (b"", None)),
        ("%FF%fe", (b"\xff\xfe", None)),
    ],
)
def test_a_column_is_read_as_java_reads_it(text: str, expected: Any) -> None:
    assert columns.decode_column(text) == expected


@pytest.mark.parametrize(
    "text", ["f f", "f%zz", "f%2", "f%", "f:q:x", ":", "::", "é", "f,g", "%-1"]
)
def test_a_column_that_java_cannot_read_is_refused(text: str) -> None:
    with pytest.raises(InvalidOption):
        columns.decode_column(text)


def test_columns_are_read_one_by_one() -> None:
    assert columns.decode_columns("f,,g:q,") == [
        (b"f", None),
        (b"", None),
        (b"g", b"q"),
        (b"", None),
    ]
    with pytest.raises(InvalidOption, match="empty"):
        columns.decode_columns("")


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("", [b""]),
        ("\n", []),
        ("\n\n", []),
        ("YQ==\n", [b"a"]),
        ("YQ\n", [b"a"]),
        ("\nYQ==\n\n", [b"", b"a"]),
    ],
)
def test_terms_are_read_as_java_reads_them(text: str, terms: list[bytes]) -> None:
    assert columns.decode_terms(text) == terms


@pytest.mark.parametrize("text", ["***\n", "Y\n", "YQ=\n", "é\n"])
def test_terms_that_are_no_base64_are_refused(text: str) -> None:
    with pytest.raises(InvalidOption, match="base64"):
        columns.decode_terms(text)


@quick
@given(st.lists(st.booleans()))
def test_flags_come_back(flags: list[bool]) -> None:
    assert columns.decode_flags(columns.encode_flags(flags)) == flags
