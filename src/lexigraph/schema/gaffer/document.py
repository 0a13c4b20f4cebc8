"""One part of a schema in Gaffer's JSON, brought into one form.

Layer ``schema``. After it class names are full, functions are as Gaffer writes them back, and the
forms of earlier versions (nested functions, ``serialiserClass``, a time stamp property at the top)
are gone. Unknown fields are refused. Documents are plain dicts: the form that is merged and kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lexigraph.errors import SchemaError, nearest, show
from lexigraph.schema.gaffer.functions import AGGREGATORS, PREDICATES, canonical
from lexigraph.schema.gaffer.types import find_class

Document = dict[str, Any]

ROOT = (
    *("entities", "edges", "types", "visibilityProperty", "vertexSerialiser", "config"),
    *("timestampProperty", "description"),
)
ELEMENT = (
    *("vertex", "source", "destination", "directed", "properties", "groupBy", "aggregate"),
    *("parents", "validateFunctions", "aggregateFunctions", "description"),
)
TYPE = (
    *("class", "serialiser", "serialiserClass", "aggregateFunction", "validateFunctions"),
    "description",
)
_IDS = {"entities": ("vertex",), "edges": ("source", "destination", "directed")}
_NAME = re.compile(r"[a-zA-Z0-9|-]*")


def read_document(part: Any) -> Document:
    """Read one part of a schema: a dict, JSON text, or the path of a file.

    >>> read_document('{"types": {"n": {"class": "Long"}}}')
    {'types': {'n': {'class': 'java.lang.Long'}}}
    """
    data = _object(_loaded(part), ROOT, "a schema")
    document: Document = {}
    for kind in ("entities", "edges"):
        if data.get(kind) is not None:
            groups = _mapping(data[kind], f"'{kind}'")
            document[kind] = {name: _element(kind, name, one) for name, one in groups.items()}
    if data.get("types") is not None:
        types = _mapping(data["types"], "'types'")
        document["types"] = {name: _type(name, one) for name, one in types.items()}
    for name in ("visibilityProperty", "description"):
        if data.get(name) is not None:
            document[name] = _text(data[name], f"'{name}'")
    if data.get("vertexSerialiser") is not None:
        document["vertexSerialiser"] = _serialiser(data["vertexSerialiser"], "'vertexSerialiser'")
    config = dict(_mapping(data.get("config") or {}, "'config'"))
    if data.get("timestampProperty") is not None:
        config.setdefault("timestampProperty", data["timestampProperty"])
    if "timestampProperty" in config:
        _text(config["timestampProperty"], "'timestampProperty'")
    if config:
        document["config"] = config
    return document


def _loaded(part: Any) -> Any:
    if isinstance(part, Path):
        part = part.read_text(encoding="utf-8")
    if not isinstance(part, str | bytes):
        return part
    try:
        return json.loads(part)
    except ValueError as error:
        raise SchemaError(
            f"the schema is not JSON: {error}",
            hint="Pass a dict, JSON text, or a file as pathlib.Path(...).",
        ) from None


def _element(kind: str, name: str, data: Any) -> Document:
    what = f"group {name!r} of '{kind}'"
    _check_name(name, "group")
    data = _object(data, ELEMENT, what)
    element: Document = {}
    for one in ("vertex", "source", "destination", "directed"):
        if data.get(one) is not None:
            if one not in _IDS[kind]:
                raise SchemaError(
                    f"{what} has a {one!r}, which only the other kind of group can have"
                )
            element[one] = _text(data[one], f"{one!r} of {what}")
    properties = _mapping(data.get("properties") or {}, f"'properties' of {what}")
    for one in properties:
        _check_name(one, "property")
    if properties:
        element["properties"] = {
            one: _text(used, f"the type of {one!r} in {what}") for one, used in properties.items()
        }
    for one in ("groupBy", "parents"):
        if data.get(one):
            element[one] = _texts(data[one], f"'{one}' of {what}")
    if data.get("aggregate") is not None:
        if not isinstance(data["aggregate"], bool):
            raise SchemaError(f"'aggregate' of {what} is true or false")
        if not data["aggregate"]:
            element["aggregate"] = False
    _each(data, element, "validateFunctions", lambda one: _selected(one, "predicate", what))
    _each(data, element, "aggregateFunctions", lambda one: _selected(one, "binaryOperator", what))
    if data.get("description") is not None:
        element["description"] = _text(data["description"], f"'description' of {what}")
    return element


def _type(name: str, data: Any) -> Document:
    what = f"type {name!r}"
    data = _object(data, TYPE, what)
    found: Document = {}
    if data.get("class") is not None:
        found["class"] = find_class(data["class"]).name
    if data.get("serialiserClass") is not None:
        found["serialiser"] = _serialiser({"class": data["serialiserClass"]}, what)
    if data.get("serialiser") is not None:
        found["serialiser"] = _serialiser(data["serialiser"], what)
    if data.get("aggregateFunction") is not None:
        found["aggregateFunction"] = canonical(AGGREGATORS, data["aggregateFunction"], what)
    _each(data, found, "validateFunctions", lambda one: canonical(PREDICATES, _plain(one), what))
    if data.get("description") is not None:
        found["description"] = _text(data["description"], f"'description' of {what}")
    return found


def _plain(one: Any) -> Any:
    # Before version 1.0 a predicate stood in an object of its own, beside what it selects.
    if isinstance(one, Mapping) and "class" not in one and "function" in one:
        one = one["function"]
    return one


def _selected(one: Any, role: str, what: str) -> Document:
    data = _object(one, ("selection", role, "function"), f"a function of {what}")
    function = data.get(role, data.get("function"))
    chosen = data.get("selection") or []
    if not isinstance(chosen, list):
        raise SchemaError(f"a selection of {what} is a list of names, not {show(chosen)}")
    selection = [_selected_name(name, what) for name in chosen]
    found: Document = {"selection": selection}
    if function is not None:
        table = PREDICATES if role == "predicate" else AGGREGATORS
        found[role] = canonical(table, _plain(function), what)
    return found


def _selected_name(name: Any, what: str) -> str:
    if isinstance(name, Mapping) and "key" in name:
        name = name["key"]
    return _text(name, f"a selection of {what}")


def _each(data: Document, into: Document, name: str, read: Callable[[Any], Any]) -> None:
    if data.get(name):
        if not isinstance(data[name], list):
            raise SchemaError(f"'{name}' is a list, not {show(data[name])}")
        into[name] = [read(one) for one in data[name]]


def _object(value: Any, known: tuple[str, ...], what: str) -> Document:
    data = _mapping(value, what)
    for name in data:
        if name not in known:
            raise SchemaError(f"{what} has no field {name!r}", near=nearest(name, known))
    return data


def _mapping(value: Any, what: str) -> Document:
    if not isinstance(value, dict) or not all(isinstance(name, str) for name in value):
        raise SchemaError(f"{what} is an object, not {show(value)}")
    return value


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise SchemaError(f"{what} is text, not {show(value)}")
    return value


def _texts(value: Any, what: str) -> list[str]:
    if not isinstance(value, list):
        raise SchemaError(f"{what} is a list of names, not {show(value)}")
    return [_text(one, what) for one in value]


def _serialiser(value: Any, what: str) -> Document:
    # Kept to be written back: our codecs follow from the class.
    data = _mapping(value, f"the serialiser of {what}")
    return {**data, "class": _text(data.get("class"), f"the serialiser of {what}")}


def _check_name(name: str, what: str) -> None:
    if not _NAME.fullmatch(name):
        raise SchemaError(
            f"the {what} {name!r} has other characters than letters, digits, '|' and '-'",
            hint="Gaffer refuses such names; classes in Python allow them.",
        )
