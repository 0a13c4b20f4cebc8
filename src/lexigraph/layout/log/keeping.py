"""What the change log keeps, and for whom.

Layer ``layout``; section 4 of ``spec/changes.md``. An entry is removed when all cursors have
passed it, or when there are too many: then the cursors that needed it have expired and say so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from heapq import merge
from itertools import chain, groupby

from lexigraph.cells.cell import Cell
from lexigraph.cells.mutations import Mutations
from lexigraph.cells.ranges import Range
from lexigraph.errors import Conflict, CursorExpired
from lexigraph.layout.log.entries import ERASE
from lexigraph.layout.log.rows import (
    COMMITS,
    COUNT,
    CURSOR,
    CURSORS,
    ENTRY,
    HORIZON,
    LAST,
    LIMITS,
    LOADS,
    STATE,
    EntrySize,
    LogLimits,
    LogPlace,
    StoredCursor,
    cursor_row,
    limits_bytes,
    name_of_row,
    read_limits,
    time_of_row,
)
from lexigraph.store import Engine
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.snapshot import Snapshot

PAUSE_MICROS = 1_000_000
"""How long the log is not pruned again because a cursor moved."""
_TRIES = 50
_PRUNE_SHARE = 16
"""The log is pruned after this part of its limits was written."""
_ROUND_ENTRIES = 20_000
"""How many entries are removed in one commit."""
_COMPACT_BYTES = 16 << 20
"""The table is merged after so much was removed from it."""


@dataclass(frozen=True, slots=True)
class LogHorizon:
    """Up to where entries that somebody needed are gone, and why."""

    place: LogPlace
    reason: str


@dataclass(slots=True)
class KeptEntry:
    """An entry that is there, by its rows."""

    commit: int
    rows: list[bytes] = field(default_factory=list)
    changes: int = 0
    size_bytes: int = 0
    erasure: bool = False


@dataclass(slots=True)
class _Excess:
    """How much is to be removed, though it is needed."""

    changes: int = 0
    size_bytes: int = 0

    def takes(self, one: KeptEntry) -> bool:
        """Return whether an entry has to go, and count it."""
        if self.changes <= 0 and self.size_bytes <= 0:
            return False
        self.changes -= one.changes
        self.size_bytes -= one.size_bytes
        return True


class LogKeeping:
    """The table of a log, and what is removed from it; it reads nothing until it is asked."""

    def __init__(self, engine: Engine, table: str) -> None:
        self.engine, self.table = engine, table
        self._written = LogLimits(0, 0)
        self._limits: LogLimits | None = None
        self._pruned = 0
        self._removed_bytes = 0

    def cursors(self, snapshot: Snapshot | None = None) -> list[StoredCursor]:
        """Return all cursors by name."""
        cells = self.cells([Range.prefix(CURSORS)], CURSOR, snapshot)
        return [StoredCursor.from_bytes(name_of_row(one.row), one.value) for one in cells]

    def limits(self) -> LogLimits:
        """Return how much is kept."""
        cells = self.cells([Range.row(STATE)], LIMITS)
        return next((read_limits(one.value) for one in cells), LogLimits())

    def set_limits(self, limits: LogLimits) -> None:
        """Keep so much from now on."""
        self._limits = None
        made = Mutations().put(STATE, LIMITS, b"", limits_bytes(limits))
        self.engine.write({self.table: made})
        self.prune()

    def check_kept(self, name: str, place: LogPlace, snapshot: Snapshot | None = None) -> None:
        """Raise CursorExpired if entries after a place were removed."""
        horizon = self.horizon(snapshot)
        if horizon is not None and place < horizon.place:
            raise CursorExpired(f"cursor {name!r} fell behind: {horizon.reason}", name=name)

    def horizon(self, snapshot: Snapshot | None) -> LogHorizon | None:
        """Return up to where entries are gone that a cursor needed."""
        for cell in self.cells([Range.row(STATE)], HORIZON, snapshot):
            said = json.loads(cell.value)
            end = cell.timestamp if said["commit"] is None else said["commit"]
            return LogHorizon(LogPlace(end, LAST), said["reason"])
        return None

    def put(self, cursor: StoredCursor, made: Mutations | None = None) -> Mutations:
        """Write a cursor, to what is written already."""
        made = Mutations() if made is None else made
        return made.put(cursor_row(cursor.name), CURSOR, b"", cursor.to_bytes())

    def note_written(self, changes: int, size_bytes: int) -> None:
        """Count what this process has written since it pruned the log."""
        known = self._written
        self._written = LogLimits(known.changes + changes, known.size_bytes + size_bytes)

    def prune_if_due(self) -> None:
        """Prune the log, if enough was written since this process did so."""
        if self._limits is None:
            self._limits = self.limits()
        written, limits = self._written, self._limits
        if (
            written.changes * _PRUNE_SHARE > limits.changes
            or written.size_bytes * _PRUNE_SHARE > limits.size_bytes
        ):
            self.prune()

    def prune_passed(self, place: LogPlace) -> None:
        """Remove what all cursors have passed, unless this was done a moment before."""
        if place.commit >= self._pruned + PAUSE_MICROS:
            self._pruned = place.commit
            while self._prune(None):
                pass

    def prune(self) -> None:
        """Remove what all cursors have passed, and the oldest of what is too much."""
        self._written = LogLimits(0, 0)
        self._limits = self.limits()
        while self._prune(self._limits):
            pass

    def _prune(self, limits: LogLimits | None) -> bool:
        """Remove some of it; return whether there may be more."""
        with self.engine.snapshot() as snapshot:
            places = [one.place for one in self.cursors(snapshot)]
            passed = min(places, default=LogPlace(snapshot.timestamp or 0, LAST))
            excess = _Excess() if limits is None else self._excess(snapshot, passed, limits)
            gone, lost = list[KeptEntry](), list[KeptEntry]()
            for one in self.kept(snapshot):
                if LogPlace(one.commit, LAST) <= passed:
                    gone.append(one)
                elif excess.takes(one):
                    lost.append(one)
                else:
                    break
                if len(gone) + len(lost) >= _ROUND_ENTRIES:
                    break
            made = Mutations()
            _remove(made, [*gone, *lost])
            if lost:
                reason = "it was too far behind, and what it had not seen was removed"
                _put_horizon(made, reason, lost[-1].commit)
            if not len(made):
                return False
            watched = [(self.table, Range.prefix(CURSORS)), (self.table, Range.row(STATE))]
            try:
                self.engine.write({self.table: made}, if_unchanged=(snapshot, watched))
            except Conflict:
                # A cursor has moved; the next one who prunes sees it.
                return False
        self._removed_bytes += sum(one.size_bytes for one in (*gone, *lost))
        if self._removed_bytes > _COMPACT_BYTES:
            self._removed_bytes = 0
            self.engine.compact(self.table)
        return len(gone) + len(lost) >= _ROUND_ENTRIES

    def _excess(self, snapshot: Snapshot, passed: LogPlace, limits: LogLimits) -> _Excess:
        """Return how much there is more than the limits allow."""
        changes = size_bytes = 0
        for one in self.kept(snapshot):
            if LogPlace(one.commit, LAST) > passed:
                changes, size_bytes = changes + one.changes, size_bytes + one.size_bytes
        return _Excess(changes - limits.changes, size_bytes - limits.size_bytes)

    def expire(self, reason: str) -> None:
        """Remove all entries, if there is a log; every cursor has to start again."""

        def all_of(snapshot: Snapshot, made: Mutations) -> None:
            _remove(made, list(self.kept(snapshot)))
            _put_horizon(made, reason, None)

        self._rewrite(all_of)

    def forget(self, reason: str, missed: Callable[[StoredCursor, Snapshot], bool]) -> None:
        """Remove all entries that name elements.

        Cursors that ``missed`` something of them have expired. The others do not notice.
        """

        def named(snapshot: Snapshot, made: Mutations) -> None:
            gone = [one for one in self.kept(snapshot) if not one.erasure]
            if not gone:
                return
            _remove(made, gone)
            end = LogPlace(gone[-1].commit, LAST)
            _put_horizon(made, reason, end.commit)
            for cursor in self.cursors(snapshot):
                if cursor.place < end and not missed(cursor, snapshot):
                    self.put(replace(cursor, place=end), made)

        self._rewrite(named)

    @property
    def exists(self) -> bool:
        """Whether there is a table: there was a cursor."""
        return self.table in self.engine.tables()

    def _rewrite(self, change: Callable[[Snapshot, Mutations], None]) -> None:
        if not self.exists:
            return
        for tries_left in reversed(range(_TRIES)):
            with self.engine.snapshot() as snapshot:
                made = Mutations()
                change(snapshot, made)
                if not len(made):
                    return
                try:
                    whole = [(self.table, Range())]
                    self.engine.write({self.table: made}, if_unchanged=(snapshot, whole))
                except Conflict:
                    if not tries_left:
                        raise
                else:
                    return

    def kept(self, snapshot: Snapshot) -> Iterator[KeptEntry]:
        """Yield the entries that are there, in order, by their sizes."""
        # Loads are few, and are not sorted by their rows.
        loads = sorted(self.cells([Range.prefix(LOADS)], COUNT, snapshot), key=time_of_row)
        commits = self.cells([Range.prefix(COMMITS)], COUNT, snapshot)
        ordered = merge(commits, loads, key=time_of_row)
        for commit, cells in groupby(ordered, key=time_of_row):
            one = KeptEntry(commit)
            for cell in cells:
                size = EntrySize.from_bytes(cell.value)
                one.rows.append(cell.row)
                one.changes += size.changes
                one.size_bytes += size.size_bytes
                one.erasure = size.kind == ERASE
            yield one

    def cells(
        self, ranges: list[Range], family: bytes, snapshot: Snapshot | None = None
    ) -> Iterator[Cell]:
        """Yield the cells of one family."""
        spec = ScanSpec(ranges=ranges, columns=[(family, None)])
        with self.engine.scan(self.table, spec, snapshot=snapshot) as batches:
            yield from chain.from_iterable(batches)


def _remove(made: Mutations, kept: list[KeptEntry]) -> None:
    for one in kept:
        for row in one.rows:
            made.delete(row, ENTRY).delete(row, COUNT)


def _put_horizon(made: Mutations, reason: str, commit: int | None) -> None:
    """Write up to where entries are gone; ``None`` is the time of the cell."""
    made.put(STATE, HORIZON, b"", json.dumps({"commit": commit, "reason": reason}))
