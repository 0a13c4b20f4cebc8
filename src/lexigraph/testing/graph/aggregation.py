"""Elements that are the same become one: behaviours 1 to 5 of Gaffer's integration tests.

Layer ``testing``. Merging happens in the engine at any time; no answer may show when it did.
"""

from __future__ import annotations

import lexigraph as lg
from lexigraph.testing.graph.base import (
    Event,
    GraphTests,
    Link,
    MakeGraph,
    Seen,
    Trip,
    day,
    link,
    seen,
)


class Aggregation(GraphTests):
    """Merging equal elements."""

    def test_equal_elements_are_one_and_their_properties_merge(self, make: MakeGraph) -> None:
        """1: summed, maxed and joined, in one batch and over several."""
        graph = make(Seen, Link)
        graph.add([seen("a", count=1, longest=5, words="y"), link("a", "b", longest=2, words="q")])
        graph.add([seen("a", count=2, longest=3, words="x"), link("a", "b", longest=7, words="p")])
        graph.add([seen("a", count=4, longest=4)] * 2)
        vertices = [seen("a", count=11, longest=5, words="x,y")]
        edges = [link("a", "b", count=2, longest=7, words="p,q")]
        assert graph.all(Seen).to_list() == vertices
        assert graph.get("b").edges(Link).to_list() == edges
        graph.admin.compact()
        assert graph.all(Seen).to_list() == vertices
        assert graph.get("b").edges(Link).to_list() == edges

    def test_different_group_by_values_keep_elements_apart(self, make: MakeGraph) -> None:
        """1: what is grouped by is part of what an element is."""
        graph = make(Seen, Link)
        graph.add([seen("a", 1), seen("a", 2), seen("a", 2)])
        graph.add([link("a", "b", on=1), link("a", "b", on=2), link("a", "c", on=1)])
        assert [(one.day, one.count) for one in graph.all(Seen)] == [(day(1), 1), (day(2), 2)]
        assert graph.count(Link) == 3

    def test_rolling_up_over_everything_summarises_all(self, make: MakeGraph) -> None:
        """2: an empty group-by gives one element for each vertex and pair."""
        graph = make(Seen, Link)
        graph.add([seen("a", on, count=on, longest=9 - on, words=f"w{on}") for on in (1, 2, 3)])
        graph.add([link("a", "b", on=on, count=on, words=f"w{on}") for on in (1, 2, 3)])
        graph.add([link("b", "a", count=50)])
        [vertex] = graph.get("a").vertices().roll_up()
        assert (vertex.day, vertex.count, vertex.longest, vertex.words) == (None, 6, 8, "w1,w2,w3")
        edges = graph.all(Link).roll_up()
        assert [(one.source, one.count, one.words) for one in edges] == [
            ("a", 6, "w1,w2,w3"),
            ("b", 50, None),
        ]
        assert edges.count() == 2

    def test_rolling_up_is_the_same_for_every_way_of_merging(self, make: MakeGraph) -> None:
        """2: before and behind merges, and with an aggregator of the question."""
        graph = make(Link)
        for on in (1, 2, 3):
            graph.add([link("a", "b", on=on, count=on, longest=on), link("a", "b", on=on)])
        largest = graph.all(Link).roll_up(count=lg.max())
        before = graph.all(Link).roll_up().to_list(), largest.to_list()
        graph.admin.compact()
        assert (graph.all(Link).roll_up().to_list(), largest.to_list()) == before
        assert [one.count for one in before[0]] == [9]
        assert [one.count for one in before[1]] == [4]

    def test_directed_and_undirected_edges_never_merge(self, make: MakeGraph) -> None:
        """3: a to b, b to a, and a with b are three edges, whatever the order of the ends."""
        graph = make(Link)
        graph.add([link("a", "b"), link("b", "a"), link("a", "b", directed=False)])
        graph.add([link("b", "a", directed=False), link("b", "a")])
        expected = {("a", "b", True): 1, ("b", "a", True): 2, ("a", "b", False): 2}
        for question in (graph.all(Link), graph.all(Link).roll_up(), graph.get("a", "b")):
            found = {(e.source, e.destination, e.directed): e["count"] for e in question.elements()}
            assert found == expected

    def test_groups_that_keep_duplicates_keep_them(self, make: MakeGraph) -> None:
        """4: equal elements stay as many as were added, also behind a merge."""
        graph = make(Event, Trip)
        for _ in range(2):
            graph.add([Event("a", what="x")] * 2 + [Event("a", what="y"), Trip("a", "b", what="x")])
        for _ in range(2):
            assert sorted(one.what for one in graph.all(Event)) == ["x"] * 4 + ["y"] * 2
            assert graph.get("b").edges(Trip).to_list() == [Trip("a", "b", what="x")] * 2
            assert graph.count() == 8
            graph.admin.compact()

    def test_only_groups_that_merge_do(self, make: MakeGraph) -> None:
        """5: beside each other in one graph, stored and asked."""
        graph = make(Event, Trip, Seen, Link)
        for _ in range(2):
            graph.add([Event("a", what="x"), Trip("a", "b", what="x"), seen("a"), link("a", "b")])
            graph.add([seen("a", 2), link("a", "b", on=2)])
        counts = {"Event": 2, "Trip": 2, "Seen": 2, "Link": 2}
        assert {group: graph.count(group) for group in counts} == counts
        merged = graph.get("a").vertices(Seen).edges(Link).roll_up()
        assert sorted((one.group, one["count"]) for one in merged.elements()) == [
            ("Link", 4),
            ("Seen", 4),
        ]
        graph.admin.compact()
        assert {group: graph.count(group) for group in counts} == counts
