"""Stages that keep a span of qualifiers, or a block of families and qualifiers.

Layer ``store``. ``qualifier-slice`` compares qualifiers as Java text, by UTF-16 units;
``column-slice`` compares bytes. ``seek`` lets ``column-slice`` jump over what it drops; it never
changes what is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lexigraph.cells.cell import Cell, Key, leading_key
from lexigraph.cells.ranges import Range, following_key
from lexigraph.store.stages.base import CellSource, Families, StageContext
from lexigraph.store.stages.cells.cell_stage import FilterStage
from lexigraph.store.stages.java_text import decode_utf8, utf16_order
from lexigraph.store.stages.options import BOOL, BYTES, NEGATE, TEXT, StageOption


class QualifierSlice(FilterStage):
    """Keep qualifiers from ``start`` to ``end``, in Java's order of text."""

    name = "qualifier-slice"
    default_priority = 35
    options = (
        StageOption("start", TEXT),
        StageOption("end", TEXT),
        StageOption("start_inclusive", BOOL, default=True),
        StageOption("end_inclusive", BOOL, default=False),
        NEGATE,
    )

    def __init__(
        self, source: CellSource, options: Mapping[str, Any], context: StageContext
    ) -> None:
        super().__init__(source, options, context)
        start, end = self.settings["start"], self.settings["end"]
        self._start = None if start is None else utf16_order(start)
        self._end = None if end is None else utf16_order(end)

    def accepts(self, cell: Cell) -> bool:
        """Return whether the qualifier lies in the slice."""
        place = utf16_order(decode_utf8(cell.qualifier))
        return _within(
            place,
            (self._start, self.settings["start_inclusive"]),
            (self._end, self.settings["end_inclusive"]),
        )


class ColumnSlice(FilterStage):
    """Keep cells whose family and whose qualifier lie in their spans.

    An exclusive bound leaves out the whole family and the whole qualifier it names.
    """

    name = "column-slice"
    default_priority = 35
    options = (
        StageOption("min_family", BYTES),
        StageOption("max_family", BYTES),
        StageOption("min_qualifier", BYTES),
        StageOption("max_qualifier", BYTES),
        StageOption("min_inclusive", BOOL, default=True),
        StageOption("max_inclusive", BOOL, default=True),
        StageOption("seek", BOOL, default=False),
        NEGATE,
    )

    def accepts(self, cell: Cell) -> bool:
        """Return whether the column lies in the block."""
        return self._family_fits(cell.family) and self._qualifier_fits(cell.qualifier)

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Yield the cells of the block; with ``seek`` jump over the others where that is safe."""
        # A jump would pass over delete markers, which every filter lets through.
        if not self.settings["seek"] or self.settings["negate"] or self.context.scope.keeps_deletes:
            yield from super().scan(range, families)
            return
        rest: Range | None = range
        while rest is not None:
            reached, cells = rest, self.source.scan(rest, families)
            rest = None
            for cell in cells:
                # A stage below may answer with keys before the range: a jump must not stand still.
                if reached is not range and reached.before(cell):
                    continue
                if self.accepts(cell):
                    yield cell
                    continue
                target = self._jump(cell)
                if target is not None:
                    rest = range.starting(target)
                    break

    def _family_fits(self, family: bytes) -> bool:
        return self._fits(family, "min_family", "max_family")

    def _qualifier_fits(self, qualifier: bytes) -> bool:
        return self._fits(qualifier, "min_qualifier", "max_qualifier")

    def _fits(self, part: bytes, low: str, high: str) -> bool:
        return _within(
            part,
            (self.settings[low], self.settings["min_inclusive"]),
            (self.settings[high], self.settings["max_inclusive"]),
        )

    def _jump(self, cell: Cell) -> Key | None:
        """Return the first key behind a dropped cell that can be kept, or None to walk on."""
        low_family, low = self.settings["min_family"], self.settings["min_qualifier"]
        if low_family is not None and cell.family < low_family:
            return leading_key(cell.row, low_family, low or b"")
        if not self._family_fits(cell.family):
            below = low_family is not None and cell.family == low_family
            parts = cell[:2] if below else cell[:1]
            return following_key(parts)
        if low is not None and cell.qualifier < low:
            return leading_key(cell.row, cell.family, low)
        if low is not None and cell.qualifier == low:
            return None
        return following_key(cell[:2])


def _within(part: bytes, low: tuple[bytes | None, bool], high: tuple[bytes | None, bool]) -> bool:
    start, start_inclusive = low
    end, end_inclusive = high
    if start is not None and (part < start or (part == start and not start_inclusive)):
        return False
    return end is None or part < end or (part == end and end_inclusive)
