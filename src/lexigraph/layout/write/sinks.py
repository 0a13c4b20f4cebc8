"""Where the changes of a Writer go: a commit of the engine, or whatever else takes whole writes.

Layer ``layout``. A transaction keeps them until it ends, a bulk load sorts them, a sample of split
points only looks at them. What is stored is shown to the observers of the graph.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from lexigraph.layout.observe.changed import Changed, MadeOfRecords
from lexigraph.layout.observe.committing import store
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.security import All
from lexigraph.store.spi import Unchanged


class Sink(Protocol):
    """Takes changes that belong together."""

    def write(self, changed: Changed) -> int | None:
        """Take them; return the time of their commit if they are stored now."""


class Commit:
    """Stores each write at once, as one commit if the engine can."""

    def __init__(self, stored: StoredGraph, authorizations: Iterable[str | bytes] | All) -> None:
        self._stored = stored
        self._authorizations = stored.engine.check_granted(authorizations)

    def write(self, changed: Changed) -> int:
        """Store them, once the merges that deletes still owe are done."""
        self._stored.finish_merges()
        return self.store(changed)

    def store(
        self,
        changed: Changed,
        *,
        if_unchanged: Unchanged | None = None,
        made: MadeOfRecords | None = None,
    ) -> int:
        """Store them now; with ``if_unchanged``, Conflict if what was read has changed.

        ``made`` are cells of the same commit that are made of its time.
        """
        return store(self._stored, changed, self._authorizations, if_unchanged, made)
