"""The search for paths against NetworkX, on random graphs."""

from __future__ import annotations

from collections.abc import Collection

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexigraph.plan.paths.search import FORWARD, Onward, iter_paths

VERTICES = [f"{one:02}".encode() for one in range(9)]
edge = st.tuples(st.sampled_from(VERTICES), st.sampled_from(VERTICES))


class Reader:
    """Reads a graph of NetworkX, and notes what was asked for."""

    def __init__(self, graph: nx.DiGraph) -> None:
        self.graph = graph
        self.asked: list[tuple[bytes, bool]] = []

    def __call__(self, vertices: Collection[bytes], forward: bool) -> Onward:  # noqa: FBT001 - a protocol
        self.asked += [(one, forward) for one in vertices]
        ends = self.graph.successors if forward is FORWARD else self.graph.predecessors
        return {one: list(ends(one)) if one in self.graph else [] for one in vertices}


def all_paths(graph: nx.DiGraph, hops: int | None) -> set[tuple[bytes, ...]]:
    """Return what NetworkX finds from the first vertex to the last."""
    if VERTICES[0] not in graph or VERTICES[-1] not in graph:
        return set()
    found = nx.all_simple_paths(graph, VERTICES[0], VERTICES[-1], cutoff=hops)
    return {tuple(one) for one in found}


@given(st.lists(edge, max_size=25), st.integers(1, 9))
def test_all_simple_paths_come_once_and_the_shorter_ones_first(
    edges: list[tuple[bytes, bytes]], hops: int
) -> None:
    graph = nx.DiGraph(edges)
    reader = Reader(graph)
    found = list(iter_paths(reader, VERTICES[0], VERTICES[-1], hops))
    assert len(found) == len(set(found))
    assert set(found) == all_paths(graph, hops)
    assert [len(one) for one in found] == sorted(len(one) for one in found)
    assert len(reader.asked) == len(set(reader.asked)), "edges of a vertex were read twice"


@given(st.lists(edge, max_size=25), st.none() | st.integers(1, 9))
def test_the_shortest_are_those_that_no_other_is_shorter_than(
    edges: list[tuple[bytes, bytes]], hops: int | None
) -> None:
    graph = nx.DiGraph(edges)
    every = all_paths(graph, hops)
    least = min(map(len, every), default=0)
    found = list(iter_paths(Reader(graph), VERTICES[0], VERTICES[-1], hops, shortest=True))
    assert sorted(found) == sorted(one for one in every if len(one) == least)


def test_a_vertex_has_no_path_to_itself() -> None:
    reader = Reader(nx.DiGraph([(b"a", b"b"), (b"b", b"a")]))
    assert list(iter_paths(reader, b"a", b"a", 5)) == []
    assert reader.asked == []


def test_the_side_with_fewer_vertices_goes_on() -> None:
    graph = nx.DiGraph([(b"hub", f"{one}".encode()) for one in range(1000)])
    graph.add_edges_from([(b"7", b"x"), (b"x", b"y")])
    reader = Reader(graph)
    assert list(iter_paths(reader, b"hub", b"y", 3)) == [(b"hub", b"7", b"x", b"y")]
    assert len(reader.asked) == 3


def test_a_search_without_an_end_in_sight_can_be_stopped() -> None:
    graph = nx.complete_graph([str(one).encode() for one in range(30)], nx.DiGraph())
    calls = []

    def stop() -> None:
        calls.append(1)
        if len(calls) > 20:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        list(iter_paths(Reader(graph), b"0", b"1", 29, check=stop))
