"""Columns and terms in iterator options, read as Java reads them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexigraph.codec.accumulo import columns
from lexigraph.errors import InvalidOption
from tests.unit.codec.samples import quick


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
