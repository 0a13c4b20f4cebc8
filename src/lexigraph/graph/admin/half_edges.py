"""Edges of which one row is there without the other, or says something else: found and mended.

Layer ``graph``. Where a batch is not atomic, a writer that ends between the two rows of an edge
leaves one. Sums over what rows say tell whether any differ, in one scan and a fixed amount of
memory; only where they do is more looked at. What was acknowledged is in both rows, so either may
be kept.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from lexigraph.graph.admin.edge_rows import Content, EdgeCell, EdgeRows, Key, read_edges
from lexigraph.graph.write.delete import check_reach
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.stored.pending import merge_spans, spans_of
from lexigraph.schema.model import VERTEX
from lexigraph.security import ALL
from lexigraph.store import Mutations, Snapshot

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
            for table, some in self._by_table(found[start : start + BATCH]).items():
                self._mend(table, some)

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
        found: dict[tuple[Key, ...], EdgeRows] = {}
        for one in read_edges(self.stored, name, moment):
            if _bucket(one) in chosen:
                found.setdefault(one.keys, EdgeRows(name, one.keys)).add(one)
        return [rows for rows in found.values() if not rows.agree]

    def _by_table(self, found: Iterable[EdgeRows]) -> dict[str, list[EdgeRows]]:
        tables: dict[str, list[EdgeRows]] = {}
        for one in found:
            tables.setdefault(self.stored.table_of(one.group), []).append(one)
        return tables

    def _mend(self, table: str, some: list[EdgeRows]) -> None:
        gone, written = Mutations(), Mutations()
        for one in some:
            if self.stored.schema.groups[one.group].aggregates:
                self._replace(one, gone, written)
            else:
                _complete(one, written)
        if len(gone.batch()):
            self.engine.write({table: gone}, authorizations=ALL)
        # What is written has the time that it had, and markers hide what is older than they are:
        # these, and those of a delete that ended between two rows.
        if self.engine.stats(table).delete_markers:
            rows = {cell.row for cell in written.batch().cells}
            merge_spans(self.engine, table, spans_of(self.engine, table, rows))
        self.engine.write({table: written}, authorizations=ALL)

    def _replace(self, rows: EdgeRows, gone: Mutations, written: Mutations) -> None:
        # Not merged: what is summed would count twice. One row is taken as it is.
        kept, group = rows.newest, self.stored.schema.groups[rows.group]
        for place, key in enumerate(rows.keys):
            if rows.contents(place) == rows.contents(kept.place):
                continue
            if rows.held[place] or group.rules:
                # Also what a rule hides.
                check_reach(self.engine, group, kept.cell.timestamp)
                row, family, qualifier, label = key
                gone.delete(row, family, qualifier, visibility=label)
            _put(written, key, kept)


def _bucket(one: EdgeCell) -> int:
    return one.number >> 112


def _complete(rows: EdgeRows, written: Mutations) -> None:
    # Duplicates stand side by side, so what a row lacks is added, each at its own time.
    most: Counter[Content] = Counter()
    known: dict[Content, EdgeCell] = {}
    for place, held in enumerate(rows.held):
        most |= rows.contents(place)
        known |= {one.content: one for one in held}
    for place, key in enumerate(rows.keys):
        for content, count in (most - rows.contents(place)).items():
            for _ in range(count):
                _put(written, key, known[content])


def _put(written: Mutations, key: Key, one: EdgeCell) -> None:
    row, family, qualifier, label = key
    time, value = one.cell.timestamp, one.cell.value
    written.put(row, family, qualifier, value, visibility=label, timestamp=time)
