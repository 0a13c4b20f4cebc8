"""What the stages read inside of cells and options is read alike by Python and the native core:
regular expressions, decimal text, arrays, character sets, and options that are wrong.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexigraph.cells.cell import Cell
from lexigraph.store.stages.base import StageContext, StageScope
from lexigraph.store.stages.builtin import CELL_STAGES
from lexigraph.store.stages.spec import StageSpec

from .test_native_agrees import Request, compare, run_native, run_python

TEXTS = ["", "a", "b", "A", "k", "\u212a", "ab", "aB", "a1_", "a\n", "a\r\n", "\r\n", "\u0660", "é"]
TEXTS += ["\n", "a\u2028", "a]", "a-b", "&", "^", "{", "a.b", "\x00", "É", "aaa", " ", "\u3000"]

PLAIN = ["a", "b", "k", "1", "é", "-", "]", "}", ",", "&", "~", " ", ".", "|", "^", "$"]
REPEATS = ["*", "+", "?", "{2}", "{1,}", "{0,2}", "{2,1}", "{,1}", "{"]
ESCAPES = [r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", r"\h", r"\v", r"\n", r"\t", r"\\", r"\."]
ESCAPES += [r"\x61", r"\x{41}", r"\u212a", r"\0141", r"\cJ", r"\Qa.b\E", r"\Q", r"\A", r"\z", r"\Z"]
CLASSES = [
    "[a-k]",
    "[^a]",
    r"[\w-]",
    "[]a]",
    "[a-",
    r"[^\D]",
    "[k-a]",
    r"[\W\d]",
    "[&&a]",
    "[a[b]]",
]
GROUPS = ["(", ")", "(?:", "(?i)", "(?i:", "(?-i)", "(?s)", "(?s:", "(?m)", "(?<n>", "(?x)", "(?)"]
OTHERS = [r"\b", r"\p{L}", r"\R", "(?=a)", r"\1"]
pieces = st.sampled_from([*PLAIN, *REPEATS, *ESCAPES, *CLASSES, *GROUPS, *OTHERS])
patterns = st.lists(pieces, max_size=6).map("".join)

digits = st.sampled_from("0123456789") | st.sampled_from("\u0665\uff11")
numbers = st.from_regex(r"[+-]?([0-9]{1,5}\.?[0-9]{0,8}|\.[0-9]{1,8})([eE][+-]?[0-9]{1,2})?\Z")
decimals = (
    numbers
    | st.sampled_from(["", "-0", "0E-9", "1E+2147483647", "1E-2147483648", "1E+999999", "-1E-9"])
    | st.sampled_from(["1E99999999999999999999", "0E+5", "1e", ".", "1_0", "\u0665.\uff11", "+.5"])
    | st.text(digits, max_size=4)
)

NOTHING = StageContext()


def reads(stage: str, options: dict[str, Any], *values: bytes) -> Request:
    """Return the request that gives the values of one column to a stage."""
    cells = (Cell(b"r", b"f", b"q", b"", time, value=value) for time, value in enumerate(values))
    return Request(tuple(cells), (StageSpec(stage, options, 1),), NOTHING)


@settings(max_examples=500, deadline=None)
@given(pattern=patterns, substring=st.booleans())
def test_patterns_match_the_same_texts_or_are_left_to_python(
    *, pattern: str, substring: bool
) -> None:
    compare(
        reads(
            "regex",
            {"value": pattern, "substring": substring},
            *(text.encode() for text in TEXTS),
        )
    )


@pytest.mark.parametrize(
    "pattern",
    ["", "a.*", r"\d+", "[a-k]+", "(?i:a|b)", "a$", "^a", "(a|b)+?", r"\Qa.b\E", "a{2}"],
)
def test_patterns_of_every_day_are_not_left_to_python(pattern: str) -> None:
    for substring in (False, True):
        options = {"value": pattern, "substring": substring}
        assert compare(reads("regex", options, *(text.encode() for text in TEXTS)))


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=8), st.sampled_from(["UTF-8", "ISO-8859-1", "US-ASCII"]))
def test_bytes_are_read_as_the_same_text(data: bytes, encoding: str) -> None:
    for pattern in ("(?s).", "(?s)..", "(?s)...", "(?s).{4}", "(?s).*\ufffd.", "[a-z\u00ed]+"):
        assert compare(reads("regex", {"value": pattern, "encoding": encoding}, data))


@settings(max_examples=400, deadline=None)
@given(
    stage=st.sampled_from(["decimal-sum", "decimal-min", "decimal-max"]),
    values=st.lists(decimals.map(str.encode) | st.binary(max_size=4), min_size=1, max_size=4),
    lossy=st.booleans(),
)
def test_decimals_are_combined_alike(stage: str, values: list[bytes], *, lossy: bool) -> None:
    assert compare(reads(stage, {"lossy": lossy}, *values))


@settings(max_examples=400, deadline=None)
@given(
    stage=st.sampled_from(["sum", "min", "max", "sum-array"]),
    encoding=st.sampled_from(["varlen", "fixed", "text"]),
    values=st.lists(
        st.binary(max_size=10)
        | st.sampled_from([b"9223372036854775807", b"-9223372036854775808", b"1,,2,", b",", b"-1"])
        | st.sampled_from([b"\xff", b"\x88\xff", b"\x8c\x7f\xff\xff\xff", b"\x02\x01\x05"]),
        min_size=1,
        max_size=4,
    ),
    lossy=st.booleans(),
)
def test_numbers_are_combined_alike(
    stage: str, encoding: str, values: list[bytes], *, lossy: bool
) -> None:
    assert compare(reads(stage, {"encoding": encoding, "lossy": lossy}, *values))


@settings(max_examples=200, deadline=None)
@given(
    start=st.text(max_size=3),
    end=st.text(max_size=3),
    inclusive=st.booleans(),
    qualifiers=st.lists(st.text(max_size=3).map(str.encode) | st.binary(max_size=4), max_size=5),
)
def test_qualifiers_are_compared_alike(
    start: str, end: str, qualifiers: list[bytes], *, inclusive: bool
) -> None:
    options = {"start": start, "end": end, "end_inclusive": inclusive}
    cells = tuple(Cell(b"r", b"f", qualifier) for qualifier in qualifiers)
    assert compare(Request(cells, (StageSpec("qualifier-slice", options, 1),), NOTHING))


SIMPLE = [None, True, False, 0, 1, -1, 2**31, 2**63, 1.5, "", "a", "row", "text", "é"]
LISTS = [[], ["a"], [1], [["f"]], [["f", "q"], ["f", "q"]], [[]], [{"hex": "00"}]]
OBJECTS = [{}, {"hex": "00"}, {"hex": "0"}, {"hex": "AA"}]
TTLS = [[{"family": "f", "ttl": 1}], [{"family": None, "ttl": 1}], [{"ttl": 1}]]
option_values: st.SearchStrategy[Any] = st.sampled_from([*SIMPLE, *LISTS, *OBJECTS, *TTLS])
NEEDED: dict[str, dict[str, Any]] = {
    "as-of": {"timestamp": 1},
    "time-range": {"start": 1},
    "age-off": {"ttl": 1},
    "column-age-off": {"ttls": []},
    "grep": {"term": "a"},
    "large-row": {"max_columns": 1},
    "intersect": {"terms": ["f"]},
    "intersect-documents": {"terms": ["f"]},
    "limit": {"cells": 1},
    "sample": {"modulus": 1},
    **{name: {"encoding": "text"} for name in ("sum", "min", "max", "sum-array")},
}


@settings(max_examples=500, deadline=None)
@given(st.data(), st.sampled_from(CELL_STAGES), st.sampled_from(StageScope))
def test_options_are_taken_or_refused_alike(
    data: st.DataObject, cls: Any, scope: StageScope
) -> None:
    names = [option.name for option in cls.options] + ["negat"]
    changed = data.draw(st.dictionaries(st.sampled_from(names), option_values, max_size=2))
    options = {**NEEDED.get(cls.name, {}), **changed}
    cells = tuple(Cell(b"r", b"f", b"q", b"A", time, value=b"1") for time in range(3))
    request = Request(cells, (StageSpec(cls.name, options),), StageContext(scope))
    assert run_native(request) == run_python(request)


def test_a_stage_that_there_is_not_is_refused_alike() -> None:
    request = reads("versoins", {})
    assert run_native(request) == run_python(request)
