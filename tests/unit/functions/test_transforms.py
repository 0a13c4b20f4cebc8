"""Transforms: what they refuse and how they are named; their answers are checked against Gaffer."""

from __future__ import annotations

from typing import Any

import pytest

from lexigraph.errors import InvalidOption, InvalidValue
from lexigraph.functions import TRANSFORMS, transform_for
from lexigraph.functions.transforms.registry import GAFFER_TRANSFORMS, transform_from_gaffer


@pytest.mark.parametrize("name", TRANSFORMS.names)
def test_every_transform_writes_what_makes_it_again(name: str) -> None:
    written = transform_for(name).to_json()
    assert written == {"name": name}
    assert transform_for(written.pop("name"), written).settings == transform_for(name).settings


@pytest.mark.parametrize("name", sorted({ours for ours, _ in GAFFER_TRANSFORMS.values()}))
def test_what_gaffers_names_stand_for_is_there(name: str) -> None:
    assert TRANSFORMS.find(name).name == name


def test_options_that_are_not_the_default_are_written() -> None:
    assert transform_for("truncate", {"length": 3}).to_json() == {"name": "truncate", "length": 3}


@pytest.mark.parametrize(
    ("name", "options", "values"),
    [
        ("multiply-by", {"by": 2}, ("x",)),
        ("divide-by", {"by": 0}, (7,)),
        ("to-integer", {}, (" 5",)),
        ("to-float", {}, ("x",)),
        ("nth-item", {"n": 4}, ((1, 2),)),
        ("value-of", {"key": "a"}, ("text",)),
        ("length", {}, (5,)),
        ("reverse", {}, (5,)),
    ],
)
def test_a_value_that_does_not_fit_is_refused(name: str, options: Any, values: Any) -> None:
    with pytest.raises(InvalidValue):
        transform_for(name, options)(*values)


def test_a_wrong_number_of_values_is_refused() -> None:
    with pytest.raises(InvalidOption, match="takes 2 values, not 1"):
        transform_for("multiply")(3)


def test_an_unknown_option_or_field_is_answered_with_the_nearest() -> None:
    with pytest.raises(InvalidOption, match="did you mean: length"):
        transform_for("truncate", {"lenght": 3})
    with pytest.raises(InvalidOption, match="did you mean: suffix"):
        transform_from_gaffer({"class": "StringAppend", "sufix": "x"})
    with pytest.raises(InvalidOption, match="did you mean: StringTrim"):
        transform_from_gaffer({"class": "StringTrimm"})


@pytest.mark.parametrize(
    ("gaffer", "values", "expected"),
    [
        ({"class": "StringTrim"}, ["\t a\u00a0 \x01"], "a\u00a0"),
        ({"class": "StringTrim"}, ["\u2003a\u2003"], "\u2003a\u2003"),
        ({"class": "StringJoin", "delimiter": ","}, [["a", None, "b"]], "a,,b"),
        ({"class": "StringJoin", "delimiter": ","}, [[None]], ""),
        ({"class": "Multiply"}, [3, None], 3),
        ({"class": "Multiply"}, [None, 3], None),
        ({"class": "FirstItem"}, [[]], None),
        ({"class": "FirstItem"}, [[4, 5]], 4),
        ({"class": "LastItem"}, [[]], None),
        ({"class": "LastItem"}, [[4, 5]], 5),
        ({"class": "ToString"}, [b"h\xc3\xa9"], "h\u00e9"),
        ({"class": "ToString"}, [b"\xff"], "\ufffd"),
        ({"class": "ToString"}, [["a", None]], "[a, null]"),
        ({"class": "ToString", "charset": "UTF-16"}, [b"\x00h\x00i"], "hi"),
        ({"class": "ToString", "charset": "UTF-16"}, [b"\xff\xfeh\x00"], "h"),
        ({"class": "ToString", "charset": "ISO-8859-1"}, [b"\xe9"], "\u00e9"),
        ({"class": "ToString", "charset": "UTF-16"}, ["text"], "text"),
    ],
)
def test_corners_are_those_of_gaffer(gaffer: Any, values: list[Any], expected: Any) -> None:
    assert transform_from_gaffer(gaffer)(*values) == expected


def test_an_unknown_charset_is_refused_with_those_there_are() -> None:
    with pytest.raises(InvalidOption, match="US-ASCII"):
        transform_from_gaffer({"class": "ToString", "charset": "EBCDIC"})
