"""Where records lie: ranges have the rows that are asked for, and no others."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexigraph.cells.cell import Key
from lexigraph.codec.prefix import Bound
from lexigraph.layout.records.rows import RecordRows, SortField
from lexigraph.layout.records.subjects import (
    DIRECTIONS,
    EdgeSubject,
    ReferenceSubject,
    Subject,
    VertexSubject,
)
from lexigraph.layout.records.tables import RecordTables, SortSlice

VALUES: dict[str, list[Any]] = {
    "int": [-3, 0, 1, 255, 256, None],
    "str": ["", "a", "a\x00", "ab", "b", None],
    "float": [-1.5, 0.0, 0.25, float("inf"), None],
    "date": [date(1969, 1, 1), date(2026, 1, 2), date(2026, 1, 3), None],
    "bool": [False, True, None],
}
IDS = ["a", "a\x00", "ab", "b", "\x01"]
NAMES = {"vertices": "v", "edges": "e"}


@st.composite
def slices(draw: st.DrawFn) -> tuple[RecordTables, list[Any], SortSlice, bool]:
    """Draw a sort key of one part, values of it, and a slice."""
    codec, descending = draw(st.sampled_from(sorted(VALUES))), draw(st.booleans())
    rows = RecordRows("str", {"L": (SortField("k", codec, descending),)})
    there = [one for one in VALUES[codec] if one is not None]
    if draw(st.booleans()):
        return RecordTables(rows, NAMES), VALUES[codec], SortSlice((draw(_one(there)),)), True
    bounds = [Bound(draw(_one(there)), draw(st.booleans())) for _ in range(2)]
    lower, upper = (one if draw(st.booleans()) else None for one in bounds)
    return RecordTables(rows, NAMES), VALUES[codec], SortSlice((), lower, upper), False


def _one(values: list[Any]) -> st.SearchStrategy[Any]:
    return st.sampled_from(values)


def _inside(value: Any, part: SortSlice, *, exact: bool) -> bool:
    if exact:
        return bool(value == part.values[0]) and type(value) is type(part.values[0])
    low, high = part.lower, part.upper
    if low is None and high is None:
        return True
    if value is None:
        return False
    above = low is None or value > low.value or (low.inclusive and value == low.value)
    return above and (
        high is None or value < high.value or (high.inclusive and value == high.value)
    )


@given(slices(), st.sampled_from(IDS), st.sampled_from(IDS))
def test_a_slice_has_the_references_of_its_values(
    given: tuple[RecordTables, list[Any], SortSlice, bool], vertex: str, other: str
) -> None:
    tables, values, part, exact = given
    ranges = tables.references(vertex, ["out"], "L", part)
    for value in values:
        for near in IDS:
            row = tables.rows.row_of(ReferenceSubject(near, "out", "L", (value,), other, 1))
            held = any(one.contains(Key(row, b"re")) for one in ranges)
            assert held == (near == vertex and _inside(value, part, exact=exact))


@pytest.mark.parametrize("codec", ["str", "any"])
def test_rows_of_a_vertex_are_apart_from_all_others(codec: str) -> None:
    tables = RecordTables(RecordRows(codec), NAMES)
    subjects: list[Subject] = [VertexSubject(one) for one in IDS]
    subjects += [
        ReferenceSubject(one, direction, label, (), other, 1)
        for one in IDS
        for direction in DIRECTIONS
        for label in ("L", "LA")
        for other in IDS
    ]

    def found(ranges: Any) -> set[Subject]:
        rows = {one: Key(tables.rows.row_of(one), b"e") for one in subjects}
        return {one for one, key in rows.items() if any(r.contains(key) for r in ranges)}

    for one in IDS:
        own = VertexSubject(one)
        mine = {s for s in subjects if isinstance(s, ReferenceSubject) and s.vertex == one}
        assert found(tables.vertices([one])) == {own}
        assert found(tables.vertices_between(one, one)) == {own, *mine}
        out = {s for s in mine if s.direction == "out"}
        assert found(tables.references(one, ["out"])) == out
        labelled = {s for s in out if s.label == "L"}
        assert found(tables.references(one, ["out"], "L")) == labelled
        to_b = {s for s in labelled if s.other == "b"}
        assert found(tables.references_to(one, ["out"], "L", "b")) == to_b
        starting = {s for s in subjects if (getattr(s, "vertex", None) or s.id).startswith("a")}
        assert found(tables.vertices_starting("a")) == starting


def test_edges_are_found_by_id_by_range_and_by_prefix() -> None:
    tables = RecordTables(RecordRows("str"), NAMES)
    ids = ["a", "ab", "b", 1, 2, 10]

    def found(ranges: Any) -> list[Any]:
        keys = {one: Key(tables.rows.row_of(EdgeSubject(one)), b"e") for one in ids}
        return [one for one, key in keys.items() if any(r.contains(key) for r in ranges)]

    assert found(tables.edges(["ab", 10, "zz"])) == ["ab", 10]
    assert found(tables.edges_between(1, 2)) == [1, 2]
    assert found(tables.edges_starting("a")) == ["a", "ab"]
