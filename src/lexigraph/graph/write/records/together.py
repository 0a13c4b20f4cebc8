"""Dicts that add vertices of one class, taken together: the core makes their facts.

Layer ``graph``. Only what is read as columns without a doubt is taken so: dicts of plain values, of
one type for each name, and no vertex twice. The rest goes one by one, and gives the same facts or
the error that says what is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from lexigraph.graph.write.records.options import RecordOptions
from lexigraph.layout.records.bound import BoundRecords
from lexigraph.layout.records.write.changes import AddVertices
from lexigraph.layout.write.facts.encoding import FactOptions, FactTableEncoder
from lexigraph.schema import Group
from lexigraph.schema.keys import label_of
from lexigraph.schema.model import VERTEX

LEAST_ROWS = 256
"""Fewer rows are not worth the import of pyarrow."""
_TYPES = {str: "string", int: "int64", float: "float64", bool: "bool_", bytes: "binary"}
_IDS = {str, int, bytes}
_NOTHING = {type(None)}


class VertexRows:
    """Reads dicts of one call; ``names`` are those of the caller's class, to those of the group."""

    def __init__(
        self, bound: BoundRecords, group: Group, names: Mapping[str, str], how: RecordOptions
    ) -> None:
        self._group, self._names, self._how = group, names, how
        self._encoder = FactTableEncoder(bound, group)
        self._known = {*group.ids, *(one.name for one in group.properties)} - {group.timestamp}

    @staticmethod
    def fits(bound: BoundRecords, group: Group, how: RecordOptions) -> bool:
        """Return whether adds of a group are read here at all."""
        looks = how.replace or how.new or how.blind or how.time is not None
        # Static vertices have to be looked at; what lives for a time depends on what is stored.
        judges = bound.groups.static or bound.groups.expires
        return group.kind == VERTEX and group.record is not None and not looks and not judges

    def read(self, rows: Sequence[Any]) -> AddVertices | None:
        """Return the change that adds the rows; ``None`` if they have to be read one by one."""
        if len(rows) < LEAST_ROWS or any(type(one) is not dict for one in rows):
            return None
        named = self._named(rows)
        ids = named.get("vertex")
        # An id that is not there is generated, one by one.
        if ids is None or not _IDS.issuperset(map(type, ids)) or len(set(ids)) < len(ids):
            return None
        table = _table(named)
        if table is None:
            return None
        how, labels = self._how, named.get(self._group.visibility or "")
        options = FactOptions(how.visibility or b"", None, how.note)
        encoded = self._encoder.encode(table, options, skips=False)
        if encoded is None or encoded.bad:
            return None
        every = options.visibility
        return AddVertices(
            label=self._group.name,
            ids=tuple(ids),
            visibilities=tuple(every if one is None else label_of(one) for one in labels)
            if labels
            else (every,) * len(ids),
            cells=encoded.batches[self._encoder.main_table],
        )

    def _named(self, rows: Sequence[dict[Any, Any]]) -> dict[str, list[Any]]:
        """Return the values by field; nothing if a name is not that of one field."""
        given = set().union(*rows)
        fields = {name: self._names.get(name, name) for name in given}
        if len(set(fields.values())) < len(given) or not self._known.issuperset(fields.values()):
            return {}
        return {field: [one.get(name) for one in rows] for name, field in fields.items()}


def _table(columns: Mapping[str, list[Any]]) -> Any:
    """Return columns as a table; ``None`` if their types are not plain, or Arrow refuses them."""
    try:
        arrow = import_module("pyarrow")
    except ImportError:
        return None
    made = {}
    for name, values in columns.items():
        kinds = set(map(type, values)) - _NOTHING
        if len(kinds) > 1 or not kinds <= _TYPES.keys():
            return None
        for kind in kinds:
            try:
                made[name] = arrow.array(values, getattr(arrow, _TYPES[kind])())
            except (arrow.ArrowException, ValueError, OverflowError):
                return None
    return arrow.table(made)
