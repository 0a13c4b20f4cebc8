"""Which columns an answer has as a table: their names, what they hold, and where it stands.

Layer ``graph``. Columns follow from the schema and the steps of a question alone, so that an empty
answer has them too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from lexigraph.codec import is_built_in
from lexigraph.errors import UnsupportedError
from lexigraph.graph.read.column_types import Holds, frame_kind, held_by
from lexigraph.graph.read.view import with_transient
from lexigraph.plan import Element, Keys, Measure, Steps
from lexigraph.schema import Group, Schema
from lexigraph.schema.keys import type_of
from lexigraph.store.scan.frames import FrameColumn

T = TypeVar("T")


@dataclass(slots=True)
class AnswerColumn:
    """What it holds, ``None`` where that varies; the property it shows, if not an id."""

    holds: Holds
    property: str | None = None
    groups: list[str] = field(default_factory=list)

    def add(self, group: str, holds: Holds) -> None:
        """Take a group that has it."""
        self.groups.append(group)
        if holds != self.holds:
            self.holds = None


def columns_of(view: Mapping[str, Steps], schema: Schema) -> dict[str, AnswerColumn]:
    """Give the columns of elements; a property named as an id has a ``_`` behind it."""
    ids = {"group": AnswerColumn("str")}
    properties: dict[str, AnswerColumn] = {}
    for name, steps in view.items():
        group = schema.group(name)
        ids["group"].add(name, "str")
        for one, kind in group.ids.items():
            holds = held_by(kind.codec, None)
            ids.setdefault(one, AnswerColumn(holds)).add(name, holds)
        if group.kind == "edge":
            ids.setdefault("directed", AnswerColumn("bool")).add(name, "bool")
        for one, holds in _properties(group, steps):
            properties.setdefault(one, AnswerColumn(holds, one)).add(name, holds)
    return {**ids, **{f"{n}_" if n in ids else n: one for n, one in properties.items()}}


def row_of(element: Element, columns: Mapping[str, AnswerColumn]) -> dict[str, Any]:
    """Give an element as a row of a table."""
    ids = {"group": element.group, **element.ids, "directed": element.directed}
    held = element.properties
    return {
        name: ids.get(name) if one.property is None else held.get(one.property)
        for name, one in columns.items()
    }


def frame_columns(
    columns: Mapping[str, AnswerColumn], schema: Schema, keys: Keys, digits: int | None
) -> list[FrameColumn] | None:
    """Return the columns as an engine makes them; ``None`` if it cannot make one of them."""
    found = []
    for name, one in columns.items():
        groups = [schema.group(group) for group in one.groups]
        if one.holds is None and not all(_is_known(group, name, one.property) for group in groups):
            return None
        shown = one.property
        fields = {g: name if shown is None else keys.field(g, shown) for g in one.groups}
        moments = frozenset(group.name for group in groups if _is_moment(group, shown))
        found.append(FrameColumn(name, frame_kind(one.holds, digits), fields, moments))
    return found


def _is_known(group: Group, name: str, shown: str | None) -> bool:
    """Return whether an engine knows the codec of these values."""
    if shown is not None:
        return is_built_in(group.property(shown).type.codec)
    return name not in group.ids or is_built_in(group.ids[name].codec)


def _is_moment(group: Group, shown: str | None) -> bool:
    if shown is None or shown != group.timestamp:
        return False
    return group.property(shown).type.codec == "datetime"


def summary_columns(
    by: Sequence[str], measures: Sequence[Measure], view: Mapping[str, Steps], schema: Schema
) -> dict[str, Holds]:
    """Return the columns of a summary, and what they hold."""
    group = schema.group(next(iter(view)))
    columns: dict[str, Holds] = {}
    derived = {name for steps in view.values() for name in steps.transient}
    for name in (*by, *(one.field for one in measures)):
        if name in derived and not any(one.name == name for one in group.properties):
            raise UnsupportedError(
                f"summarise cannot use the derived property {name!r} yet",
                hint="Make a table of the elements and group that: .to_polars().group_by(...).",
            )
    for name in by:
        is_label = name == group.visibility
        columns[name] = "str" if is_label else held_by(type_of(group, name).codec, None)
    for one in measures:
        if one.field is None:
            columns[one.name] = "int64"
        else:
            columns[one.name] = held_by(type_of(group, one.field).codec, one.aggregate)
    return columns


def renamed(row: Mapping[str, T], names: Mapping[str, str]) -> dict[str, T]:
    """Return a row with other names for some of its columns.

    >>> renamed({"vertex": 1, "n": 2}, {"vertex": "id"})
    {'id': 1, 'n': 2}
    """
    return {names.get(name, name): one for name, one in row.items()}


def _properties(group: Group, steps: Steps) -> Iterable[tuple[str, Holds]]:
    gone = set() if steps.by is None else set(group.group_by) - set(steps.by)
    for one in with_transient(group, steps).properties:
        if one.name in gone and one.aggregate is None and one.name not in steps.aggregators:
            continue
        if (steps.keep is not None and one.name not in steps.keep) or one.name in steps.drop:
            continue
        aggregate = steps.aggregators.get(one.name) or one.aggregate
        is_time = one.name == group.timestamp and one.type.codec != "datetime"
        yield one.name, "int" if is_time else held_by(one.type.codec, aggregate)
