"""Whether what a reader saw looks different now: two snapshots, compared as that reader.

Layer ``plan``. What a reader cannot see must not show, in a conflict either.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import zip_longest

from lexigraph.cells.ranges import Range
from lexigraph.plan.branches.cells import read_cells
from lexigraph.plan.branches.scans import TableScan
from lexigraph.plan.scope import Scope
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.snapshot import Snapshot


def has_changed(read: Iterable[tuple[str, Range]], before: Scope, now: Snapshot) -> bool:
    """Tell whether any of the ranges that were read holds something else in a later snapshot."""
    ranges: dict[str, list[Range]] = {}
    for table, one in read:
        ranges.setdefault(table, []).append(one)
    scopes = (before, replace(before, snapshot=now))
    for table, held in ranges.items():
        scan = TableScan(table, ScanSpec(ranges=held, authorizations=before.authorizations))
        cells = [read_cells(scan, scope) for scope in scopes]
        if any(old != new for old, new in zip_longest(*cells)):
            return True
    return False
