"""Entries about vertices that are erased, also those whose elements are gone already.

Layer ``index``. An element that a merge removed leaves its entry, and with it the ids of its key.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import Any

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.index.building import markers
from lexigraph.index.entries import NUMBER_BYTES, IndexEntries
from lexigraph.keyplan.model import IDENTITY
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.store import Range


def erase_entries(stored: StoredGraph, ids: Set[bytes], encode: Callable[[Any], bytes]) -> int:
    """Delete all entries of elements with one of these ids; return how many.

    Entries of an index that is not there any more go too: nobody can tell what they are about.
    """
    if stored.index_table not in stored.all_tables():
        return 0
    indexes = stored.indexes.now(stored).indexes
    known = {one.start: one for one in (IndexEntries(stored, index) for index in indexes)}
    count = 0
    for batch in stored.engine.read_raw(stored.index_table, [Range()]):
        gone = []
        for cell in batch:
            entries = known.get(cell.row[:NUMBER_BYTES])
            if entries is None or not ids.isdisjoint(map(encode, _ids(entries, cell))):
                gone.append(cell)
        if gone:
            count += len(gone)
            made = {stored.index_table: markers(CellBatch.from_cells(gone))}
            stored.engine.write(made, authorizations=stored.engine.grants)
    return count


def _ids(entries: IndexEntries, cell: Cell) -> list[Any]:
    row = entries.element_row(cell.row)
    fields = row and entries.plan.decoder.read_key(Cell(row, cell.family, cell.qualifier))
    return [fields[name] for name in IDENTITY if name in fields] if fields else []
