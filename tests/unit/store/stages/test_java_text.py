"""Text as Java reads it."""

from __future__ import annotations

from itertools import pairwise

import pytest

from lexigraph.store.stages.java_text import DECODERS, decode_utf8, utf16_order

BAD = "\ufffd"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        ("é😀".encode(), "é😀"),
        (b"\xff", BAD),
        (b"a\x80b", f"a{BAD}b"),
        (b"\xe2\x82", BAD),
        (b"\xe2\x82a", f"{BAD}a"),
        (b"\xf0\x9f\x98", BAD),
        (b"\xf0\x9f\x98a", f"{BAD}a"),
        (b"\xc0\xaf", BAD * 2),
        (b"\xf4\x90\x80\x80", BAD * 4),
        (b"\xed\xa0\x80", BAD),
        (b"\xed\xa0", BAD),
        (b"\xed\xbf\xbf\xed\xa0\x80!", f"{BAD * 2}!"),
        (b"\xed\xa0a", f"{BAD}a"),
        (b"x\xff\xffy\xe2z", f"x{BAD * 2}y{BAD}z"),
    ],
)
def test_ill_formed_bytes_are_replaced_as_often_as_java_does(data: bytes, text: str) -> None:
    assert decode_utf8(data) == text


def test_other_encodings_give_one_character_a_byte() -> None:
    assert DECODERS["ISO-8859-1"](b"\xe9\x80") == "\xe9\x80"
    assert DECODERS["US-ASCII"](b"a\xe9") == f"a{BAD}"


def test_order_is_that_of_utf16_units() -> None:
    texts = ["", "\x00", "a", "ab", "b", "é", "\U0001f600", "\ue000", "\uff5e", BAD]
    assert all(utf16_order(a) < utf16_order(b) for a, b in pairwise(texts))


def test_a_lone_surrogate_has_its_place() -> None:
    assert utf16_order("\ud7ff") < utf16_order("\ud800") < utf16_order("\ue000")
