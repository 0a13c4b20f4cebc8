"""Looking after streaming values: what a check says of them, and collecting what nobody refers to.

Layer ``graph``, for the owner alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, Final

from lexigraph.errors import Corruption, InvalidOption, show
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.streams.collecting import StreamFaults, collect, find_faults
from lexigraph.store.checks import OK, PROBLEM, Checked

STEP: Final = "streams"
AGE: Final = timedelta(days=1)
"""What is younger may belong to a write that goes on."""


def collect_streams(stored: StoredGraph, older_than: Any) -> int:
    """Remove streaming values that nothing refers to; return how many."""
    if not isinstance(older_than, timedelta) or older_than < timedelta(0):
        raise InvalidOption(
            f"older_than is a timedelta that is not negative, not {show(older_than)}",
            hint="Write older_than=timedelta(hours=2).",
        )
    if stored.records is None:
        return 0
    return collect(stored.streams, stored.records, older_than.total_seconds())


def check_streams(stored: StoredGraph) -> Iterable[Checked]:
    """Yield a step for each thing that is looked at; none if there never was a stream."""
    if stored.records is None or not stored.streams.is_there():
        return
    found = _faults(stored)
    yield Checked(STEP, OK, f"{found.count:,} streaming values, {found.size:,} bytes")
    if found.missing:
        what = f"{len(found.missing):,} streaming values whose bytes are not all there"
        hint = "Open the graph with the streams= it was written with, or restore a backup."
        yield Checked(STEP, PROBLEM, what, hint)
    left = len(found.orphans) + len(found.stray)
    if left:
        what = f"{left:,} streaming values that nothing refers to: their writers ended early"
        yield Checked(STEP, PROBLEM, what, "Call graph.admin.collect_streams().")


def verify_streams(stored: StoredGraph) -> None:
    """Raise Corruption if the bytes of a streaming value are not all there."""
    if stored.records is None:
        return
    found = _faults(stored)
    if found.missing:
        raise Corruption(
            f"the bytes of {len(found.missing):,} of {found.count:,} streaming values are not all "
            "there",
            hint="Open the graph with the streams= it was written with, or restore a backup.",
            count=len(found.missing),
        )


def _faults(stored: StoredGraph) -> StreamFaults:
    assert stored.records is not None
    return find_faults(stored.streams, stored.records, AGE.total_seconds())
