"""What of the scenarios is left out, and why.

By kind: searches, streams, tables under elements (``test_tables.py`` asks some of that),
definitions of properties and the grammar of visibilities (tested against Accumulo itself).
"""

from __future__ import annotations

from typing import Any

from tests.conformance.vertexium.driver import Step

LEFT_OUT = {
    **dict.fromkeys(("query", "vertexPropertyCountByValue"), "it searches"),
    **dict.fromkeys(("streamRead", "streamTwice", "streams"), "streams"),
    **dict.fromkeys(
        (
            *("elementExtendedData", "extendedData", "extendedDataInRange", "extendedDataRow"),
            *("extendedDataRows", "extendedDataTableNames", "extendedDataValue"),
        ),
        "tables under elements",
    ),
    "propertyDefinition": "definitions belong to schemas",
    **dict.fromkeys(("canRead", "isVisibilityValid"), "the grammar is tested with Accumulo's"),
}
_PAGING = (
    *("after", "limit", "sort", "hintsAll"),
    *("includePropertyValues", "includePreviousPropertyValues"),
)
_TABLES_CHANGED = ("addExtendedData", "deleteExtendedData")


def left_out(step: Step) -> str | None:
    """Return why a step is left out, if it is."""
    if any(name in step for name in _PAGING):
        return "pages and choices of events"
    if "ask" in step:
        return LEFT_OUT.get(step["ask"])
    if step["do"] == "defineProperty":
        return "definitions belong to schemas"
    ops = step["ops"] if step["do"] == "mutate" else ()
    if "ExtendedData" in step["do"] or (ops and all(op["op"] in _TABLES_CHANGED for op in ops)):
        return "tables under elements"
    return None


def left_out_scenario(scenario: dict[str, Any]) -> str | None:
    """Return why a whole scenario is left out, if it is."""
    if "strictTyping" in (scenario.get("config") or {}):
        return "definitions of properties belong to schemas"
    return None
