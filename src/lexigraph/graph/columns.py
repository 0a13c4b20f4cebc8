"""Which columns an answer has as a table: their names, what they hold, and where it stands.

Layer ``graph``. Columns follow from the schema and the steps of a question alone, so that an empty
answer has them too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from lexigraph.errors import UnsupportedError
from lexigraph.graph.view import with_transient
from lexigraph.plan import Element, Keys, Measure, Steps
from lexigraph.schema import Group, Schema
from lexigraph.schema.keys import type_of
from lexigraph.store.frames import FrameColumn

T = TypeVar("T")

_SAME_TYPE = frozenset({"sum", "product", "min", "max", "and", "or", "first", "last"})

_KINDS = {
    "str": "text",
    "int": "int64",
    "int8": "int8",
    "int16": "int16",
    "int32": "int32",
    "int64": "int64",
    "float": "float",
    "bool": "flag",
    "bytes": "binary",
    "date": "date",
    "datetime": "micros",
    "naive_datetime": "micros",
    "timedelta": "micros",
}
"""What an engine can make a column of by itself."""


@dataclass(slots=True)
class Column:
    """The codec of its values, ``None`` where it varies; the property it shows, if not an id."""

    codec: str | None
    property: str | None = None
    groups: list[str] = field(default_factory=list)

    def add(self, group: str, codec: str | None) -> None:
        """Take a group that has it."""
        self.groups.append(group)
        if codec != self.codec:
            self.codec = None


def columns_of(view: Mapping[str, Steps], schema: Schema) -> dict[str, Column]:
    """Give the columns of elements; a property named as an id has a ``_`` behind it."""
    ids = {"group": Column("str")}
    properties: dict[str, Column] = {}
    for name, steps in view.items():
        group = schema.group(name)
        ids["group"].add(name, "str")
        for one, kind in group.ids.items():
            ids.setdefault(one, Column(kind.codec)).add(name, kind.codec)
        if group.kind == "edge":
            ids.setdefault("directed", Column("bool")).add(name, "bool")
        for one, codec in _property_codecs(group, steps):
            properties.setdefault(one, Column(codec, one)).add(name, codec)
    return {**ids, **{f"{n}_" if n in ids else n: one for n, one in properties.items()}}


def row_of(element: Element, columns: Mapping[str, Column]) -> dict[str, Any]:
    """Give an element as a row of a table."""
    ids = {"group": element.group, **element.ids, "directed": element.directed}
    held = element.properties
    return {
        name: ids.get(name) if one.property is None else held.get(one.property)
        for name, one in columns.items()
    }


def frame_columns(columns: Mapping[str, Column], keys: Keys) -> list[FrameColumn] | None:
    """Give the columns as an engine makes them; ``None`` where it cannot make one of them."""
    found = []
    for name, one in columns.items():
        kind = _KINDS.get(one.codec or "")
        if kind is None:
            return None
        shown = one.property
        fields = {g: name if shown is None else keys.field(g, shown) for g in one.groups}
        found.append(FrameColumn(name, kind, fields))
    return found


def summary_columns(
    by: Sequence[str], measures: Sequence[Measure], view: Mapping[str, Steps], schema: Schema
) -> dict[str, str | None]:
    """Give the columns of a summary, and the codecs of their values."""
    group = schema.group(next(iter(view)))
    columns: dict[str, str | None] = {}
    derived = {name for steps in view.values() for name in steps.transient}
    for name in (*by, *(one.field for one in measures)):
        if name in derived and not any(one.name == name for one in group.properties):
            raise UnsupportedError(
                f"summarise cannot use the derived property {name!r} yet",
                hint="Make a table of the elements and group that: .to_polars().group_by(...).",
            )
    for name in by:
        columns[name] = "str" if name == group.visibility else type_of(group, name).codec
    for one in measures:
        if one.field is None:
            columns[one.name] = "int64"
        else:
            same = one.aggregate.name in _SAME_TYPE
            columns[one.name] = type_of(group, one.field).codec if same else None
    return columns


def renamed(row: Mapping[str, T], names: Mapping[str, str]) -> dict[str, T]:
    """Return a row with other names for some of its columns.

    >>> renamed({"vertex": 1, "n": 2}, {"vertex": "id"})
    {'id': 1, 'n': 2}
    """
    return {names.get(name, name): one for name, one in row.items()}


def _property_codecs(group: Group, steps: Steps) -> Iterable[tuple[str, str | None]]:
    gone = set() if steps.by is None else set(group.group_by) - set(steps.by)
    for one in with_transient(group, steps).properties:
        if one.name in gone and one.aggregate is None and one.name not in steps.aggregators:
            continue
        if (steps.keep is not None and one.name not in steps.keep) or one.name in steps.drop:
            continue
        aggregate = steps.aggregators.get(one.name) or one.aggregate
        plain = aggregate is None or aggregate.name in _SAME_TYPE
        is_time = one.name == group.timestamp and one.type.codec != "datetime"
        yield one.name, "int" if is_time else one.type.codec if plain else None
