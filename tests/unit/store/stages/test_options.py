"""Options are read by their declaration, or refused with what to write instead."""

from __future__ import annotations

from typing import Any

import pytest

from lexigraph.errors import InvalidOption
from lexigraph.store.stages.options import (
    BOOL,
    BYTES,
    COLUMN,
    TEXT,
    OptionKind,
    StageOption,
    array,
    choice,
    integer,
    nearest,
    read_options,
    record,
)

DECLARED = (
    StageOption("count", integer(minimum=1, maximum=9), default=1, nullable=True),
    StageOption("name", TEXT, required=True),
)


def test_defaults_stand_in_for_what_is_not_given() -> None:
    assert read_options("demo", DECLARED, {"name": "x"}) == {"count": 1, "name": "x"}


def test_null_is_taken_only_where_it_is_declared() -> None:
    assert read_options("demo", DECLARED, {"name": "x", "count": None})["count"] is None
    with pytest.raises(InvalidOption, match="'name' of stage 'demo' is text"):
        read_options("demo", DECLARED, {"name": None})


def test_an_unknown_option_names_stage_option_and_the_nearest() -> None:
    with pytest.raises(InvalidOption, match=r"stage 'demo' has no option 'naem'.*name") as caught:
        read_options("demo", DECLARED, {"naem": "x"})
    assert caught.value.context["near"] == ["name"]


def test_a_missing_required_option_is_named() -> None:
    with pytest.raises(InvalidOption, match="stage 'demo' needs the option 'name'"):
        read_options("demo", DECLARED, {})


def test_options_that_are_no_object_are_refused() -> None:
    with pytest.raises(InvalidOption, match="must be an object"):
        read_options("demo", DECLARED, ["name"])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "given", "read"),
    [
        (integer(), -(2**63), -(2**63)),
        (BOOL, True, True),
        (TEXT, "é", "é"),
        (BYTES, {"hex": "00ff"}, b"\x00\xff"),
        (choice("a", "b"), "b", "b"),
        (array(BYTES), ["x", {"hex": "01"}], [b"x", b"\x01"]),
        (COLUMN, ["f"], (b"f", None)),
        (COLUMN, ["f", ""], (b"f", b"")),
        (record(StageOption("n", integer(), default=3)), {}, {"n": 3}),
    ],
)
def test_each_kind_reads_its_json_form(kind: OptionKind, given: Any, read: Any) -> None:
    assert kind.read(given, "it") == read


@pytest.mark.parametrize(
    ("kind", "given", "message"),
    [
        (integer(), True, "it is an integer, not True"),
        (integer(), 1.0, "it is an integer"),
        (integer(minimum=2), 1, "it is from 2 to"),
        (integer(), 2**63, "it is from"),
        (BOOL, 1, "it is true or false, not 1"),
        (TEXT, b"x", "it is text"),
        (BYTES, "é", "it must be printable"),
        (choice("row", "column"), "rows", r"one of row, column.*did you mean: row"),
        (choice("a"), ["a"], "one of a"),
        (array(TEXT), "ab", "it is a list"),
        (array(TEXT, minimum=1), [], "a list of at least 1"),
        (array(TEXT), [1], "entry 0 of it is text"),
        (COLUMN, [], r"\[family\] or \[family, qualifier\]"),
        (COLUMN, ["a", "b", "c"], r"\[family\] or"),
        (record(StageOption("n", integer())), [], "it is an object"),
        (record(StageOption("n", integer())), {"m": 1}, "it: .* has no option 'm'"),
    ],
)
def test_each_kind_refuses_what_it_is_not(kind: OptionKind, given: Any, message: str) -> None:
    with pytest.raises(InvalidOption, match=message):
        kind.read(given, "it")


def test_nothing_like_it_gives_no_nearest_name() -> None:
    assert nearest("zzz", ["alpha", "beta"]) == []
