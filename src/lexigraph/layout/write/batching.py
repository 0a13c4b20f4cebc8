"""Batches of cells for an engine, with equal elements merged before they are written.

Layer ``graph``. Merging here saves writing, and keeps the order of a batch for what asks for the
first or the last: all its cells get one time when they are committed.
"""

from __future__ import annotations

from typing import Any

from lexigraph.keyplan import Element
from lexigraph.keyplan.values import States
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.store import Cell, CellBatch, MutationBatch

_CellKey = tuple[Any, ...]


class _Merged:
    """The cells of one element; ``states`` once a second one has come."""

    __slots__ = ("cells", "states", "timed")

    def __init__(self, cells: list[Cell], *, timed: bool) -> None:
        self.cells, self.timed = cells, timed
        self.states: States | None = None


class Batching:
    """Gathers elements for one write to all tables of a graph."""

    def __init__(self, stored: StoredGraph) -> None:
        self._plan = stored.plan
        groups = stored.schema.groups
        self._values = {
            name: reader.value
            for name, reader in self._plan.decoder.groups.items()
            if groups[name].aggregates
        }
        self._merged: dict[str, dict[_CellKey, _Merged]] = {}
        self._alone: dict[str, list[_Merged]] = {}
        self.elements = 0

    def add(self, table: str, element: Element, *, timed: bool) -> None:
        """Take an element for a table; ``timed`` says that its own time counts."""
        cells = self._plan.encode(element)
        self.elements += 1
        value = self._values.get(element.group)
        if value is None:
            self._alone.setdefault(table, []).append(_Merged(cells, timed=timed))
            return
        one = cells[0]
        key = (one.row, one.family, one.qualifier, one.visibility, timed, one.timestamp)
        merged = self._merged.setdefault(table, {})
        earlier = merged.get(key)
        if earlier is None:
            merged[key] = _Merged(cells, timed=timed)
            return
        # Where the commit gives the time, the order in which elements were given stands for it.
        time = one.timestamp if timed else self.elements
        states = earlier.states
        if states is None:
            states = value.read(earlier.cells[0].value, one.timestamp if timed else 0)
        earlier.states = value.merge(states, value.read(one.value, time))

    def take(self) -> dict[str, MutationBatch]:
        """Give what was gathered, by table, and start anew."""
        batches = {}
        for table in {*self._merged, *self._alone}:
            cells: list[Cell] = []
            timed = bytearray()
            entries = [*self._merged.get(table, {}).values(), *self._alone.get(table, [])]
            for entry in entries:
                cells += self._written(entry)
                timed += bytes([entry.timed]) * len(entry.cells)
            batches[table] = MutationBatch(CellBatch.from_cells(cells), bytes(timed))
        self._merged, self._alone, self.elements = {}, {}, 0
        return batches

    def _written(self, entry: _Merged) -> list[Cell]:
        if entry.states is None:
            return entry.cells
        place = self._plan.decoder.place(entry.cells[0].row, entry.cells[0].family)
        assert place is not None
        value = place.group.value
        write = value.write if entry.timed else value.write_untimed
        data = write(entry.states)
        return [cell._replace(value=data) for cell in entry.cells]
