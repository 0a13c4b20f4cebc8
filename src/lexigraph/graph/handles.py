"""One record by its id, to be read and changed: what ``vertex(id)`` and ``edge(id)`` return.

Layer ``graph``. Nothing is read before a method asks for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexigraph.errors import show
from lexigraph.graph.write.record_handle import EdgeChanges, VertexChanges

if TYPE_CHECKING:
    from lexigraph.graph.session import Session


class VertexOfRecords(VertexChanges):
    """One vertex of records, by its id."""

    def __init__(self, session: Session, record: Any) -> None:
        self._session, self._record = session, record

    @property
    def id(self) -> Any:
        """The id that was asked for."""
        return self._record

    def __repr__(self) -> str:
        """Show the id."""
        return f"<vertex {show(self._record)}>"


class EdgeOfRecords(EdgeChanges):
    """One edge of records, by its id."""

    def __init__(self, session: Session, record: Any) -> None:
        self._session, self._record = session, record

    @property
    def id(self) -> Any:
        """The id that was asked for."""
        return self._record

    def __repr__(self) -> str:
        """Show the id."""
        return f"<edge {show(self._record)}>"
