"""The cells that are written and read: those of ``Baseline.java``, one to a row."""

from __future__ import annotations

from lexigraph.store import Cell, CellBatch


def make_cells(count: int) -> CellBatch:
    """Return so many cells, spread over the rows."""
    numbers = (b"%010d" % (place * 7919 % count) for place in range(count))
    return CellBatch.from_cells(
        Cell(
            b"u" + number + b"calls-somebody",
            b"calls",
            b"day" + number[6:],
            b"",
            1,
            False,
            number,
        )
        for number in numbers
    )
