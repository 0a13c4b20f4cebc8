"""Paths between two vertices of a graph.

Layer ``plan``. Edges of summaries lead from any vertex to any vertex. Edges of records lead only
from vertices to vertices that the reader sees, which is true of the two ends of a path too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from lexigraph.errors import SemanticProblem, show
from lexigraph.layout.wanted import BOTH, IN, OUT
from lexigraph.plan.logical.elements import Around, Elements, Pairs, PathsBetween
from lexigraph.plan.paths.search import FORWARD, Onward, iter_paths
from lexigraph.plan.physical.choose import choose_edges
from lexigraph.plan.physical.neighbours import find_pairs
from lexigraph.plan.physical.walks import one_moment
from lexigraph.plan.records.ends import seen_vertices
from lexigraph.plan.records.views import split_view
from lexigraph.plan.scope import Scope
from lexigraph.plan.sources.seeds import SeedSet
from lexigraph.store.operators import EdgeReader

_BACK = {BOTH: BOTH, OUT: IN, IN: OUT}


def check_paths(asked: PathsBetween) -> None:
    """Refuse fewer hops than one, and no bound where there is none but all paths."""
    if asked.hops is None and asked.shortest:
        return
    if isinstance(asked.hops, bool) or not isinstance(asked.hops, int) or asked.hops < 1:
        raise SemanticProblem(f"a path needs at least one hop, not {show(asked.hops)}")


def find_paths(
    asked: PathsBetween, scope: Scope, check: Callable[[], object]
) -> Iterator[tuple[Any, ...]]:
    """Yield paths as the ids of their vertices; ``check`` raises if nobody waits any more."""
    codec = scope.keys.vertex_codec
    ends = codec.encode(asked.source), codec.encode(asked.destination)
    with one_moment(scope) as fixed:
        read = PathReader(asked.edges, fixed)
        hops, shortest = asked.hops, asked.shortest
        found = iter_paths(read, *ends, hops, shortest=shortest, check=check)
        for path in islice(found, asked.limit):
            yield tuple(map(codec.decode, path))


class PathReader:
    """Reads where the edges of vertices lead, along them or against their direction."""

    def __init__(self, edges: Elements, scope: Scope) -> None:
        self._scope = scope
        self._looked_at: set[bytes] = set()
        self._seen: set[bytes] = set()
        view = {n: one for n, one in edges.view.items() if scope.schema.group(n).kind == "edge"}
        edges = replace(edges, view=view, source=Around(()), limit=None)
        others, records = split_view(edges, scope)
        self._parts = [one for one in (others, records) if one is not None and one.view]
        self._records = records
        self._readers: dict[tuple[int, str], EdgeReader | None] = {}
        for at, part in enumerate(self._parts):
            # Mistakes raise here, before anything is read.
            for direction in {part.direction, _BACK[part.direction]}:
                turned = replace(part, direction=direction)
                self._readers[at, direction] = choose_edges(turned, scope).reader

    def __call__(self, vertices: Collection[bytes], forward: bool) -> Onward:  # noqa: FBT001 - a protocol
        """Return the vertices, each with those that its edges lead to."""
        codec = self._scope.keys.vertex_codec
        found: dict[bytes, set[bytes]] = {one: set() for one in vertices}
        seeds = SeedSet(map(codec.decode, vertices), codec, self._scope.engine.preferences)
        for at, part in enumerate(self._parts):
            direction = part.direction if forward is FORWARD else _BACK[part.direction]
            asked = replace(part, source=Around(seeds), direction=direction)
            reader = self._readers[at, direction]
            near, far = find_pairs(Pairs(asked), self._scope, reader)
            pairs = list(zip(near.keys, far.keys, strict=True))
            passable = self._passable({end for pair in pairs for end in pair}, part)
            for start, end in pairs:
                if start in passable and end in passable:
                    found[start].add(end)
        return found

    def _passable(self, vertices: set[bytes], part: Elements) -> set[bytes]:
        if part is not self._records:
            return vertices
        asked = vertices - self._looked_at
        if asked:
            decode = self._scope.keys.vertex_codec.decode
            self._seen |= seen_vertices(map(decode, asked), self._scope)
            self._looked_at |= asked
        return self._seen
