"""Batches of cells for an engine, with equal elements merged before they are written.

Layer ``graph``. Merging here only saves writing: cells that stay apart are merged by the engine,
with the same answer.
"""

from __future__ import annotations

from typing import Any

from lexigraph.functions.extremes import First, Last
from lexigraph.graph.stored import StoredGraph
from lexigraph.store import Cell, CellBatch, MutationBatch
from lexigraph.store.plan import Element
from lexigraph.store.plan.values import States, ValueCodec

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
        self._by_time = {name for name, value in self._values.items() if _looks_at_time(value)}
        self._merged: dict[str, dict[_CellKey, _Merged]] = {}
        self._alone: dict[str, list[_Merged]] = {}
        self.elements = 0

    def add(self, table: str, element: Element, *, timed: bool) -> None:
        """Take an element for a table; ``timed`` says that its own time counts."""
        self.elements += 1
        cells = self._plan.encode(element)
        value = self._values.get(element.group)
        # First and last need a time, which the others get only when they are committed.
        if value is None or (not timed and element.group in self._by_time):
            self._alone.setdefault(table, []).append(_Merged(cells, timed=timed))
            return
        one = cells[0]
        key = (one.row, one.family, one.qualifier, one.visibility, timed, one.timestamp)
        merged = self._merged.setdefault(table, {})
        earlier = merged.get(key)
        if earlier is None:
            merged[key] = _Merged(cells, timed=timed)
            return
        states = earlier.states
        if states is None:
            states = value.read(earlier.cells[0].value, one.timestamp)
        earlier.states = value.merge(states, value.read(one.value, one.timestamp))

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
        data = place.group.value.write(entry.states)
        return [cell._replace(value=data) for cell in entry.cells]


def _looks_at_time(value: ValueCodec) -> bool:
    return any(isinstance(one, First | Last) for one in value.aggregators)
