"""The handle that people use: what it takes for a row, a column, a range or a stage."""

from __future__ import annotations

from typing import Any

import pytest

from lexigraph.errors import InvalidOption, UsageError
from lexigraph.store import Condition, ConditionalMutation, MemoryEngine, Outcome, Range, Table


@pytest.fixture
def people() -> Table:
    table = MemoryEngine().create_table("people")
    table.put("ann", "age", "", "41")
    table.put("ann", "name", "", "Ann")
    table.put("bob", "age", "", "29")
    return table


@pytest.mark.parametrize(
    ("asked", "values"),
    [
        ({"rows": "ann", "columns": "age"}, [b"41"]),
        ({"rows": ["ann", b"bob"], "columns": ["age"]}, [b"41", b"29"]),
        ({"columns": [("name", "")]}, [b"Ann"]),
        ({"ranges": Range.row("bob")}, [b"29"]),
        ({"rows": "ann", "ranges": [Range.row("bob")]}, [b"41", b"Ann", b"29"]),
        ({"stages": ("limit", {"cells": 1})}, None),
        ({"stages": [("limit", {"cells": 1})]}, [b"41"]),
    ],
)
def test_one_thing_or_a_list_of_them_may_be_asked_for(
    people: Table, asked: dict[str, Any], values: list[bytes] | None
) -> None:
    if values is None:
        with pytest.raises(UsageError):
            list(people.scan(**asked))
    else:
        assert [cell.value for cell in people.scan(**asked)] == values


@pytest.mark.parametrize(
    "asked", [{"rows": 5}, {"columns": 5}, {"columns": [5]}, {"columns": [("f",)]}, {"stages": 5}]
)
def test_what_cannot_be_meant_is_refused(people: Table, asked: dict[str, Any]) -> None:
    with pytest.raises(InvalidOption):
        people.scan(**asked)


def test_a_handle_writes_under_conditions_and_counts(people: Table) -> None:
    older = ConditionalMutation("ann", [Condition("age", "", value="41")]).put("age", "", "42")
    assert people.conditional_write([older, older]) == [Outcome.ACCEPTED, Outcome.REJECTED]
    assert people.stats().cells == 4


def test_a_cell_shows_itself_as_text(people: Table) -> None:
    people.put("bob", "key", "", b"\xff")
    assert [cell.text[4] for cell in people.scan(rows="bob")] == ["29", "\\xff"]
