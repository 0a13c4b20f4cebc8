"""What a question asks of a layout: which elements around a seed, and where a range may end.

Layer ``layout``. Words of the schema alone, no bytes: what questions above and layouts share.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

OUT, IN, BOTH = "out", "in", "both"
"""The directions of edges, seen from a vertex."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which elements around a seed are asked for.

    ``direction`` is seen from the seed; an undirected edge goes both ways. ``directed`` is ``None``
    for edges of either kind. ``groups`` are the groups that the question is about.
    """

    groups: frozenset[str]
    vertices: bool = True
    edges: bool = True
    direction: str = BOTH
    directed: bool | None = None


@dataclass(frozen=True, slots=True)
class EdgeBound:
    """An edge where a range begins or ends; ``directed`` is ``None`` for both kinds."""

    source: Any
    destination: Any
    directed: bool | None = None
