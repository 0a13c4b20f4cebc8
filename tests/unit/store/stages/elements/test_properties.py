"""What must hold of element stages over any table."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexigraph.cells.cell import Cell, Key, order
from lexigraph.cells.ranges import Range
from lexigraph.codec import codec_for
from lexigraph.keyplan import StoredElement
from lexigraph.keyplan.derived.results import read_summary
from lexigraph.keyplan.derived.summary import Summary
from lexigraph.security import conjunction
from tests.unit.store.stages.elements.tables import CALLS, run, tables

BYS: list[list[str]] = [[], ["day"], ["device"], ["day", "device"]]
each_by = pytest.mark.parametrize("by", BYS, ids=str)


def element_of(cell: Cell) -> StoredElement:
    element = CALLS.decode(cell)
    assert element is not None
    return element


@given(tables, st.data())
def test_aggregating_parts_and_then_all_is_aggregating_at_once(
    cells: list[Cell], data: st.DataObject
) -> None:
    places = data.draw(st.lists(st.integers(0, 2), min_size=len(cells), max_size=len(cells)))
    runs = [[c for c, at in zip(cells, places, strict=True) if at == n] for n in range(3)]
    merged = [cell for part in runs for cell in run("aggregate", part, {})]
    assert run("aggregate", merged, {}) == run("aggregate", cells, {})


@given(tables)
def test_aggregating_twice_changes_nothing(cells: list[Cell]) -> None:
    once = run("aggregate", cells, {})
    assert run("aggregate", once, {}) == once


@given(tables)
def test_aggregate_gives_each_column_once(cells: list[Cell]) -> None:
    columns = [cell.column for cell in run("aggregate", cells, {})]
    assert columns == sorted({cell.column for cell in cells})


def brute_force(cells: list[Cell], by: list[str], *, keep: bool) -> dict[Any, Any]:
    """Roll up decoded elements by plain Python, and give their facts."""
    groups: dict[Any, list[StoredElement]] = defaultdict(list)
    for cell in cells:
        element = element_of(cell)
        kept = tuple(element.properties.get(name) for name in by)
        label = element.visibility if keep else None
        groups[cell.row, kept, label].append(element)
    return {
        (row, kept, label or bytes(conjunction({e.visibility for e in members}))): facts(members)
        for (row, kept, label), members in groups.items()
    }


def facts(members: list[StoredElement]) -> tuple[Any, ...]:
    def values(name: str) -> list[Any]:
        return [e.properties[name] for e in members if name in e.properties]

    def timed(name: str) -> list[tuple[int, bytes]]:
        return [(e.timestamp, e.properties[name].encode()) for e in members if name in e.properties]

    opened, closed = timed("opened"), timed("closed")
    return (
        max(e.timestamp for e in members),
        sum(values("count")) if values("count") else None,
        sum(values("cost")) if values("cost") else None,
        min(opened)[1].decode() if opened else None,
        max(closed)[1].decode() if closed else None,
    )


@each_by
@pytest.mark.parametrize("visibility", ["merge", "keep"])
@settings(max_examples=40)
@given(cells=tables)
def test_roll_up_is_what_plain_python_makes_of_decoded_elements(
    by: list[str], visibility: str, cells: list[Cell]
) -> None:
    rolled = CALLS.rolled(tuple(by))
    found = {}
    for cell in run("roll-up", cells, {"by": by, "visibility": visibility}):
        element = rolled.decode(cell)
        assert element is not None
        have = element.properties
        names = ("count", "cost", "opened", "closed")
        kept = tuple(have.get(name) for name in by)
        found[cell.row, kept, cell.visibility] = (
            cell.timestamp,
            *(have.get(name) for name in names),
        )
    assert found == brute_force(cells, by, keep=visibility == "keep")


@each_by
@settings(max_examples=40)
@given(cells=tables)
def test_roll_up_gives_sorted_cells_of_distinct_keys(by: list[str], cells: list[Cell]) -> None:
    keys = [order(cell) for cell in run("roll-up", cells, {"by": by})]
    assert keys == sorted(set(keys))


@given(tables)
def test_rolling_up_an_aggregated_table_is_rolling_up_the_table(cells: list[Cell]) -> None:
    assert run("roll-up", run("aggregate", cells, {}), {}) == run("roll-up", cells, {})


@st.composite
def ranges(draw: st.DrawFn, cells: list[Cell]) -> Range:
    keys = [cell.key for cell in cells] + [Key(cell.row, cell.family) for cell in cells]
    bounds = sorted(draw(st.lists(st.sampled_from(keys), min_size=2, max_size=2)), key=order)
    inclusive = draw(st.tuples(st.booleans(), st.booleans()))
    return Range(bounds[0], inclusive[0], bounds[1], inclusive[1])


STAGES: list[tuple[str, dict[str, Any]]] = [
    ("filter", {"once": True}),
    ("aggregate", {}),
    *[("roll-up", {"by": by}) for by in BYS],
    ("roll-up", {"visibility": "keep"}),
    ("decode", {"fields": ["count", "device"]}),
    ("summarise", {"by": ["day"], "measures": [{"name": "n", "aggregate": "count"}]}),
]


@pytest.mark.parametrize(("name", "options"), STAGES, ids=str)
@settings(max_examples=40)
@given(cells=tables.filter(bool), data=st.data())
def test_a_range_gives_exactly_the_results_that_lie_in_it(
    name: str, options: dict[str, Any], cells: list[Cell], data: st.DataObject
) -> None:
    whole = run(name, cells, options)
    wanted = data.draw(ranges(cells + whole))
    assert run(name, cells, options, within=wanted) == [c for c in whole if wanted.contains(c)]


@given(tables, st.integers(-5, 5))
def test_a_filter_keeps_what_plain_python_keeps(cells: list[Cell], least: int) -> None:
    where = {"op": "ge", "field": "count", "value": codec_for("int").encode(least)}
    expected = [cell for cell in sorted(cells, key=order) if counts(cell, least)]
    assert run("filter", cells, {"where": where}) == expected


def counts(cell: Cell, least: int) -> bool:
    count = element_of(cell).properties.get("count")
    return count is not None and count >= least


@given(tables, st.integers(-5, 5))
def test_a_filter_before_aggregation_sees_parts_and_after_it_sums(
    cells: list[Cell], least: int
) -> None:
    options = {"where": {"op": "ge", "field": "count", "value": codec_for("int").encode(least)}}
    before = run("aggregate", run("filter", cells, options), {})
    after = run("filter", run("aggregate", cells, {}), options)
    kept = [cell for cell in cells if counts(cell, least)]
    assert before == run("aggregate", kept, {})
    assert after == [cell for cell in run("aggregate", cells, {}) if counts(cell, least)]


MEASURES = [
    {"name": "n", "aggregate": "count"},
    {"name": "total", "aggregate": "sum", "field": "count"},
    {"name": "who", "aggregate": "set", "field": "source"},
    {"name": "opened", "aggregate": "first", "field": "opened"},
    {"name": "closed", "aggregate": "last", "field": "closed"},
]


@given(tables, st.data())
def test_summaries_of_parts_merge_to_the_summary_of_all(
    cells: list[Cell], data: st.DataObject
) -> None:
    places = data.draw(st.lists(st.booleans(), min_size=len(cells), max_size=len(cells)))
    options = {"by": ["day", "device"], "measures": MEASURES}
    parts = [[c for c, at in zip(cells, places, strict=True) if at is n] for n in (True, False)]
    partial = [cell for part in parts for cell in run("summarise", part, options)]
    summary = Summary(CALLS, ["day", "device"], MEASURES)
    whole = run("summarise", cells, options)
    assert list(read_summary(partial, summary)) == list(read_summary(whole, summary))


@given(tables)
def test_summarise_is_what_plain_python_makes_of_decoded_elements(cells: list[Cell]) -> None:
    groups: dict[Any, list[StoredElement]] = defaultdict(list)
    for cell in cells:
        element = element_of(cell)
        groups[element.properties.get("device")].append(element)
    expected = {
        device: (len(members), tuple(sorted({e.source for e in members})))
        for device, members in groups.items()
    }
    measures = [MEASURES[0], MEASURES[2]]
    found = run("summarise", cells, {"by": ["device"], "measures": measures})
    rows = read_summary(found, Summary(CALLS, ["device"], measures))
    assert {row["device"]: (row["n"], row["who"]) for row in rows} == expected
