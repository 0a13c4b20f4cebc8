"""How an entry of an index is written: the value of one field first, then the element's own key.

Layer ``index``. An entry has the family, the qualifier and the label of its element, and no value.
Its row is the number of the index, the value as the element's key holds it, and the row of the
element: so the element is found from the entry, and the entry from the element's key alone.
"""

from __future__ import annotations

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.mutations import MutationBatch
from lexigraph.errors import UnsupportedError
from lexigraph.keyplan import KeyPlan
from lexigraph.keyplan.columns.field_first import FieldFirst
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.stored.indexes import StoredIndex

NUMBER_BYTES = 4


class IndexEntries:
    """The entries of one index, of one schema of its graph."""

    def __init__(self, stored: StoredGraph, index: StoredIndex) -> None:
        self.index, self.table = index, stored.index_table
        self.plan: KeyPlan = stored.plan_of(index.group)
        self.start = index.number.to_bytes(NUMBER_BYTES, "big")
        field = stored.layout.field(index.group, index.field)
        self._first = FieldFirst(self.plan, index.group, field, self.start)

    def of_cells(self, cells: CellBatch, *, deleted: bool) -> MutationBatch | None:
        """Return the entries of elements, or markers for them; ``None`` if no cell has one.

        Each element has one entry for each of its labels: that of the row which counts once. Cells
        of other groups have none.
        """
        made = self._first.of(cells, deleted=deleted)
        # Their time is that of the commit, whatever time the elements have.
        return MutationBatch(made, bytes(len(made))) if len(made) else None

    def value_start(self, key_form: bytes) -> bytes:
        """Return what the rows of all entries of a value start with."""
        return self._first.start_of(key_form)

    def element_row(self, row: bytes) -> bytes | None:
        """Return the row of the element of an entry; ``None`` if this is an entry of another."""
        return self._first.element_row(row)


def check_number(number: int) -> int:
    """Return the number of a new index, unless all have been used."""
    if number >= 1 << 8 * NUMBER_BYTES:
        raise UnsupportedError("a graph has had as many indexes as it can have numbers for")
    return number
