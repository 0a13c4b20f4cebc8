"""The stage that keeps the newest versions of each column.

Layer ``store``. Versions are counted from the newest one even when a range starts among them, and
cells of fully equal keys count as versions of one another; delete markers count too.
"""

from __future__ import annotations

from collections.abc import Iterator

from lexigraph.cells.cell import Cell
from lexigraph.cells.ranges import Range
from lexigraph.store.stages.base import Families
from lexigraph.store.stages.cells.cell_stage import CellStage, from_column_start
from lexigraph.store.stages.options import StageOption, integer


class Versions(CellStage):
    """Keep the ``max`` newest versions of each column; ``null`` keeps all."""

    name = "versions"
    default_priority = 20
    options = (StageOption("max", integer(minimum=1, maximum=2**31 - 1), default=1, nullable=True),)

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Yield the newest versions of each column."""
        most = self.settings["max"]
        if most is None:
            yield from self.source.scan(range, families)
            return
        column, count = None, 0
        for cell in self.source.scan(from_column_start(range), families):
            count = count + 1 if cell.column == column else 1
            column = cell.column
            if count <= most and not range.before(cell):
                yield cell
