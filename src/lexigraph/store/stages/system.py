"""The steps below every stage: deletes, families, qualifiers, visibility.

Layer ``store``. ``spec/cells.md`` section 4 and ``spec/scan.md`` section 3 say what they do. They
come in this order and below everything else, so no stage ever sees a cell that its reader may not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lexigraph.cells.cell import Cell
from lexigraph.cells.ranges import Range
from lexigraph.security import LabelCache
from lexigraph.store.stages.base import CellSource, Families
from lexigraph.store.stages.cells.cell_stage import from_column_start

EVERY_FAMILY = Families()


class Deletes:
    """Drop what delete markers hide; keep the newest marker of a column only where asked."""

    def __init__(self, source: CellSource, *, keep_markers: bool) -> None:
        self.source = source
        self._keep_markers = keep_markers

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Yield the cells that no marker hides."""
        column = None
        # A marker hides what is older and therefore sorts behind it: the rest of its column.
        for cell in self.source.scan(from_column_start(range), families):
            if cell.column == column:
                continue
            if cell.deleted:
                column = cell.column
                if not self._keep_markers:
                    continue
            if not range.before(cell):
                yield cell


class FamilySkip:
    """Give only the families that were asked for; below it all families are read."""

    def __init__(self, source: CellSource) -> None:
        self.source = source

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Yield the cells of the wanted families."""
        cells = self.source.scan(range, families)
        return cells if families == EVERY_FAMILY else _of_families(cells, families)


class Qualifiers:
    """Give only cells of a wanted family or a wanted (family, qualifier)."""

    def __init__(self, source: CellSource, columns: Sequence[tuple[bytes, bytes | None]]) -> None:
        self.source = source
        self._families = {family for family, qualifier in columns if qualifier is None}
        self._columns = {column for column in columns if column[1] is not None}

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Yield the cells of the wanted columns."""
        for cell in self.source.scan(range, families):
            if cell.family in self._families or (cell.family, cell.qualifier) in self._columns:
                yield cell


class VisibilityCheck:
    """Give only what the authorizations of the scan may see."""

    def __init__(self, source: CellSource, labels: LabelCache) -> None:
        self.source = source
        self._labels = labels

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Yield the visible cells."""
        can_see = self._labels.can_see
        return (cell for cell in self.source.scan(range, families) if can_see(cell.visibility))


def _of_families(cells: Iterator[Cell], families: Families) -> Iterator[Cell]:
    return (cell for cell in cells if families.wanted(cell.family))
