"""Edges whose rows differ: found and repaired.

Layer ``graph``. What was acknowledged is in both rows of an edge, so either may be kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lexigraph.errors import UnsupportedError
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.write.restoring import store_restored
from lexigraph.layout.write.sinks import Commit
from lexigraph.layout.write.writer import Writer
from lexigraph.plan.targets.edge_rows import EdgeRows
from lexigraph.plan.targets.half_edges import find_half_edges
from lexigraph.schema.model import VERTEX
from lexigraph.security import ALL

BATCH = 1000


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
        self.stored = stored
        stored.engine.check_granted(ALL)

    def find(self) -> Iterator[list[EdgeRows]]:
        """Yield the edges whose rows differ, some at a time, in an order of their own."""
        stored = self.stored
        if stored.records is not None and stored.engine.capabilities.atomic_unit == "row":
            raise UnsupportedError(
                "edges of records that are half-written cannot be found yet",
                hint="Add the edges again: an add writes all rows of an edge.",
            )
        for name, group in stored.layout.schema.groups.items():
            if group.kind != VERTEX:
                yield from find_half_edges(self.stored, name)

    def mend(self, found: list[EdgeRows]) -> None:
        """Make the rows of each edge say the same."""
        commit = Commit(self.stored, ALL)
        for start in range(0, len(found), BATCH):
            writer = Writer(self.stored, commit)
            for one in found[start : start + BATCH]:
                for change in one.repairs(self.stored.schema.groups[one.group]):
                    writer.take(change)
            store_restored(writer, commit)
