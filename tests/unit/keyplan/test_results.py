"""Cells of decode and summarise as dicts and columns."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexigraph.cells.cell import Cell
from lexigraph.codec import codec_for
from lexigraph.errors import InvalidBytes, InvalidOption, LexigraphError
from lexigraph.keyplan.derived.results import read_decoded, read_summary, to_columns
from lexigraph.keyplan.derived.summary import Summary
from tests.unit.keyplan.plans import load_plan

MEASURES = [
    {"name": "elements", "aggregate": "count"},
    {"name": "hits", "aggregate": "sum", "field": "count"},
    {"name": "paths", "aggregate": "set", "field": "path"},
]


def summary(by: list[str] | None = None) -> Summary:
    return Summary(load_plan("web-hits"), by or ["day"], MEASURES)


def result(day: date, value: str) -> Cell:
    return Cell(codec_for("any").encode(day), timestamp=3, value=bytes.fromhex(value))


DAY = date(2026, 1, 2)


def test_states_are_finished() -> None:
    [row] = read_summary([result(DAY, "01 03 81 02 03 81 05 05 00 02 2f61")], summary())
    assert row == {"day": DAY, "elements": 2, "hits": 5, "paths": ("", "/a")}


def test_absent_measures_are_none() -> None:
    [row] = read_summary([result(DAY, "01 03 81 02 00 00")], summary())
    assert row == {"day": DAY, "elements": 2, "hits": None, "paths": None}


def test_partial_results_of_one_row_are_merged() -> None:
    partial = [
        result(DAY, "01 03 81 02 00 03 01 62"),
        result(DAY, "01 03 81 01 03 81 07 03 01 61"),
    ]
    [row] = read_summary(partial, summary())
    assert row == {"day": DAY, "elements": 3, "hits": 7, "paths": ("a", "b")}


@pytest.mark.parametrize(
    "value",
    ["", "02", "01", "01 03 81", "01 03 81 02 00", "01 03 81 02 00 00 00", "01 05 81 02 00 00"],
)
def test_a_garbage_summary_is_refused(value: str) -> None:
    with pytest.raises(InvalidBytes):
        list(read_summary([result(DAY, value)], summary()))


def test_a_row_with_more_keys_than_asked_for_is_refused() -> None:
    cell = result(DAY, "01 03 81 02 00 00")
    with pytest.raises(InvalidBytes, match="follow the last key"):
        list(read_summary([cell._replace(row=cell.row * 2)], summary()))


@given(st.binary(), st.binary())
def test_random_summaries_raise_only_our_errors(row: bytes, value: bytes) -> None:
    try:
        list(read_summary([Cell(row, value=value)], summary()))
    except LexigraphError:
        return


def test_tuples_become_dicts() -> None:
    value = codec_for("any").encode_value(("h", None, 3))
    rows = read_decoded([Cell(b"r", value=value)], ["vertex", "status", "count"])
    assert list(rows) == [{"vertex": "h", "status": None, "count": 3}]


@pytest.mark.parametrize("value", [("h",), ["h", 3], "h", None])
def test_a_value_that_is_no_such_tuple_is_refused(value: Any) -> None:
    cell = Cell(b"r", value=codec_for("any").encode_value(value))
    with pytest.raises(InvalidBytes, match="tuple of 2 fields"):
        list(read_decoded([cell], ["vertex", "count"]))


def test_dicts_become_columns() -> None:
    assert to_columns([{"a": 1, "b": 2}, {"a": 3, "b": None}]) == {"a": [1, 3], "b": [2, None]}


def test_nothing_has_no_columns() -> None:
    assert to_columns([]) == {}


def test_a_measure_says_where_it_is_wrong() -> None:
    with pytest.raises(InvalidOption, match=r"measures\[0\]"):
        Summary(load_plan("web-hits"), [], [{"name": "n"}])
