"""The handle that people use: what it takes for a row, a column, a range or a stage."""

from __future__ import annotations

from typing import Any

import pytest

from lexigraph.errors import Conflict, InvalidOption, UsageError
from lexigraph.store import (
    Condition,
    ConditionalMutation,
    MemoryEngine,
    Mutations,
    Outcome,
    Range,
    ScanSpec,
    StageSpec,
    Table,
    TableSettings,
)


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
        ({"stages": ("limit", {"cells": 1})}, [b"41"]),
        ({"rows": "ann", "ranges": Range.row("ann")}, [b"41", b"Ann"]),
        ({"stages": [("limit", {"cells": 1})]}, [b"41"]),
    ],
)
def test_one_thing_or_a_list_of_them_may_be_asked_for(
    people: Table, asked: dict[str, Any], values: list[bytes]
) -> None:
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


@pytest.mark.parametrize("columns", [("age", "name"), (b"age", b"name")])
def test_two_texts_in_a_tuple_may_mean_two_things(people: Table, columns: Any) -> None:
    with pytest.raises(InvalidOption, match="two families or one column") as caught:
        people.scan(columns=columns)
    first, second = columns
    assert f"[{first!r}, {second!r}]" in caught.value.hint
    assert f"[({first!r}, {second!r})]" in caught.value.hint


def test_a_write_may_depend_on_what_was_read(people: Table) -> None:
    with people.engine.snapshot() as before:
        unchanged = (before, [("people", Range.row("ann"))])
        people.write(Mutations().put("ann", "age", "", "42"), if_unchanged=unchanged)
        with pytest.raises(Conflict):
            people.write(Mutations().put("ann", "age", "", "43"), if_unchanged=unchanged)
        assert [cell.value for cell in people.row("ann", snapshot=before)] == [b"41", b"Ann"]
    assert [cell.value for cell in people.row("ann")] == [b"42", b"Ann"]


@pytest.mark.parametrize("row", [5, None, ["ann"]])
def test_one_row_is_text(people: Table, row: Any) -> None:
    with pytest.raises(UsageError):
        people.row(row)


@pytest.mark.parametrize("asked", [{"ranges": 5}, {"plans": 5}, {"snapshot": 5}])
def test_a_scan_of_other_things_is_refused(people: Table, asked: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        people.scan(**asked)


@pytest.mark.parametrize("data", [TableSettings(), ScanSpec(), StageSpec("versions")])
def test_what_holds_mappings_has_no_hash(data: object) -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(data)
