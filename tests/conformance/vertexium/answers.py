"""Expected answers in the form in which ours are compared.

Java's widths go, visibilities are normalised (they are when we write them), tables under elements
are left out, and of an error only what it is about is kept.
"""

from __future__ import annotations

from typing import Any

from lexigraph.security import Visibility
from tests.conformance.vertexium.given import read_value, show_value
from tests.conformance.vertexium.loaded import dump

_JAVA = {
    *("int", "long", "short", "byte", "biginteger", "double", "float", "bigdecimal", "date"),
    *("dateonly", "bytes", "geopoint", "geocircle", "ip", "stream"),
}
_VALUES = ("value", "previousValue", "data")
_VISIBILITIES = (
    *("visibility", "propertyVisibility", "hiddenVisibility", "edgeVisibility"),
    *("oldVisibility", "newVisibility"),
)
_ERRORS = (
    ("NotFound", "", "not found"),
    ("VertexiumMissingFetchHintException", "", "not fetched"),
    ("VertexiumException", "getEdgeInfos called without", "not fetched"),
    ("VertexiumException", "Cannot get vertex ids", "not fetched"),
    ("NullPointerException", "iterable", "not fetched"),
    ("VertexiumException", "Could not find property", "no property"),
    ("VertexiumException", "Unable to mark edge", "an end is missing"),
    ("VertexiumException", "could not find the vertex on the other end", "an end is missing"),
    ("IllegalArgumentException", "Could not find property", "no property"),
    ("NullPointerException", "cannot be null", "incomplete"),
    ("NullPointerException", 'visibility" is null', "incomplete"),
    ("NullPointerException", '"value" is null', "incomplete"),
    ("NullPointerException", 'getVisibility()" is null', "incomplete"),
    ("VertexiumException", "Cannot contain", "separator"),
    ("VertexiumInvalidKeyException", "", "separator"),
    ("VertexiumException", "Could not find data with key", "stream"),
    ("IllegalArgumentException", "key is required", "incomplete"),
    ("BadArgumentException", "", "bad visibility"),
    ("NullPointerException", "because the return value of", "not fetched"),
    ("VertexiumException", "Multiple matching entries", "several entries"),
    ("VertexiumException", "does not appear on edge", "no such end"),
    ("IllegalArgumentException", "Start key must be less", "no range"),
    ("IllegalArgumentException", "maxHops cannot be less", "too few hops"),
)


def normal_visibility(text: str) -> str:
    """Return a visibility as we write it."""
    return Visibility(text).normalise().expression.decode() if text else text


def expected_answer(data: Any) -> Any:
    """Return an expected answer in the form in which ours are."""
    if isinstance(data, list):
        found = [expected_answer(one) for one in data]
        plain = found and all(isinstance(one, dict) and "timestamp" in one for one in found)
        # Values of one element, not versions of them nor events.
        if plain and all({"name", "key"} <= one.keys() and "deleted" not in one for one in found):
            return _sorted(found)
        if plain and "deleted" in found[0]:
            # Newest first; what has one time has no order.
            return sorted(found, key=lambda one: (-one["timestamp"], dump(one)))
        if plain and all("event" in one for one in found):
            return sorted(found, key=lambda one: (one["timestamp"], dump(one)))
        return found
    if not isinstance(data, dict):
        return data
    if len(data) == 1 and next(iter(data)) in _JAVA:
        return show_value(read_value(data))
    if set(data) == {"error"}:
        return {"error": "not fetched"}
    return {
        name: _member(name, value)
        for name, value in data.items()
        if name not in ("extendedDataTables", "historicalEventId")
    }


def _member(name: str, value: Any) -> Any:
    if name in _VISIBILITIES and isinstance(value, str):
        return normal_visibility(value)
    if name == "hiddenVisibilities":
        return sorted(set(map(normal_visibility, value)))
    if name in ("properties", "metadata") and isinstance(value, list):
        return _sorted(expected_answer(value))
    return expected_answer(value)


def _sorted(items: list[Any]) -> list[Any]:
    """Return properties or metadata by name, key and visibility, which are normalised by now."""
    return sorted(items, key=lambda one: (one.get("name"), one["key"], one["visibility"]))


def expected_history(answer: Any) -> Any:
    """Return past values as they are expected: Vertexium lists deletions one millisecond late."""
    late = [{**one, "timestamp": one["timestamp"] - one["deleted"]} for one in answer]
    return expected_answer(late)


def expected_refusal(error: dict[str, Any]) -> str:
    """Return what an expected error is about."""
    name: str = error["class"].rpartition(".")[2].rpartition("$")[2]
    for known, text, why in _ERRORS:
        if name == known and text in (error.get("message") or ""):
            return why
    return name
