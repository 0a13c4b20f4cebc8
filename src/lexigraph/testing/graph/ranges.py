"""Sets and ranges of vertices: behaviours 19 and 29 of Gaffer's integration tests.

Layer ``testing``. Both layouts give the same elements, because each test runs in both. Split points
and the reducer sums of a bulk load (also 29) belong to clusters and are not asked here.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import LexigraphError, UsageError
from lexigraph.testing.graph.base import GraphTests, Link, MakeGraph, Seen, link, seen, shapes

NAMES = ("a", "a0", "b", "c", "d")
VERTICES = [seen(name) for name in NAMES]
EDGES = [
    *(link(a, b) for a, b in (("a", "b"), ("b", "c"), ("c", "a"), ("d", "d"), ("a0", "d"))),
    *(link(a, b, directed=False) for a, b in (("a", "b"), ("c", "d"), ("a0", "a0"))),
]
SETS = [set(chosen) for size in range(3) for chosen in combinations(NAMES, size)]


class Counter(lg.Vertex, summary=True):
    """A vertex whose id is a number."""

    id: int
    count: int = lg.sum(default=1)


class Steps(lg.Edge, summary=True, directed=True):
    """An edge between numbers."""

    source: int
    destination: int
    count: int = lg.sum(default=1)


class Ranges(GraphTests):
    """Sets and ranges."""

    @pytest.fixture
    def graph(self, make: MakeGraph) -> lg.Graph:
        """Return a graph with a few of everything."""
        graph = make(Seen, Link)
        graph.add([*VERTICES, *EDGES])
        return graph

    def test_within_a_set_both_ends_are_in_it(self, graph: lg.Graph) -> None:
        """29: edges inside a set, and its vertices."""
        for chosen in [*SETS, set(NAMES), {"a", "nobody"}]:
            expected = [
                *(one for one in VERTICES if one.id in chosen),
                *(one for one in EDGES if {one.source, one.destination} <= chosen),
            ]
            assert shapes(graph.within(chosen)) == shapes(expected), chosen

    def test_between_sets_an_edge_leads_from_one_into_the_other(self, graph: lg.Graph) -> None:
        """29: with the vertices of the first; an edge's direction does not matter here."""
        for first, second in product(SETS, SETS):
            expected = [one for one in VERTICES if second and one.id in first] + [
                one
                for one in EDGES
                if (one.source in first and one.destination in second)
                or (one.destination in first and one.source in second)
            ]
            assert shapes(graph.between(first, second)) == shapes(expected), (first, second)

    def test_between_sets_in_one_direction(self, graph: lg.Graph) -> None:
        """29: seen from the first set."""
        for first, second in (({"a"}, {"b", "c"}), ({"c", "d"}, {"d", "a"})):
            out = [
                one
                for one in EDGES
                if (one.source in first and one.destination in second)
                or (not one.directed and one.destination in first and one.source in second)
            ]
            assert shapes(graph.between(first, second).edges(direction="out")) == shapes(out)

    def test_ranges_of_vertices_with_their_edges(self, graph: lg.Graph) -> None:
        """19: both ends of a range count; several ranges give each element once."""
        for low, high in product(["a", "a0", "a00", "b", "z"], repeat=2):
            inside = {name for name in NAMES if min(low, high) <= name <= max(low, high)}
            expected = [
                *(one for one in VERTICES if one.id in inside),
                *(one for one in EDGES if {one.source, one.destination} & inside),
            ]
            assert shapes(graph.ranges((low, high))) == shapes(expected), (low, high)
        both = graph.ranges(("a", "b"), ("a0", "z"))
        assert shapes(both) == shapes([*VERTICES, *EDGES])

    def test_ranges_from_edge_to_edge_follow_the_keys(self, graph: lg.Graph, layout: str) -> None:
        """29: with the vertices at their ends where those are asked for, and each edge once."""
        for first, last in product(EDGES, repeat=2):
            found = graph.ranges((first, last))
            bounds = [*_rows(first, layout)[:1], *_rows(last, layout)[:1]]
            ends = [row for one in (first, last) for row in _end_rows(one, layout)]
            expected = _spanned([*VERTICES, *EDGES], [*bounds, *ends], layout)
            assert shapes(found) == shapes(expected), (first, last)
            assert shapes(found.edges()) == shapes(_spanned(EDGES, bounds, layout)), (first, last)
            assert found.count() == len(expected)

    def test_ranges_from_a_vertex_to_an_edge(self, graph: lg.Graph, layout: str) -> None:
        """29: everything about the vertex, and what lies up to the edge; an element is a seed."""
        last = link("b", "c")
        bounds = [*_rows(last, layout)[:1], *_end_rows(last, layout)]
        near = [row for one in EDGES for row in _rows(one, layout) if row[0] == "a0"]
        expected = _spanned([*VERTICES, *EDGES], [*bounds, ("a0",), *near], layout)
        assert shapes(graph.ranges(("a0", last))) == shapes(expected)
        assert shapes(graph.ranges((last, seen("a0")))) == shapes(expected)
        beyond = [one for one in EDGES if {one.source, one.destination} <= {"c", "d"}]
        rest = [one for one in EDGES if one not in beyond]
        assert shapes(graph.ranges(("a", "a"), ("a0", last))) == shapes([*VERTICES[:4], *rest])
        assert shapes(graph.ranges((seen("a"), seen("a")))) == shapes(graph.get("a"))

    def test_ranges_of_numbers_go_by_their_size(self, make: MakeGraph) -> None:
        """19: negative before positive, nine before ten."""
        graph = make(Counter, Steps)
        ids = [-(10**12), -300, -1, 0, 1, 9, 10, 255, 256, 10**12]
        graph.add([*map(Counter, ids), *(Steps(one, one + 1) for one in ids)])
        for low, high in product(ids, repeat=2):
            inside = {one for one in ids if min(low, high) <= one <= max(low, high)}
            found = [one.id for one in graph.ranges((low, high)).vertices()]
            assert found == sorted(inside)
            near = [one.source for one in graph.ranges((low, high)).edges(direction="out")]
            ends = [one for one in ids if min(low, high) <= one <= max(low, high)]
            assert near == ends

    def test_ranges_can_be_summarised(self, graph: lg.Graph) -> None:
        """29: figures over all that a range finds."""
        edges = [one for one in EDGES if {one.source, one.destination} & {"a", "a0"}]
        rows = graph.ranges(("a", "a0")).edges(Link).summarise(n=lg.count(), t=lg.sum("count"))
        assert rows.to_list() == [{"n": len(edges), "t": len(edges)}]

    def test_what_is_no_range_is_refused(self, graph: lg.Graph) -> None:
        """19: with a sentence that says what one is."""
        with pytest.raises(UsageError, match="first, last"):
            graph.ranges("ab")  # type: ignore[arg-type]
        with pytest.raises(LexigraphError):
            graph.ranges((1, 2)).to_list()
        with pytest.raises(UsageError, match="collection"):
            graph.within(None)


def _rows(element: Any, layout: str) -> list[tuple[Any, ...]]:
    """Return the keys of an element as a layout sorts them, the one from its source first."""
    if element.kind == "vertex":
        return [(element.id, 1) if layout == "byte-entity" else (element.id,)]
    ends = (element.source, element.destination)
    ways = [(ends, 2), (ends[::-1], 3)] if element.is_directed else [(ends, 4), (ends[::-1], 4)]
    if layout == "byte-entity":
        rows = [(near, flag, far) for (near, far), flag in ways]
    else:
        rows = [(near, far, flag % 4) for (near, far), flag in ways]
    return rows[:1] if ends[0] == ends[1] else rows


def _end_rows(edge: Link, layout: str) -> list[tuple[Any, ...]]:
    return [row for name in edge.ids.values() for row in _rows(seen(name), layout)]


def _spanned(elements: list[Any], bounds: list[tuple[Any, ...]], layout: str) -> list[Any]:
    low, high = min(bounds), max(bounds)
    return [one for one in elements if any(low <= row <= high for row in _rows(one, layout))]
