"""Edges whose rows differ: found and repaired.

Layer ``graph``. What was acknowledged is in both rows of an edge, so either may be kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.write.repairing import repair_references
from lexigraph.layout.write.restoring import store_restored
from lexigraph.layout.write.sinks import Commit
from lexigraph.layout.write.writer import Writer
from lexigraph.plan.targets.edge_rows import EdgeRows
from lexigraph.plan.targets.half_edges import find_half_edges
from lexigraph.plan.targets.half_records import HalfRecord, HalfRecords
from lexigraph.schema.model import VERTEX
from lexigraph.security import ALL

BATCH = 1000


@dataclass(frozen=True, slots=True)
class HalfEdge:
    """An edge whose rows differ: it is found from one end, and not, or otherwise, from the other.

    ``element`` is the edge as the row has it that was written last; of a record it is its id.
    ``missing`` says that another row is not there at all.
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
        for name, group in self.stored.layout.schema.groups.items():
            if group.kind != VERTEX:
                yield from find_half_edges(self.stored, name)

    def find_records(self) -> Iterator[list[HalfRecord]]:
        """Yield the edges of records whose references differ from their own row."""
        records = self.stored.records
        if records is not None:
            yield from HalfRecords(self.stored.engine, records).find()

    def mend_records(self, found: list[HalfRecord]) -> None:
        """Make the references of each edge say what its own row says."""
        for start in range(0, len(found), BATCH):
            part = found[start : start + BATCH]
            missing = [fact for one in part for fact in one.missing]
            gone = [fact for one in part for subject in one.extra for fact in one.held[subject]]
            repair_references(self.stored, missing, gone)

    def mend(self, found: list[EdgeRows]) -> None:
        """Make the rows of each edge say the same."""
        commit = Commit(self.stored, ALL)
        for start in range(0, len(found), BATCH):
            writer = Writer(self.stored, commit)
            for one in found[start : start + BATCH]:
                for change in one.repairs(self.stored.schema.groups[one.group]):
                    writer.take(change)
            store_restored(writer, commit)
