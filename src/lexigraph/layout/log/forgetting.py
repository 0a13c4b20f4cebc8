"""Removing from the log what names elements that are erased.

Layer ``layout``. The log is not searched: all that it says of single elements goes. A reader that
would have been told of any of it has to start again; the others must not notice.
"""

from __future__ import annotations

from lexigraph.layout.log.entries import COMMIT, LOAD
from lexigraph.layout.log.reading import LogReader
from lexigraph.layout.log.rows import LAST, LogPlace, StoredCursor
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.store.snapshot import Snapshot

ERASED = "it had not seen all changes when elements were erased"


def forget_log(stored: StoredGraph) -> None:
    """Remove the entries of the log of a graph, but those of erasures."""

    def missed(cursor: StoredCursor, snapshot: Snapshot) -> bool:
        reader, place, more = LogReader(stored, cursor.authorizations), cursor.place, True
        while more:
            chunk = stored.log.read(place, snapshot)
            more = chunk.more
            named = [one for one in chunk.entries if one[1].kind in (COMMIT, LOAD)]
            if any(True for _ in reader.changes_after(place, named)):
                return True
            if chunk.entries:
                place = LogPlace(chunk.entries[-1][0], LAST)
        return False

    stored.log.forget(ERASED, missed)
