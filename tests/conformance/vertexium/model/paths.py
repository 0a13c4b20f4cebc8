"""Paths, sets and words of visibilities in the model, over elements as a caller loads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from lexigraph.security import Visibility
from tests.conformance.vertexium.driver import EDGE, VERTEX, Reader, Step
from tests.conformance.vertexium.given import read_hints
from tests.conformance.vertexium.loaded import Element

if TYPE_CHECKING:
    from tests.conformance.vertexium.model.state import ModelState


def simple_paths(
    model: ModelState, ends: tuple[str, str], hops: int, step: Step
) -> list[list[str]]:
    """Return the paths along edges of some labels, whatever their direction."""
    reader = Reader(tuple(step["auths"]), read_hints(None))
    seen = {one.id: one for one in model.load(VERTEX, None, reader)}
    labels, excluded = step.get("labels"), set(step.get("excludedLabels") or ())
    edges = {one.id for one in model.load(EDGE, None, reader)}

    def neighbours(vertex: str) -> set[str]:
        found = seen[vertex].references("BOTH", labels or None) if vertex in seen else []
        held = (one for one in found if one.label not in excluded and one.edge in edges)
        return {one.other for one in held}

    def extend(path: list[str]) -> Iterator[list[str]]:
        for other in sorted(neighbours(path[-1]) - set(path)):
            if other == ends[1]:
                yield [*path, other]
            elif other in seen and len(path) < hops:
                yield from extend([*path, other])

    return list(extend([ends[0]])) if ends[0] != ends[1] else []


def related_edges(
    model: ModelState, ids: set[str], reader: Reader
) -> list[tuple[str, str, str, str]]:
    """Return the edges with both ends in a set."""
    found = (one for one in model.load(EDGE, None, reader) if one.shape is not None)
    return [(one.id, *one.shape) for one in found if ids.issuperset(one.shape[1:])]


def guarded(model: ModelState, kind: str, ids: Iterable[str], step: Step) -> list[str]:
    """Return the elements of which some part has a visibility with a word in it."""
    reader = Reader(tuple(step["auths"]), read_hints(None))
    word, parts = step["authorization"].encode(), set(step.get("filter") or _PARTS)

    def visibilities(one: Element) -> Iterator[str]:
        if "ELEMENT" in parts:
            yield one.visibility
        for value in one.values:
            if "PROPERTY" in parts:
                yield value.visibility
            if "PROPERTY_METADATA" in parts:
                yield from (entry.visibility for entry in value.metadata or ())

    return [
        one.id
        for one in model.load(kind, ids, reader)
        if any(word in Visibility(text).tokens for text in visibilities(one))
    ]


_PARTS = ("ELEMENT", "PROPERTY", "PROPERTY_METADATA")
