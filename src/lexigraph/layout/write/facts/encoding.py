"""Tables of one group of records to facts by the native core, without a Python object for a row.

Layer ``layout``. Gives exactly the cells that the writer of records gives for blind adds of the
same rows: the core looks at nothing. What it does not know (a codec, a column of structs, a history
or a time to live that refuses old dates) is left to the writer, row by row.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from lexigraph.cells.encoded import EncodedBatch
from lexigraph.cells.mutations import MutationBatch
from lexigraph.cells.native import find_native
from lexigraph.codec.selfdescribing import ANY
from lexigraph.layout.records.bound import BoundRecords
from lexigraph.layout.records.rows import EDGES, VERTICES
from lexigraph.layout.records.write.ids import reserve_ids
from lexigraph.layout.write.arrow_columns import Column, NoColumn, read_column
from lexigraph.schema import Group, Property, ValueType
from lexigraph.schema.model import EDGE, ONE

_CODECS: Final = frozenset(
    "str bytes int float bool date datetime naive_datetime time timedelta decimal uuid any".split()  # noqa: SIM905
)
"""Codecs whose values the core writes as the writer of records does."""
_NO_IDS: Final = ("bool", "float")
_NARROW: Final = ("int", "float")
"""Codecs whose values may have fewer bits; they are stored as the others, once they fit."""
_GENERATED: Final = ("str", "uuid", "any")
"""Codecs of edge ids that the core generates; numbers are claimed one by one."""
_LABELS, _TIMES = ("str", "bytes"), ("int", "datetime")


@dataclass(frozen=True, slots=True)
class FactOptions:
    """What a call says of all its rows; ``stamp`` is when those with a time of their own come."""

    visibility: bytes = b""
    time: int | None = None
    note: Any = None
    stamp: int = 0

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class EncodedFacts:
    """What became of a table: cells by the engine's table, and the rows that do not fit."""

    batches: Mapping[str, MutationBatch]
    count: int
    bad: list[int]

    __hash__ = None  # type: ignore[assignment]


class FactTableEncoder:
    """Makes facts of tables of one group of records."""

    def __init__(self, bound: BoundRecords, group: Group) -> None:
        self._bound, self._group = bound, group
        self._made: tuple[tuple[str, ...], Any] | None = None

    @property
    def main_table(self) -> str:
        """The engine's table of vertices and references, which every record has cells in."""
        return self._bound.tables[VERTICES]

    def encode(self, table: Any, how: FactOptions, *, skips: bool) -> EncodedFacts | None:
        """Return the cells of a table; ``None`` where it has to be read row by row."""
        try:
            columns = self._read(table, timed=how.time is not None)
        except NoColumn:
            return None
        native = self._native(tuple(columns))
        if native is None:
            return None
        vertices, edges, count, bad, reason = native.encode(
            [column.parts() for column in columns.values()],
            rows=len(table),
            skips=skips,
            visibility=how.visibility,
            time=how.time,
            stamp=how.stamp,
            note=b"" if how.note is None else ANY.encode_value(how.note),
            first_id=reserve_ids(len(table)) if self._group.kind == EDGE else 0,
        )
        if reason is not None:
            return None
        # The row of an edge comes before its references, if not all is written at once.
        made = {EDGES: edges, VERTICES: vertices}
        batches = {
            self._bound.tables[part]: EncodedBatch(cells)
            for part, cells in made.items()
            if cells is not None
        }
        return EncodedFacts(batches, count, bad)

    def _read(self, table: Any, *, timed: bool) -> dict[str, Column]:
        names = [name for name in table.column_names if name != "group"]
        group, ids = self._group, set(self._group.ids)
        own = {*ids, *(one.name for one in group.properties)}
        known = own | ({"directed", "edge"} if group.kind == EDGE else set())
        taken = {"group", *ids, *(known - own)}
        if (
            len(set(names)) < len(names)
            or not ids <= set(names) <= known
            or any(one.name in taken for one in group.properties)
        ):
            raise NoColumn("the columns are not those of the group")
        read = {name: read_column(table.column(name)) for name in names}
        columns = {name: column for name, column in read.items() if column is not None}
        for name, column in columns.items():
            if not self._fits(name, column):
                raise NoColumn(f"{name!r} holds values of another type")
        ids_given = "edge" in columns and not columns["edge"].array.null_count
        if group.kind == EDGE and not ids_given and self._edge_id.codec not in _GENERATED:
            raise NoColumn("edges without an id are numbered")
        dated = timed or group.timestamp in columns
        record, kept = group.record, self._bound.groups.retentions[group.kind]
        expires = record is not None and (record.ttl is not None or record.ttls)
        if dated and (expires or kept.keeps_less):
            raise NoColumn("old dates are refused one by one")
        return columns

    def _fits(self, name: str, column: Column) -> bool:
        group = self._group
        if name == group.visibility:
            return column.type in _LABELS
        if name == group.timestamp:
            return column.type in _TIMES
        if name in group.ids or name == "edge":
            kind = self._edge_id if name == "edge" else group.ids[name]
            named = kind.codec != "any" or column.type not in _NO_IDS or name == "edge"
            return named and _is_known(kind) and column.fits(kind.codec, stored=True)
        if name == "directed":
            return column.type == "bool"
        one = group.property(name)
        if not _is_known(one.type):
            return False
        if one.cardinality == ONE:
            return column.fits(one.type.codec, stored=True)
        return (
            column.items is not None
            and column.numbers is None
            and column.fits(one.type.codec, stored=True, takes=frozenset({"list"}))
        )

    @property
    def _edge_id(self) -> ValueType:
        record = self._group.record
        return (record.edge_id if record is not None else None) or ValueType("any")

    def _native(self, columns: tuple[str, ...]) -> Any:
        if self._made is None or self._made[0] != columns:
            native = find_native()
            made = None
            if native is not None:
                made, _ = native.FactEncoder.prepare(json.dumps(self._program(columns)))
            self._made = columns, made
        return self._made[1]

    def _program(self, columns: tuple[str, ...]) -> dict[str, Any]:
        group, at = self._group, {name: number for number, name in enumerate(columns)}

        def field(name: str, kind: ValueType, *, needed: bool) -> dict[str, Any]:
            column = {"column": at[name]} if name in at else {}
            bits = {} if kind.bits is None else {"bits": kind.bits}
            return {"name": name, "codec": kind.codec, "needed": needed, **bits, **column}

        def own(one: Property) -> dict[str, Any]:
            needed = one.cardinality == ONE and not one.type.optional
            return field(one.name, one.type, needed=needed)

        record = group.record
        assert record is not None
        sort_key, ttls = [one.name for one in record.sort_key], dict(record.ttls)
        elsewhere = {*sort_key, *record.signature, group.visibility, group.timestamp}
        values = [one for one in group.properties if one.name not in elsewhere]
        program: dict[str, Any] = {
            "columns": len(columns),
            "vertex_codec": self._bound.rows.vertex_codec,
            "label": group.name,
            "values": [
                {"field": own(one), "cardinality": one.cardinality, "ttl": ttls.get(one.name)}
                for one in values
            ],
            "ttl": record.ttl,
            "visibility": at.get(group.visibility or ""),
            "timestamp": at.get(group.timestamp or ""),
            "directed": at.get("directed"),
        }
        ids = {name: field(name, kind, needed=True) for name, kind in group.ids.items()}
        if group.kind != EDGE:
            return {**program, "id": ids["vertex"]}
        named = self._bound.groups.edge(group.name).shape_names
        shape = [
            {"field": own(group.property(name)), "signature": name in record.signature}
            for name in named
        ]
        program["edge"] = {
            **ids,
            "id": field("edge", self._edge_id, needed=False) if "edge" in at else None,
            "text_ids": self._edge_id.codec == "str",
            "shape": shape,
            "sort_key": [
                {"at": named.index(one.name), "descending": one.descending}
                for one in record.sort_key
            ],
            "all_directed": group.directed,
            "unidirected": record.unidirected,
        }
        return program


def _is_known(kind: ValueType) -> bool:
    return kind.codec in _CODECS and (kind.bits is None or kind.codec in _NARROW)
