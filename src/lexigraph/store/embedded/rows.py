"""One row of the embedded engine, now: the scalar path of the core.

Layer ``store``, only for ``embedded``.
"""

from __future__ import annotations

from typing import Any

from lexigraph.cells.cell import Cell
from lexigraph.store.clock import Clock
from lexigraph.store.operators import RowReader


class EmbeddedRowReader:
    """Reads rows in the core; by a scan if the table got a stage that the core does not run."""

    __slots__ = ("_clock", "_native", "_slow")

    def __init__(self, native: Any, slow: RowReader, clock: Clock | None) -> None:
        self._native, self._slow, self._clock = native, slow, clock

    def row(self, row: bytes, /) -> list[Cell]:
        """Return the cells of a row as they are now."""
        if self._clock is None:
            found: list[Cell] | None = self._native.row(row)
        else:
            found = self._native.row_at(row, self._clock.now())
        return self._slow.row(row) if found is None else found

    def __repr__(self) -> str:
        """Show the table."""
        return f"Embedded{self._slow!r}"
