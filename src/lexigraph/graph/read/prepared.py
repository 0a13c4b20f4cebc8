"""Prepared questions: planned once, asked of one vertex after another.

Layer ``graph``. Each call sees what is there then, as the session that prepared it; a change of the
schema is noticed, and the question is planned anew.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from lexigraph.errors import InvalidValue, UsageError
from lexigraph.graph.read import frames
from lexigraph.graph.read.seeds import ids_in
from lexigraph.plan import (
    Around,
    EdgeReader,
    Hops,
    Scope,
    SeedSet,
    choose_edges,
    choose_vertices,
    find_hops,
    read_pairs,
    run,
)
from lexigraph.plan.logical.elements import EdgeSeed

if TYPE_CHECKING:
    from lexigraph.graph.read.query import Query
    from lexigraph.store.answers.vertices import Vertices

T = TypeVar("T")


class Prepared(Generic[T]):
    """A question about vertices that are given later.

    >>> import lexigraph as lg
    >>> class Calls(lg.Edge, summary=True):
    ...     source: str
    ...     destination: str
    ...     count: int = lg.sum()
    >>> with lg.open(":memory:", [Calls]) as graph:
    ...     calls = graph.get().edges(Calls, direction="out").prepare()
    ...     _ = graph.add([Calls("ann", "bob", count=1), Calls("bob", "ann", count=2)])
    ...     calls("ann"), calls.adjacent("bob")
    ([Calls('ann', 'bob', count=1)], ['ann'])
    """

    def __init__(self, query: Query[T]) -> None:
        source = query._asked.source
        if not isinstance(source, Around) or list(source.vertices) or source.edges:
            raise UsageError(
                "a prepared question gets its vertices when it is called",
                hint="Start it from get() without vertices: graph.get().edges(Calls).prepare().",
            )
        self._query, self._reading = query, query._reading
        self._plan()

    def _plan(self) -> None:
        self._scope: Scope = self._reading.scope()
        asked = self._query._asked
        limited = asked.limit is not None or self._query._is_cut()
        self._edges = None if limited else choose_edges(asked, self._scope).reader
        self._vertices = None if limited else choose_vertices(asked, self._scope).reader

    def __call__(self, *vertices: Any) -> list[T]:
        """Return the elements of the answer; vertices are given as ``get`` takes them."""
        edges: list[EdgeSeed] = []
        seeds = list(ids_in(vertices, edges))
        found = None if edges else self._vertices_of(seeds)
        return list(self._of(seeds, edges)) if found is None else found

    def _vertices_of(self, ids: list[Any]) -> list[T] | None:
        """Return the vertices of records with these ids; ``None`` if the engine does not."""
        self._ready()
        if self._vertices is None:
            return None
        try:
            return list(map(self._query._instance, self._vertices.find(ids)))
        except InvalidValue:
            # A question says what is wrong with an id.
            return None

    def _vertex_of(self, vertex: Any) -> tuple[T | None] | None:
        """Return the vertex of records with an id, if any; ``None`` if the engine does not."""
        self._ready()
        if self._vertices is None:
            return None
        try:
            found = self._vertices.find_one(vertex)
        except InvalidValue:
            # A question says what is wrong with an id.
            return None
        return (None if found is None else self._query._instance(found),)

    def adjacent(self, *vertices: Any) -> list[Any]:
        """Return the vertices at the other ends of the edges, each once, in key order."""
        scope, reader = self._scope, self._edges
        if scope.keys is not self._reading.access.keys:
            scope, reader = self._ready()
        # One text needs no looking into, and the rest takes microseconds only.
        if reader is not None and len(vertices) == 1 and type(vertices[0]) is str:
            return reader.neighbours_of(
                vertices[0], snapshot=scope.snapshot, timeout_s=scope.timeout_s
            )
        edges: list[EdgeSeed] = []
        seeds = list(ids_in(vertices, edges))
        if reader is None or edges:
            return self._of(seeds, edges).adjacent()
        return reader.neighbours(seeds, snapshot=scope.snapshot, timeout_s=scope.timeout_s)

    def pairs(self, *vertices: Any) -> Any:
        """Return a ``pyarrow.Table`` of ``vertex`` and ``adjacent``: each pair once, sorted."""
        scope, reader = self._ready()
        edges: list[EdgeSeed] = []
        seeds = list(ids_in(vertices, edges))
        if reader is None or edges:
            return self._of(seeds, edges).pairs()
        return frames.pairs_table(*read_pairs(reader, seeds, scope))

    def hops(self, *start: Any, steps: int = 1, within: bool = False) -> Vertices:
        """Return the vertices that lie ``steps`` hops away, or ``within`` so many, each once."""
        scope, reader = self._ready()
        seeds = SeedSet(ids_in(start, []), scope.keys.vertex_codec)
        asked = Hops(seeds, self._query._asked, steps, within)
        if reader is None:
            found: Vertices = run(asked, scope).packed()
            return found
        return find_hops(asked, scope, reader)

    def _ready(self) -> tuple[Scope, EdgeReader | None]:
        if self._scope.keys is not self._reading.access.keys:
            self._plan()
        return self._scope, self._edges

    def _of(self, seeds: list[Any], edges: list[EdgeSeed]) -> Query[T]:
        query = self._query
        found = SeedSet(seeds, self._reading.access.keys.vertex_codec)
        return query._with(replace(query._asked, source=Around(found, tuple(edges))))

    def __repr__(self) -> str:
        """Show what is asked."""
        return f"<prepared {self._query!r}>"
