"""Readers that any engine can have: operators run by its ``scan``.

Layer ``store``. A reader holds a table and authorizations, never a moment: each call reads what
the table holds then, through the table's own stages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from lexigraph.cells.cell import Cell
from lexigraph.cells.ranges import Range
from lexigraph.errors import InvalidKey, show
from lexigraph.security import All, Authorizations
from lexigraph.store.scan.spec import ScanSpec

if TYPE_CHECKING:
    from lexigraph.store.spi import Engine


class ScanningRowReader:
    """Reads rows of an engine that has nothing faster for them than a scan."""

    __slots__ = ("authorizations", "columns", "engine", "table")

    def __init__(
        self,
        engine: Engine,
        table: str,
        authorizations: Authorizations | All,
        columns: Sequence[tuple[bytes, bytes | None]],
    ) -> None:
        self.engine, self.table = engine, table
        self.authorizations, self.columns = authorizations, columns

    def row(self, row: bytes, /) -> list[Cell]:
        """Return the cells of a row as they are now."""
        return list(self._cells(row))

    def _cells(self, row: bytes) -> Iterator[Cell]:
        if not isinstance(row, bytes):
            raise InvalidKey(f"a row is bytes, not {show(row)}", hint="Encode text first.")
        spec = ScanSpec(
            ranges=[Range.row(row)], columns=self.columns, authorizations=self.authorizations
        )
        return chain.from_iterable(self.engine.scan(self.table, spec))

    def __repr__(self) -> str:
        """Show the table."""
        return f"RowReader({self.table!r})"
