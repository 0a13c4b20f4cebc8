"""Looking up elements by an index: from values of a field to the rows of elements.

Layer ``index``. Entries are read as the reader may, and only say where to look: whoever reads the
elements checks the conditions again, so an entry without its element shows nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lexigraph.cells.ranges import Range
from lexigraph.index.entries import IndexEntries
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.stored.indexes import USABLE, Declared, StoredIndex
from lexigraph.security import All, Authorizations
from lexigraph.store import Engine, ScanSpec, Snapshot
from lexigraph.store.scan.overlay import Overlay

MOST_VALUES = 1000
"""How many values one look-up takes."""
MOST_FOUND = 2_000
"""How many entries a look-up reads; with more, reading everything by column is as fast."""


class GraphIndexes:
    """The indexes of one graph, for questions."""

    def __init__(self, stored: StoredGraph) -> None:
        self._stored = stored
        self._entries: dict[StoredIndex, IndexEntries] = {}

    def of_group(self, group: str) -> list[StoredIndex]:
        """Return the indexes of a group as they are now, ready or not."""
        declared = self._stored.indexes.now(self._stored)
        return [one for one in declared.indexes if one.group == group]

    def entries(self, index: StoredIndex) -> IndexEntries:
        """Return how the entries of an index are written."""
        found = self._entries.get(index)
        if found is None:
            found = self._entries[index] = IndexEntries(self._stored, index)
        return found

    def at(self, snapshot: Snapshot | None) -> Declared:
        """Return the indexes of a snapshot."""
        return self._stored.indexes.at(self._stored, snapshot)


def find_rows(
    entries: IndexEntries,
    values: Sequence[bytes],
    engine: Engine | Overlay,
    authorizations: Authorizations | All,
    *,
    snapshot: Snapshot | None,
    timeout_s: float | None,
    record: Callable[[str, Sequence[Range]], object] | None,
) -> set[bytes] | None:
    """Return the rows of elements that have one of these values; ``None`` if they are too many."""
    starts = [entries.value_start(one) for one in dict.fromkeys(values)]
    found: set[bytes] = set()
    read = 0
    for start in starts:
        ranges = [Range.prefix(start)]
        if record is not None:
            record(entries.table, ranges)
        spec = ScanSpec(ranges=ranges, authorizations=authorizations)
        with engine.scan(entries.table, spec, snapshot=snapshot, timeout_s=timeout_s) as batches:
            for batch in batches:
                found.update(row[len(start) :] for row in batch.row)
                read += len(batch)
                if read > MOST_FOUND:
                    return None
    return found


def is_usable(index: StoredIndex, declared: Declared) -> bool:
    """Return whether an index that was ready is so at the moment that is read."""
    return any(one.number == index.number and one.state == USABLE for one in declared.indexes)
