"""The observer of an equality index: entries go in with the elements, and out with them.

Layer ``index``. Entries follow from the keys and labels of elements alone, so nothing is read. What
merges remove is not observed: an entry may be left without its element, and is verified when read.
"""

from __future__ import annotations

from collections.abc import Iterator

from lexigraph.index.entries import IndexEntries
from lexigraph.layout.observe.changed import Changed
from lexigraph.layout.observe.context import Context
from lexigraph.layout.observe.contract import Observed, Observer, Phase
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.stored.indexes import StoredIndex


class IndexObserver(Observer):
    """Keeps one index."""

    def __init__(self, stored: StoredGraph, index: StoredIndex) -> None:
        self.entries = IndexEntries(stored, index)

    def observe(self, changed: Changed, context: Context) -> Iterator[Observed]:
        """Yield entries of what is added, and markers for those of what is deleted."""
        entries, group = self.entries, self.entries.index.group
        for held in (changed.added, changed.restored):
            if group in held:
                made = entries.of_cells(held[group].cells, deleted=False)
                if made is not None:
                    yield Observed({entries.table: made}, Phase.BEFORE)
        # A load may have written an entry whose element is still to come.
        if group in changed.deleted and not context.loading:
            made = entries.of_cells(changed.deleted[group].cells, deleted=True)
            if made is not None:
                yield Observed({entries.table: made}, Phase.AFTER)
