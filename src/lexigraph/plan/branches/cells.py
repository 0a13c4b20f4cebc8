"""Reading the cells of a scan: the one place where a plan runs one.

Layer ``plan``. A scan is closed however its reading ends, and a transaction is told of its ranges.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from lexigraph.plan.branches.scans import TableScan
from lexigraph.plan.scope import Scope
from lexigraph.store import Cell, CellBatch

BATCH_CELLS = 4096
FEWEST_CELLS = 64
"""How many cells come at once, if few are wanted: some may be of what the answer leaves out."""


def batch_for(wanted: int | None, each: int = 1) -> int:
    """Return how many cells to read at once where so many elements of some cells are wanted.

    One cell more shows that the last element has ended.

    >>> batch_for(None), batch_for(100), batch_for(1), batch_for(100, 16)
    (4096, 101, 64, 1601)
    """
    if wanted is None:
        return BATCH_CELLS
    return min(BATCH_CELLS, max(FEWEST_CELLS, each * wanted + 1))


def read_cells(scan: TableScan, scope: Scope, batch_cells: int = BATCH_CELLS) -> Iterator[Cell]:
    """Yield the cells of a scan and close it, however its reading ends."""
    return chain.from_iterable(read_batches(scan, scope, batch_cells))


def read_batches(
    scan: TableScan, scope: Scope, batch_cells: int = BATCH_CELLS
) -> Iterator[CellBatch]:
    """Yield the batches of a scan and close it, however its reading ends."""
    if scope.record is not None:
        scope.record(scan.table, scan.spec.ranges)
    with scope.engine.scan(
        scan.table,
        scan.spec,
        snapshot=scope.snapshot,
        batch_cells=batch_cells,
        timeout_s=scope.timeout_s,
    ) as batches:
        yield from batches
