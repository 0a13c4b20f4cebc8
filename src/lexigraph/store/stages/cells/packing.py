"""Stages that pack a whole row or a whole family of a row into one cell.

Layer ``store``. The packed cell stands at the first possible key of its group, also when the range
starts inside the group and only the rest of it is packed. A range that starts behind that key,
exclusive, starts with the next group: so a reader may go on behind the last cell it got.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from itertools import groupby
from typing import ClassVar

from lexigraph.cells.cell import MAX_TIMESTAMP, Cell
from lexigraph.cells.ranges import Range, following_key
from lexigraph.codec.accumulo.rows import FamilyCell, RowCell, pack_family, pack_row
from lexigraph.errors import InvalidOption, show
from lexigraph.store.stages.base import Families
from lexigraph.store.stages.cells.cell_stage import CellStage
from lexigraph.store.stages.options import StageOption, integer

_CELL_OVERHEAD = 128


class _Pack(CellStage):
    combines = True
    in_parts = False
    default_priority = 90
    options = (StageOption("max_bytes", integer(minimum=1)),)
    depth: ClassVar[int]

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Yield one packed cell for each group."""
        cells = self.source.scan(self._behind_packed(range), families)
        for parts, group in groupby(cells, key=lambda cell: cell.column[: self.depth]):
            packed = self.pack(self._bounded(parts, group))
            yield _at_front(parts)._replace(value=packed)

    @abstractmethod
    def pack(self, cells: Iterator[Cell]) -> bytes:
        """Pack the cells of one group."""

    def _behind_packed(self, range: Range) -> Range:
        start = range.start
        if start is None or range.start_inclusive or start.timestamp != MAX_TIMESTAMP:
            return range
        column = start[:4]
        if any(column[self.depth :]):
            return range
        return range.starting(following_key(column[: self.depth]))

    def _bounded(self, parts: tuple[bytes, ...], cells: Iterator[Cell]) -> Iterator[Cell]:
        most, used = self.settings["max_bytes"], 0
        for cell in cells:
            used += sum(map(len, cell.column)) + len(cell.value) + _CELL_OVERHEAD
            if most is not None and used > most:
                raise InvalidOption(
                    f"stage {self.name!r}: {show(parts)} takes more than {most} bytes",
                    hint="Raise max_bytes, or read such rows without packing them.",
                )
            yield cell


class WholeRow(_Pack):
    """Pack each row into one cell; :func:`lexigraph.codec.accumulo.rows.unpack_row` opens it."""

    name = "whole-row"
    of_rows = True
    depth = 1

    def pack(self, cells: Iterator[Cell]) -> bytes:
        """Pack the cells of one row."""
        return pack_row(
            RowCell(cell.family, cell.qualifier, cell.visibility, cell.timestamp, cell.value)
            for cell in cells
        )


class WholeFamily(_Pack):
    """Pack each family of a row into one cell; ``unpack_family`` opens it."""

    name = "whole-family"
    depth = 2

    def pack(self, cells: Iterator[Cell]) -> bytes:
        """Pack the cells of one family."""
        return pack_family(
            FamilyCell(cell.qualifier, cell.visibility, cell.timestamp, cell.value)
            for cell in cells
        )


def _at_front(parts: tuple[bytes, ...]) -> Cell:
    row, family = (*parts, b"")[:2]
    return Cell(row, family)
