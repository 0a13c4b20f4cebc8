"""The stored form of a schema: JSON with a version, read strictly.

Layer ``schema``. What is written is read back equal; what is at its default is left out. Unknown
fields are refused, so that an older version never takes a newer schema for its own. Bytes inside
predicates are always ``{"hex": ...}``: predicates of users need no registry to be stored.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from lexigraph.arguments import (
    read_bool,
    read_choice,
    read_int,
    read_list,
    read_mapping,
    read_object,
)
from lexigraph.errors import InvalidOption, SchemaError, show
from lexigraph.schema.model import (
    EDGE,
    LIST,
    ONE,
    SET,
    VERTEX,
    Aggregate,
    Group,
    Property,
    Rule,
    Schema,
    ValueType,
    check_schema,
)
from lexigraph.schema.record_json import record_from_json, record_to_json

_HEX = re.compile("(?:[0-9a-f]{2})*")
_TYPE = ("codec", "bits", "optional", "java")
_PROPERTY = ("name", *_TYPE, "number", "aggregate", "doc", "later", "cardinality")
_RULE = ("where", "fields", "doc", "remove", "checked")
_GROUP = (
    *("kind", "ids", "properties", "group_by", "visibility", "timestamp", "directed"),
    *("summary", "aggregates", "rules", "doc", "last_number", "record"),
)


def schema_to_json(schema: Schema) -> dict[str, Any]:
    """Write a schema.

    >>> schema_to_json(Schema({}, version=3))
    {'version': 1, 'changes': 3, 'groups': {}}
    """
    check_schema(schema)
    groups = {name: _group_to_json(group) for name, group in schema.groups.items()}
    head = {"version": 1, "changes": schema.version, "groups": groups}
    return head | _filled(config=dict(schema.config), doc=schema.doc)


def schema_from_json(data: Any) -> Schema:
    """Read a schema.

    >>> schema_from_json({"version": 1, "changes": 0, "group": {}})
    Traceback (most recent call last):
        ...
    lexigraph.errors.InvalidOption: a schema has no field 'group' (did you mean: groups?)
    """
    known = ("changes", "groups", "config", "doc")
    data = read_object(data, known, "schema", version=True)
    given = read_mapping(data.get("groups", {}), "the groups of a schema")
    try:
        groups = {name: _group_from_json(name, value) for name, value in given.items()}
    except RecursionError:
        raise SchemaError("the JSON of the schema nests too deep") from None
    return Schema(
        groups,
        read_int(data.get("changes", 0), "'changes' of a schema", least=0),
        read_mapping(data.get("config", {}), "'config' of a schema"),
        _text(data.get("doc", ""), "'doc' of a schema"),
    )


def _filled(**members: Any) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value not in (None, "", {}, [], 0)}


def _type_to_json(kind: ValueType) -> dict[str, Any]:
    optional = {"optional": True} if kind.optional else {}
    return {"codec": kind.codec, **_filled(bits=kind.bits, java=kind.java), **optional}


def _group_to_json(group: Group) -> dict[str, Any]:
    data: dict[str, Any] = {
        "kind": group.kind,
        "ids": {name: _type_to_json(kind) for name, kind in group.ids.items()},
        "properties": [_property_to_json(one) for one in group.properties],
        **_filled(
            group_by=list(group.group_by), visibility=group.visibility, timestamp=group.timestamp
        ),
    }
    if group.directed is not None:
        data["directed"] = group.directed
    data |= {"summary": group.summary, "aggregates": group.aggregates}
    rules = [
        {
            "where": _hexed(one.where),
            "fields": list(one.fields),
            **_filled(doc=one.doc, remove=one.remove, checked=one.checked),
        }
        for one in group.rules
    ]
    if group.record is not None:
        data["record"] = record_to_json(group.record)
    return data | _filled(rules=rules, doc=group.doc, last_number=group.last_number)


def _property_to_json(one: Property) -> dict[str, Any]:
    data = {"name": one.name, **_type_to_json(one.type)}
    if one.aggregate is not None:
        data["aggregate"] = {"name": one.aggregate.name, **one.aggregate.options}
    held = "" if one.cardinality == ONE else one.cardinality
    return data | _filled(number=one.number, doc=one.doc, later=one.later, cardinality=held)


def _group_from_json(name: str, value: Any) -> Group:
    what = f"group {name!r}"
    data = read_object(value, _GROUP, what)
    kind = read_choice(data.get("kind"), (VERTEX, EDGE), f"'kind' of {what}")
    ids = read_mapping(data.get("ids"), f"'ids' of {what}")
    wanted = {"vertex"} if kind == VERTEX else {"source", "destination"}
    if ids.keys() != wanted:
        raise InvalidOption(f"{what} has the ids {', '.join(sorted(wanted))}, not {show(ids)}")
    listed = read_list(data.get("properties"), f"'properties' of {what}")
    properties = tuple(_property_from_json(one, what) for one in listed)
    group = Group(
        name,
        kind,
        {one: _type_from_json(ids[one], f"id {one!r} of {what}") for one in ids},
        properties,
        tuple(_text(one, "a name") for one in read_list(data.get("group_by", []), "'group_by'")),
        _name(data, "visibility", what),
        _name(data, "timestamp", what),
        read_bool(data["directed"], f"'directed' of {what}") if "directed" in data else None,
        read_bool(data.get("summary"), f"'summary' of {what}"),
        read_bool(data.get("aggregates"), f"'aggregates' of {what}"),
        tuple(_rule_from_json(one, what) for one in read_list(data.get("rules", []), "'rules'")),
        _text(data.get("doc", ""), f"'doc' of {what}"),
        read_int(data.get("last_number", 0), f"'last_number' of {what}", least=0),
        record_from_json(data["record"], what) if "record" in data else None,
    )
    _check_names(group, what)
    return group


def _name(data: Mapping[str, Any], field: str, what: str) -> str | None:
    return _text(data[field], f"{field!r} of {what}") if field in data else None


def _check_names(group: Group, what: str) -> None:
    names = [one.name for one in group.properties]
    used = [*group.group_by, *(one for one in (group.visibility, group.timestamp) if one)]
    for name in used:
        if name not in names:
            raise InvalidOption(f"{what} uses the property {show(name)}, which it does not have")
    numbers = [one.number for one in group.properties if one.number]
    if len({*names}) < len(names) or len({*used}) < len(used) or len({*numbers}) < len(numbers):
        raise InvalidOption(f"{what} uses a property name or number twice")
    if max(numbers, default=0) > group.last_number:
        raise InvalidOption(f"{what} has a property with a number above its 'last_number'")


def _type_from_json(value: Any, what: str) -> ValueType:
    data = read_object(value, _TYPE, what)
    return _type_of(data, what)


def _type_of(data: Mapping[str, Any], what: str) -> ValueType:
    return ValueType(
        _text(data.get("codec"), f"'codec' of {what}"),
        read_int(data["bits"], f"'bits' of {what}", least=8) if "bits" in data else None,
        read_bool(data.get("optional", False), f"'optional' of {what}"),
        _text(data["java"], f"'java' of {what}") if "java" in data else None,
    )


def _property_from_json(value: Any, group: str) -> Property:
    data = read_object(value, _PROPERTY, f"property of {group}")
    name = _text(data.get("name"), f"the name of a property of {group}")
    what = f"property {name!r} of {group}"
    aggregate = None
    if "aggregate" in data:
        options = dict(read_mapping(data["aggregate"], f"'aggregate' of {what}"))
        aggregate = Aggregate(_text(options.pop("name", None), f"an aggregator of {what}"), options)
    return Property(
        name,
        _type_of(data, what),
        read_int(data.get("number", 0), f"'number' of {what}", least=0),
        aggregate,
        _text(data.get("doc", ""), f"'doc' of {what}"),
        read_bool(data.get("later", False), f"'later' of {what}"),
        read_choice(data.get("cardinality", ONE), (ONE, LIST, SET), f"'cardinality' of {what}"),
    )


def _rule_from_json(value: Any, group: str) -> Rule:
    data = read_object(value, _RULE, f"rule of {group}")
    where = _unhexed(_predicate(data.get("where"), f"'where' of a rule of {group}"))
    fields = read_list(data.get("fields"), f"'fields' of a rule of {group}")
    doc = _text(data.get("doc", ""), f"'doc' of a rule of {group}")
    return Rule(
        where,
        tuple(_text(one, "a field") for one in fields),
        doc,
        read_bool(data.get("remove", False), f"'remove' of a rule of {group}"),
        read_bool(data.get("checked", False), f"'checked' of a rule of {group}"),
    )


def _predicate(value: Any, what: str) -> dict[str, Any]:
    # Its form alone: which predicates there are is known when it is asked.
    data = read_mapping(value, what)
    _text(data.get("op"), f"'op' in {what}")
    for name in data.keys() & {"field", "other"}:
        _text(data[name], f"{name!r} in {what}")
    if "of" in data:
        several = data["of"] if isinstance(data["of"], list) else [data["of"]]
        for one in several:
            _predicate(one, what)
    if "values" in data:
        read_list(data["values"], f"'values' in {what}")
    return data


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise InvalidOption(f"{what} must be text, not {show(value)}")
    return value


def _hexed(value: Any) -> Any:
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    if isinstance(value, Mapping):
        return {name: _hexed(one) for name, one in value.items()}
    return [_hexed(one) for one in value] if isinstance(value, list | tuple) else value


def _unhexed(value: Any) -> Any:
    if isinstance(value, dict):
        if value.keys() == {"hex"}:
            digits = value["hex"]
            if not isinstance(digits, str) or not _HEX.fullmatch(digits):
                raise InvalidOption(f"bytes in a predicate are written in hex, not {show(digits)}")
            return bytes.fromhex(digits)
        return {name: _unhexed(one) for name, one in value.items()}
    return [_unhexed(one) for one in value] if isinstance(value, list) else value
