"""What the cell stages share: declared options, filtering, and seeks to the start of a group.

Layer ``store``. A filter passes delete markers on whatever they hold: what they hide may lie in
runs that the filter does not see. Seeks to the start of a group begin before a delete marker at the
largest timestamp, so that a group looks the same from wherever it is entered.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from lexigraph.cells.cell import MAX_TIMESTAMP, Cell, leading_key
from lexigraph.cells.ranges import Range
from lexigraph.store.stages.base import CellSource, Families, Stage, StageContext
from lexigraph.store.stages.options import NEGATE, StageOption, read_options


class CellStage(Stage):
    """A stage whose options are declared in ``options`` and read into ``settings``."""

    options: ClassVar[tuple[StageOption, ...]] = ()
    """The options it takes."""

    def __init__(
        self, source: CellSource, options: Mapping[str, Any], context: StageContext
    ) -> None:
        super().__init__(source, options, context)
        self.settings = read_options(self.name, self.options, options)

    def __repr__(self) -> str:
        """Show name and settings."""
        return f"{type(self).__name__}({self.settings!r})"


class FilterStage(CellStage):
    """A stage that keeps some cells and leaves them as they are."""

    options: ClassVar[tuple[StageOption, ...]] = (NEGATE,)

    @abstractmethod
    def accepts(self, cell: Cell) -> bool:
        """Return whether the filter keeps the cell when it is not negated."""

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Yield the cells that the filter keeps, and every delete marker."""
        wanted = not self.settings["negate"]
        for cell in self.source.scan(range, families):
            if cell.deleted or self.accepts(cell) is wanted:
                yield cell


def from_column_start(range: Range) -> Range:
    """Return the range with its start moved to the newest version of the column it starts in."""
    if range.start is None:
        return range
    # An inclusive start at the largest timestamp stays behind a delete marker there: Accumulo
    # misses it, and stages answer as it does. ScanPlan starts such ranges at the marker.
    if range.start_inclusive and range.start.timestamp == MAX_TIMESTAMP:
        return range
    return range.starting(range.start._replace(timestamp=MAX_TIMESTAMP, deleted=True))


def from_row_start(range: Range) -> Range:
    """Return the range with its start moved to the first key of the row it starts in."""
    if range.start is None:
        return range
    return range.starting(leading_key(range.start.row))
