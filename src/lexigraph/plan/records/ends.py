"""Which ends of edges are vertices that the reader sees.

Layer ``plan``. Edges lead also to vertices that are absent, hidden or unreadable; paths do not pass
through those.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lexigraph.layout.records.elements import RecordVertex
from lexigraph.layout.records.reading import FetchHints
from lexigraph.layout.records.rows import VERTICES
from lexigraph.plan.records.reading import OWN_ROWS, RecordReader
from lexigraph.plan.scope import Scope


def seen_vertices(ids: Iterable[Any], scope: Scope) -> set[bytes]:
    """Return the key forms of those ids that are vertices; nothing else of them is read."""
    tables = scope.keys.record_tables
    hints = FetchHints(hidden=scope.fetch.hidden)
    found = RecordReader(tables, scope).read(OWN_ROWS, VERTICES, tables.vertices(ids), hints)
    encode = tables.vertex_codec.encode
    return {encode(one.id) for one in found if isinstance(one, RecordVertex)}
