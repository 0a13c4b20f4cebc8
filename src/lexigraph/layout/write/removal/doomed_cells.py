"""Elements that are to be deleted, as the columns of cells that a scan gave: nothing for each.

Layer ``layout``. Holds the keys alone; memory grows with how many cells go, and with nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.columns import BytesColumn
from lexigraph.cells.mutations import MutationBatch
from lexigraph.cells.ranges import Range, trusted_rows
from lexigraph.layout.observe.changed import Changed
from lexigraph.schema import Group


class DoomedCells:
    """Cells of elements that are to be deleted, in all rows and under all labels, each once."""

    def __init__(self) -> None:
        self.groups: Counter[str] = Counter()
        """How many elements there are of each group."""
        self.columns = 0
        """How many columns go."""
        self._held: dict[str, tuple[str, list[CellBatch]]] = {}
        self._rows: dict[str, set[bytes]] = {}
        self._labels: set[bytes] = set()

    def add(self, table: str, group: Group, batch: CellBatch) -> None:
        """Take some cells of elements of a group."""
        self.columns += len(batch)
        self._held.setdefault(group.name, (table, []))[1].append(_marking(batch))
        if group.timestamp is not None:
            self._rows.setdefault(table, set()).update(batch.row)
            self._labels |= batch.visibility.distinct() - {b""}

    def changed(self) -> Changed:
        """Return the deletes in columns; the time of their markers is that of the commit."""
        joined = {group: CellBatch.concat(held) for group, (_, held) in self._held.items()}
        deleted = {group: MutationBatch(one, bytes(len(one))) for group, one in joined.items()}
        return Changed(deleted=deleted, deleted_count=self.groups)

    def late(self) -> tuple[dict[str, set[bytes]], set[bytes]]:
        """Return rows and labels of groups with times of their own: rows by table."""
        return self._rows, self._labels

    def rows(self) -> Iterator[tuple[str, Range]]:
        """Yield each row with its table: what must not change before they are deleted."""
        for table, held in self._held.values():
            for batch in held:
                for row, _ in groupby(batch.row):
                    yield table, trusted_rows(row, row + b"\0")


def _marking(batch: CellBatch) -> CellBatch:
    count = len(batch)
    zeros = memoryview(bytes(8 * (count + 1))).cast("q")
    nothing = BytesColumn.trusted(zeros, memoryview(b""))
    return CellBatch.trusted(
        batch.row,
        batch.family,
        batch.qualifier,
        batch.visibility,
        zeros[:count],
        b"\1" * count,
        nothing,
    )
