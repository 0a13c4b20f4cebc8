"""The rows of claims: read, and changed only if they still are what was read.

Layer ``layout``. They lie in the table of learnt names. A row is replaced whole, never deleted: a
later value has a later time than the one that it replaces, whatever the clock of its writer says.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Final

from lexigraph.cells.cell import Cell
from lexigraph.cells.ranges import Range
from lexigraph.errors import Conflict
from lexigraph.layout.records.claims.claim import FAMILY, Claiming, decode_claims, encode_claims
from lexigraph.store.conditions import Condition, ConditionalMutation, Outcome
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.spi import Engine

_TRIES: Final = 100
ClaimsChange = Callable[[bytes, list[Claiming]], list[Claiming]]


class ClaimRows:
    """The claims of one graph."""

    def __init__(self, engine: Engine, table: str) -> None:
        self._engine, self._table = engine, table

    def read(self, rows: Iterable[bytes]) -> dict[bytes, list[Claiming]]:
        """Return the claims of some rows, each in the order in which they were made."""
        asked = list(rows)
        cells = self._cells(asked)
        return {row: _claims(cells.get(row)) for row in asked}

    def change(self, rows: Iterable[bytes], change: ClaimsChange) -> dict[bytes, list[Claiming]]:
        """Replace the claims of rows by what a function makes of them; return what they were.

        The function may be called again for a row that others have changed. Conflict if they do so
        all the time.
        """
        left, before = list(rows), dict[bytes, list[Claiming]]()
        for attempt in range(_TRIES):
            cells, asked = self._cells(left), list[ConditionalMutation]()
            for row in left:
                before[row] = _claims(cells.get(row))
                after = change(row, before[row])
                if after != before[row]:
                    asked.append(self._replacing(row, cells.get(row), after))
            if not asked:
                return before
            outcomes = self._engine.conditional_write(self._table, asked)
            # Also if it is unknown whether it was written: reading tells.
            left = [
                one.row
                for one, outcome in zip(asked, outcomes, strict=True)
                if outcome is not Outcome.ACCEPTED
            ]
            if not left:
                return before
            time.sleep(random.random() * min(0.2, 0.001 * 2**attempt))
        raise Conflict(
            "other writers claim the same records all the time",
            hint="Try again, or add fewer records at once.",
        )

    def _replacing(
        self, row: bytes, cell: Cell | None, after: list[Claiming]
    ) -> ConditionalMutation:
        value, at = (None, 0) if cell is None else (cell.value, cell.timestamp + 1)
        changed = ConditionalMutation(row, [Condition(FAMILY, value=value)])
        return changed.put(FAMILY, b"", encode_claims(after), timestamp=max(at, self._engine.now()))

    def _cells(self, rows: Iterable[bytes]) -> dict[bytes, Cell]:
        ranges = [Range.row(row) for row in sorted(rows)]
        if not ranges:
            return {}
        spec = ScanSpec(ranges=ranges, columns=[(FAMILY, None)])
        with self._engine.scan(self._table, spec) as batches:
            return {cell.row: cell for cell in chain.from_iterable(batches)}


def _claims(cell: Cell | None) -> list[Claiming]:
    return [] if cell is None else decode_claims(cell.value)
