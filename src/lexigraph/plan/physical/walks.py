"""Ways along edges, and the vertices that lie some hops away.

Layer ``plan``. Walks are made as they are taken. Hops run in the engine where it can follow edges
itself; the answer is the same.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from lexigraph.cells.columns import BytesColumn
from lexigraph.errors import SemanticProblem, show
from lexigraph.plan.element import Element
from lexigraph.plan.logical.elements import Around, Hops, Walk
from lexigraph.plan.physical.execute import Branched
from lexigraph.plan.physical.trails import edges_from, end_of, iter_trails, start_of
from lexigraph.plan.records.views import ends_only
from lexigraph.plan.scope import Scope
from lexigraph.plan.sources.seeds import SeedSet
from lexigraph.store.answers.vertices import Vertices
from lexigraph.store.operators import EdgeReader


@dataclass(frozen=True, slots=True)
class Path:
    """One path: its start and the edges along it.

    >>> Path("a", (Element("edge", "calls", source="b", destination="a", directed=False),)).vertices
    ('a', 'b')
    """

    start: Any
    edges: tuple[Element, ...]

    @property
    def vertices(self) -> tuple[Any, ...]:
        """The vertices along it, from the start to the end."""
        found = [self.start]
        for edge in self.edges:
            found.append(edge.other(found[-1]))
        return tuple(found)

    def __len__(self) -> int:
        """Return how many hops it has."""
        return len(self.edges)

    def __repr__(self) -> str:
        """Show the vertices."""
        return f"<path {' - '.join(map(repr, self.vertices))}>"


def iter_walks(asked: Walk, scope: Scope) -> Iterator[Path]:
    """Give the walks; mistakes raise here, before anything is read."""
    for hop in asked.hops:
        Branched(replace(hop, source=Around(())), scope)
    return islice(_walks(asked, scope), asked.limit)


def _walks(asked: Walk, scope: Scope) -> Iterator[Path]:
    seeds = _seeds(asked.seeds, scope)
    with one_moment(scope) as fixed:
        for trail in iter_trails(seeds, asked.hops, fixed, seeds.codec):
            edges = trail.edges()
            yield Path(start_of(edges[0]), edges)


def check_hops(asked: Hops) -> None:
    """Refuse fewer hops than one."""
    if not isinstance(asked.steps, int) or asked.steps < 1:
        raise SemanticProblem(f"a path needs at least one hop, not {show(asked.steps)}")


def find_hops(asked: Hops, scope: Scope, reader: EdgeReader | None) -> Vertices:
    """Return the vertices that lie some hops away, in key order, each once.

    ``reader`` was chosen for these edges before; without it the client follows them.
    """
    check_hops(asked)
    if reader is None:
        return _follow(asked, scope)
    seeds = _seeds(asked.seeds, scope)
    return reader.expand(
        seeds,
        steps=min(asked.steps, sys.maxsize),
        within=asked.within,
        snapshot=scope.snapshot,
        timeout_s=scope.timeout_s,
    )


def _follow(asked: Hops, scope: Scope) -> Vertices:
    view = {n: one for n, one in asked.edges.view.items() if scope.schema.group(n).kind == "edge"}
    edges = ends_only(replace(asked.edges, source=Around(()), view=view, limit=None), scope)
    seeds = _seeds(asked.seeds, scope)
    encode = seeds.codec.encode
    seen = set(seeds.keys)
    reached: set[bytes] = set()
    with one_moment(scope) as fixed:
        frontier = seeds
        for _ in range(asked.steps):
            found = edges_from(frontier, edges, fixed)
            reached = {encode(end_of(edge)) for edge in found} - seen
            seen |= reached
            if not reached:
                break
            frontier = SeedSet(map(seeds.codec.decode, reached), seeds.codec)
    keys = seen - set(seeds.keys) if asked.within else reached
    return Vertices(BytesColumn.of(sorted(keys)), seeds.codec)


def _seeds(vertices: Iterable[Any], scope: Scope) -> SeedSet:
    return vertices if isinstance(vertices, SeedSet) else SeedSet(vertices, scope.keys.vertex_codec)


@dataclass(slots=True)
class one_moment:  # noqa: N801 - used as a function
    """Gives a scope that reads one moment, if the engine has snapshots."""

    scope: Scope
    taken: Any = None

    def __enter__(self) -> Scope:
        """Take the moment."""
        scope = self.scope
        if scope.snapshot is not None or not scope.engine.capabilities.snapshots:
            return scope
        self.taken = scope.engine.snapshot()
        return replace(scope, snapshot=self.taken)

    def __exit__(self, *error: Any) -> None:
        """Give it up."""
        if self.taken is not None:
            self.taken.close()
