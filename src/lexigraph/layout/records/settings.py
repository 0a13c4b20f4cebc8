"""The tables of records: their names within a graph, and what they keep.

Layer ``layout``. All versions are kept and nothing is combined: what a merge may drop follows from
facts, not from columns. The names and the families of each locality group are stored.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lexigraph.layout.records.families import (
    EXISTENCE,
    HIDE,
    LABEL,
    METADATA,
    REFERENCE,
    REQUIRED,
    VALUE,
    VALUE_HIDE,
)
from lexigraph.layout.records.rows import EDGES, VERTICES
from lexigraph.store import TableSettings

NAMES: Final = "names"
"""The table of names that were learnt, and of the metadata of the graph."""
PARTS: Final = (VERTICES, EDGES, NAMES)
RECORDS: Final = "records"
"""What the names of the tables start with; also the name of the layout."""


def record_tables() -> dict[str, TableSettings]:
    """Return the settings of the tables, by their names within a graph.

    >>> list(record_tables())
    ['records.vertices', 'records.edges', 'records.names']
    """
    facts = TableSettings(
        max_versions=None,
        locality_groups={
            "judged": [REQUIRED, EXISTENCE, HIDE, LABEL],
            "references": [REFERENCE + family for family in (REQUIRED, EXISTENCE, HIDE)],
            "values": [VALUE_HIDE, VALUE, METADATA],
        },
    )
    kept = {VERTICES: facts, EDGES: facts, NAMES: TableSettings()}
    return {table_name(part): kept[part] for part in PARTS}


def table_name(part: str) -> str:
    """Return the name within a graph of the table of vertices, of edges or of names."""
    return f"{RECORDS}.{part}"


def engine_names(graph: str, suffix: str, parts: Iterable[str] = PARTS) -> dict[str, str]:
    """Return the engine's names of the tables of a graph.

    >>> engine_names("people", ".2")["edges"]
    'people.records.edges.2'
    """
    return {part: f"{graph}.{table_name(part)}{suffix}" for part in parts}
