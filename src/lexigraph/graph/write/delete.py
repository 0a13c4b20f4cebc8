"""Deleting elements: those that the caller can read, under every label, in one write.

Layer ``graph``. What is to be deleted is read first, as the caller; the write counts only if
nothing of it has changed since. What the caller cannot read stays for those who can.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import Any

from lexigraph.errors import Conflict, LexigraphError, UnsupportedError
from lexigraph.graph.write.delete_report import DeleteReport
from lexigraph.graph.write.given import iter_given
from lexigraph.graph.write.identities import Identities
from lexigraph.keyplan import Element
from lexigraph.keyplan.model import SINGLE
from lexigraph.layout import Place
from lexigraph.layout.spi import ELEMENTS
from lexigraph.layout.stored.catalogue import CATALOGUE
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.stored.pending import LEASE_MICROS, Note, spans_of
from lexigraph.schema import Group
from lexigraph.schema.keys import label_of
from lexigraph.security import All
from lexigraph.store import (
    Cell,
    CellBatch,
    Engine,
    MutationBatch,
    Range,
    ScanSpec,
    Snapshot,
    StageSpec,
)

CHUNK_KEYS = 1000
"""How many keys of elements are deleted at once on an engine that stores row by row."""
TRIES = 20
_FILTER_PRIORITY = 50
_LOG = logging.getLogger("lexigraph.graph")


@dataclass(slots=True)
class DoomedKey:
    """The elements of one group that share a key: one under any number of labels, or duplicates."""

    table: str
    group: Group
    count: int = 0
    """How many elements the caller deletes; of a group that merges, one."""
    cells: dict[tuple[Any, ...], Cell] = field(default_factory=dict)
    """A cell of each column that they have, in all rows and under all labels."""


class Doomed:
    """Elements found in one snapshot that are to be deleted."""

    def __init__(self) -> None:
        self.keys: dict[tuple[str, bytes, bytes, bytes], DoomedKey] = {}
        self.read: list[tuple[str, Range]] = []
        """What was read to find them."""

    def add(self, table: str, group: Group, cells: Sequence[Cell]) -> None:
        """Take the cells of one element; under several labels it is still one."""
        first = cells[0]
        key = (table, first.row, first.family, first.qualifier)
        known = self.keys.get(key)
        if known is None:
            known = self.keys[key] = DoomedKey(table, group)
        known.count = 1 if group.aggregates else known.count + 1
        for cell in cells:
            known.cells[cell[:4]] = cell

    @property
    def count(self) -> int:
        """How many elements there are."""
        return sum(key.count for key in self.keys.values())

    def cells(self) -> dict[str, list[Cell]]:
        """Return a cell of each column that is to go, by table."""
        found: dict[str, list[Cell]] = {}
        for key in self.keys.values():
            found.setdefault(key.table, []).extend(key.cells.values())
        return found

    def parts(self, size: int) -> Iterator[Doomed]:
        """Yield them in parts of so many keys."""
        left = iter(self.keys.items())
        while held := dict(islice(left, size)):
            part = Doomed()
            part.keys = held
            yield part

    def report(self, timestamp: int | None = None) -> DeleteReport:
        """Return what deleting them removes."""
        groups: Counter[str] = Counter()
        for key in self.keys.values():
            groups[key.group.name] += key.count
        cells = sum(len(key.cells) for key in self.keys.values())
        return DeleteReport(groups, cells=cells, timestamp=timestamp)


def markers(cells: Mapping[str, Iterable[Cell]]) -> dict[str, MutationBatch]:
    """Return a delete marker for the column of each cell, by table; their time is the commit's."""
    batches = {}
    for table, held in cells.items():
        made = [cell._replace(deleted=True, value=b"", timestamp=0) for cell in held]
        batches[table] = MutationBatch(CellBatch.from_cells(made), bytes(len(made)))
    return batches


class Deleter:
    """Deletes elements of one graph as somebody."""

    def __init__(
        self, stored: StoredGraph, authorizations: Iterable[str | bytes] | All = ()
    ) -> None:
        self.stored = stored
        self.authorizations = stored.engine.check_granted(authorizations)

    def delete(self, elements: Any, *, visibility: str | bytes | None = None) -> DeleteReport:
        """Delete elements by their identity and return how many there were.

        Of group-by properties that an element does not name, all values count. ``visibility`` is
        the one label to delete under; without it, all that the caller can read. All of them go in
        one commit, or none; on an engine that stores row by row, a delete that fails says how many
        elements are gone, and the same delete again removes the others.
        """
        wanted = Identities(self.stored, iter_given(elements))
        engine = self.stored.engine
        if not engine.capabilities.transactions:
            return self._delete_by_row(wanted, visibility)
        for attempt in range(TRIES):
            with engine.snapshot() as snapshot:
                doomed = self.find(wanted, snapshot, visibility)
                wanted.duplicates.check()
                if not doomed.count:
                    break
                note, batches = self.note([doomed]), markers(doomed.cells())
                if note is not None:
                    batches[CATALOGUE] = self.stored.pending.write_note(note).batch()
                try:
                    timestamp = engine.write(
                        batches,
                        if_unchanged=(snapshot, doomed.read),
                        authorizations=self.authorizations,
                    )
                except Conflict as conflict:
                    if attempt == TRIES - 1:
                        conflict.hint = (
                            "Nothing was deleted: others keep writing to these elements. "
                            "Delete again, or fewer at once."
                        )
                        raise
                    continue
            self.settle(note)
            return doomed.report(timestamp)
        return DeleteReport()

    def find(
        self,
        wanted: Identities,
        snapshot: Snapshot | None,
        visibility: str | bytes | None = None,
    ) -> Doomed:
        """Find what is to be deleted, and what was read to find it."""
        label = None if visibility is None else label_of(visibility)
        doomed = Doomed()
        wanted.duplicates.begin()
        read: dict[str, list[Range]] = {}
        for name, place in wanted.places():
            table = self.stored.tables[place.table]
            read.setdefault(table, []).extend(place.ranges)
            for element in self._scan(table, name, place, snapshot):
                right_label = label is None or element.visibility == label
                if element.group == name and right_label and wanted.match(element):
                    self._doom(doomed, table, element)
                    if wanted.duplicates:
                        wanted.see(element)
        for table, ranges in read.items():
            doomed.read += [(table, one) for one in Range.merge(ranges)]
        return doomed

    def _delete_by_row(self, wanted: Identities, visibility: str | bytes | None) -> DeleteReport:
        # What is added meanwhile stays: a marker's time is that of its own commit.
        doomed = self.find(wanted, None, visibility)
        wanted.duplicates.check()
        if not doomed.count:
            return DeleteReport()
        engine, pending = self.stored.engine, self.stored.pending
        note = self.note([doomed], until=engine.now() + LEASE_MICROS)
        timestamp, gone = None, 0
        try:
            for part in doomed.parts(CHUNK_KEYS):
                if note is not None and (not gone or note.until < engine.now() + LEASE_MICROS // 2):
                    note = replace(note, until=engine.now() + LEASE_MICROS)
                    pending.store(note)
                timestamp = engine.write(markers(part.cells()), authorizations=self.authorizations)
                gone += part.count
        except LexigraphError as error:
            if note is not None:
                with suppress(LexigraphError):
                    pending.release(note)
            error.context["deleted"] = gone
            error.hint = (
                f"{gone} of {doomed.count} elements are certainly deleted. "
                f"Call the same delete again to remove the rest. {error.hint}".rstrip()
            )
            raise
        self.settle(note)
        return doomed.report(timestamp)

    def note(self, doomed: Iterable[Doomed], *, until: int = 0) -> Note | None:
        """Return what is to be merged once these are deleted; ``None`` for nothing."""
        rows: dict[str, set[bytes]] = {}
        labels: set[bytes] = set()
        for key in chain.from_iterable(one.keys.values() for one in doomed):
            if key.group.timestamp is not None:
                rows.setdefault(key.table, set()).update(cell.row for cell in key.cells.values())
                labels.update(cell.visibility for cell in key.cells.values() if cell.visibility)
        if not rows:
            return None
        engine = self.stored.engine
        spans = {table: spans_of(engine, table, held) for table, held in rows.items()}
        return Note(spans, frozenset(labels), until)

    def settle(self, note: Note | None) -> None:
        """Let elements with older times of their own be added again.

        A marker hides whatever is older than itself, until a merge has taken both away. The delete
        is done already, and the next writer does what is noted: so a failure is only logged.
        """
        if note is None:
            return
        try:
            self.stored.pending.merge(note, own=True)
        except LexigraphError as error:
            _LOG.warning(
                "graph %s: the merge after a delete was skipped: %s", self.stored.name, error
            )

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
        cells = self.stored.plan.encode(self.key_only(element))
        check_reach(self.stored.engine, group, element.timestamp)
        doomed.add(table, group, cells)

    def key_only(self, element: Element) -> Element:
        """Return an element with what its key holds, and no value besides."""
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
        f"an element of group {group.name!r} has a time in the future, and a delete removes only "
        "what is not newer than now",
        hint="Drop the graph, or delete the element after that time.",
    )
