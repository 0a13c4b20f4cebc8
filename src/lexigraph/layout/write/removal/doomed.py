"""Elements that are to be deleted: their columns in all rows, and the markers that delete them.

Layer ``layout``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.cells.mutations import MutationBatch
from lexigraph.layout.observe.changed import Changed
from lexigraph.schema import Group


@dataclass(slots=True)
class DoomedKey:
    """The elements of one group that share a key: one under any number of labels, or duplicates."""

    table: str
    group: Group
    count: int = 0
    """How many elements the caller deletes; of a group that merges, one."""
    cells: dict[tuple[Any, ...], Cell] = field(default_factory=dict)
    """A cell of each column that they have, in all rows and under all labels."""


class Doomed:
    """Elements that are to be deleted, by their keys."""

    def __init__(self) -> None:
        self.keys: dict[tuple[str, bytes, bytes, bytes], DoomedKey] = {}

    def add(self, table: str, group: Group, cells: Sequence[Cell]) -> None:
        """Take the cells of one element; under several labels it is still one."""
        first = cells[0]
        key = (table, first.row, first.family, first.qualifier)
        known = self.keys.get(key)
        if known is None:
            known = self.keys[key] = DoomedKey(table, group)
        known.count = 1 if group.aggregates else known.count + 1
        for cell in cells:
            known.cells[cell[:4]] = cell

    def join(self, others: Doomed) -> None:
        """Take others too."""
        for name, key in others.keys.items():
            known = self.keys.setdefault(name, key)
            known.cells |= key.cells

    @property
    def count(self) -> int:
        """How many elements there are."""
        return sum(key.count for key in self.keys.values())

    @property
    def groups(self) -> Counter[str]:
        """How many elements there are of each group."""
        found: Counter[str] = Counter()
        for key in self.keys.values():
            found[key.group.name] += key.count
        return found

    @property
    def columns(self) -> int:
        """How many columns go."""
        return sum(len(key.cells) for key in self.keys.values())

    def cells(self) -> dict[str, list[Cell]]:
        """Return a cell of each column that is to go, by table."""
        found: dict[str, list[Cell]] = {}
        for key in self.keys.values():
            found.setdefault(key.table, []).extend(key.cells.values())
        return found

    def late(self) -> tuple[dict[str, set[bytes]], set[bytes]]:
        """Return rows and labels of groups with times of their own: rows by table."""
        rows: dict[str, set[bytes]] = {}
        labels: set[bytes] = set()
        for key in self.keys.values():
            if key.group.timestamp is not None:
                rows.setdefault(key.table, set()).update(cell.row for cell in key.cells.values())
                labels.update(cell.visibility for cell in key.cells.values() if cell.visibility)
        return rows, labels

    def parts(self, size: int) -> Iterator[Doomed]:
        """Yield them in parts of so many keys."""
        left = iter(self.keys.items())
        while held := dict(islice(left, size)):
            part = Doomed()
            part.keys = held
            yield part

    def changed(self) -> Changed:
        """Return the deletes in columns; the time of their markers is that of the commit."""
        cells: dict[str, list[Cell]] = {}
        for key in self.keys.values():
            cells.setdefault(key.group.name, []).extend(key.cells.values())
        deleted = {group: marked(held) for group, held in cells.items()}
        return Changed(deleted=deleted, deleted_count=self.groups)


def marked(cells: Iterable[Cell]) -> MutationBatch:
    """Return a delete marker for the column of each cell; their time is that of the commit."""
    made = [cell._replace(deleted=True, value=b"", timestamp=0) for cell in cells]
    return MutationBatch(CellBatch.from_cells(made), bytes(len(made)))
