"""Stages that give a part of the cells: the first of a scan, or those that hash alike.

Layer ``store``. ``limit`` counts over the whole scan, so it works over all ranges at once, and a
resumed scan runs it from the start. A sample depends on key bytes alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from lexigraph.cells.cell import Cell
from lexigraph.cells.ranges import Range
from lexigraph.functions.aggregators.murmur3 import murmur3_32
from lexigraph.store.stages.base import CellSource, Families, StageContext
from lexigraph.store.stages.cells.cell_stage import CellStage, FilterStage
from lexigraph.store.stages.options import NEGATE, StageOption, choice, integer


class Limit(CellStage):
    """Give at most ``cells`` cells."""

    name = "limit"
    whole_scan = True
    default_priority = 100
    options = (StageOption("cells", integer(minimum=0), required=True),)

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Yield the first cells."""
        return islice(self.source.scan(range, families), self.settings["cells"])


class Sample(FilterStage):
    """Keep what hashes to a multiple of ``modulus``: whole rows, or whole columns.

    The hash of a column is that of row, family and qualifier one after another.
    """

    name = "sample"
    default_priority = 15
    options = (
        StageOption("modulus", integer(minimum=1, maximum=2**31 - 1), required=True),
        StageOption("of", choice("row", "column"), default="row"),
        NEGATE,
    )

    def __init__(
        self, source: CellSource, options: Mapping[str, Any], context: StageContext
    ) -> None:
        super().__init__(source, options, context)
        self._part: Callable[[Cell], bytes] = _row if self.settings["of"] == "row" else _column

    def accepts(self, cell: Cell) -> bool:
        """Return whether the cell is in the sample."""
        return bool(murmur3_32(self._part(cell)) % self.settings["modulus"] == 0)


def _row(cell: Cell) -> bytes:
    return cell.row


def _column(cell: Cell) -> bytes:
    return cell.row + cell.family + cell.qualifier
