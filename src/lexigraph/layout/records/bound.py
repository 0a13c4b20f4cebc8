"""The records of one stored graph: where they lie, and what the schema says of them.

Layer ``layout``. Readers and writers of records get this and need no schema: rows, labels and the
engine's names of the tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lexigraph.layout.records.groups import RecordGroups
from lexigraph.layout.records.rows import RecordRows
from lexigraph.layout.records.settings import NAMES
from lexigraph.schema import Schema


@dataclass(frozen=True, slots=True)
class BoundRecords:
    """Records of one graph.

    ``tables`` has the engine's names of the tables of vertices and edges. ``learns`` says that
    names which no class declares are learnt when they are first used.
    """

    schema: Schema
    """The groups of records."""
    groups: RecordGroups
    rows: RecordRows
    tables: Mapping[str, str]
    names_table: str
    """The engine's table of learnt names, and of the metadata of the graph."""
    learns: bool

    __hash__ = None  # type: ignore[assignment]

    @staticmethod
    def of(
        schema: Schema, *, vertex_codec: str, tables: Mapping[str, str], learns: bool
    ) -> BoundRecords:
        """Bind the record groups of a schema; ``tables`` has the engine's names of all tables."""
        own = schema.records
        groups = RecordGroups.of(own, vertex_codec=vertex_codec)
        facts = {part: name for part, name in tables.items() if part != NAMES}
        return BoundRecords(own, groups, groups.rows(), facts, tables[NAMES], learns)
