"""What people ask about: ids, elements, and any collections of them.

Layer ``graph``. A tuple, a text and bytes are ids; every other collection is many of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from lexigraph.errors import UsageError
from lexigraph.layout.wanted import EdgeBound
from lexigraph.plan import Element
from lexigraph.plan.logical.elements import EdgeSeed
from lexigraph.schema import ClassElement

MAX_DEPTH = 32
"""How deep collections of ids may nest."""


def bound_in(given: Any) -> Any:
    """Give where a range begins or ends: an id, or an edge."""
    if not isinstance(given, ClassElement | Element):
        return given
    edges: list[EdgeSeed] = []
    vertices = list(ids_in([given], edges))
    return vertices[0] if vertices else EdgeBound(*edges[0])


def ids_in(given: Iterable[Any], edges: list[EdgeSeed], depth: int = 0) -> Iterator[Any]:
    """Yield the ids among what people ask for; edges go into a list of their own."""
    if depth > MAX_DEPTH:
        raise UsageError(
            f"collections of ids nest at most {MAX_DEPTH} deep", hint="Pass one flat list of ids."
        )
    for one in given:
        if isinstance(one, str | bytes | tuple):
            yield one
        elif isinstance(one, Iterable):
            yield from ids_in(one, edges, depth + 1)
        elif isinstance(one, ClassElement | Element):
            ids = one.ids
            if one.kind == "vertex":
                yield ids["vertex"]
            else:
                directed = bool(getattr(one, "is_directed", None))
                edges.append((ids["source"], ids["destination"], directed))
        else:
            yield one
