"""Repairing the references of edges: what their rows say is written, what they do not is removed.

Layer ``layout``. Facts keep their times, so a repair changes no answer about the past either.
"""

from __future__ import annotations

from collections.abc import Iterable

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.cells.mutations import MutationBatch
from lexigraph.layout.observe.changed import Changed
from lexigraph.layout.records.cells import write_cell
from lexigraph.layout.records.facts import AnyFact
from lexigraph.layout.records.rows import VERTICES
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.write.record_commit import bound_records
from lexigraph.layout.write.sinks import Commit
from lexigraph.security import ALL


def repair_references(
    stored: StoredGraph, missing: Iterable[AnyFact], gone: Iterable[AnyFact]
) -> None:
    """Store facts of references, and remove the columns of others."""
    bound = bound_records(stored)
    cells = [write_cell(bound.rows, fact) for fact in missing]
    newest: dict[tuple[bytes, bytes, bytes, bytes], Cell] = {}
    for fact in gone:
        cell = write_cell(bound.rows, fact)
        key = (cell.row, cell.family, cell.qualifier, cell.visibility)
        if key not in newest or newest[key].timestamp < cell.timestamp:
            newest[key] = cell
    cells += [cell._replace(deleted=True, value=b"") for cell in newest.values()]
    batch = MutationBatch(CellBatch.from_cells(cells))
    Commit(stored, ALL).store(Changed(beside={bound.tables[VERTICES]: batch}))
