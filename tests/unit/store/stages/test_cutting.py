"""Any stack of cell stages gives sorted cells, and the same ones wherever a scan is cut."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from lexigraph.cells.cell import MAX_TIMESTAMP, MIN_TIMESTAMP, Cell, order
from lexigraph.cells.ranges import Range
from lexigraph.security import ALL, Authorizations
from lexigraph.store.stages.base import CellSource, Families, StageContext
from lexigraph.store.stages.builtin import CELL_STAGES
from lexigraph.store.stages.spec import StageSpec
from lexigraph.store.stages.stack import build_stack
from tests.conformance.store.plain_stack import SortedCells

TTL = {"family": "f", "ttl": 1}
STAGES: list[tuple[str, dict[str, Any]]] = [
    ("versions", {"max": 1}),
    ("versions", {"max": 2}),
    ("as-of", {"timestamp": 2}),
    ("time-range", {"start": 1, "end": 2, "negate": True}),
    ("age-off", {"ttl": 1, "now": 3}),
    ("column-age-off", {"ttls": [TTL], "now": 3}),
    ("regex", {"value": "[0-9]+"}),
    ("grep", {"term": "1"}),
    ("qualifier-slice", {"start": "q"}),
    ("column-slice", {"max_qualifier": "q", "seek": True}),
    ("column-slice", {"min_family": "f", "min_inclusive": False, "seek": True}),
    ("whole-row", {}),
    ("whole-family", {}),
    ("first-in-row", {}),
    ("row-delete", {}),
    ("large-row", {"max_columns": 3}),
    ("visibility", {"authorizations": ["A"]}),
    ("labelled", {}),
    ("sum", {"encoding": "text", "lossy": True}),
    ("min", {"encoding": "varlen", "lossy": True, "columns": [["f"]]}),
    ("max", {"encoding": "fixed", "lossy": True}),
    ("sum-array", {"encoding": "text", "lossy": True}),
    ("decimal-sum", {"columns": [["f", "q"]]}),
    ("decimal-min", {"columns": [["g"]]}),
    ("decimal-max", {"columns": [["g"]]}),
    ("intersect", {"terms": ["f", ""]}),
    ("intersect", {"terms": ["f"], "negated": ["g"]}),
    ("intersect-documents", {"terms": ["t"]}),
    ("sample", {"modulus": 2, "of": "column"}),
]

cells = st.builds(
    Cell,
    st.sampled_from([b"a", b"a\0", b"b"]),
    st.sampled_from([b"", b"f", b"g", b"i", b"e\0k"]),
    st.sampled_from([b"", b"q", b"r", b"t\0k\0d\0", b"t\0k\0q\0"]),
    st.sampled_from([b"", b"", b"A"]),
    st.sampled_from([0, 1, 2, 3, MAX_TIMESTAMP, MIN_TIMESTAMP]),
    st.sampled_from([False] * 6 + [True]),
    st.sampled_from([b"1", b"2", b"1,2", b"DEL_ROW", b"SUPPRESS_ROW"]),
)
specs = st.lists(st.sampled_from(STAGES), min_size=1, max_size=3)
ranges = st.sampled_from([Range(), Range.row(b"a"), Range.rows(b"a\0", b"b")])
families = st.sampled_from([Families(), Families(frozenset({b"f", b"i"}), inclusive=True)])
readers = st.sampled_from([ALL, Authorizations(["A"]), Authorizations()])


def read(stack: CellSource, scanned: Range, wanted: Families) -> tuple[list[Cell], str | None]:
    found: list[Cell] = []
    try:
        for cell in stack.scan(scanned, wanted):
            found.append(cell)  # noqa: PERF402 - what came before an error counts
    except ValueError as error:
        return found, type(error).__name__
    return found, None


def test_every_cell_stage_that_can_stand_anywhere_is_tried() -> None:
    assert {name for name, _ in STAGES} == {cls.name for cls in CELL_STAGES if not cls.whole_scan}


@settings(max_examples=300, deadline=None)
@given(st.lists(cells, max_size=12), specs, ranges, families, readers)
def test_cutting_behind_any_cell_changes_nothing(
    table: list[Cell],
    chosen: list[tuple[str, dict[str, Any]]],
    scanned: Range,
    wanted: Families,
    reader: Any,
) -> None:
    stages = [StageSpec(name, options, place) for place, (name, options) in enumerate(chosen)]
    stack = build_stack(SortedCells(table), stages, StageContext(authorizations=reader))
    whole, error = read(stack, scanned, wanted)
    assert [order(cell) for cell in whole] == sorted(order(cell) for cell in whole)
    for place, last in enumerate(whole):
        seen = sum(cell.key == last.key for cell in whole[: place + 1])
        rest, again = read(stack, scanned.starting(last.key), wanted)
        first = [index for index, cell in enumerate(rest) if cell.key == last.key][:seen]
        left = [cell for index, cell in enumerate(rest) if index not in first]
        assert (left, again) == (whole[place + 1 :], error)


def test_a_jump_over_a_stage_that_answers_before_its_range_comes_to_an_end() -> None:
    stages = [
        StageSpec("whole-row", {}, 1),
        StageSpec("column-slice", {"min_family": "f", "seek": True}, 2),
    ]
    stack = build_stack(SortedCells([Cell(b"a", b"g"), Cell(b"b", b"g")]), stages, StageContext())
    assert list(stack.scan(Range(), Families())) == []
