"""The one place where what cells say becomes rows of elements.

Layer ``keyplan``. A cell of a summary is a whole element, so a row is added for each. An element of
many cells would be put together here: cells come in key order, those of one element follow each
other, and a row is complete when a cell of another element comes or ``finish`` is called. So the
rows of a scan never depend on where it was cut into batches. ``Rows`` of the native core is the
same in Rust.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lexigraph.keyplan.columns.building import ColumnBuilder
from lexigraph.keyplan.columns.frames import Frame
from lexigraph.keyplan.columns.kinds import Kind, Unheld
from lexigraph.keyplan.element import StoredElement
from lexigraph.keyplan.fields import Get


class RowColumn:
    """One column of the rows: how each group that has it gives its value."""

    def __init__(self, name: str, kind: Kind, getters: Mapping[str, Get]) -> None:
        self.name, self.kind, self.getters = name, kind, getters
        self.builder = ColumnBuilder(kind)

    def push(self, element: StoredElement) -> None:
        """Add what an element has."""
        get = self.getters.get(element.group)
        try:
            self.builder.push(None if get is None else get(element))
        except Unheld as unheld:
            raise unheld.refusal(self.name, self.kind) from None


class Assembler:
    """Makes rows of what was read from the cells of one scan, in their order."""

    def __init__(self, columns: Sequence[RowColumn]) -> None:
        self._columns = columns
        self._rows = 0

    def add(self, element: StoredElement) -> None:
        """Take what the next cell says."""
        for column in self._columns:
            column.push(element)
        self._rows += 1

    def take(self) -> Frame | None:
        """Return the rows that are complete, if any are; it goes on with the others."""
        rows, self._rows = self._rows, 0
        columns = [column.builder.take() for column in self._columns]
        return Frame(rows, columns) if rows else None

    def finish(self) -> Frame | None:
        """Return the rest: no cell comes any more."""
        return self.take()
