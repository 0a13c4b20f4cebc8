"""What the rows of edges say, so that the rows of one edge can be compared.

Layer ``plan``. An edge stands in two rows (in as many as its layout has), which say the same
unless a writer ended between them. Parts of a sum are merged in any order and at any time, in each
row on its own: only what does not depend on that is compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import repeat
from typing import Any, cast

from lexigraph.functions.aggregators.base import Aggregator
from lexigraph.keyplan import StoredElement
from lexigraph.keyplan.model import SINGLE
from lexigraph.layout import Wanted
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.write.changes import ColumnKey, Restore
from lexigraph.plan.scope import Scope
from lexigraph.plan.targets.stored import read_place
from lexigraph.schema.model import Group
from lexigraph.security import ALL
from lexigraph.store import Cell, Snapshot

Content = tuple[int, bytes]
"""When a cell was written, the latest of its parts, and what it says."""


@dataclass(frozen=True, slots=True)
class EdgeCell:
    """A cell of an edge: of which edge, in which of its rows, and what it says."""

    element: StoredElement
    keys: tuple[ColumnKey, ...]
    """All cells of the edge, the one that counts once first."""
    place: int
    cell: Cell
    content: Content

    @property
    def number(self) -> int:
        """A number of 128 bits: the first 64 for the edge, the others for what is said of it."""
        digest = blake2b(digest_size=8)
        for key in self.keys:
            for part in key:
                digest.update(b"%d:" % len(part) + part)
        edge = digest.digest()
        digest.update(b"%d:" % self.content[0] + self.content[1])
        return int.from_bytes(edge + digest.digest(), "big")


class EdgeRows:
    """The cells of one edge under one label, row by row."""

    def __init__(self, group: str, keys: tuple[ColumnKey, ...]) -> None:
        self.group, self.keys = group, keys
        self.held: list[list[EdgeCell]] = [[] for _ in keys]

    def add(self, one: EdgeCell) -> None:
        """Take a cell."""
        self.held[one.place].append(one)

    def contents(self, place: int) -> Counter[Content]:
        """Return what one row says, duplicates counted."""
        return Counter(one.content for one in self.held[place])

    @property
    def agree(self) -> bool:
        """Whether all rows say the same."""
        first = self.contents(0)
        return all(self.contents(place) == first for place in range(1, len(self.keys)))

    @property
    def newest(self) -> EdgeCell:
        """The cell that was written last; of several, the one in the row that counts once."""
        return max(
            (one for row in self.held for one in row),
            key=lambda one: (one.cell.timestamp, -one.place),
        )

    def repairs(self, group: Group) -> Iterator[Restore]:
        """Yield the changes that make all rows say the same."""
        return self._replaced(group) if group.aggregates else self._completed()

    def _replaced(self, group: Group) -> Iterator[Restore]:
        """Yield what makes all rows say what the newest says.

        Not merged: what is summed would count twice. One row is taken as it is.
        """
        kept = self.newest
        for place, key in enumerate(self.keys):
            if self.contents(place) != self.contents(kept.place):
                # What is there goes first, also what a rule hides.
                replaces = bool(self.held[place] or group.rules)
                yield Restore(kept.element, key, kept.cell, replaces)

    def _completed(self) -> Iterator[Restore]:
        """Yield what rows lack: duplicates stand side by side, each at its own time."""
        most: Counter[Content] = Counter()
        known: dict[Content, EdgeCell] = {}
        for place, held in enumerate(self.held):
            most |= self.contents(place)
            known |= {one.content: one for one in held}
        for place, key in enumerate(self.keys):
            for content, count in (most - self.contents(place)).items():
                one = known[content]
                yield from repeat(Restore(one.element, key, one.cell, replaces=False), count)


def read_edges(stored: StoredGraph, name: str, moment: Snapshot | None) -> Iterator[EdgeCell]:
    """Read all cells of a group of edges, but for those that have one row only."""
    plan = stored.plan_of(name)
    says = _Contents(plan.decoder.groups[name].value)
    scope = Scope.over(stored, ALL, moment)
    for place in stored.layout.everything(Wanted(frozenset({name}), vertices=False)):
        for cell, element in read_place(scope, name, place):
            written = plan.encode(says.key_only(element))
            if len(written) > 1:
                keys = tuple(cast(ColumnKey, tuple(one[:4])) for one in written)
                at = keys.index(cast(ColumnKey, tuple(cell[:4])))
                yield EdgeCell(element, keys, at, cell, says.content(cell))


class _Contents:
    """Reads what cells of one group say."""

    def __init__(self, value: Any) -> None:
        self._value = value
        self._compared = [_is_compared(one) for one in value.aggregators]

    def content(self, cell: Cell) -> Content:
        states = self._value.read(cell.value, cell.timestamp)
        of = zip(self._value.aggregators, states, self._compared, strict=True)
        parts = [b"" if state is None else one.encode(state) for one, state, kept in of if kept]
        return cell.timestamp, b"".join(b"%d:" % len(part) + part for part in parts)

    def key_only(self, element: StoredElement) -> StoredElement:
        if self._value.form == SINGLE:
            return element
        names = self._value.names
        kept = {name: item for name, item in element.properties.items() if name not in names}
        return replace(element, properties=kept)


def _is_compared(one: Aggregator) -> bool:
    return one.canonical and (one.codec.name != "float" or one.order_free)
