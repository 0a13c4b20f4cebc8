"""Which columns an answer has as a table: their names, what they hold, and where it stands.

Layer ``graph``. Columns follow from the schema and the steps of a question alone, so that an empty
answer has them too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lexigraph.codec import is_built_in
from lexigraph.graph.read.column_types import ColumnType, frame_kind, held_by
from lexigraph.graph.read.view import with_transient
from lexigraph.plan import Element, FieldValue, FoundRecord, Keys, Steps
from lexigraph.schema import Aggregate, Group, Schema
from lexigraph.schema.keys import EDGE_FIELD, type_of
from lexigraph.schema.model import ONE
from lexigraph.store.answers.frames import FrameColumn

if TYPE_CHECKING:
    from lexigraph.graph.read.nodes import OrderStep


_SEVERAL = Aggregate("set")
"""How a column holds the values of a property that has several."""
_SORTED = ("str", "int", "float", "bool", "bytes", "date", "datetime", "naive_datetime")
"""What a column holds whose order in Arrow is that of its values."""


@dataclass(slots=True)
class AnswerColumn:
    """What it holds, ``None`` where that varies; the property it shows, if not an id."""

    holds: ColumnType
    property: str | None = None
    groups: list[str] = field(default_factory=list)

    def add(self, group: str, holds: ColumnType) -> None:
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
        if group.kind == "edge" and group.record is not None:
            holds = held_by(type_of(group, EDGE_FIELD).codec, None)
            ids.setdefault(EDGE_FIELD, AnswerColumn(holds)).add(name, holds)
        for one in steps.keep or () if group.open else ():
            properties.setdefault(one, AnswerColumn(None, one)).add(name, None)
        for one, holds in _properties(group, steps):
            properties.setdefault(one, AnswerColumn(holds, one)).add(name, holds)
    return {**ids, **{f"{n}_" if n in ids else n: one for n, one in properties.items()}}


def with_undeclared(
    found: Mapping[str, AnswerColumn], names: Iterable[str]
) -> dict[str, AnswerColumn]:
    """Return columns with those of properties that no class declares."""
    shown = {one.property for one in found.values()}
    more = {name: AnswerColumn(None, name) for name in names if name not in shown}
    return {**found, **{f"{n}_" if n in found else n: one for n, one in more.items()}}


def sort_columns(
    order: Iterable[OrderStep], columns: Mapping[str, AnswerColumn]
) -> list[list[tuple[str, bool]]] | None:
    """Return the columns of each order, and whether they are turned; ``None`` if it has others.

    So is an order that is cut: the elements that are left out need no columns.
    """
    found: list[list[tuple[str, bool]]] = []
    for step in order:
        found.append([])
        for key in step.keys:
            name = key.value.name if isinstance(key.value, FieldValue) else None
            named = [n for n, one in columns.items() if (one.property or n) == name]
            if step.count is not None or len(named) != 1 or columns[named[0]].holds not in _SORTED:
                return None
            found[-1].append((named[0], key.descending))
    return found


def row_of(element: Element, columns: Mapping[str, AnswerColumn]) -> dict[str, Any]:
    """Give an element as a row of a table."""
    ids = {"group": element.group, **element.ids, "directed": element.directed}
    if isinstance(element, FoundRecord):
        ids[EDGE_FIELD] = element.edge
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


def _properties(group: Group, steps: Steps) -> Iterable[tuple[str, ColumnType]]:
    gone = set() if steps.by is None else set(group.group_by) - set(steps.by)
    for one in with_transient(group, steps).properties:
        if one.name in gone and one.aggregate is None and one.name not in steps.aggregators:
            continue
        if (steps.keep is not None and one.name not in steps.keep) or one.name in steps.drop:
            continue
        aggregate = steps.aggregators.get(one.name) or one.aggregate
        if one.cardinality != ONE:
            yield one.name, held_by(one.type.codec, _SEVERAL)
            continue
        is_time = one.name == group.timestamp and one.type.codec != "datetime"
        yield one.name, "int" if is_time else held_by(one.type.codec, aggregate)
