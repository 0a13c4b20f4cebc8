"""A feed: the changes that one reader may know of, from where a named cursor is.

Layer ``graph``. The cursor lies in the store and moves only when its reader says so. A reader that
is killed gets what it had not acknowledged again, and nothing that it had.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lexigraph.errors import InvalidName, NotGranted, UnsupportedError, UsageError, show
from lexigraph.graph.changes.change import GraphChange, read_place, shown_change, write_place
from lexigraph.layout.log.reading import LogReader
from lexigraph.layout.log.rows import LAST, LogPlace, StoredCursor
from lexigraph.layout.log.switching import check_logs, open_cursor
from lexigraph.security import All, Authorizations

if TYPE_CHECKING:
    from lexigraph.graph.access import Access

LONGEST_NAME = 200


class ChangeFeed:
    """The changes of a graph for one reader: iterate, and acknowledge with ``done``.

    >>> import lexigraph as lg
    >>> class Person(lg.Vertex):
    ...     id: str
    ...     name: str | None = None
    >>> graph = lg.open(":memory:", [Person])
    >>> feed = graph.changes("search")
    >>> _ = graph.add([Person("ann", name="Ann")])
    >>> [(one.kind, one.id, one.property) for one in feed]
    [('added', 'ann', None), ('label added', 'ann', None), ('value set', 'ann', 'name')]
    >>> feed.done()
    >>> list(feed)
    []
    """

    def __init__(
        self, access: Access, authorizations: Authorizations | All, name: Any, after: Any
    ) -> None:
        self._access, self._authorizations = access, authorizations
        self.name = _read_name(name)
        """The name of its cursor."""
        place = None if after is None else read_place(self.name, after)
        check_logs(access.stored)
        stored, self._stored_cursor = open_cursor(access.stored, self.name, authorizations)
        if stored is not access.stored:
            access.replace_stored(stored)
        if self._stored_cursor.authorizations != authorizations:
            raise NotGranted(
                f"the cursor {self.name!r} is bound to other authorizations than those of this "
                "session",
                hint="Ask in a session with the same authorizations, choose another name, or let "
                "the owner drop the cursor: graph.admin.drop_cursor(name).",
            )
        self._after = place
        self._delivered: LogPlace | None = None
        self._passed: LogPlace | None = None

    @property
    def cursor(self) -> str:
        """The place after the last change that was acknowledged, as text."""
        return write_place(self.name, self._stored_cursor.seen)

    def __iter__(self) -> Iterator[GraphChange]:
        """Yield the changes that are not acknowledged; end when there are no more.

        CursorExpired if some of them are not kept any more. What is committed meanwhile comes too.
        """
        stored = self._access.stored
        log, engine = stored.log, stored.engine
        reader = LogReader(stored, self._authorizations)
        place, more = None, True
        self._delivered = self._passed = None
        while more:
            with engine.snapshot() as snapshot:
                self._stored_cursor = self._own(log.get(self.name, snapshot))
                place = self._start() if place is None else place
                log.check_kept(self.name, place, snapshot)
                chunk = log.read(place, snapshot)
            more = chunk.more
            for at, logged in reader.changes_after(place, chunk.entries):
                self._delivered = at
                cursor = write_place(self.name, at)
                yield shown_change(logged, at.commit, at.passed, cursor)
            if chunk.entries:
                place = LogPlace(chunk.entries[-1][0], LAST)
        self._passed = place
        if self._delivered is None and place is not None and self._after is None:
            # Nothing to acknowledge, so nobody will: what was passed need not be kept.
            self._move(place, self._stored_cursor.seen)

    def done(self, change: GraphChange | None = None) -> None:
        """Acknowledge a change and all before it; without one, all that were yielded.

        It is durable when this returns. The next iteration starts after it.
        """
        if change is None:
            seen = self._delivered
        elif not isinstance(change, GraphChange) or change.cursor is None:
            raise UsageError(f"done takes a change of this feed, not {show(change)}")
        else:
            seen = read_place(self.name, change.cursor)
        if seen is None:
            return
        whole = self._passed is not None and seen == self._delivered
        self._after = None
        self._move(self._passed if whole and self._passed is not None else seen, seen)

    def restart(self) -> None:
        """Start from now: skip what is not acknowledged. Read the graph after this, not before."""
        log = self._access.stored.log
        self._stored_cursor = log.restart(self._stored_cursor)
        self._after = self._delivered = self._passed = None

    def _move(self, place: LogPlace, seen: LogPlace) -> None:
        cursor = self._stored_cursor
        if place > cursor.place or seen > cursor.seen:
            log = self._access.stored.log
            self._stored_cursor = log.move(cursor, place, seen)
            log.prune_passed(place)

    def _own(self, found: StoredCursor) -> StoredCursor:
        if found.id != self._stored_cursor.id:
            raise UsageError(
                f"cursor {self.name!r} was dropped, and there is a new one of its name",
                hint="Open the feed again: it starts where the new cursor is.",
            )
        return found

    def _start(self) -> LogPlace:
        cursor, after = self._stored_cursor, self._after
        # What lies between the two was not for this reader.
        if after is None or after == cursor.seen:
            return cursor.place
        return after

    def __repr__(self) -> str:
        """Show the name and for whom it is."""
        return f"<changes {self.name!r} as {self._authorizations!r}>"


def _read_name(name: Any) -> str:
    if isinstance(name, str) and 0 < len(name) <= LONGEST_NAME and name.isprintable():
        return name
    raise InvalidName(
        f"{show(name)} cannot be the name of a cursor",
        hint=f"It is text of at most {LONGEST_NAME} printable characters.",
    )


def refuse_changes(why: str) -> UnsupportedError:
    """Return the error of a session that has no feed."""
    return UnsupportedError(f"{why} has no feed of changes", hint="Ask a session of the graph.")
