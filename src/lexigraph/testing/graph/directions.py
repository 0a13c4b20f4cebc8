"""Which edges a vertex has: behaviours 6, 7 and 12 of Gaffer's integration tests.

Layer ``testing``. The oracle is the list of edges and one sentence: an edge goes out of its source
and into its destination, an undirected one both ways, and one from a vertex to itself goes out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.testing.graph.base import GraphTests, Link, MakeGraph, Seen, link, seen, shapes

NAMES = ("a", "b", "c", "d")
EDGES = [
    link("a", "b"),
    link("b", "a"),
    link("a", "b", directed=False),
    link("c", "a"),
    link("c", "b", directed=False),
    link("d", "d"),
    link("d", "d", directed=False),
    link("c", "d"),
]
VERTICES = [seen(name) for name in NAMES]
WAYS = list(product(("out", "in", "both"), (None, True, False)))


def touches(edge: Link, vertex: str, direction: str) -> bool:
    """Return whether a vertex has an edge in a direction."""
    if not edge.directed:
        return vertex in (edge.source, edge.destination)
    out = edge.source == vertex
    into = edge.destination == vertex and not out
    return (out and direction != "in") or (into and direction != "out")


def edges_of(vertices: Iterable[str], direction: str, directed: bool | None) -> Iterator[Link]:  # noqa: FBT001
    """Yield the edges that some vertices have."""
    for edge in EDGES:
        if directed in (None, edge.directed) and any(touches(edge, v, direction) for v in vertices):
            yield edge


def neighbours_of(vertices: Iterable[str], direction: str, directed: bool | None) -> set[str]:  # noqa: FBT001
    """Return the vertices at the other ends."""
    found = set()
    for vertex in vertices:
        for edge in edges_of([vertex], direction, directed):
            found.add(edge.destination if edge.source == vertex else edge.source)
    return found


def seed_sets() -> list[tuple[str, ...]]:
    """Return every set of one or two vertices, all of them, and one with a stranger."""
    return [*((name,) for name in NAMES), *combinations(NAMES, 2), NAMES, ("a", "nobody")]


class Filled(GraphTests):
    """The graph of this file."""

    @pytest.fixture
    def graph(self, make: MakeGraph) -> lg.Graph:
        """Return it with every edge added twice."""
        graph = make(Seen, Link)
        graph.add([*VERTICES, *EDGES])
        graph.add(EDGES)
        return graph


class Directions(Filled):
    """Vertices and edges around vertices."""

    def test_every_combination_of_kinds_directions_and_seeds(self, graph: lg.Graph) -> None:
        """6: vertices or not, edges or not, directed or not, in, out or both."""
        for seeds, (direction, directed) in product(seed_sets(), WAYS):
            vertices = [one for one in VERTICES if one.id in seeds]
            edges = list(edges_of(seeds, direction, directed))
            asked = graph.get(*seeds)
            alone = asked.edges(direction=direction, directed=directed)
            both = asked.vertices().edges(direction=direction, directed=directed)
            assert shapes(asked.vertices()) == shapes(vertices), seeds
            assert shapes(alone) == shapes(edges), (seeds, direction, directed)
            assert shapes(both) == shapes([*vertices, *edges]), (seeds, direction, directed)
            assert alone.count() == len(edges)
            assert all(one["count"] == 2 for one in alone.elements())

    def test_elements_ask_as_their_ids_do(self, graph: lg.Graph) -> None:
        """6: a vertex as a seed is its id; an edge is itself and the vertices at its ends."""
        assert shapes(graph.get(seen("a", 9))) == shapes(graph.get("a"))
        for edge in EDGES:
            ends = [one for one in VERTICES if one.id in (edge.source, edge.destination)]
            assert shapes(graph.get(edge)) == shapes([*ends, edge]), edge
        both = graph.get([seen("c"), link("a", "b")])
        around = [*edges_of(["c"], "both", None), link("a", "b")]
        assert shapes(both) == shapes([seen("a"), seen("b"), seen("c"), *around])

    def test_a_pair_is_asked_in_its_own_direction(self, graph: lg.Graph) -> None:
        """6: from a to b is not from b to a; an undirected edge is both."""
        for pair in product(NAMES, NAMES):
            expected = [
                edge
                for edge in EDGES
                if (edge.source, edge.destination) == pair
                or (not edge.directed and (edge.destination, edge.source) == pair)
            ]
            assert shapes(graph.edge(*pair)) == shapes(expected), pair

    def test_without_seeds_there_is_nothing(self, graph: lg.Graph) -> None:
        """7: no seed, an empty list and strangers find nothing, and that is no error."""
        questions: list[Any] = [graph.get(), graph.get([]), graph.get("nobody"), graph.within([])]
        questions += [graph.between([], ["a"]), graph.between(["a"], []), graph.ranges()]
        for question in questions:
            assert question.to_list() == []
            assert question.count() == 0
            assert question.edges().adjacent() == []


class Adjacency(Filled):
    """Neighbours, and those some hops away."""

    def test_neighbours_in_every_direction(self, graph: lg.Graph) -> None:
        """12: for every set of seeds; each once, in order."""
        for seeds, (direction, directed) in product(seed_sets(), WAYS):
            asked = graph.get(*seeds).edges(direction=direction, directed=directed)
            expected = sorted(neighbours_of(seeds, direction, directed))
            assert asked.adjacent() == expected, (seeds, direction, directed)

    def test_hops_are_neighbours_of_neighbours(self, graph: lg.Graph) -> None:
        """12: a vertex counts with the fewest hops that reach it."""
        for start, direction in product(NAMES, ("out", "in", "both")):
            near = neighbours_of([start], direction, None) - {start}
            far = neighbours_of(near, direction, None) - near - {start}
            assert graph.hops(start, direction=direction) == sorted(near)
            assert graph.hops(start, steps=2, direction=direction) == sorted(far)
            within = graph.hops(start, steps=2, within=True, direction=direction)
            assert within == sorted(near | far)

    def test_vertices_alone_have_no_neighbours(self, graph: lg.Graph) -> None:
        """12: a question about vertices follows no edge (Gaffer follows all)."""
        assert graph.get("a").vertices().adjacent() == []
