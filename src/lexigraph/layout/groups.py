"""The groups of a schema as a key plan has them: qualifier and value.

Layer ``layout``. The same for every layout that keeps group-by properties in the qualifier and the
rest in the value: properties are named in stored bytes by their permanent numbers and by nothing
else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lexigraph.errors import SchemaError
from lexigraph.schema import Group, Property, Schema
from lexigraph.schema.keys import plan_field


def plan_groups(schema: Schema) -> dict[str, Any]:
    """Give the groups of a plan, in its JSON form.

    >>> from lexigraph.schema import Aggregate, ValueType
    >>> count = Property("count", ValueType("int"), 1, Aggregate("sum"))
    >>> person = Group("person", "vertex", {"vertex": ValueType("str")}, (count,))
    >>> plan_groups(Schema({"person": person}))["person"]["value"]["properties"]
    [{'id': 1, 'field': 'count', 'codec': 'int', 'aggregate': {'name': 'sum'}}]
    """
    return {name: _plan_group(group) for name, group in schema.groups.items()}


def merged_plan(plan: Mapping[str, Any], schema: Schema) -> dict[str, Any] | None:
    """Give a plan of the groups that aggregate; ``None`` where all keep duplicates."""
    groups = {name: item for name, item in plan["groups"].items() if schema.groups[name].aggregates}
    return {**plan, "groups": groups} if groups else None


def id_codec(schema: Schema) -> str:
    """Give the codec of all ids: their own if they share one, else the self-describing one."""
    codecs = {codec for codec, _ in schema.id_types}
    return codecs.pop() if len(codecs) == 1 else "any"


def _plan_group(group: Group) -> dict[str, Any]:
    return {
        "kind": group.kind,
        "qualifier": [_part(group, group.property(name)) for name in group.group_by],
        "value": _value(group),
    }


def _part(group: Group, one: Property) -> dict[str, Any]:
    part = {"field": plan_field(group, one.name), "codec": one.type.codec, "form": "part"}
    return {**part, "nulls": "last"} if one.type.optional else part


def _value(group: Group) -> dict[str, Any]:
    if not group.values:
        return {"form": "none"}
    properties = [_property(group, one) for one in group.values]
    return {"form": "tagged", "properties": sorted(properties, key=lambda item: item["id"])}


def _property(group: Group, one: Property) -> dict[str, Any]:
    if one.number < 1:
        raise SchemaError(
            f"property {one.name!r} of group {group.name!r} has no number yet",
            hint="A schema gets its numbers when it is stored in a graph.",
        )
    if group.aggregates and one.aggregate is None:
        raise SchemaError(
            f"group {group.name!r} aggregates, and its property {one.name!r} has no aggregator",
            hint="Add an aggregator, or put the property into group_by.",
        )
    data = {"id": one.number, "field": plan_field(group, one.name), "codec": one.type.codec}
    if one.aggregate is not None:
        data["aggregate"] = {"name": one.aggregate.name, **one.aggregate.options}
    return data
