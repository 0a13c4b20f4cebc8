"""Element stages where cells are merged for ever, and the labels that a reader cannot parse."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from lexigraph.cells.cell import MAX_TIMESTAMP, Cell, Key
from lexigraph.cells.ranges import Range
from lexigraph.errors import InvalidOption
from lexigraph.keyplan import KeyPlan, StoredElement
from lexigraph.store.stages.base import Families, StageContext, StageScope
from lexigraph.store.stages.elements import RollUp
from tests.unit.keyplan.plans import plan_json
from tests.unit.store.stages.elements.tables import CALLS, Table, run

DAY = date(2026, 1, 2)


def call(timestamp: int, count: int, label: bytes = b"", day: date = DAY) -> Cell:
    """Give one row of a call."""
    element = StoredElement(
        "edge",
        "calls",
        {"day": day, "count": count},
        source="A",
        destination="B",
        directed=True,
        visibility=label,
        timestamp=timestamp,
    )
    return CALLS.encode(element)[0]


def marker(timestamp: int) -> Cell:
    """Give a delete marker of the same column."""
    return call(timestamp, 0)._replace(deleted=True, value=b"")


def test_nothing_is_combined_where_an_unseen_cell_could_lie_between() -> None:
    cells = [call(3, 1), call(2, 2), call(1, 4)]
    assert run("aggregate", cells, {}, StageContext(StageScope.MERGE, combine=False)) == cells


def test_the_same_merge_combines_where_none_can() -> None:
    cells = [call(3, 1), call(2, 2), call(1, 4)]
    assert run("aggregate", cells, {}, StageContext(StageScope.MERGE)) == [call(3, 7)]


def test_stretches_on_either_side_of_a_marker_stay_apart() -> None:
    cells = [call(9, 1), call(8, 2), marker(5), call(5, 4), call(4, 8)]
    context = StageContext(StageScope.MERGE)
    assert run("aggregate", cells, {}, context) == [call(9, 3), marker(5), call(5, 12)]


def test_a_marker_of_the_largest_timestamp_belongs_to_its_column() -> None:
    cells = [marker(MAX_TIMESTAMP), call(2, 1), call(1, 2)]
    inside = Range(cells[1].key, True, cells[2].key, True)
    context = StageContext(StageScope.MERGE)
    assert run("aggregate", cells, {}, context, within=inside) == [call(2, 3)]


def test_a_filter_in_a_merge_passes_markers_of_any_bytes() -> None:
    odd = Cell(b"?", b"\xff", b"?", timestamp=3, deleted=True)
    assert run("filter", [odd], {}, StageContext(StageScope.MERGE)) == [odd]


def test_a_label_that_cannot_be_parsed_merges_with_no_other() -> None:
    cells = [call(1, 1, b"A"), call(2, 2, b"B"), call(3, 4, b"A&"), call(4, 8, b"A&")]
    found = run("roll-up", cells, {"by": ["day", "device"]})
    assert found == [call(4, 12, b"A&"), call(2, 3, b"A&B")]


def test_a_broken_label_alone_stays_as_it_is() -> None:
    cells = [call(3, 4, b"A&")]
    assert run("roll-up", cells, {"by": ["day", "device"]}) == cells


def test_an_empty_range_stays_empty() -> None:
    key = Key(call(1, 1).row)
    nothing = Range(key, True, key, False)
    assert run("aggregate", [call(1, 1)], {}, within=nothing) == []
    assert run("roll-up", [call(1, 1)], {}, within=nothing) == []


@pytest.mark.parametrize("stage", ["aggregate", "roll-up"])
def test_a_property_without_an_aggregator_is_named(stage: str) -> None:
    plan = plan_json("byte-entity")
    del plan["groups"]["calls"]["value"]["properties"][2]["aggregate"]
    context = StageContext(plans={"calls": KeyPlan.parse(plan)})
    with pytest.raises(InvalidOption, match="'calls': its property 'cost' has no aggregator"):
        run(stage, [], {}, context)


class Counting(Table):
    """A table that counts the cells it has given."""

    given = 0

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        for cell in super().scan(range, families):
            self.given += 1
            yield cell


@pytest.mark.parametrize(("by", "read"), [(["day"], 3), (["device"], 6)])
def test_a_roll_up_by_a_prefix_streams_and_another_gathers_the_row(
    by: list[str], read: int
) -> None:
    days = [date(2026, 1, day) for day in (1, 2, 3)]
    table = Counting([call(time, 1, day=day) for day in days for time in (1, 2)])
    context = StageContext(plans={"calls": CALLS})
    next(RollUp(table, {"plan": "calls", "by": by}, context).scan(Range(), Families()))
    assert table.given == read
