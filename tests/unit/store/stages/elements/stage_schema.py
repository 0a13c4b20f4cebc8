"""The JSON Schema of the element stages, of the options that they declare and of the catalogue."""

from __future__ import annotations

import json
from typing import Any

from lexigraph.store.stages.elements import ELEMENT_STAGES
from lexigraph.store.stages.elements.element_stage import ElementStage
from lexigraph.store.stages.options import options_schema
from tests.unit.keyplan.plans import SPEC

CATALOGUE = json.loads((SPEC / "catalogue.json").read_bytes())


def _object(**members: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "required": list(members),
        "additionalProperties": False,
        "properties": members,
    }


def _form(op: str, members: dict[str, Any]) -> dict[str, Any]:
    required = [name for name, schema in members.items() if "default" not in schema]
    return {**_object(op={"const": op}, **members), "required": ["op", *required]}


def _stage(cls: type[ElementStage]) -> dict[str, Any]:
    members = {
        "name": {"const": cls.name},
        "priority": {"type": ["integer", "null"]},
        "options": options_schema(cls.options),
    }
    return {**_object(**members), "required": ["name", "options"]}


def element_stages_schema() -> dict[str, Any]:
    """Give the whole schema."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Element stage",
        "description": "A stage that reads cells by a key plan: spec/scan.md section 7.",
        "anyOf": [{"$ref": f"#/$defs/{cls.name}"} for cls in ELEMENT_STAGES],
        "$defs": {
            **{cls.name: _stage(cls) for cls in ELEMENT_STAGES},
            "predicate": {
                "anyOf": [
                    _form(op, members)
                    for op, entry in CATALOGUE["predicates"].items()
                    for members in entry["forms"]
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
