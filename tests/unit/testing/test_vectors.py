"""The runner of vectors reports what is wrong, and only that."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from lexigraph.cells.cell import Cell
from lexigraph.errors import InvalidBytes, InvalidOption
from lexigraph.testing.vectors import StageCase, check_case, load_cases

CELLS = (Cell(b"a"), Cell(b"b", value=b"1"), Cell(b"b", value=b"2"), Cell(b"c"))
CASE = StageCase("any", "all", CELLS, expected=CELLS)


def resume(case: StageCase) -> Iterator[Cell]:
    after = case.spec.get("after")
    given = 0 if after is None else ord(after["key"][0]) - ord("a") + after["seen"]
    return iter(CELLS[given + (after is not None and after["key"][0] == "c") :])


def test_a_right_answer_has_no_problems() -> None:
    assert check_case(CASE, resume) == []


def test_a_wrong_answer_is_a_problem() -> None:
    assert "expected" in check_case(CASE, lambda case: CELLS[1:])[0]


def test_an_answer_that_forgets_to_resume_is_a_problem() -> None:
    problems = check_case(CASE, lambda case: CELLS)
    assert [text.split(":")[0] for text in problems] == [
        f"cut behind cell {number}" for number in (1, 2, 3, 4)
    ]


def test_cells_out_of_order_are_a_problem() -> None:
    turned = CELLS[::-1]
    case = StageCase("any", "turned", CELLS, expected=turned)
    assert "out of order" in check_case(case, lambda case: turned)[0]


def test_an_error_is_compared_by_its_code() -> None:
    def fail(case: StageCase) -> Iterator[Cell]:
        raise InvalidBytes("no")
        yield

    expects = StageCase("any", "fails", CELLS, error=InvalidBytes.code)
    other = StageCase("any", "fails", CELLS, error=InvalidOption.code)
    assert check_case(expects, fail) == []
    assert "raised" in check_case(other, fail)[0]
    assert "raised" in check_case(CASE, fail)[0]
    assert "expected the error" in check_case(expects, lambda case: CELLS)[0]


@pytest.mark.parametrize(
    "case",
    [
        {"name": "no outcome", "cells": []},
        {"name": "two outcomes", "cells": [], "expected": [], "error": "usage"},
        {"name": "another field", "cells": [], "expected": [], "note": "x"},
    ],
)
def test_a_file_that_breaks_the_form_is_refused(case: dict[str, object], tmp_path: Path) -> None:
    path = tmp_path / "stage.json"
    path.write_text(json.dumps({"stage": "any", "cases": [case]}))
    with pytest.raises(ValueError, match=str(case["name"])):
        load_cases(path)
