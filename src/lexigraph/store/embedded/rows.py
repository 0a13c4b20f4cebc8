"""One row of the embedded engine, now: the scalar path of the core.

Layer ``store``, only for ``embedded``.
"""

from __future__ import annotations

from typing import Any

from lexigraph.cells.cell import Cell
from lexigraph.errors import InvalidOption, UnsupportedError
from lexigraph.store.clock import Clock
from lexigraph.store.row_reader import RowReader


class EmbeddedRowReader:
    """Reads rows in the core, or by a scan where a stage of the table is not the core's."""

    __slots__ = ("_clock", "_native", "_slow")

    def __init__(self, native: Any, slow: RowReader, clock: Clock | None) -> None:
        self._native, self._slow, self._clock = native, slow, clock

    def row(self, row: bytes, /) -> list[Cell]:
        """Return the cells of a row as they are now."""
        try:
            if self._clock is None:
                return self._native.row(row)  # type: ignore[no-any-return]
            return self._native.row_at(row, self._clock.now())  # type: ignore[no-any-return]
        except (InvalidOption, UnsupportedError):
            return self._slow.row(row)

    def __repr__(self) -> str:
        """Show the table."""
        return f"Embedded{self._slow!r}"
