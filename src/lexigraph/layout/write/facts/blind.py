"""Records that are added without looking, as cells: what the native encoder must give as well.

Layer ``layout``. For loads of what the core does not take. Only changes of one table see each
other; constraints are not judged, because nothing is read.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lexigraph.cells.mutations import MutationBatch
from lexigraph.layout.records.bound import BoundRecords
from lexigraph.layout.records.fact_reader import MemoryFacts
from lexigraph.layout.records.groups import MULTI
from lexigraph.layout.records.write.changes import AddEdge, AddVertex
from lexigraph.layout.records.write.writer import RecordWriter
from lexigraph.security import ALL


def blind_cells(
    bound: BoundRecords, changes: Iterable[AddVertex | AddEdge], stamp: int
) -> dict[str, MutationBatch]:
    """Return the cells of adds by the engine's table; those without a time get their commit's."""
    edges = {name: replace(one, multiplicity=MULTI) for name, one in bound.groups.edges.items()}
    groups = replace(bound.groups, edges=edges)
    writer = RecordWriter(
        bound.rows, MemoryFacts(bound.rows, now=stamp, groups=groups), ALL, groups
    )
    for one in changes:
        # An id that was chosen for a row is new: there is nothing to refuse.
        writer.take(replace(one, blind=True, new=False))
    made = {}
    for part, batch in writer.cells(stamp).items():
        timed = bytes(time != stamp for time in batch.cells.timestamp)
        made[bound.tables[part]] = MutationBatch(batch.cells, timed)
    return made
