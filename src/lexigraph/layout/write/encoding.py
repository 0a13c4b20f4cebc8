"""Tables of one group to cells by the native core, without a Python object for a row.

Layer ``layout``. Here is what the columns of a table are by the schema; how they become bytes is
the matter of ``keyplan``. Gives exactly the cells that reading row by row gives, equal elements
merged as ``batching`` merges them. The core only counts the rows that do not fit: what is wrong
with one is said by ``checking``, in the same words for every way to add. What the core does not
know (a codec, an aggregator or a rule of Python's, a column of structs, a layout that derives on
its own) is left to reading row by row.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lexigraph.cells.jsonbytes import bytes_to_json
from lexigraph.functions import traits_of
from lexigraph.keyplan import Encoder, KeyPlan
from lexigraph.keyplan.columns.encoder import Encoded, ShardOf
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.write.arrow_columns import Column, NoColumn, numbers_column, read_column
from lexigraph.schema import Group
from lexigraph.schema.keys import plan_field
from lexigraph.schema.model import EDGE

__all__ = ["Encoded", "TableEncoder"]

_LABEL_TYPES, _TIME_TYPES = ("str", "bytes"), ("int", "datetime")


class TableEncoder:
    """Makes cells of tables of one group."""

    def __init__(self, stored: StoredGraph, group: str) -> None:
        self._stored, self._group = stored, stored.schema.group(group)
        self._derived = stored.layout.derived(group)
        # What is drawn goes along as a column: the core counts, where it has no ids to go by.
        self._drawn = None if self._derived is None or self._derived.ids else self._derived
        self._by_rows = not _is_told(stored, group) or _is_ambiguous(self._group)
        self._made: tuple[tuple[str, ...], KeyPlan, Encoder] | None = None

    def encode(self, table: Any, *, now: int, skips: bool) -> Encoded | None:
        """Give the cells of a table; ``None`` where it has to be read row by row.

        ``now`` is the moment by which rules about age judge.
        """
        if self._by_rows:
            return None
        try:
            columns = self._read(table)
        except NoColumn:
            return None
        found = self._encoder(tuple(columns)).encode(
            [column.parts() for column in columns.values()], rows=len(table), now=now, skips=skips
        )
        # Whatever the core refuses as a whole, the other way says better, or can do.
        return None if isinstance(found, str) else found

    def _read(self, table: Any) -> dict[str, Column]:
        names = [name for name in table.column_names if name != "group"]
        group = self._group
        known = {*group.ids, *(one.name for one in group.properties)}
        if group.kind == EDGE:
            known.add("directed")
        if (
            len(set(names)) < len(names)
            or not set(names) <= known
            or not set(group.ids) <= {*names}
        ):
            raise NoColumn("the columns are not those of the group")
        read = {name: read_column(table.column(name)) for name in names}
        columns = {name: column for name, column in read.items() if column is not None}
        for name, column in columns.items():
            if not self._fits(name, column):
                raise NoColumn(f"{name!r} holds values of another type")
        if self._drawn is not None:
            columns[self._drawn.name] = numbers_column(self._drawn.draw(len(table)))
        return columns

    def _fits(self, name: str, column: Column) -> bool:
        group = self._group
        if name == group.visibility:
            return column.type in _LABEL_TYPES
        if name == group.timestamp:
            return column.type in _TIME_TYPES
        if name in group.ids:
            return column.fits(group.ids[name].codec, stored=False)
        if name == "directed" and group.kind == EDGE:
            return column.type == "bool"
        one = group.property(name)
        stored = name not in group.group_by
        how = one.aggregate if stored else None
        takes = () if how is None else traits_of(how.name).takes
        return column.fits(one.type.codec, stored=stored, takes=frozenset(takes))

    def _encoder(self, columns: tuple[str, ...]) -> Encoder:
        plan = self._stored.plan_of(self._group.name)
        if self._made is None or self._made[0] != columns or self._made[1] != plan:
            shard = None
            if self._derived is not None and self._drawn is None:
                shard = ShardOf(self._derived.name, self._derived.count, self._derived.ids)
            made = Encoder(plan, self._group.name, self._told(columns), shard)
            self._made = columns, plan, made
        return self._made[2]

    def _told(self, columns: tuple[str, ...]) -> dict[str, Any]:
        group = self._group
        at = {name: number for number, name in enumerate(columns)}
        return {
            "columns": len(columns),
            "fields": self._fields(at),
            "visibility": at.get(group.visibility or ""),
            "timestamp": at.get(group.timestamp or ""),
            "directed": at.get("directed") if group.kind == EDGE else None,
            "all_directed": group.directed,
            "aggregates": group.aggregates,
            "rules": [_as_json(rule.where) for rule in group.rules],
        }

    def _fields(self, at: dict[str, int]) -> list[dict[str, Any]]:
        group = self._group
        special = (group.visibility, group.timestamp)
        named = [
            *((name, kind, True) for name, kind in group.ids.items()),
            *(
                (one.name, one.type, not one.type.optional)
                for one in group.properties
                if one.name not in special
            ),
        ]
        fields = []
        for name, kind, needed in named:
            field = {"name": plan_field(group, name), "codec": kind.codec, "needed": needed}
            if name in at:
                field["column"] = at[name]
            if kind.bits is not None:
                field["bits"] = kind.bits
            fields.append(field)
        if self._drawn is not None:
            name = self._drawn.name
            fields.append({"name": name, "codec": "int", "needed": True, "column": at[name]})
        return fields


def _as_json(data: Any) -> Any:
    """Give a predicate with its byte strings as JSON has them."""
    if isinstance(data, Mapping):
        return {name: _as_json(one) for name, one in data.items()}
    if isinstance(data, list | tuple):
        return [_as_json(one) for one in data]
    return bytes_to_json(data) if isinstance(data, bytes) else data


def _is_told(stored: StoredGraph, group: str) -> bool:
    """Return whether ``derived`` says all that the layout derives: one class has both."""
    classes = type(stored.layout.part_of(group)).__mro__
    owners = [next(one for one in classes if name in vars(one)) for name in ("derive", "derived")]
    return owners[0] is owners[1]


def _is_ambiguous(group: Group) -> bool:
    """Tell whether a property is called as something else of an element is."""
    taken = {"group", *group.ids}
    if group.kind == EDGE:
        taken.add("directed")
    return any(one.name in taken for one in group.properties)
