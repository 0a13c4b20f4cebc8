"""Edges of which one row is there without the other, or says something else.

Layer ``plan``. Where a batch is not atomic, a writer that ends between the two rows of an edge
leaves one. Sums over what rows say tell whether any differ, in one scan and a fixed amount of
memory; only where they do is more looked at.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from contextlib import nullcontext

from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.write.changes import ColumnKey
from lexigraph.plan.targets.edge_rows import EdgeCell, EdgeRows, read_edges
from lexigraph.store.snapshot import Snapshot

MAX_HELD = 200_000
"""How many cells are held at once; a graph with more in doubt is read again for the rest."""
_BUCKETS = 1 << 16
_MASK = (1 << 64) - 1


def find_half_edges(stored: StoredGraph, name: str) -> Iterator[list[EdgeRows]]:
    """Yield the edges of a group whose rows differ, some at a time, in an order of their own."""
    snapshots = stored.engine.capabilities.snapshots
    with stored.engine.snapshot() if snapshots else nullcontext() as moment:
        sums, counts = array("Q", bytes(8 * _BUCKETS)), array("Q", bytes(8 * _BUCKETS))
        for one in read_edges(stored, name, moment):
            bucket = _bucket(one)
            # The first row against all others: nothing is left where they agree.
            weight = len(one.keys) - 1 if one.place == 0 else -1
            sums[bucket] = (sums[bucket] + weight * (one.number & _MASK)) & _MASK
            counts[bucket] += 1
        doubtful = [bucket for bucket, left in enumerate(sums) if left]
        while doubtful:
            chosen = {doubtful.pop()}
            held = sum(counts[bucket] for bucket in chosen)
            while doubtful and held + counts[doubtful[-1]] <= MAX_HELD:
                held += counts[doubtful[-1]]
                chosen.add(doubtful.pop())
            yield _differing(stored, name, moment, chosen)


def _differing(
    stored: StoredGraph, name: str, moment: Snapshot | None, chosen: set[int]
) -> list[EdgeRows]:
    found: dict[tuple[ColumnKey, ...], EdgeRows] = {}
    for one in read_edges(stored, name, moment):
        if _bucket(one) in chosen:
            found.setdefault(one.keys, EdgeRows(name, one.keys)).add(one)
    return [rows for rows in found.values() if not rows.agree]


def _bucket(one: EdgeCell) -> int:
    return one.number >> 112
