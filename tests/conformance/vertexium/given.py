"""What scenarios say: values with Java types, fetch hints, times.

Widths of integers are one to us, and so are those of floats. What has no counterpart here (points,
circles, streams) is carried through as text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLI = timedelta(milliseconds=1)
_INTEGERS = ("int", "long", "short", "byte", "biginteger")
_SHOWN_BYTES = 96
_JAVA = "of Java"
START = 1_700_000_000_000
Names = bool | frozenset[str]


def step_time(step: int) -> int:
    """Return when a step begins, in milliseconds."""
    return START + 1000 * (step + 1)


class Ticks:
    """The client's clock within one step: it never repeats."""

    def __init__(self, step: int) -> None:
        self.start = self._next = step_time(step)
        self.server = self.start + 500
        """What the server dates by."""

    def tick(self, given: int | None = None) -> int:
        """Return a time that was given, or the next one."""
        if given is not None:
            return given
        self._next += 1
        return self._next - 1


def read_value(data: Any) -> Any:
    """Return the value that we store."""
    if isinstance(data, list):
        return tuple(map(read_value, data))
    if not isinstance(data, Mapping) or "null" in data:
        return None if isinstance(data, Mapping) else data
    ((kind, value),) = list(data.items())[:1]
    if kind in _INTEGERS:
        return int(value)
    if kind in ("double", "float"):
        return float(value)
    if kind == "bigdecimal":
        return Decimal(value)
    if kind == "date":
        return _EPOCH + value * _MILLI
    if kind == "dateonly":
        return date.fromisoformat(value) if isinstance(value, str) else date(*value)
    if kind == "bytes" and isinstance(value, str):
        return bytes.fromhex(value)
    if kind == "geopoint":
        data = {kind: [*value, None, None][:4]}
    # Streams are left out: what an element shows of them is not compared.
    shown = {kind: "left out"} if kind == "stream" else data
    return (_JAVA, kind, json.dumps(shown, sort_keys=True))


def show_value(value: Any) -> Any:
    """Return the form in which values are compared."""
    if hasattr(value, "shown"):
        return value.shown
    if isinstance(value, date) and not isinstance(value, datetime):
        # Vertexium returns a day as the moment at which it begins, except in metadata.
        value = datetime(value.year, value.month, value.day, tzinfo=UTC)
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, bytes):
        return {"our bytes": value.hex() if len(value) <= _SHOWN_BYTES else _digest(value)}
    if isinstance(value, tuple):
        java = value[:1] == (_JAVA,)
        return json.loads(value[2]) if java else [show_value(one) for one in value]
    return {f"our {type(value).__name__}": str(value)}


def _digest(value: bytes) -> Any:
    digest = hashlib.sha256(value).hexdigest()
    return {"len": len(value), "sha256": digest, "head": value[:16].hex()}


@dataclass(frozen=True)
class Hints:
    """Fetch hints: all, none, or those of these names."""

    properties: Names = False
    metadata: Names = False
    out_edges: Names = False
    in_edges: Names = False
    counts: bool = False
    tables: bool = False
    hidden: bool = False


_EVERYTHING = Hints(True, True, True, True, True, True)
_PRESETS = {
    "ALL": _EVERYTHING,
    "ALL_INCLUDING_HIDDEN": Hints(True, True, True, True, True, True, True),
    "NONE": Hints(),
    "PROPERTIES_AND_METADATA": Hints(properties=True, metadata=True),
    "EDGE_REFS": Hints(out_edges=True, in_edges=True),
    "EDGE_LABELS": Hints(counts=True),
}


def read_hints(data: Any, default: str = "ALL") -> Hints:
    """Return fetch hints: the name of a preset, or the fields of a builder."""
    if data is None or isinstance(data, str):
        return _PRESETS[data or default]
    names: Names = data.get("includeAllProperties") or frozenset(
        data.get("propertyNamesToInclude", ())
    )
    metadata: Names = data.get("includeAllPropertyMetadata") or frozenset(
        data.get("metadataKeysToInclude", ())
    )
    labels = frozenset(data.get("edgeLabelsOfEdgeRefsToInclude", ()))
    both = data.get("includeAllEdgeRefs", False)
    return Hints(
        properties=True if metadata and not names else names or False,
        metadata=metadata or False,
        out_edges=both or data.get("includeOutEdgeRefs") or labels or False,
        in_edges=both or data.get("includeInEdgeRefs") or labels or False,
        counts=data.get("includeEdgeLabelsAndCounts", False),
        tables=data.get("includeExtendedDataTableNames", False),
        hidden=data.get("includeHidden", False),
    )
