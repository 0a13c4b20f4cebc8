"""A sample of the rows that elements would have: the sink of a writer that stores nothing.

Layer ``layout``. Equal input gives an equal sample.
"""

from __future__ import annotations

from random import Random

from lexigraph.layout.observe.changed import Changed
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.stored.splits import choose


class RowSample:
    """Keeps a ``proportion`` of the rows of each table."""

    def __init__(self, stored: StoredGraph, proportion: float) -> None:
        self._stored, self._proportion = stored, proportion
        self._random = Random(0)
        self._rows: dict[str, list[bytes]] = {}

    def write(self, changed: Changed) -> None:
        """Look at the cells of a write."""
        chance = self._random.random
        for remote, batch in changed.batches(self._stored.table_of).items():
            kept = [row for row in batch.cells.row if chance() < self._proportion]
            self._rows.setdefault(remote, []).extend(kept)

    def splits(self, count: int) -> dict[str, list[bytes]]:
        """Return so many split points of each table, by its name in the graph."""
        names = {remote: table for table, remote in self._stored.tables.items()}
        return {
            names[remote]: choose(sorted(set(rows)), count)
            for remote, rows in sorted(self._rows.items())
        }
