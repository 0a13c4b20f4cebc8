"""Accumulo's lexicoders beyond the outside vectors: order, strictness, refusals."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexigraph.codec.accumulo import lexicoders as lex
from lexigraph.errors import InvalidBytes, InvalidValue
from tests.unit.codec.samples import longs, quick, rising, sign


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
