"""Graphs as people use them: open, add, ask, as whom.

Layer ``graph``, above ``plan``. Never sees bytes: elements go in and come out. The public names are
imported when they are first asked for, so that parts of the layer do not import each other in a
circle.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lexigraph.graph.admin.erase import EraseReport
    from lexigraph.graph.admin.listening import Committed
    from lexigraph.graph.changes.change import GraphChange
    from lexigraph.graph.changes.cursors import GraphCursor
    from lexigraph.graph.changes.feed import ChangeFeed
    from lexigraph.graph.graph import Graph
    from lexigraph.graph.opening import graphs, open  # noqa: A004 - what people call it
    from lexigraph.graph.read.prepared import Prepared
    from lexigraph.graph.read.query import Query
    from lexigraph.graph.session import Session
    from lexigraph.graph.write.add import AddReport
    from lexigraph.graph.write.delete_report import DeleteReport

_HOME_OF = {
    "AddReport": "write.add",
    "ChangeFeed": "changes.feed",
    "Committed": "admin.listening",
    "DeleteReport": "write.delete_report",
    "EraseReport": "admin.erase",
    "Graph": "graph",
    "GraphChange": "changes.change",
    "GraphCursor": "changes.cursors",
    "Prepared": "read.prepared",
    "Query": "read.query",
    "Session": "session",
    "graphs": "opening",
    "open": "opening",
}

__all__ = [
    "AddReport",
    "ChangeFeed",
    "Committed",
    "DeleteReport",
    "EraseReport",
    "Graph",
    "GraphChange",
    "GraphCursor",
    "Prepared",
    "Query",
    "Session",
    "graphs",
    "open",
]


def __getattr__(name: str) -> Any:
    """Import a public name from its module."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
