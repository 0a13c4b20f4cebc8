"""Paths between vertices: behaviours 71 to 76 of Vertexium's tests.

Layer ``testing``. Direction is ignored unless a question says otherwise.
"""

from __future__ import annotations

from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import LexigraphError
from lexigraph.testing.records.base import RecordTests, user


def fill(graph: lg.Graph) -> None:
    """Add two ways from a to e: over b, and over c and d; one edge of each goes backwards."""
    for id_ in "abcde":
        graph.add_vertex(id_)
    for id_, label in (("ab", "KNOWS"), ("eb", "KNOWS"), ("ac", "PAYS"), ("dc", "PAYS")):
        graph.add_edge(id_[0], label, id_[1], id=id_)
    graph.add_edge("d", "PAYS", "e", id="de")


def found(graph: Any, hops: int = 5, *edges: str, **how: Any) -> list[str]:
    """Return the paths from a to e as texts."""
    return ["".join(one) for one in graph.paths("a", "e", *edges, hops=hops, **how)]


class RecordPaths(RecordTests):
    """Ways along edges from one vertex to another."""

    def test_all_simple_paths_come_the_shorter_ones_first(self, graph: lg.Graph) -> None:
        """71: of at most so many hops, whatever the direction of edges."""
        fill(graph)
        assert found(graph) == ["abe", "acde"]
        assert found(graph, 2) == ["abe"]
        assert found(graph, 1) == []
        assert graph.shortest_path("a", "e") == ("a", "b", "e")
        graph.add_edge("b", "KNOWS", "c", id="bc")
        assert found(graph) == ["abe", "acbe", "acde", "abcde"]

    def test_a_single_hop_is_found_among_longer_ones(self, graph: lg.Graph) -> None:
        """72: at most two hops are also one."""
        fill(graph)
        graph.add_edge("e", "KNOWS", "a", id="ea")
        assert found(graph, 2) == ["ae", "abe"]
        assert found(graph, 1) == ["ae"]
        assert list(graph.shortest_paths("a", "e")) == [("a", "e")]

    def test_labels_are_followed_or_excluded(self, graph: lg.Graph) -> None:
        """73: several labels, one, or all but one."""
        fill(graph)
        assert found(graph, 5, "KNOWS") == ["abe"]
        assert found(graph, 5, "PAYS") == ["acde"]
        assert found(graph, 5, "KNOWS", "PAYS") == ["abe", "acde"]
        assert found(graph, exclude="KNOWS") == ["acde"]
        assert found(graph, exclude=["KNOWS", "PAYS"]) == []

    def test_deleted_and_hidden_edges_are_not_used(self, graph: lg.Graph) -> None:
        """74: until they are added again, or shown."""
        fill(graph)
        graph.edge("ab").delete()
        assert found(graph) == ["acde"]
        graph.add_edge("a", "KNOWS", "b", id="ab")
        assert found(graph) == ["abe", "acde"]
        graph.edge("eb").hide("a")
        assert found(user(graph, "a")) == ["acde"]
        assert found(user(graph, "b")) == ["abe", "acde"]
        graph.edge("eb").show("a")
        assert found(user(graph, "a")) == ["abe", "acde"]

    def test_a_vertex_that_is_not_seen_is_not_passed(self, graph: lg.Graph) -> None:
        """75: hidden, under another visibility, or never added."""
        fill(graph)
        graph.vertex("b").hide("a")
        graph.vertex("c").set_visibility("b")
        assert found(user(graph, "a")) == []
        assert found(user(graph, "a", "b")) == ["acde"]
        assert found(user(graph)) == ["abe"]
        graph.add_edge("a", "KNOWS", "nobody")
        graph.add_edge("nobody", "KNOWS", "e")
        assert found(user(graph)) == ["abe"]

    def test_edges_that_are_not_seen_are_not_used(self, graph: lg.Graph) -> None:
        """75 for edges: each reader has the paths of what it may read."""
        fill(graph)
        graph.edge("eb").set_visibility("a")
        graph.edge("dc").set_visibility("b")
        assert found(user(graph, "a")) == ["abe"]
        assert found(user(graph, "b")) == ["acde"]
        assert found(user(graph)) == []

    def test_one_path_is_enough_if_one_is_asked_for(self, graph: lg.Graph) -> None:
        """76: the first is a shortest one."""
        fill(graph)
        assert found(graph, limit=1) == ["abe"]
        assert user(graph).shortest_path("a", "nobody") is None

    def test_paths_follow_a_direction_if_asked_to(self, graph: lg.Graph) -> None:
        """Not in Vertexium: from source to destination, or against it."""
        fill(graph)
        assert found(graph, direction="out") == []
        graph.add_edge("b", "KNOWS", "e")
        assert found(graph, direction="out") == ["abe"]
        assert list(graph.paths("e", "a", hops=3, direction="in")) == [("e", "b", "a")]

    def test_too_few_hops_are_refused(self, graph: lg.Graph) -> None:
        """Mistakes are raised before anything is read."""
        for wrong in (0, -1, None, "2", 1.5, True):
            with pytest.raises(LexigraphError):
                graph.paths("a", "e", hops=wrong)  # type: ignore[arg-type]
        with pytest.raises(LexigraphError, match="exclude"):
            graph.paths("a", "e", hops=2, exclude=7)
