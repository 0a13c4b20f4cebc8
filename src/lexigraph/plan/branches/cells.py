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


def read_cells(scan: TableScan, scope: Scope) -> Iterator[Cell]:
    """Yield the cells of a scan and close it, however its reading ends."""
    return chain.from_iterable(read_batches(scan, scope))


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
