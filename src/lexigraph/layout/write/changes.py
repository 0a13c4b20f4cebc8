"""Element changes: the closed type of everything that can happen to the elements of a graph.

Layer ``layout``. Whoever changes a graph hands changes to the :class:`~.writer.Writer` and makes no
cells. Hiding, showing, soft deletes, labels that change, single properties and writes of an earlier
time will be further kinds of this type.
"""

from __future__ import annotations

from typing import NamedTuple

from lexigraph.cells.cell import Cell
from lexigraph.keyplan import StoredElement

ColumnKey = tuple[bytes, bytes, bytes, bytes]
"""Row, family, qualifier and visibility."""


class Add(NamedTuple):
    """An element to add. It fits its group; ``timed`` says that its own time counts."""

    element: StoredElement
    timed: bool


class Delete(NamedTuple):
    """A stored element to delete, under the one label that it has."""

    element: StoredElement


class Restore(NamedTuple):
    """A row of an element to write again as another of its rows has it, at the time of that."""

    element: StoredElement
    key: ColumnKey
    """Where to write it."""
    cell: Cell
    """What the other row holds."""
    replaces: bool
    """Whether what the row holds now goes first."""


Change = Add | Delete | Restore
