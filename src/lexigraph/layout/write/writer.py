"""The one way into a graph: element changes become cells, which go to a sink.

Layer ``layout``. Adding, loading, deleting, transactions and repairs hand changes over and make no
cells of their own. Changes come one by one or in columns; both give the same cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.cells.mutations import MutationBatch
from lexigraph.errors import UnsupportedError
from lexigraph.keyplan import StoredElement
from lexigraph.keyplan.model import SINGLE
from lexigraph.layout.observe.changed import Changed
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.write.batching import Batching
from lexigraph.layout.write.changes import Add, Change, Delete, Restore
from lexigraph.layout.write.encoding import Encoded, TableEncoder
from lexigraph.layout.write.removal.doomed import Doomed, marked
from lexigraph.layout.write.removal.doomed_cells import DoomedCells
from lexigraph.layout.write.sinks import Sink
from lexigraph.schema import Group

LabelsCheck = Callable[[Iterable[bytes]], object]
"""Looks at the labels of a batch before it goes to the sink, and refuses it by raising."""


class Writer:
    """Turns changes of one graph into cells and hands them to a sink.

    >>> from lexigraph.layout.write.sinks import Commit
    >>> from lexigraph.schema import Group, Schema, ValueType
    >>> from lexigraph.security import ALL
    >>> from lexigraph.store import MemoryEngine
    >>> person = Group("person", "vertex", {"vertex": ValueType("str")})
    >>> graph = StoredGraph.create(MemoryEngine(), "people", Schema({"person": person}))
    >>> writer = Writer(graph, Commit(graph, ALL))
    >>> writer.take(Add(StoredElement("vertex", "person", vertex="ann"), timed=False))
    >>> writer.held, writer.flush() is not None, writer.held
    (1, True, 0)
    """

    def __init__(
        self, stored: StoredGraph, sink: Sink, *, check: LabelsCheck | None = None
    ) -> None:
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
                self._added.add(self.stored.layout.derive(element), timed=timed)
            case Delete(element):
                group = self.stored.schema.groups[element.group]
                self._check_reach(group, element.timestamp)
                self.doomed.add(self.stored.table_of(group.name), group, self.columns(element))
            case Restore(element, key, cell, replaces):
                if replaces:
                    table = self.stored.table_of(element.group)
                    group = self.stored.schema.groups[element.group]
                    self._check_reach(group, cell.timestamp)
                    self._replaced.setdefault(table, []).append(Cell(*key))
                there = Cell(*key, timestamp=cell.timestamp, value=cell.value)
                self._restored.setdefault(element.group, []).append(there)

    def delete_cells(self, group: Group, batch: CellBatch) -> None:
        """Hold stored cells of elements of a group, to be deleted with their columns.

        The caller hands over all rows of each element, each cell once.
        """
        if len(batch):
            self._check_reach(group, max(batch.timestamp))
            self.doomed_cells.add(self.stored.table_of(group.name), group, batch)

    def flush(self) -> int | None:
        """Hand the adds held to the sink; return the time of the commit, if there is one."""
        changed = self.take_added()
        return self.send(changed) if changed else None

    def take_added(self) -> Changed:
        """Return the adds held, in columns, and hold them no longer."""
        return self._added.take()

    def encode(self, group: str, table: Any, *, now: int, skips: bool) -> Encoded | None:
        """Return the cells of elements in columns; ``None`` if they have to come one by one."""
        encoder = self._encoders.get(group)
        if encoder is None:
            encoder = self._encoders[group] = TableEncoder(self.stored, group)
        return encoder.encode(table, now=now, skips=skips)

    def send(self, changed: Changed) -> int | None:
        """Hand changes that this writer made to the sink."""
        return self._sink.write(self.checked(changed))

    def checked(self, changed: Changed) -> Changed:
        """Return changes as they are to be written, or raise."""
        self.check_labels(changed.added.values())
        return changed

    def check_labels(self, batches: Iterable[MutationBatch]) -> None:
        """Raise if a batch has labels that whoever writes must not write."""
        if self._check is not None:
            for batch in batches:
                self._check(batch.labels())

    def columns(self, element: StoredElement) -> list[Cell]:
        """Return a cell for each column of a stored element, in all its rows, without a value."""
        value = self.stored.plan_of(element.group).decoder.groups[element.group].value
        if value.form != SINGLE:
            # What a sketch shows is not what it is made from, and markers have no value.
            names = value.names
            kept = {name: one for name, one in element.properties.items() if name not in names}
            element = replace(element, properties=kept)
        return self.stored.plan_of(element.group).encode(element)

    def restored(self) -> tuple[Changed, Changed]:
        """Return what restoring removes and, to be written after it, what it puts back."""
        put = {
            group: MutationBatch(CellBatch.from_cells(cells), bytes([1]) * len(cells))
            for group, cells in self._restored.items()
        }
        gone = {table: marked(cells) for table, cells in self._replaced.items()}
        self._restored, self._replaced = {}, {}
        return Changed(beside=gone), Changed(restored=put)

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
