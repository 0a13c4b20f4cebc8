"""An element as a cell holds it: the light object that a key plan decodes to.

Layer ``keyplan``. Properties hold finished values; absent ones are not in the mapping. ``states``
holds what the aggregated ones were finished from, because First and Last carry their own time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class StoredElement:
    """One vertex or edge of a group, as one cell tells of it.

    >>> StoredElement("vertex", "person", {"age": 41}, vertex="ann").properties["age"]
    41
    """

    kind: str
    group: str
    properties: Mapping[str, Any] = field(default_factory=dict)
    vertex: Any = None
    source: Any = None
    destination: Any = None
    directed: bool | None = None
    matched: str | None = None
    once: bool = True
    """Whether this row stands for the element where each must come once."""
    visibility: bytes = b""
    timestamp: int = 0
    states: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
