"""What a graph stores for its records: tables beside those of its layout, and the codec of ids.

Layer ``layout``. A graph has these tables from its first group of records on, or if it was made
without a schema. The codec of ids in stored rows never changes.
"""

from __future__ import annotations

from lexigraph.errors import SchemaError, UnsupportedError
from lexigraph.layout.groups import id_codec
from lexigraph.layout.records.bound import BoundRecords
from lexigraph.layout.records.settings import engine_names, record_tables, table_name
from lexigraph.layout.stored.catalogue import StoredRecords
from lexigraph.schema import Schema
from lexigraph.store import TableSettings


def records_of(
    schema: Schema, stored: StoredRecords | None, *, learns: bool = False
) -> StoredRecords | None:
    """Return what a graph of this schema keeps for records; ``None`` for nothing.

    SchemaError if the ids of new groups do not fit the rows that are ``stored``.
    """
    if stored is None:
        if learns:
            return StoredRecords("any", learns=True)
        return StoredRecords(id_codec(schema)) if schema.records.groups else None
    if stored.vertex_codec not in ("any", id_codec(schema)):
        raise SchemaError(
            f"ids of records are stored as {stored.vertex_codec}, and with the new groups they "
            f"would be stored as {id_codec(schema)}",
            hint=f"Give the new groups ids of the type {stored.vertex_codec}, or copy the graph "
            "into a new one whose schema has all groups.",
        )
    return stored


def bind_records(
    graph: str, schema: Schema, stored: StoredRecords | None, suffix: str
) -> BoundRecords | None:
    """Return the records of a graph, as readers and writers need them."""
    if stored is None:
        return None
    return BoundRecords.of(
        schema,
        vertex_codec=stored.vertex_codec,
        tables=engine_names(graph, suffix),
        learns=stored.learns,
    )


def record_names(graph: str, stored: StoredRecords | None, suffix: str) -> dict[str, str]:
    """Return the engine's names of the tables, by their names within the graph."""
    if stored is None:
        return {}
    return {table_name(part): name for part, name in engine_names(graph, suffix).items()}


def record_settings(stored: StoredRecords | None) -> dict[str, TableSettings]:
    """Return the settings of the tables, by their names within the graph."""
    return {} if stored is None else record_tables()


def check_history(before: Schema, after: Schema) -> None:
    """Refuse another history for records that are stored."""
    for name, group in before.records.groups.items():
        now = after.groups[name].record
        if group.record is not None and now is not None and group.record.history != now.history:
            raise UnsupportedError(
                f"the history of {name!r} cannot be changed yet: records are stored under the "
                "one that it has",
                hint="Leave history as it was, or copy the graph into a new one.",
            )
