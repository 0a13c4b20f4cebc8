"""Schemas in Gaffer's JSON: read into a schema, and written back.

Layer ``schema``. Several parts are merged by Gaffer's rules. What has no meaning here (serialisers,
names of types) is kept in the schema's ``config``, so that a schema that came from Gaffer is
written back as it was; other groups are written from what they are.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import Any

from lexigraph.errors import SchemaError
from lexigraph.schema.gaffer.check import problems
from lexigraph.schema.gaffer.document import Document, read_document
from lexigraph.schema.gaffer.groups import groups_of
from lexigraph.schema.gaffer.merge import merge_documents, with_parents
from lexigraph.schema.gaffer.writing import written_group
from lexigraph.schema.model import VERTEX, Group, Schema, check_schema

KEPT = "gaffer"
"""Where a schema's ``config`` keeps what it was read from."""


def merged_document(*parts: Any) -> Document:
    """Read the parts of a schema (dicts, JSON text or paths) and make one document of them."""
    if not parts:
        raise SchemaError("a schema has at least one part")
    try:
        return with_parents(reduce(merge_documents, map(read_document, parts)))
    except RecursionError:
        raise SchemaError("the JSON of the schema nests too deep") from None


def schema_from_gaffer(*parts: Any) -> Schema:
    """Read a schema of one or more parts: dicts, JSON text or paths.

    >>> schema_from_gaffer(
    ...     {"entities": {"Cup": {"vertex": "v", "properties": {"n": "count"}}}},
    ...     {"types": {"v": {"class": "String"},
    ...                "count": {"class": "Long", "aggregateFunction": {"class": "Sum"}}}},
    ... ).group("Cup").property("n").aggregate.name
    'sum'
    """
    document = merged_document(*parts)
    found = list(problems(document))
    if found:
        lines = "".join(f"\n  {one}" for one in found)
        raise SchemaError(f"the schema is wrong:{lines}", problems=found)
    groups = {group.name: group for group in groups_of(document)}
    return Schema(groups, config={KEPT: document}, doc=document.get("description", ""))


def schema_to_gaffer(schema: Schema) -> Document:
    """Write a schema in Gaffer's JSON, as one part.

    >>> from lexigraph.schema.model import ValueType
    >>> schema_to_gaffer(Schema({"Cup": Group("Cup", VERTEX, {"vertex": ValueType("str")})}))
    {'entities': {'Cup': {'vertex': 'str'}}, 'types': {'str': {'class': 'java.lang.String'}}}
    """
    check_schema(schema)
    kept: Document = schema.config.get(KEPT, {})
    read = {group.name: group for group in groups_of(kept)} if kept else {}
    document: Document = {}
    types = dict(kept.get("types", {}))
    for group in schema.groups.values():
        kind = "entities" if group.kind == VERTEX else "edges"
        if group.name in read and _same(group, read[group.name]):
            written = kept[kind][group.name]
        else:
            written = written_group(group, types)
        document.setdefault(kind, {})[group.name] = written
    if types:
        document["types"] = types
    document |= {name: kept[name] for name in kept if name not in ("entities", "edges", "types")}
    _write_special(schema, document)
    return document


def compact(document: Document) -> Document:
    """Return a document without descriptions, as Gaffer shows it."""
    return {
        name: {one: _bare(value) for one, value in part.items()}
        if name in ("entities", "edges", "types")
        else part
        for name, part in document.items()
        if name != "description"
    }


def _bare(part: Document) -> Document:
    return {name: value for name, value in part.items() if name != "description"}


def _same(group: Group, read: Group) -> bool:
    # Numbers are ours alone, and so is what a rule says besides its condition.
    plain = tuple(replace(one, number=0, later=False) for one in group.properties)
    rules = tuple(replace(one, remove=True, checked=False) for one in group.rules)
    return replace(group, properties=plain, rules=rules, last_number=0) == read


def _write_special(schema: Schema, document: Document) -> None:
    groups = schema.groups.values()
    label = _only("visibility", {one.visibility for one in groups if one.visibility})
    if label is not None:
        document["visibilityProperty"] = label
    time = _only("timestamp", {one.timestamp for one in groups if one.timestamp})
    if time is not None:
        document["config"] = {**document.get("config", {}), "timestampProperty": time}


def _only(what: str, names: set[str]) -> str | None:
    if len(names) > 1:
        raise SchemaError(
            f"Gaffer has one {what} property for all groups, not {', '.join(sorted(names))}",
            hint="Give these properties the same name.",
        )
    return next(iter(names), None)
