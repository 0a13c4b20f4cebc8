"""Stages that look at a row as a whole: its first cell, its deletion, its size.

Layer ``store``. Each reads a row from its first cell even when the range starts inside it, so a row
gives the same cells however a scan is cut. Deleting and suppressing a row work by a marker in the
empty column, whose family is read even when it was not asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from lexigraph.cells.cell import Cell
from lexigraph.cells.ranges import Range, following_key
from lexigraph.store.stages.base import Families, StageScope
from lexigraph.store.stages.cells.cell_stage import CellStage, from_row_start
from lexigraph.store.stages.options import StageOption, integer

DELETED_ROW = b"DEL_ROW"
"""The value that marks a row as deleted, as Accumulo writes it."""
SUPPRESSED_ROW = b"SUPPRESS_ROW"
"""The value that marks a row as too large, as Accumulo writes it."""

_SKIPS_BEFORE_SEEK = 10


class FirstInRow(CellStage):
    """Give the first cell of each row."""

    name = "first-in-row"
    in_parts = False
    of_rows = True
    default_priority = 40

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Yield the first cells; a row whose first cell lies before the range gives none."""
        rest: Range | None = from_row_start(range)
        while rest is not None:
            row, skipped = None, 0
            cells = self.source.scan(rest, families)
            rest = None
            for cell in cells:
                if cell.row != row:
                    row, skipped = cell.row, 0
                    if not range.before(cell):
                        yield cell
                    continue
                skipped += 1
                if skipped >= _SKIPS_BEFORE_SEEK:
                    rest = range.starting(following_key((row,)))
                    break


class RowDelete(CellStage):
    """Hide what a row marker is not older than; a partial merge keeps the marker itself."""

    name = "row-delete"
    of_rows = True
    default_priority = 12

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Yield the cells that no row marker hides."""
        wide = with_empty_family(families)
        row, newest = self._marker_before(range, wide)
        for cell in self.source.scan(range, wide):
            if cell.row == row:
                if cell.timestamp <= newest:
                    continue
            elif is_row_marker(cell, DELETED_ROW):
                row, newest = cell.row, cell.timestamp
                if not self.context.scope.keeps_deletes:
                    continue
            if families.wanted(cell.family):
                yield cell

    def _marker_before(self, range: Range, wide: Families) -> tuple[bytes | None, int]:
        if range.start is not None:
            for cell in self.source.scan(from_row_start(range), wide):
                if not range.before(cell) or any(cell.column[1:]):
                    break
                if is_row_marker(cell, DELETED_ROW):
                    return cell.row, cell.timestamp
        return None, 0


class LargeRow(CellStage):
    """Hide rows of more than ``max_columns`` cells; a merge puts a marker in their place.

    A row of a single cell is never too large. The marker keeps the row hidden until it is deleted.
    """

    name = "large-row"
    in_parts = False
    of_rows = True
    default_priority = 30
    options = (StageOption("max_columns", integer(minimum=0, maximum=2**31 - 1), required=True),)

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Yield the cells of rows that are not too large."""
        cells = self.source.scan(from_row_start(range), with_empty_family(families))
        for _, row in groupby(cells, key=itemgetter(0)):
            for cell in self._admit(row, families):
                if not range.before(cell):
                    yield cell

    def _admit(self, row: Iterator[Cell], families: Families) -> list[Cell]:
        kept: list[Cell] = []
        for index, cell in enumerate(row):
            if index == 0 and is_row_marker(cell, SUPPRESSED_ROW):
                return self._marker(cell, families)
            if families.wanted(cell.family):
                kept.append(cell)
            if index > 0 and len(kept) > self.settings["max_columns"]:
                return self._marker(Cell(cell.row, value=SUPPRESSED_ROW), families)
        return kept

    def _marker(self, marker: Cell, families: Families) -> list[Cell]:
        at_scan = self.context.scope is StageScope.SCAN
        return [] if at_scan or not families.wanted(b"") else [marker]


def is_row_marker(cell: Cell, value: bytes) -> bool:
    """Return whether a cell marks its row with ``value``.

    >>> is_row_marker(Cell(b"r", timestamp=3, value=DELETED_ROW), DELETED_ROW)
    True
    """
    return cell.value == value and not any(cell.column[1:])


def with_empty_family(families: Families) -> Families:
    """Return the families with the empty one among them.

    >>> with_empty_family(Families(frozenset({b"f"}), inclusive=True)).wanted(b"")
    True
    """
    if families.wanted(b""):
        return families
    return Families(families.names ^ {b""}, families.inclusive)
