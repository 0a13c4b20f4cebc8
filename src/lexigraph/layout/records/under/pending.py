"""The cells of rows that a commit adds: encoded when they come, held by row, written by column.

Layer ``layout``. Holds values that are said at the time of the commit, at most one of each column;
whatever has a time of its own, or ends something, is a fact like those of elements.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.cells.columns import BytesColumn
from lexigraph.layout.records.families import CELL
from lexigraph.layout.records.rows import EDGES, VERTICES

CellColumn = tuple[bytes, bytes]
"""Qualifier and visibility."""
HeldRow = dict[CellColumn, bytes]
"""The value of the cell of each column."""


class PendingCells:
    """Cells to add, by the table of elements and by their rows."""

    def __init__(self) -> None:
        self._held: dict[str, dict[bytes, HeldRow]] = {VERTICES: {}, EDGES: {}}
        self._before: list[tuple[str, bytes, HeldRow | None]] = []
        """What rows held before the present change, in the order of its steps."""
        self._made: dict[str, CellBatch] | None = None

    def begin(self) -> None:
        """Note that a change begins."""
        self._before.clear()

    def undo(self) -> None:
        """Go back to where the present change began."""
        for table, row, held in reversed(self._before):
            if held is None:
                self._held[table].pop(row, None)
            else:
                self._held[table][row] = held
        self._before.clear()
        self._made = None

    def put(self, table: str, row: bytes, columns: HeldRow) -> None:
        """Add cells of a row; they take the place of those of the same columns."""
        known = self._held[table].get(row)
        self._before.append((table, row, known))
        self._held[table][row] = columns if known is None else {**known, **columns}
        self._made = None

    def take(self, table: str, row: bytes) -> HeldRow:
        """Return the cells of a row and hold them no longer."""
        known = self._held[table].pop(row, None)
        if known is None:
            return {}
        self._before.append((table, row, known))
        self._made = None
        return known

    def under(self, table: str, prefix: bytes) -> list[bytes]:
        """Return the rows that start so."""
        return [row for row in self._held[table] if row.startswith(prefix)]

    def cells(self, table: str, time: int) -> Iterator[Cell]:
        """Yield the cells of a commit of this time."""
        return iter(self.batches(time).get(table, ()))

    def batches(self, time: int) -> Mapping[str, CellBatch]:
        """Return the cells of a commit of this time, sorted, by the table of elements."""
        if self._made is None:
            self._made = {part: _batch(held) for part, held in self._held.items() if held}
        return {part: _dated(batch, time) for part, batch in self._made.items()}


def _batch(held: Mapping[bytes, HeldRow]) -> CellBatch:
    rows: list[bytes] = []
    columns: list[CellColumn] = []
    values: list[bytes] = []
    for row in sorted(held):
        cells = held[row]
        ordered = sorted(cells)
        rows += [row] * len(ordered)
        columns += ordered
        values += map(cells.__getitem__, ordered)
    count = len(rows)
    return CellBatch(
        BytesColumn.of(rows),
        BytesColumn.of([CELL] * count),
        BytesColumn.of(qualifier for qualifier, _ in columns),
        BytesColumn.of(visibility for _, visibility in columns),
        array("q", bytes(8 * count)),
        bytes(count),
        BytesColumn.of(values),
    )


def _dated(batch: CellBatch, time: int) -> CellBatch:
    times = memoryview(array("q", [time]) * len(batch)).toreadonly()
    return CellBatch.trusted(
        batch.row,
        batch.family,
        batch.qualifier,
        batch.visibility,
        times,
        batch.deleted,
        batch.value,
    )
