"""Edges of which one row is there without the other, or says something else: found and mended.

Layer ``graph``. Where a batch is not atomic, a writer that ends between the two rows of an edge
leaves one. Sums over what rows say tell whether any differ, in one scan and a fixed amount of
memory; only where they do is more looked at. What was acknowledged is in both rows, so either may
be kept.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import repeat
from typing import Any

from lexigraph.graph.admin.edge_rows import ColumnKey, Content, EdgeCell, EdgeRows, read_edges
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.stored.pending import merge_spans, spans_of
from lexigraph.layout.write.changes import Restore
from lexigraph.layout.write.sinks import Commit
from lexigraph.layout.write.writer import Writer
from lexigraph.schema.model import VERTEX, Group
from lexigraph.security import ALL
from lexigraph.store import Snapshot

MAX_HELD = 200_000
"""How many cells are held at once; a graph with more in doubt is read again for the rest."""
BATCH = 1000
_BUCKETS = 1 << 16
_MASK = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class HalfEdge:
    """An edge whose rows differ: it is found from one end, and not, or otherwise, from the other.

    ``element`` is the edge as the row has it that was written last. ``missing`` says that another
    row is not there at all.
    """

    element: Any
    missing: bool


class HalfEdges:
    """Finds and mends the edges of one graph whose rows differ."""

    def __init__(self, stored: StoredGraph) -> None:
        self.stored, self.engine = stored, stored.engine
        stored.engine.check_granted(ALL)

    def find(self) -> Iterator[list[EdgeRows]]:
        """Give the edges whose rows differ, some at a time, in an order of their own."""
        for name, group in self.stored.schema.groups.items():
            if group.kind != VERTEX:
                yield from self._find(name)

    def mend(self, found: list[EdgeRows]) -> None:
        """Make the rows of each edge say the same."""
        for start in range(0, len(found), BATCH):
            self._mend(found[start : start + BATCH])

    def _find(self, name: str) -> Iterator[list[EdgeRows]]:
        snapshots = self.engine.capabilities.snapshots
        with self.engine.snapshot() if snapshots else nullcontext() as moment:
            sums, counts = array("Q", bytes(8 * _BUCKETS)), array("Q", bytes(8 * _BUCKETS))
            for one in read_edges(self.stored, name, moment):
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
                yield self._differing(name, moment, chosen)

    def _differing(self, name: str, moment: Snapshot | None, chosen: set[int]) -> list[EdgeRows]:
        found: dict[tuple[ColumnKey, ...], EdgeRows] = {}
        for one in read_edges(self.stored, name, moment):
            if _bucket(one) in chosen:
                found.setdefault(one.keys, EdgeRows(name, one.keys)).add(one)
        return [rows for rows in found.values() if not rows.agree]

    def _mend(self, some: list[EdgeRows]) -> None:
        commit = Commit(self.stored, ALL)
        writer = Writer(self.stored, commit)
        for one in some:
            group = self.stored.schema.groups[one.group]
            for change in _replaced(one, group) if group.aggregates else _completed(one):
                writer.take(change)
        gone, put = writer.restored()
        if gone:
            commit.store(gone)
        # What is written has the time that it had, and markers hide what is older than they are:
        # these, and those of a delete that ended between two rows.
        for table, batch in put.items():
            if self.engine.stats(table).delete_markers:
                rows = set(batch.cells.row)
                merge_spans(self.engine, table, spans_of(self.engine, table, rows))
        commit.store(put)


def _bucket(one: EdgeCell) -> int:
    return one.number >> 112


def _replaced(rows: EdgeRows, group: Group) -> Iterator[Restore]:
    """Yield what makes all rows say what the newest says.

    Not merged: what is summed would count twice. One row is taken as it is.
    """
    kept = rows.newest
    for place, key in enumerate(rows.keys):
        if rows.contents(place) != rows.contents(kept.place):
            # What is there goes first, also what a rule hides.
            replaces = bool(rows.held[place] or group.rules)
            yield Restore(kept.element, key, kept.cell, replaces)


def _completed(rows: EdgeRows) -> Iterator[Restore]:
    """Yield what rows lack: duplicates stand side by side, each at its own time."""
    most: Counter[Content] = Counter()
    known: dict[Content, EdgeCell] = {}
    for place, held in enumerate(rows.held):
        most |= rows.contents(place)
        known |= {one.content: one for one in held}
    for place, key in enumerate(rows.keys):
        for content, count in (most - rows.contents(place)).items():
            one = known[content]
            yield from repeat(Restore(one.element, key, one.cell, replaces=False), count)
