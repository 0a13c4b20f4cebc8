"""The cells that a transaction adds, in the order of their writing, and found by their elements.

Layer ``layout``. Each cell is shown to the questions of the transaction once, and decoded at most
once to be found: so what a step costs does not grow with what is held.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from typing import Protocol

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.cells.mutations import MutationBatch
from lexigraph.keyplan import StoredElement
from lexigraph.layout.observe.changed import Changed
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.security import All, Authorizations, LabelCache

_Put = tuple[Cell, int]
"""A cell and whether it has a time of its own."""


class NamedElements(Protocol):
    """Elements that are meant, by their identity."""

    def all_keys(self) -> Iterable[Hashable]:
        """Return what the ids of each of them are known by."""

    def key_of(self, element: StoredElement) -> Hashable:
        """Return what the ids of any element are known by."""

    def match(self, element: StoredElement) -> bool:
        """Return whether an element is one of them."""


class HeldAdds:
    """Cells to add, by group; taken back by their elements.

    What the writer cannot read is not found: it can be added, and no delete reaches it.
    """

    def __init__(self, stored: StoredGraph, authorizations: Authorizations | All) -> None:
        self._stored, self._labels = stored, LabelCache(authorizations)
        self._puts: dict[str, list[_Put | None]] = {}
        """What was taken back is ``None``, so that the places of the others stay."""
        self._live: Counter[str] = Counter()
        self._shown: Counter[str] = Counter()
        self._found: Counter[str] = Counter()
        self._places: dict[Hashable, list[tuple[str, int]]] = {}
        self.count: Counter[str] = Counter()
        """How many elements are added, equal ones each counted."""

    def take(self, changed: Changed) -> None:
        """Hold what is added."""
        for group, batch in changed.added.items():
            pairs = zip(batch.cells, batch.timed, strict=True)
            self._puts.setdefault(group, []).extend(pairs)
            self._live[group] += len(batch)
        self.count += changed.added_count

    def batches(self) -> dict[str, MutationBatch]:
        """Return all of them by group, in columns."""
        return {group: _batch(self._left(group)) for group in self._puts if self._live[group]}

    def fresh(self) -> dict[str, MutationBatch]:
        """Return those that are not shown yet, by group, in columns."""
        fresh = {group: list(self._left(group, self._shown[group])) for group in self._puts}
        return {group: _batch(puts) for group, puts in fresh.items() if puts}

    def show_all(self) -> None:
        """Note that all of them are shown."""
        self._shown = Counter({group: len(puts) for group, puts in self._puts.items()})

    def matching(self, wanted: NamedElements) -> Iterator[StoredElement]:
        """Yield the elements that are meant and that the writer can read, each once."""
        for _, _, element in self._find(wanted):
            if element.once:
                yield element

    def withdraw(
        self, wanted: NamedElements, label: bytes | None
    ) -> tuple[list[tuple[str, Cell, StoredElement]], dict[str, MutationBatch]]:
        """Take back what is meant, under one label or all; return it, and what of it was shown."""
        gone: list[tuple[str, Cell, StoredElement]] = []
        shown: dict[str, list[_Put]] = {}
        for group, place, element in self._find(wanted):
            put = self._puts[group][place]
            assert put is not None
            if label is not None and put[0].visibility != label:
                continue
            gone.append((group, put[0], element))
            if place < self._shown[group]:
                shown.setdefault(group, []).append(put)
            self._puts[group][place] = None
            self._live[group] -= 1
            self.count[group] -= element.once
            if not self._live[group]:
                # Equal elements were merged, so that each of their cells stood for several.
                self.count[group] = 0
        return gone, {group: _batch(puts) for group, puts in shown.items()}

    def _find(self, wanted: NamedElements) -> list[tuple[str, int, StoredElement]]:
        self._note_places(wanted)
        found = []
        for key in wanted.all_keys():
            for group, place in self._places.get(key, ()):
                put = self._puts[group][place]
                if put is None or not self._labels.can_see(put[0].visibility):
                    continue
                element = self._stored.plan_of(group).decode(put[0])
                if element is not None and wanted.match(element):
                    found.append((group, place, element))
        return found

    def _note_places(self, wanted: NamedElements) -> None:
        """Note where the elements of cells are that came since the last time."""
        for group, puts in self._puts.items():
            plan = self._stored.plan_of(group)
            for place in range(self._found[group], len(puts)):
                put = puts[place]
                element = plan.decode(put[0]) if put is not None else None
                if element is not None:
                    self._places.setdefault(wanted.key_of(element), []).append((group, place))
            self._found[group] = len(puts)

    def _left(self, group: str, first: int = 0) -> Iterator[_Put]:
        puts = self._puts[group]
        return (one for one in (puts[place] for place in range(first, len(puts))) if one)


def _batch(puts: Iterable[_Put]) -> MutationBatch:
    listed = list(puts)
    cells = CellBatch.from_cells(cell for cell, _ in listed)
    return MutationBatch(cells, bytes(timed for _, timed in listed))
