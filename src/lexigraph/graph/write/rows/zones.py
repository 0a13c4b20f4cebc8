"""Times without a zone as moments, by the column.

Layer ``graph``. The same meaning as ``options.in_zone`` has for one value.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def localise(column: Any, timezone: str) -> tuple[Any, list[tuple[int, str]]]:
    """Return the moments of local times, and the rows whose time clocks skipped."""
    pa, pc = import_module("pyarrow"), import_module("pyarrow.compute")
    moments = pc.assume_timezone(column, timezone, ambiguous="earliest", nonexistent="earliest")
    kept = pc.equal(pc.local_timestamp(moments), column)
    skipped = pc.indices_nonzero(pc.fill_null(pc.invert(kept), fill_value=False)).to_pylist()
    if skipped:
        moments = pc.if_else(kept, moments, pa.scalar(None, moments.type))
    reason = f"there was no such time in {timezone}: clocks skipped it"
    return moments.cast(pa.timestamp("us", "UTC")), [(at, reason) for at in skipped]
