"""Repairing the references of an edge: what its row says is written, what it does not is removed.

Layer ``layout``. Facts keep their times, so a repair changes no answer about the past either.
"""

from __future__ import annotations

from collections.abc import Iterable

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.cells.mutations import MutationBatch
from lexigraph.layout.records.cells import write_cell
from lexigraph.layout.records.facts import AnyFact
from lexigraph.layout.records.rows import RecordRows


def repaired_references(
    rows: RecordRows, missing: Iterable[AnyFact], gone: Iterable[AnyFact]
) -> MutationBatch:
    """Return the cells that add facts, and the markers that remove the columns of others."""
    cells = [write_cell(rows, fact) for fact in missing]
    newest: dict[tuple[bytes, bytes, bytes, bytes], Cell] = {}
    for fact in gone:
        cell = write_cell(rows, fact)
        key = (cell.row, cell.family, cell.qualifier, cell.visibility)
        if key not in newest or newest[key].timestamp < cell.timestamp:
            newest[key] = cell
    cells += [cell._replace(deleted=True, value=b"") for cell in newest.values()]
    return MutationBatch(CellBatch.from_cells(cells))
