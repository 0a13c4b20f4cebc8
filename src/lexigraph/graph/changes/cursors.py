"""The cursors of a graph as the owner sees them.

Layer ``graph``, for the owner alone: it counts changes under all labels.
"""

from __future__ import annotations

from dataclasses import dataclass

from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.security import All, Authorizations


@dataclass(frozen=True, slots=True)
class GraphCursor:
    """A cursor: whose it is, where it is, and how much waits for it."""

    name: str
    authorizations: Authorizations | All
    """Those that it is bound to."""
    timestamp: int
    """The time of the commit up to which its reader has acknowledged, in microseconds."""
    waiting: int
    """About how many changes the log keeps for it, under all labels."""
    expired: bool
    """Whether some of what waited for it was removed: its reader has to start again."""

    __hash__ = None  # type: ignore[assignment]


def list_cursors(stored: StoredGraph) -> list[GraphCursor]:
    """Return the cursors of a graph, by name."""
    if not stored.log.exists:
        return []
    return [
        GraphCursor(
            one.cursor.name,
            one.cursor.authorizations,
            one.cursor.place.commit,
            one.waiting,
            one.expired,
        )
        for one in stored.log.waiting()
    ]
