"""The catalogue of functions and stages, and its options in words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lexigraph.cells.cell import MAX_TIMESTAMP, MIN_TIMESTAMP

CATALOGUE: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "spec" / "catalogue.json").read_bytes()
)
_WORDS = {
    **{"boolean": "true or false", "string": "text", "null": "null"},
    **{"number": "number", "object": "object"},
}


def describe(schema: Mapping[str, Any]) -> str:
    """Return in words what a JSON Schema allows, as far as options use it.

    >>> describe({"anyOf": [{"type": "integer", "minimum": 1, "maximum": 9}, {"type": "null"}]})
    'integer from 1 to 9, or null'
    """
    if "anyOf" in schema:
        words = [describe(item) for item in schema["anyOf"]]
        return ", or ".join(words)
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema:
        return "one of " + ", ".join(f"`{name}`" for name in schema["enum"])
    kind = schema.get("type")
    if kind is None:
        return "anything"
    if isinstance(kind, list):
        return ", or ".join(describe({"type": one}) for one in kind)
    if kind == "integer":
        bounds = _bounds(schema["minimum"], schema["maximum"])
        return ("power of two" if schema.get("powerOfTwo") else "integer") + bounds
    if kind == "array":
        return _describe_list(schema)
    if kind == "object" and "properties" in schema:
        fields = schema["properties"].items()
        return "object of " + ", ".join(f"`{name}` ({describe(item)})" for name, item in fields)
    if kind == "object" and "additionalProperties" in schema:
        return f"object of {describe(schema['additionalProperties'])} by name"
    return _WORDS[kind]


def _describe_list(schema: Mapping[str, Any]) -> str:
    if schema.get("maxItems") == 2:
        return "`[family]` or `[family, qualifier]`"
    least = f" of at least {schema['minItems']}" if schema.get("minItems") else ""
    return f"list{least}, each {describe(schema['items'])}"


def _bounds(least: int, most: int) -> str:
    if most == MAX_TIMESTAMP:
        return "" if least == MIN_TIMESTAMP else f" from {least}"
    return f" from {least} to {most}"
