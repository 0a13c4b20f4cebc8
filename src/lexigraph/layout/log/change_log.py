"""The change log of one graph: its cursors, and from where it is read.

Layer ``layout``; ``spec/changes.md``. A cursor only moves forward, except that it may start again
from now.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import chain
from uuid import uuid4

from lexigraph.cells.cell import Cell
from lexigraph.cells.mutations import MutationBatch, Mutations
from lexigraph.cells.ranges import Range
from lexigraph.errors import Conflict, CursorNotFound, nearest, show
from lexigraph.layout.log.entries import LogEntry
from lexigraph.layout.log.keeping import LogKeeping
from lexigraph.layout.log.rows import (
    CURSOR,
    ENTRY,
    LAST,
    LOADS,
    LogPlace,
    StoredCursor,
    commits_after,
    cursor_row,
    time_of_row,
)
from lexigraph.security import All, Authorizations
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.snapshot import Snapshot
from lexigraph.store.spi import Unchanged

CHUNK_ENTRIES = 64
"""How many parts of entries are read at once."""
_TRIES = 50


@dataclass(frozen=True, slots=True)
class LogChunk:
    """Some entries in order, each with its commit; ``more`` tells whether there may be others."""

    entries: list[tuple[int, LogEntry]]
    more: bool


@dataclass(frozen=True, slots=True)
class CursorState:
    """A cursor, about how many changes wait for it, and whether some of them are gone."""

    cursor: StoredCursor
    waiting: int
    expired: bool

    __hash__ = None  # type: ignore[assignment]


class ChangeLog(LogKeeping):
    """The log of one graph."""

    def find(self, name: str, snapshot: Snapshot | None = None) -> StoredCursor | None:
        """Return a cursor; ``None`` if there is none of that name."""
        cells = self.cells([Range.row(cursor_row(name))], CURSOR, snapshot)
        return next((StoredCursor.from_bytes(name, one.value) for one in cells), None)

    def get(self, name: str, snapshot: Snapshot | None = None) -> StoredCursor:
        """Return a cursor that is there."""
        found = self.find(name, snapshot)
        if found is None:
            names = [one.name for one in self.cursors(snapshot)]
            raise CursorNotFound(f"there is no cursor {show(name)}", near=nearest(name, names))
        return found

    def read(self, place: LogPlace, snapshot: Snapshot) -> LogChunk:
        """Return the next entries of which a cursor at a place may not have seen everything."""
        first = place.commit + (place.passed == LAST)
        rows: list[Cell] = []
        more = False
        spec = ScanSpec(ranges=[commits_after(first)], columns=[(ENTRY, None)])
        with self.engine.scan(self.table, spec, snapshot=snapshot, batch_cells=4) as batches:
            for cell in chain.from_iterable(batches):
                # The parts of one commit come together.
                if len(rows) >= CHUNK_ENTRIES and time_of_row(cell) != time_of_row(rows[-1]):
                    more = True
                    break
                rows.append(cell)
        last = time_of_row(rows[-1]) if more else None
        loads = [
            one
            for one in self.cells([Range.prefix(LOADS)], ENTRY, snapshot)
            if one.timestamp >= first and (last is None or one.timestamp <= last)
        ]
        ordered = sorted([*rows, *loads], key=lambda one: (time_of_row(one), one.row))
        found = [(time_of_row(one), LogEntry.from_bytes(one.value)) for one in ordered]
        return LogChunk(found, more)

    def add(
        self, name: str, authorizations: Authorizations | All, unchanged: Unchanged
    ) -> StoredCursor:
        """Store a cursor that starts at the commit which stores it."""
        made: list[StoredCursor] = []

        def make(commit: int) -> dict[str, MutationBatch]:
            place = LogPlace(commit, LAST)
            made[:] = [StoredCursor(name, authorizations, place, place, uuid4().hex)]
            return {self.table: self.put(made[0]).batch()}

        self.engine.write_made([self.table], make, if_unchanged=unchanged)
        return made[0]

    def restart(self, cursor: StoredCursor) -> StoredCursor:
        """Let a cursor start from now."""
        made: list[StoredCursor] = []

        def make(commit: int) -> dict[str, MutationBatch]:
            place = LogPlace(commit, LAST)
            made[:] = [replace(cursor, place=place, seen=place)]
            return {self.table: self.put(made[0]).batch()}

        def write(unchanged: Unchanged, now: StoredCursor) -> StoredCursor:
            self.engine.write_made([self.table], make, if_unchanged=unchanged)
            return made[0]

        return self._change(cursor, write)

    def move(self, cursor: StoredCursor, place: LogPlace, seen: LogPlace) -> StoredCursor:
        """Move a cursor forward; one that is there already stays."""

        def write(unchanged: Unchanged, now: StoredCursor) -> StoredCursor:
            moved = replace(now, place=max(place, now.place), seen=max(seen, now.seen))
            if moved != now:
                self.engine.write({self.table: self.put(moved)}, if_unchanged=unchanged)
            return moved

        return self._change(cursor, write)

    def _change(
        self, cursor: StoredCursor, write: Callable[[Unchanged, StoredCursor], StoredCursor]
    ) -> StoredCursor:
        row = [(self.table, Range.row(cursor_row(cursor.name)))]
        for tries_left in reversed(range(_TRIES)):
            with self.engine.snapshot() as snapshot:
                now = self.get(cursor.name, snapshot)
                if now.id != cursor.id:
                    raise CursorNotFound(
                        f"cursor {cursor.name!r} was dropped, and there is a new one of its name"
                    )
                try:
                    return write((snapshot, row), now)
                except Conflict:
                    if not tries_left:
                        raise
        raise AssertionError

    def waiting(self) -> list[CursorState]:
        """Return all cursors with how much waits for each."""
        with self.engine.snapshot() as snapshot:
            cursors, horizon = self.cursors(snapshot), self.horizon(snapshot)
            waiting = [0] * len(cursors)
            for one in self.kept(snapshot):
                end = LogPlace(one.commit, LAST)
                for at, cursor in enumerate(cursors):
                    waiting[at] += one.changes if cursor.place < end else 0
        return [
            CursorState(cursor, count, horizon is not None and cursor.place < horizon.place)
            for cursor, count in zip(cursors, waiting, strict=True)
        ]

    def drop_cells(self, name: str) -> MutationBatch:
        """Return what removes a cursor."""
        return Mutations().delete(cursor_row(name), CURSOR).batch()
