"""Stages described in JSON Schema, from their declared options.

Layer ``store``. ``spec/schema/cell-stages.json`` is what this gives for the built-in cell stages; a
test keeps the two equal, so that engines in other languages read the same declarations.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lexigraph.store.stages.cells.cell_stage import CellStage
from lexigraph.store.stages.options import options_schema

_BYTES = {
    "anyOf": [
        {"type": "string", "not": {"pattern": "[^ -~]"}},
        {
            "type": "object",
            "required": ["hex"],
            "additionalProperties": False,
            "properties": {
                "hex": {
                    "type": "string",
                    "pattern": "^([0-9a-f]{2})*$",
                    # In some languages the end of a pattern lies before a last line break too.
                    "not": {"pattern": "[^0-9a-f]"},
                }
            },
        },
    ]
}


def stages_schema(classes: Iterable[type[CellStage]], title: str) -> dict[str, Any]:
    """Describe a stage of a spec that is one of ``classes``.

    >>> from lexigraph.store.stages.cells.sampling import Limit
    >>> stages_schema([Limit], "Limit")["$defs"]["limit"]["required"]
    ['name', 'options']
    """
    described = {cls.name: _stage_schema(cls) for cls in classes}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in described],
        "$defs": {**described, "bytes": _BYTES},
    }


def _stage_schema(cls: type[CellStage]) -> dict[str, Any]:
    options = options_schema(cls.options)
    return {
        "type": "object",
        "required": ["name", "options"] if options["required"] else ["name"],
        "additionalProperties": False,
        "properties": {
            "name": {"const": cls.name},
            "priority": {"type": ["integer", "null"]},
            "options": options,
        },
    }
