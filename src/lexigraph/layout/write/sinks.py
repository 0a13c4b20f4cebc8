"""Where the cells of a Writer go: a commit of the engine, or whatever else takes whole batches.

Layer ``layout``. A transaction keeps them until it ends, a bulk load sorts them, a sample of split
points only looks at them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from lexigraph.cells.mutations import MutationBatch
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.security import All
from lexigraph.store.spi import Unchanged

Batches = Mapping[str, MutationBatch]
"""Cells to write, by the engine's name of their table."""


class Sink(Protocol):
    """Takes the cells of changes that belong together."""

    def write(self, batches: Batches) -> int | None:
        """Take them; return the time of their commit if they are stored now."""


class Commit:
    """Stores each write at once, as one commit where the engine can."""

    def __init__(self, stored: StoredGraph, authorizations: Iterable[str | bytes] | All) -> None:
        self._stored, self._authorizations = stored, authorizations

    def write(self, batches: Batches) -> int:
        """Store them, once the merges that deletes still owe are done."""
        self._stored.finish_merges()
        return self.store(batches)

    def store(self, batches: Batches, *, if_unchanged: Unchanged | None = None) -> int:
        """Store them now; with ``if_unchanged``, Conflict if what was read has changed."""
        return self._stored.engine.write(
            batches, if_unchanged=if_unchanged, authorizations=self._authorizations
        )
