"""The one way into a graph: element changes become cells, which go to a sink.

Layer ``layout``. Adding, loading, deleting, transactions and repairs hand changes over and make no
cells of their own. Changes come one by one or in columns; both give the same cells.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.cells.mutations import MutationBatch
from lexigraph.errors import UnsupportedError
from lexigraph.keyplan import Element
from lexigraph.keyplan.model import SINGLE
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.write.batching import Batching
from lexigraph.layout.write.changes import Add, Change, Delete, Restore
from lexigraph.layout.write.doomed import Doomed, markers
from lexigraph.layout.write.doomed_cells import DoomedCells
from lexigraph.layout.write.encoding import Encoded, TableEncoder
from lexigraph.layout.write.sinks import Batches, Sink
from lexigraph.schema import Group

Check = Callable[[MutationBatch], object]
"""Looks at cells before they go to the sink, and refuses them by raising."""


class Writer:
    """Turns changes of one graph into cells and hands them to a sink.

    >>> from lexigraph.layout.write.sinks import Commit
    >>> from lexigraph.schema import Group, Schema, ValueType
    >>> from lexigraph.security import ALL
    >>> from lexigraph.store import MemoryEngine
    >>> person = Group("person", "vertex", {"vertex": ValueType("str")})
    >>> graph = StoredGraph.create(MemoryEngine(), "people", Schema({"person": person}))
    >>> writer = Writer(graph, Commit(graph, ALL))
    >>> writer.take(Add(Element("vertex", "person", vertex="ann"), timed=False))
    >>> writer.held, writer.flush() is not None, writer.held
    (1, True, 0)
    """

    def __init__(self, stored: StoredGraph, sink: Sink, *, check: Check | None = None) -> None:
        self.stored, self._sink, self._check = stored, sink, check
        self._added = Batching(stored)
        self.doomed = Doomed()
        """What is to be deleted: see :class:`~.removing.Removal`."""
        self.doomed_cells = DoomedCells()
        """The same, of what came in columns."""
        self._restored: dict[str, list[Cell]] = {}
        self._replaced: dict[str, list[Cell]] = {}
        self._encoders: dict[str, TableEncoder] = {}

    @property
    def held(self) -> int:
        """How many elements were added and not written yet."""
        return self._added.elements

    def take(self, change: Change) -> None:
        """Hold a change until the next ``flush``."""
        match change:
            case Add(element, timed):
                table = self.stored.table_of(element.group)
                self._added.add(table, self.stored.layout.derive(element), timed=timed)
            case Delete(element):
                group = self.stored.schema.groups[element.group]
                self._check_reach(group, element.timestamp)
                self.doomed.add(self.stored.table_of(group.name), group, self.columns(element))
            case Restore(element, key, cell, replaces):
                table = self.stored.table_of(element.group)
                if replaces:
                    group = self.stored.schema.groups[element.group]
                    self._check_reach(group, cell.timestamp)
                    self._replaced.setdefault(table, []).append(Cell(*key))
                there = Cell(*key, timestamp=cell.timestamp, value=cell.value)
                self._restored.setdefault(table, []).append(there)

    def delete_cells(self, group: Group, batch: CellBatch) -> None:
        """Hold stored cells of elements of a group, to be deleted with their columns.

        The caller hands over all rows of each element, each cell once.
        """
        if len(batch):
            self._check_reach(group, max(batch.timestamp))
            self.doomed_cells.add(self.stored.table_of(group.name), group, batch)

    def flush(self) -> int | None:
        """Hand the adds held to the sink; return the time of the commit, if there is one."""
        batches = self.take_cells()
        return self.send(batches) if batches else None

    def take_cells(self) -> dict[str, MutationBatch]:
        """Return the cells of the adds held, and hold them no longer."""
        return self._added.take()

    def encode(self, group: str, table: Any, *, now: int, skips: bool) -> Encoded | None:
        """Return the cells of elements in columns; ``None`` if they have to come one by one."""
        encoder = self._encoders.get(group)
        if encoder is None:
            encoder = self._encoders[group] = TableEncoder(self.stored, group)
        return encoder.encode(table, now=now, skips=skips)

    def send(self, batches: Batches) -> int | None:
        """Hand cells that this writer made to the sink."""
        return self._sink.write(self.checked(batches))

    def checked(self, batches: Batches) -> Batches:
        """Return cells as they are to be written, or raise."""
        if self._check is not None:
            for batch in batches.values():
                self._check(batch)
        return batches

    def columns(self, element: Element) -> list[Cell]:
        """Return a cell for each column of a stored element, in all its rows, without a value."""
        value = self.stored.plan.decoder.groups[element.group].value
        if value.form != SINGLE:
            # What a sketch shows is not what it is made from, and markers have no value.
            names = value.names
            kept = {name: one for name, one in element.properties.items() if name not in names}
            element = replace(element, properties=kept)
        return self.stored.plan.encode(element)

    def restored(self) -> tuple[Batches, Batches]:
        """Return what restoring removes and, to be written after it, what it puts back."""
        put = {
            table: MutationBatch(CellBatch.from_cells(cells), bytes([1]) * len(cells))
            for table, cells in self._restored.items()
        }
        gone = markers(self._replaced)
        self._restored, self._replaced = {}, {}
        return gone, put

    def _check_reach(self, group: Group, timestamp: int) -> None:
        """Raise if a marker written next would not hide a cell of this time."""
        engine = self.stored.engine
        if timestamp <= engine.now():
            return
        if group.timestamp is None:
            # Another client's clock is ahead of this one.
            engine.follow(timestamp)
            return
        raise UnsupportedError(
            f"an element of group {group.name!r} has a time in the future, and a delete removes "
            "only what is not newer than now",
            hint="Drop the graph, or delete the element after that time.",
        )
