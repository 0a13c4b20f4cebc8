"""What is done with elements on their way: behaviours 8 to 11 and 14 of Gaffer's tests.

Layer ``testing``. Conditions have a topic of their own.
"""

from __future__ import annotations

from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import LexigraphError, PropertyNotFound, ValidationError
from lexigraph.testing.graph.base import (
    GraphTests,
    Link,
    MakeGraph,
    Seen,
    Trip,
    day,
    link,
    seen,
    shapes,
)

DATA: list[Any] = [
    seen("a", 1, count=3, longest=5, words="x"),
    seen("b", 2, count=1),
    link("a", "b", count=2, longest=7),
    link("c", "a", count=5),
    link("a", "d", directed=False),
    Trip("a", "b", what="rail"),
]


class Views(GraphTests):
    """Choosing groups and properties, and making new ones."""

    @pytest.fixture
    def graph(self, make: MakeGraph) -> lg.Graph:
        """Return a graph of two groups of edges and one of vertices."""
        graph = make(Seen, Link, Trip)
        graph.add(DATA)
        return graph

    def test_an_edge_tells_by_which_end_it_was_found(self, graph: lg.Graph) -> None:
        """8: source or destination; nothing where no vertex was asked for."""
        matched = {
            (one.source, one.destination): one.matched
            for one in graph.get("a").edges(Link).elements()
        }
        assert matched[("a", "b")] == "source"
        assert matched[("c", "a")] == "destination"
        assert matched[("a", "d")] == "source"
        assert [one.matched for one in graph.get("d").edges(Link).elements()] == ["destination"]
        assert {one.matched for one in graph.all(Link).elements()} == {None}
        assert {one.matched for one in graph.edge("a", "b").elements()} <= {None, "source"}

    @pytest.mark.parametrize("end", ["source", "destination"])
    @pytest.mark.parametrize("direction", ["out", "in", "both"])
    def test_the_end_it_was_found_by_can_be_asked_for(
        self, graph: lg.Graph, end: str, direction: str
    ) -> None:
        """8: in the engine and in the client, with every direction."""
        asked = graph.get("a").edges(Link, direction=direction)
        predicate = {"op": "eq", "field": "matched", "value": end.encode()}
        expected = [one for one in asked.elements() if one.matched == end]
        assert list(asked.where(predicate).elements()) == expected
        assert list(asked.where(lambda one: one.matched == end).elements()) == expected
        assert {one.other("a") for one in expected} <= {"b", "c", "d"}
        if direction == "both":
            assert len(expected) == {"source": 2, "destination": 1}[end]

    def test_an_edge_with_both_ends_asked_for_comes_once(self, graph: lg.Graph) -> None:
        """8: by its source, whatever the order of the seeds (operations give it twice)."""
        for seeds in (("a", "b"), ("b", "a")):
            found = [one for one in graph.get(*seeds).edges(Link).elements() if one["count"] == 2]
            assert [(one.source, one.destination) for one in found] == [("a", "b")]

    def test_only_the_chosen_properties_come(self, graph: lg.Graph) -> None:
        """9: for all elements and around a vertex; ids always come."""
        for question in (graph.all(Link), graph.get("a").edges(Link)):
            for one in question.select("count").elements():
                assert set(one.properties) == {"count"}
                assert None not in one.ids.values()
            assert {tuple(one.properties) for one in question.select().elements()} == {()}

    def test_excluded_properties_stay_away(self, graph: lg.Graph) -> None:
        """9: all but those that are named."""
        for question in (graph.all(Seen), graph.get("a").vertices(Seen)):
            for one in question.exclude("count", "words").elements():
                assert set(one.properties) == {"day", "longest"}

    def test_a_name_that_no_group_has_is_refused(self, graph: lg.Graph) -> None:
        """9: with the nearest name (Gaffer ignores it)."""
        for question in (lambda: graph.all(Link).select("cuont"), lambda: graph.all("Lnik")):
            with pytest.raises(LexigraphError, match="did you mean"):
                question().to_list()

    def test_all_edges_or_all_vertices(self, graph: lg.Graph) -> None:
        """10: of every group, around vertices and everywhere."""
        edges = [one for one in DATA if one.kind == "edge"]
        assert shapes(graph.all().edges()) == shapes(edges)
        assert shapes(graph.get("a").edges()) == shapes(edges)
        assert shapes(graph.all().vertices()) == shapes(DATA[:2])
        assert shapes(graph.get("a", "b").vertices()) == shapes(DATA[:2])
        assert shapes(graph.all().edges().vertices(Seen)) == shapes(DATA)

    def test_all_of_a_group_alone(self, graph: lg.Graph) -> None:
        """11: by name or by class."""
        assert shapes(graph.all("Trip")) == shapes(graph.all(Trip)) == [("Trip", "->", "a", "b")]
        assert graph.count(Seen, "Trip") == 3
        assert shapes(graph.all()) == shapes(DATA)

    def test_all_with_a_condition_a_transform_and_another_condition(self, graph: lg.Graph) -> None:
        """11: the second condition sees what the transform made."""
        question = (
            graph.all(Link)
            .where(Link.count >= 2)
            .derive("each", lambda total, n: total / n, "longest", "count", type=float)
            .where(lg.field("each") > 0)
        )
        assert [(one.source, one["each"]) for one in question.elements()] == [("a", 3.5)]

    def test_what_is_derived_is_not_stored(self, graph: lg.Graph) -> None:
        """14: the answer has it, the graph does not."""
        named = graph.all(Link).derive("pair", "{}-{}".format, "source", "destination", type=str)
        assert {one["pair"] for one in named.elements()} == {"a-b", "c-a", "a-d"}
        assert [set(one.properties) for one in named.select("pair").elements()] == [{"pair"}] * 3
        assert all("pair" not in one.properties for one in graph.all(Link).elements())
        with pytest.raises(PropertyNotFound, match="pair"):
            graph.all(Link).where(lg.field("pair") == "a-b").to_list()

    def test_what_the_schema_does_not_know_is_refused(self, graph: lg.Graph) -> None:
        """14: and nothing is stored (Gaffer drops the property silently)."""
        given = {"group": "Seen", "vertex": "z", "day": day(1), "count": 1, "colour": "red"}
        with pytest.raises(ValidationError, match="colour"):
            graph.add([given])
        assert graph.get("z").to_list() == []

    def test_ids_can_be_transformed(self, graph: lg.Graph) -> None:
        """14: the answer has the new id, and the graph is asked by the old one."""
        vertices = graph.get("a").vertices().derive("vertex", "upper-case", "vertex", type=str)
        assert [one.vertex for one in vertices.elements()] == ["A"]
        edges = graph.get("b").edges(Link).derive("source", lambda name: name * 2, "source")
        assert [(one.source, one.destination) for one in edges.elements()] == [("aa", "b")]
        assert graph.get("A").count() == 0
