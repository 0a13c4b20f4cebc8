"""Filters: behaviour 13 of Gaffer's integration tests, on groups, ids, properties and merges.

Layer ``testing``. Each condition is asked twice, as data that the engine may run and as a function
that runs in the client: the answers are one.
"""

from __future__ import annotations

from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import PropertyNotFound, SemanticProblem
from lexigraph.testing.graph.base import (
    Event,
    GraphTests,
    Link,
    MakeGraph,
    Seen,
    day,
    link,
    seen,
    shapes,
)

DATA: list[Any] = [
    *(seen("a", on, count=on, longest=on) for on in (1, 2, 3)),
    seen("b", 1, count=9, words="only"),
    *(link("a", "b", on=on, count=10 * on, longest=on) for on in (1, 2, 3)),
    link("b", "a", on=3, count=5),
    link("a", "c", directed=False, on=2, count=7, words="x"),
]
CONDITIONS: list[tuple[Any, Any]] = [
    (Link.count > 10, lambda one: one["count"] > 10),
    (Link.count <= 10, lambda one: one["count"] <= 10),
    (Link.day == day(2), lambda one: one["day"] == day(2)),
    (Link.day != day(2), lambda one: one["day"] != day(2)),
    (
        (Link.day >= day(2)) & (Link.count < 25),
        lambda one: one["day"] >= day(2) and one["count"] < 25,
    ),
    ((Link.count == 5) | (Link.count == 7), lambda one: one["count"] in (5, 7)),
    (~(Link.count > 6), lambda one: not one["count"] > 6),
    (Link.source == "a", lambda one: one.source == "a"),
    (lg.field("destination") == "b", lambda one: one.destination == "b"),
    (lg.field("directed") == True, lambda one: one.directed),  # noqa: E712
    (Link.words == "x", lambda one: one.get("words") == "x"),
]


class Conditions(GraphTests):
    """Conditions before and after merging."""

    @pytest.fixture
    def graph(self, make: MakeGraph) -> lg.Graph:
        """Return a graph whose elements were added in two halves, so that merging matters."""
        graph = make(Seen, Link, Event)
        for one in DATA:
            graph.add([one])
        return graph

    @pytest.mark.parametrize("number", range(len(CONDITIONS)))
    def test_a_condition_and_its_function_agree(self, graph: lg.Graph, number: int) -> None:
        """13: on properties and ids, everywhere and around vertices."""
        condition, function = CONDITIONS[number]
        expected = [one for one in graph.all(Link).elements() if function(one)]
        assert 0 < len(expected) < graph.count(Link)
        for question in (graph.all(Link), graph.get("a").edges(Link)):
            assert shapes(question.where(condition).elements()) == shapes(expected)
            assert shapes(question.where(function).elements()) == shapes(expected)
            assert question.where(condition).count() == len(expected)

    def test_conditions_before_merging_see_the_parts(self, graph: lg.Graph) -> None:
        """13: filters before, then merges what is left."""
        question = graph.get("a").edges(Link).where(Link.longest >= 2, Link.source == "a")
        assert [one.count for one in question.roll_up()] == [50]
        asked = graph.all(Seen).where(lambda one: one["count"] < 3).roll_up()
        assert [(one.id, one.count) for one in asked] == [("a", 3)]

    def test_conditions_behind_merging_see_the_whole(self, graph: lg.Graph) -> None:
        """13: merges, then filters."""
        question = graph.get("a").edges(Link).roll_up()
        assert [one.count for one in question.where(Link.count > 50)] == [60]
        assert [one.count for one in question.where(lambda one: one["count"] > 50)] == [60]
        assert question.where(Link.count > 60).to_list() == []

    def test_before_and_behind_together(self, graph: lg.Graph) -> None:
        """13: each sees its own side."""
        question = graph.all(Link).where(Link.day >= day(2)).roll_up().where(Link.count >= 50)
        assert [(one.source, one.count) for one in question] == [("a", 50)]

    def test_several_parts_of_one_element_are_merged_before_any_condition(
        self, make: MakeGraph
    ) -> None:
        """13: an element is what its parts make, also when no merge has happened yet."""
        graph = make(Link)
        for _ in range(3):
            graph.add([link("a", "b", count=4)])
        assert graph.all(Link).where(Link.count == 12).count() == 1
        assert graph.all(Link).where(Link.count == 4).count() == 0

    def test_absent_values_satisfy_no_comparison(self, graph: lg.Graph) -> None:
        """13: neither being equal nor being different."""
        assert graph.all(Seen).where(Seen.words == "only").count() == 1
        assert graph.all(Seen).where(Seen.words != "only").count() == 0

    def test_groups_without_the_field_are_left_out(self, graph: lg.Graph) -> None:
        """13: and if no group has it, that is an error."""
        graph.add([Event("a", what="x")])
        found = {one.group for one in graph.get("a").where(lg.field("count") > 0).elements()}
        assert found == {"Seen", "Link"}
        with pytest.raises(PropertyNotFound):
            graph.get("a").where(lg.field("nothing") > 0)
        with pytest.raises(SemanticProblem):
            graph.all(Event).roll_up()
