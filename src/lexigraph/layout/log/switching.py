"""Beginning and ending the change log of a graph that others write meanwhile.

Layer ``layout``. The catalogue says whether there is a log, and each commit counts only if it says
so still: so no commit after the first cursor is missing, and none after the last one is logged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from lexigraph.cells.mutations import MutationBatch
from lexigraph.cells.ranges import Range
from lexigraph.errors import (
    Conflict,
    CursorNotFound,
    InvalidName,
    LexigraphError,
    UnsupportedError,
    show,
)
from lexigraph.layout.log.rows import CURSORS, LogLimits, StoredCursor, log_settings
from lexigraph.layout.stored.catalogue import Entry
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.stored.indexes import UNGUARDED
from lexigraph.layout.stored.loads import forget_buffering
from lexigraph.security import All, Authorizations
from lexigraph.store.snapshot import Snapshot
from lexigraph.store.spi import Unchanged

_TRIES = 50
T = TypeVar("T")


def check_logs(stored: StoredGraph) -> None:
    """Raise UnsupportedError if the engine cannot keep a log in the commits of a graph."""
    can = stored.engine.capabilities
    if not can.transactions or not can.loads_tables:
        raise UnsupportedError(
            f"the {can.engine} engine keeps no log of changes",
            hint="graph.admin.on_commit(call) hears what this client writes. A directory or "
            "':memory:' keeps a log.",
        )


def open_cursor(
    stored: StoredGraph, name: str, authorizations: Authorizations | All
) -> tuple[StoredGraph, StoredCursor]:
    """Return a cursor, made from now on if there is none, and the graph as it is then."""
    if stored.log.exists:
        found = stored.log.find(name)
        if found is not None:
            return stored, found

    def attempt() -> tuple[StoredGraph, StoredCursor]:
        logging = _make_table(stored).change_entry(lambda entry: replace(entry, logged=True))
        logging.indexes.changed()
        with logging.engine.snapshot() as snapshot:
            if not logging.indexes.at(logging, snapshot).logged:
                raise Conflict("the last cursor was dropped at the same time")
            there = logging.log.cursors(snapshot)
            found = next((one for one in there if one.name == name), None)
            if found is None:
                if not there:
                    _wait_or_end(logging, snapshot)
                unchanged: Unchanged = (snapshot, [logging.indexes.range, _cursors(logging)])
                found = logging.log.add(name, authorizations, unchanged)
        return logging, found

    return _tried(attempt)


def set_limits(stored: StoredGraph, limits: LogLimits) -> None:
    """Keep so much of the log, also of one that is still to begin."""
    check_logs(stored)
    _make_table(stored)
    stored.log.set_limits(limits)


def drop_cursor(stored: StoredGraph, name: str) -> StoredGraph:
    """Remove a cursor; without any, there is no log any more."""

    def attempt() -> StoredGraph:
        log, engine = stored.log, stored.engine
        if not log.exists:
            raise CursorNotFound(f"there is no cursor {show(name)}")
        with engine.snapshot() as snapshot:
            found = log.get(name, snapshot)
            gone = {log.table: log.drop_cells(found.name)}
            if len(log.cursors(snapshot)) > 1:
                engine.write(gone, if_unchanged=(snapshot, [_cursors(stored)]))
                return stored
            return _end(stored, snapshot, gone)

    ended = _tried(attempt)
    ended.log.prune()
    return ended


def _make_table(stored: StoredGraph) -> StoredGraph:
    with suppress(InvalidName):
        # It is there if the graph has or had a cursor.
        stored.engine.create_table(stored.log.table, log_settings())

    def named(entry: Entry) -> Entry:
        return replace(entry, tables=tuple(dict.fromkeys((*entry.tables, stored.log.table))))

    return stored.change_entry(named)


def _end(
    stored: StoredGraph, snapshot: Snapshot, beside: Mapping[str, MutationBatch]
) -> StoredGraph:
    """Write no log from now on, if there is still no other cursor."""
    unchanged: Unchanged = (snapshot, [stored.indexes.range, _cursors(stored)])
    ended = stored.change_entry(lambda entry: replace(entry, logged=False), unchanged, beside)
    ended.indexes.changed()
    return ended


def _wait_or_end(stored: StoredGraph, snapshot: Snapshot) -> None:
    try:
        _wait_for_writers(stored)
    except LexigraphError:
        with suppress(Conflict):
            _end(stored, snapshot, {})
        raise


def _cursors(stored: StoredGraph) -> tuple[str, Range]:
    return stored.log.table, Range.prefix(CURSORS)


def _tried(attempt: Callable[[], T]) -> T:
    for tries_left in reversed(range(_TRIES)):
        try:
            return attempt()
        except Conflict as error:
            if not tries_left or error.context.get("waits"):
                raise
    raise AssertionError


def _wait_for_writers(stored: StoredGraph) -> None:
    """Raise Conflict while writers may store what they do not log."""
    with UNGUARDED:
        # No commit of this process is under way that looked at the catalogue before.
        pass
    declared = stored.indexes.now(stored)
    if declared.loading:
        raise Conflict(
            "a bulk load runs, or was killed less than 10 minutes ago, and it does not log what it "
            "stores",
            hint="Open the cursor again once it is done.",
            waits=True,
        )
    others = stored.indexes.other_buffering(declared)
    if others:
        # Commits in the memory of other processes: there are none if there is nobody else.
        stored.engine.check_alone()
        forget_buffering(stored.engine, stored.indexes.row, others)
