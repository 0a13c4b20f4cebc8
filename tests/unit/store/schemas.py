"""The JSON Schemas of the specification, ready to judge."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

FOLDER = Path(__file__).parents[3] / "spec" / "schema"


@cache
def _validator(name: str) -> Draft202012Validator:
    resources = {
        path.name: DRAFT202012.create_resource(json.loads(path.read_text()))
        for path in FOLDER.glob("*.json")
    }
    registry: Registry[Any] = Registry().with_resources(resources.items())
    schema = resources[name].contents
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema, registry=registry)


def is_valid(name: str, value: Any) -> bool:
    return _validator(name).is_valid(value)
