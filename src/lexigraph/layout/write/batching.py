"""Batches of cells for an engine, with equal elements merged before they are written.

Layer ``layout``. Merging here saves writing, and keeps the order of a batch for what asks for the
first or the last: all its cells get one time when they are committed.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from lexigraph.keyplan import StoredElement
from lexigraph.keyplan.values import States, ValueCodec
from lexigraph.layout.observe.changed import Changed
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.store import Cell, CellBatch, MutationBatch

_CellKey = tuple[Any, ...]


class _Merged:
    """The cells of one element; ``states`` once a second one has come."""

    __slots__ = ("cells", "states", "timed", "value")

    def __init__(self, cells: list[Cell], value: ValueCodec | None, *, timed: bool) -> None:
        self.cells, self.value, self.timed = cells, value, timed
        self.states: States | None = None


class Batching:
    """Gathers elements for one write, by group."""

    def __init__(self, stored: StoredGraph) -> None:
        self._plan_of = stored.plan_of
        self._values = {
            name: stored.plan_of(name).decoder.groups[name].value
            for name, group in stored.layout.schema.groups.items()
            if group.aggregates
        }
        self._merged: dict[str, dict[_CellKey, _Merged]] = {}
        self._alone: dict[str, list[_Merged]] = {}
        self._counts: Counter[str] = Counter()
        self.elements = 0

    def add(self, element: StoredElement, *, timed: bool) -> None:
        """Take an element; ``timed`` says that its own time counts."""
        cells = self._plan_of(element.group).encode(element)
        self.elements += 1
        self._counts[element.group] += 1
        value = self._values.get(element.group)
        if value is None:
            self._alone.setdefault(element.group, []).append(_Merged(cells, None, timed=timed))
            return
        one = cells[0]
        key = (one.row, one.family, one.qualifier, one.visibility, timed, one.timestamp)
        merged = self._merged.setdefault(element.group, {})
        earlier = merged.get(key)
        if earlier is None:
            merged[key] = _Merged(cells, value, timed=timed)
            return
        # Where the commit gives the time, the order in which elements were given stands for it.
        time = one.timestamp if timed else self.elements
        states = earlier.states
        if states is None:
            states = value.read(earlier.cells[0].value, one.timestamp if timed else 0)
        earlier.states = value.merge(states, value.read(one.value, time))

    def take(self) -> Changed:
        """Return what was gathered, and start anew."""
        changed = Changed(added_count=self._counts)
        for group in {*self._merged, *self._alone}:
            cells: list[Cell] = []
            timed = bytearray()
            entries = [*self._merged.get(group, {}).values(), *self._alone.get(group, [])]
            for entry in entries:
                cells += self._written(entry)
                timed += bytes([entry.timed]) * len(entry.cells)
            changed.added[group] = MutationBatch(CellBatch.from_cells(cells), bytes(timed))
        self._merged, self._alone, self._counts, self.elements = {}, {}, Counter(), 0
        return changed

    def _written(self, entry: _Merged) -> list[Cell]:
        value = entry.value
        if value is None or entry.states is None:
            return entry.cells
        write = value.write if entry.timed else value.write_untimed
        data = write(entry.states)
        return [cell._replace(value=data) for cell in entry.cells]
