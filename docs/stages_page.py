"""The page of all stages, made from their declared options."""

from __future__ import annotations

import json
from typing import Any

from lexigraph.store.stages.base import Stage
from lexigraph.store.stages.builtin import BUILT_IN


def stages_page(note: str) -> str:
    """Return the page: a section for each built-in stage, with a row for each option."""
    lines = [
        "# Stages",
        "",
        note,
        "What can be done to cells on their way out of a table. What each stage means exactly is",
        "in [scans](../../spec/scan.md), where it answers otherwise than Accumulo in",
        "[deviations](deviations.md). Stages run by ascending priority, the lowest next to data.",
    ]
    for cls in BUILT_IN:
        lines += ["", f"## {cls.name}", "", *_section(cls)]
    return "\n".join(lines) + "\n"


def _section(cls: type[Stage]) -> list[str]:
    meaning = " ".join((cls.__doc__ or "").split())
    facts = [f"Default priority {cls.default_priority}."]
    if cls.whole_scan:
        facts.append("Works over all ranges of a scan at once.")
    if getattr(cls, "scan_only", False):
        facts.append("In scans only.")
    rows = [
        f"| `{option.name}` | {_kind(option.schema())} | {_default(option)} |"
        for option in getattr(cls, "options", ())
    ]
    table = ["", "| option | value | default |", "|---|---|---|", *rows] if rows else []
    return [meaning, " ".join(facts), *table]


def _default(option: Any) -> str:
    return "required" if option.required else f"`{json.dumps(option.default)}`"


def _kind(schema: dict[str, Any]) -> str:
    if "anyOf" in schema:
        return " or ".join(_kind(one) for one in schema["anyOf"])
    if "enum" in schema:
        return ", ".join(f"`{word}`" for word in schema["enum"])
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return "byte string" if name == "bytes" else str(name)
    match schema.get("type"):
        case "array":
            return f"list of ({_kind(schema['items'])})"
        case "object" if "properties" not in schema:
            return f"object of ({_kind(schema['additionalProperties'])})"
        case "object":
            fields = (
                f"`{name}`: {_kind(one)}" for name, one in schema.get("properties", {}).items()
            )
            return f"object {'; '.join(fields)}"
        case "boolean":
            return "`true`, `false`"
        case "integer":
            low, high = schema.get("minimum", -(2**63)), schema.get("maximum", 2**63 - 1)
            return "integer" if low == -(2**63) else f"integer from {low}" + _upto(high)
        case other:
            return "null" if other == "null" else "text" if other == "string" else "value"


def _upto(high: int) -> str:
    return "" if high == 2**63 - 1 else f" to {high}"
