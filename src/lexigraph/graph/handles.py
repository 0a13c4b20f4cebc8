"""One record by its id, to be read and changed: what ``vertex(id)`` and ``edge(id)`` return.

Layer ``graph``. Nothing is read before a method asks for it.
"""

from __future__ import annotations

from lexigraph.graph.read.records.handles import EdgeHandle, VertexHandle
from lexigraph.graph.read.records.row_tables import TableReading
from lexigraph.graph.write.record_handle import EdgeChanges, VertexChanges
from lexigraph.graph.write.records.row_tables import TableChanges


class VertexOfRecords(VertexChanges, VertexHandle):
    """One vertex of records, by its id."""


class EdgeOfRecords(EdgeChanges, EdgeHandle):
    """One edge of records, by its id."""


class TableOfRows(TableChanges, TableReading):
    """A table of rows under a vertex or an edge, by its name."""
