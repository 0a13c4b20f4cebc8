"""Deleting elements: those that the caller can read, under every label, in one write.

Layer ``graph``. What is to be deleted is read first, as the caller; the write counts only if
nothing of it has changed since. What the caller cannot read stays for those who can.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from lexigraph.errors import Conflict, UnsupportedError
from lexigraph.graph.given import iter_given
from lexigraph.graph.identities import Identities
from lexigraph.graph.stored import StoredGraph
from lexigraph.layout import Place
from lexigraph.layout.spi import ELEMENTS
from lexigraph.schema import Group
from lexigraph.schema.keys import label_of
from lexigraph.security import All
from lexigraph.store import Cell, Engine, Mutations, Range, ScanSpec, Snapshot, StageSpec
from lexigraph.store.plan import Element
from lexigraph.store.plan.model import SINGLE

BATCH = 1000
TRIES = 20
_FILTER_PRIORITY = 50
_MAX_MERGES = 100


class Doomed:
    """Elements found in one snapshot that are to be deleted."""

    def __init__(self) -> None:
        self.cells: dict[str, dict[tuple[bytes, ...], Cell]] = {}
        self.count = 0
        self.read: list[tuple[str, Range]] = []
        self.late: dict[str, set[bytes]] = {}
        """Rows of groups with a time of their own, by table."""
        self._seen: set[tuple[bytes, ...]] = set()

    def add(self, table: str, cells: Sequence[Cell], *, merges: bool) -> None:
        """Take the cells of one element; under several labels it is still one."""
        known = self.cells.setdefault(table, {})
        for cell in cells:
            known[tuple(cell[:4])] = cell
        counting = tuple(cells[0][:3])
        if not merges or counting not in self._seen:
            self._seen.add(counting)
            self.count += 1

    def mutations(self) -> dict[str, Mutations]:
        """Give the delete markers, by table."""
        batches = {}
        for table, cells in self.cells.items():
            batch = batches[table] = Mutations()
            for cell in cells.values():
                batch.delete(cell.row, cell.family, cell.qualifier, visibility=cell.visibility)
        return batches


class Deleter:
    """Deletes elements of one graph as somebody."""

    def __init__(
        self, stored: StoredGraph, authorizations: Iterable[str | bytes] | All = ()
    ) -> None:
        self.stored = stored
        self.authorizations = stored.engine.check_granted(authorizations)

    def delete(self, elements: Any, *, visibility: str | bytes | None = None) -> int:
        """Delete elements by their identity and return how many there were.

        Of group-by properties that an element does not name, all values count. ``visibility`` is
        the one label to delete under; without it, all that the caller can read. Many elements
        are deleted by the thousand, each thousand at once; a transaction deletes all at once.
        """
        given = iter_given(elements)
        count = 0
        while batch := list(islice(given, BATCH)):
            count += self._delete_batch(batch, visibility)
        return count

    def find(
        self,
        elements: Iterable[Any],
        snapshot: Snapshot | None,
        visibility: str | bytes | None = None,
    ) -> Doomed:
        """Find what is to be deleted, and what was read to find it."""
        wanted = Identities(self.stored, elements)
        label = None if visibility is None else label_of(visibility)
        doomed = Doomed()
        for name, place in wanted.places():
            table = self.stored.tables[place.table]
            doomed.read += [(table, one) for one in place.ranges]
            for element in self._scan(table, name, place, snapshot):
                right_label = label is None or element.visibility == label
                if element.group == name and right_label and wanted.match(element):
                    self._doom(doomed, table, element)
        return doomed

    def _delete_batch(self, batch: list[Any], visibility: str | bytes | None) -> int:
        engine = self.stored.engine
        if not engine.capabilities.transactions:
            return self._delete_found(batch, visibility)
        for attempt in range(TRIES):
            with engine.snapshot() as snapshot:
                doomed = self.find(batch, snapshot, visibility)
                if not doomed.count:
                    return 0
                try:
                    engine.write(
                        doomed.mutations(),
                        if_unchanged=(snapshot, doomed.read),
                        authorizations=self.authorizations,
                    )
                except Conflict:
                    if attempt == TRIES - 1:
                        raise
                    continue
            self.settle(doomed)
            return doomed.count
        return 0

    def _delete_found(self, batch: list[Any], visibility: str | bytes | None) -> int:
        # What is added meanwhile stays: a marker's time is that of its own commit.
        doomed = self.find(batch, None, visibility)
        if doomed.count:
            self.stored.engine.write(doomed.mutations(), authorizations=self.authorizations)
            self.settle(doomed)
        return doomed.count

    def settle(self, doomed: Doomed) -> None:
        """Let elements with older times of their own be added again.

        A marker hides whatever is older than itself, until a merge has taken both away.
        """
        for table, rows in doomed.late.items():
            merge_rows(self.stored.engine, table, rows)

    def _scan(
        self, table: str, group: str, place: Place, snapshot: Snapshot | None
    ) -> Iterator[Element]:
        stages = []
        if place.where is not None:
            options = {"plan": ELEMENTS, "where": {group: place.where}}
            stages.append(StageSpec("filter", options, _FILTER_PRIORITY))
        spec = ScanSpec(
            ranges=place.ranges,
            columns=place.columns,
            authorizations=self.authorizations,
            stages=stages,
        )
        for batch in self.stored.engine.scan(table, spec, snapshot=snapshot):
            for cell in batch:
                element = self.stored.plan.decode(cell)
                if element is not None:
                    yield element

    def _doom(self, doomed: Doomed, table: str, element: Element) -> None:
        group = self.stored.schema.groups[element.group]
        cells = self.stored.plan.encode(self._key_only(element))
        doomed.add(table, cells, merges=group.aggregates)
        check_reach(self.stored.engine, group, element.timestamp)
        if group.timestamp is not None:
            doomed.late.setdefault(table, set()).update(cell.row for cell in cells)

    def _key_only(self, element: Element) -> Element:
        value = self.stored.plan.decoder.groups[element.group].value
        if value.form == SINGLE:
            return element
        # What a sketch shows is not what it is made from, and markers have no value.
        kept = {name: item for name, item in element.properties.items() if name not in value.names}
        return replace(element, properties=kept)


def check_reach(engine: Engine, group: Group, timestamp: int) -> None:
    """See to it that a marker written next hides a cell of this time, or raise."""
    if timestamp <= engine.now():
        return
    if group.timestamp is None:
        # Another client's clock is ahead of this one.
        engine.follow(timestamp)
        return
    raise UnsupportedError(
        f"an element of group {group.name!r} has a time in the future, and a delete goes up to now",
        hint="Drop the graph, or delete it when that time has come.",
    )


def merge_rows(engine: Engine, table: str, rows: set[bytes]) -> None:
    """Merge some rows, so that no marker in them hides what is written with an older time."""
    if not engine.capabilities.row_merges:
        # Whatever the range, its tablets are merged as a whole: so each of them once.
        splits = engine.splits(table)
        tablets = {bisect_left(splits, row): row for row in rows}
        rows = set(tablets.values())
    if len(rows) <= _MAX_MERGES:
        for row in sorted(rows):
            engine.compact(table, range=Range.row(row))
    else:
        engine.compact(table, range=Range.rows(min(rows), max(rows)))
