"""The models of Accumulo's defects end, whatever they are run on."""

from __future__ import annotations

from itertools import islice

from lexigraph.cells.cell import Cell
from lexigraph.cells.ranges import Range
from lexigraph.store.stages.base import Families, StageContext
from lexigraph.store.stages.registry import stage_class

from .accumulo_models import JumpingSlice
from .store.plain_stack import SortedCells


def test_a_slice_that_jumps_ends_above_cells_that_lie_before_the_range() -> None:
    cells = SortedCells([Cell(b"r", family, b"q") for family in (b"a", b"b", b"c")])
    context = StageContext()
    whole_rows = stage_class("whole-row")(cells, {}, context)
    options = {"min_family": b"b", "seek": True}
    stage = JumpingSlice(whole_rows, options, context)
    # A packed row has the empty family, before the one that is jumped to again and again.
    found = list(islice(stage.scan(Range(), Families()), 100))
    assert len(found) < 100
