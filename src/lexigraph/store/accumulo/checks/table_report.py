"""What tablet servers say of themselves and of a table, asked by an iterator of ours.

Layer ``store``, only for ``accumulo``. Accumulo shows the properties of a table to nobody who may
not change them; a server knows them, and tells a reader those that are ours.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from lexigraph.cells.ranges import Range
from lexigraph.store.accumulo.bridge.frames import from_frame, pack_ranges
from lexigraph.store.accumulo.bridge.jvm import translated
from lexigraph.store.accumulo.permissions import READING, permit_table

if TYPE_CHECKING:
    from lexigraph.store.accumulo.checks.access import ClusterAccess

REPORT = "org.lexigraph.iterators.TableReport"
_ITERATOR = {"priority": 1000, "name": "lexigraph-report", "class": REPORT, "options": {}}


def read_reports(engine: ClusterAccess, table: str, where: Range) -> list[dict[str, Any]]:
    """Return what each tablet's server in a range says: its jar, and the properties of ours."""
    remote, millis = engine.remote(table), int(engine.timeout_s * 1000)
    found: list[dict[str, Any]] = []
    with translated(needs=permit_table(engine.user, remote, READING)):
        ranges, iterators = pack_ranges([where]), json.dumps([_ITERATOR])
        scan = engine.bridge.scan(remote, ranges, [], [], [], iterators, 1, 1)
        try:
            while (frame := scan.next(1000, millis)) is not None:
                cells = from_frame(memoryview(bytes(memoryview(frame))))
                found.extend(json.loads(cell.value) for cell in cells)
        finally:
            scan.close()
    return found


def reported_properties(engine: ClusterAccess, table: str) -> dict[str, str]:
    """Return the properties of a table that are ours, as its first tablet's server knows them."""
    [told] = read_reports(engine, table, Range.row(b""))
    properties: dict[str, str] = told["properties"]
    return properties
