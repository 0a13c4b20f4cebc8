"""Ids near one that was not found: what an error proposes. Only what the reader sees.

Layer ``plan``.
"""

from __future__ import annotations

from itertools import islice

from lexigraph.layout.records.elements import RecordEdge, RecordVertex
from lexigraph.layout.records.reading import FetchHints
from lexigraph.layout.records.rows import EDGES, VERTICES
from lexigraph.plan.records.reading import EDGE_ROWS, OWN_ROWS, RecordReader
from lexigraph.plan.scope import Scope

MOST = 200
"""How many ids are looked at."""
_START = 2
"""How many characters a near id has to share."""


def ids_near(kind: str, given: object, scope: Scope) -> list[str]:
    """Return texts that start as an id does, of vertices or edges that the reader sees."""
    tables = scope.keys.record_tables
    if not isinstance(given, str) or len(given) <= _START or scope.sees_nothing:
        return []
    reader, start = RecordReader(tables, scope), given[:_START]
    if kind == "edge":
        found = reader.read(EDGE_ROWS, EDGES, tables.edges_starting(start), FetchHints(), MOST)
    else:
        own = tables.vertices_starting(start)
        found = reader.read(OWN_ROWS, VERTICES, own, FetchHints(), MOST)
    few = islice((one.id for one in found if isinstance(one, RecordVertex | RecordEdge)), MOST)
    return [one for one in few if isinstance(one, str)]
