"""One record by its id, to be read and changed: what ``vertex(id)`` and ``edge(id)`` return.

Layer ``graph``. Nothing is read before a method asks for it.
"""

from __future__ import annotations

from lexigraph.graph.read.records.handles import EdgeHandle, VertexHandle
from lexigraph.graph.write.record_handle import EdgeChanges, VertexChanges


class VertexOfRecords(VertexChanges, VertexHandle):
    """One vertex of records, by its id."""


class EdgeOfRecords(EdgeChanges, EdgeHandle):
    """One edge of records, by its id."""
