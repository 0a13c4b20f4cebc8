"""Graphs as people use them: open, add, ask, as whom.

Layer ``graph``, above ``plan``. Never sees bytes: elements go in and come out.
"""

from lexigraph.graph.query import Query
from lexigraph.graph.session import Session, SnapshotSession

__all__ = ["Query", "Session", "SnapshotSession"]
