"""The order of the stack: what hides comes below what looks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from lexigraph.cells.cell import MAX_TIMESTAMP, Cell, Key
from lexigraph.cells.ranges import Range
from lexigraph.errors import InvalidOption
from lexigraph.security import ALL, Authorizations
from lexigraph.store.stages.base import Families, StageContext, StageScope
from lexigraph.store.stages.spec import StageSpec
from lexigraph.store.stages.stack import build_stack
from tests.conformance.store.plain_stack import SortedCells

NOBODY = Authorizations()


def read(
    cells: list[Cell],
    *stages: StageSpec,
    scope: StageScope = StageScope.SCAN,
    scanned: Range | None = None,
    families: Families | None = None,
    authorizations: Any = NOBODY,
    **options: Any,
) -> list[Cell]:
    context = StageContext(scope, authorizations=authorizations)
    stack = build_stack(SortedCells(cells), stages, context, **options)
    return list(stack.scan(scanned or Range(), families or Families()))


def test_a_stage_never_sees_what_its_reader_may_not() -> None:
    cells = [Cell(b"r", b"f", b"q", b"A", 2, value=b"2"), Cell(b"r", b"f", b"q", b"A", 1)]
    assert read(cells, StageSpec("whole-row")) == []
    assert read(cells, StageSpec("labelled", {"negate": True})) == []


def test_the_owner_sees_labels_that_cannot_be_parsed() -> None:
    cells = [Cell(b"r", visibility=b"A&")]
    assert read(cells, authorizations=ALL) == cells
    assert read(cells, authorizations=Authorizations(["A"])) == []


def test_a_default_label_stands_in_for_none() -> None:
    cells = [Cell(b"r"), Cell(b"s", visibility=b"A")]
    assert read(cells, authorizations=Authorizations(["A"]), default_visibility=b"B") == cells[1:]


@pytest.mark.parametrize("scope", [StageScope.FLUSH, StageScope.MERGE])
def test_a_merge_of_some_runs_keeps_the_newest_marker_and_drops_what_it_hides(
    scope: StageScope,
) -> None:
    newest, older = Cell(b"r", timestamp=5, deleted=True), Cell(b"r", timestamp=3, deleted=True)
    cells = [newest, older, Cell(b"r", timestamp=4), Cell(b"r", timestamp=6)]
    assert read(cells, scope=scope) == [cells[3], newest]


def test_a_full_merge_drops_markers_and_looks_at_no_labels() -> None:
    cells = [Cell(b"r", timestamp=5, deleted=True), Cell(b"s", visibility=b"A&")]
    assert read(cells, scope=StageScope.FULL) == cells[1:]


def test_a_marker_hides_a_put_of_its_own_time_whichever_came_first() -> None:
    put, marker = Cell(b"r", timestamp=5, value=b"v"), Cell(b"r", timestamp=5, deleted=True)
    assert read([put, marker]) == read([marker, put]) == []


def test_a_marker_works_on_its_own_label_only() -> None:
    cells = [Cell(b"r", timestamp=5, deleted=True), Cell(b"r", visibility=b"A", timestamp=1)]
    assert read(cells, authorizations=ALL) == cells[1:]


def test_a_range_that_starts_behind_a_marker_still_obeys_it() -> None:
    cells = [Cell(b"r", timestamp=5, deleted=True), Cell(b"r", timestamp=1)]
    assert read(cells, scanned=Range(Key(b"r", timestamp=3))) == []


def test_a_range_of_a_row_obeys_a_marker_of_the_largest_time() -> None:
    cells = [Cell(b"r", timestamp=MAX_TIMESTAMP, deleted=True), Cell(b"r", timestamp=1)]
    assert read(cells, scanned=Range.row(b"r")) == []


def test_families_are_chosen_or_left_out() -> None:
    cells = [Cell(b"r", b"a"), Cell(b"r", b"b"), Cell(b"r", b"c")]
    names = frozenset({b"a", b"c"})
    assert read(cells, families=Families(names, inclusive=True)) == [cells[0], cells[2]]
    assert read(cells, families=Families(names)) == [cells[1]]


def test_a_column_is_wanted_when_any_entry_matches() -> None:
    cells = [Cell(b"r", b"a", b"x"), Cell(b"r", b"a", b"y"), Cell(b"r", b"b", b"x")]
    columns = [(b"a", b"x"), (b"b", None)]
    families = Families(frozenset({b"a", b"b"}), inclusive=True)
    assert read(cells, families=families, columns=columns) == [cells[0], cells[2]]


def test_a_merge_has_no_qualifier_step() -> None:
    cells = [Cell(b"r", b"a", b"x"), Cell(b"r", b"a", b"y")]
    assert read(cells, scope=StageScope.FULL, columns=[(b"a", b"x")]) == cells


def test_stages_run_by_priority_and_equal_ones_in_their_order() -> None:
    cells = [Cell(b"r", timestamp=2, value=b"b"), Cell(b"r", timestamp=1, value=b"a")]
    newest, grep = ("versions", {"max": 1}), ("grep", {"term": "a"})
    assert read(cells, StageSpec(*grep, 9), StageSpec(*newest, 1)) == []
    assert read(cells, StageSpec(*grep, 1), StageSpec(*newest, 9)) == cells[1:]
    assert read(cells, StageSpec(*grep, 5), StageSpec(*newest, 5)) == cells[1:]
    assert read(cells, StageSpec(*newest, 5), StageSpec(*grep, 5)) == []


def test_a_stage_without_a_priority_takes_its_default() -> None:
    cells = [Cell(b"r", timestamp=2, value=b"b"), Cell(b"r", timestamp=1, value=b"a")]
    stages = StageSpec("grep", {"term": "a"}), StageSpec("versions", {"max": 1})
    assert read(cells, *stages) == []


def test_bad_options_are_refused_before_any_cell_is_read() -> None:
    class Untouched:
        def scan(self, range: Range, families: Families) -> Iterator[Cell]:
            raise AssertionError("a cell was read")

    with pytest.raises(InvalidOption):
        build_stack(Untouched(), [StageSpec("limit", {"cells": -1})], StageContext())


def test_stages_read_no_further_than_their_reader() -> None:
    class Endless:
        def scan(self, range: Range, families: Families) -> Iterator[Cell]:
            for number in iter(int, 1):
                yield Cell(b"r", b"f", b"%d" % number)

    stack = build_stack(Endless(), [StageSpec("limit", {"cells": 3})], StageContext())
    assert len(list(stack.scan(Range(), Families()))) == 3
