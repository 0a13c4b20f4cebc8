"""A schema as a table: its groups, their ids and properties, and how they merge; then its rules.

Layer ``schema``.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from lexigraph.schema.describe import describe
from lexigraph.schema.model import Group, Schema
from lexigraph.tables import html_table, text_table

COLUMNS = ("group", "property", "type", "merges by", "doc")


def schema_rows(schema: Schema) -> Iterator[dict[str, Any]]:
    """Yield a row for each id and property."""
    for group in schema.groups.values():
        for name, kind in group.ids.items():
            yield {"group": group.name, "property": name, "type": kind.codec, "doc": group.doc}
        for one in group.properties:
            yield {
                "group": group.name,
                "property": one.name,
                "type": one.type.codec,
                "merges by": _role(group, one.name),
                "doc": one.doc,
            }


def _role(group: Group, name: str) -> str:
    if name in group.group_by:
        return "group by"
    if name == group.visibility:
        return "label"
    if name == group.timestamp:
        return "time"
    aggregate = group.property(name).aggregate
    return "" if aggregate is None else aggregate.name


def _rules(schema: Schema) -> list[str]:
    return [
        f"rule of {group.name}: {one.doc or describe(one.where, group)}"
        f"{', and merges remove what breaks it' if one.remove else ''}"
        for group in schema.groups.values()
        for one in group.rules
    ]


def html_schema(schema: Schema) -> str:
    """Return the table as HTML, with the rules below it."""
    rules = "".join(f"<li>{escape(one)}</li>" for one in _rules(schema))
    table = html_table(schema_rows(schema), COLUMNS)
    return f"{table}<ul>{rules}</ul>" if rules else table


def text_schema(schema: Schema) -> str:
    """Return the table as text, with the rules below it."""
    return "\n".join([text_table(schema_rows(schema), COLUMNS), *_rules(schema)])
