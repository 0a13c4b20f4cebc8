"""The JSON Schema of the element stages, made from the options that they declare."""

from __future__ import annotations

from typing import Any

from lexigraph.functions.predicates.comparisons import COMPARISONS
from lexigraph.store.stages.elements import ELEMENT_STAGES
from lexigraph.store.stages.elements.element_stage import ElementStage
from lexigraph.store.stages.options import options_schema

_NAME = {"type": "string"}
_BYTES = {"$ref": "#/$defs/bytes"}
_PREDICATE = {"$ref": "#/$defs/predicate"}
_INT64 = {"type": "integer", "minimum": -(2**63), "maximum": 2**63 - 1}


def _object(**members: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "required": list(members),
        "additionalProperties": False,
        "properties": members,
    }


_SUBSTRING = {
    **_object(op={"const": "substring"}, field=_NAME, value=_NAME, ignore_case={"type": "boolean"}),
    "required": ["op", "field", "value"],
}


def _stage(cls: type[ElementStage]) -> dict[str, Any]:
    members = {
        "name": {"const": cls.name},
        "priority": {"type": ["integer", "null"]},
        "options": options_schema(cls.options),
    }
    return {**_object(**members), "required": ["name", "options"]}


def element_stages_schema() -> dict[str, Any]:
    """Give the whole schema."""
    comparisons = {"enum": [comparison.name for comparison in COMPARISONS]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Element stage",
        "description": "A stage that reads cells by a key plan: spec/scan.md section 7.",
        "anyOf": [{"$ref": f"#/$defs/{cls.name}"} for cls in ELEMENT_STAGES],
        "$defs": {
            **{cls.name: _stage(cls) for cls in ELEMENT_STAGES},
            "predicate": {
                "anyOf": [
                    _object(op=comparisons, field=_NAME, value=_BYTES),
                    _object(
                        op={"const": "in"}, field=_NAME, values={"type": "array", "items": _BYTES}
                    ),
                    _object(op={"const": "in"}, field=_NAME, set=_NAME),
                    _object(op={"const": "exists"}, field=_NAME),
                    _object(op=comparisons, field=_NAME, other=_NAME),
                    _object(op={"const": "regex"}, field=_NAME, pattern=_NAME),
                    _SUBSTRING,
                    _object(op={"const": "contains"}, field=_NAME, value=_BYTES),
                    _object(op={"const": "length"}, field=_NAME, compare=comparisons, size=_INT64),
                    _object(op={"const": "age-off"}, field=_NAME, ttl=_INT64),
                    _object(op={"enum": ["and", "or"]}, of={"type": "array", "items": _PREDICATE}),
                    _object(op={"const": "not"}, of=_PREDICATE),
                ]
            },
            "bytes": {
                "anyOf": [
                    {"type": "string", "not": {"pattern": "[^ -~]"}},
                    _object(
                        hex={
                            "type": "string",
                            "pattern": "^([0-9a-f]{2})*$",
                            "not": {"pattern": "[^0-9a-f]"},
                        }
                    ),
                ]
            },
        },
    }
