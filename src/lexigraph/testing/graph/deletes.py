"""Deletes: behaviour 20 of Gaffer's integration tests, without the defects of section 6.6.

Layer ``testing``. What is deleted is gone from every kind of question at once, and nothing else is;
what is added again is there again, as if it had never been.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import UsageError
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
from lexigraph.testing.graph.visibility import Secret

DATA: list[Any] = [
    *(seen(name) for name in "abc"),
    link("a", "b"),
    link("b", "c"),
    link("a", "c", directed=False),
]
QUESTIONS: dict[str, Callable[[lg.Session], Any]] = {
    "all": lambda graph: shapes(graph.all()),
    "count": lambda graph: graph.count(),
    "get": lambda graph: shapes(graph.get("a")),
    "from the other end": lambda graph: shapes(graph.get("b", "c")),
    "edge": lambda graph: shapes(graph.edge("a", "b")),
    "within": lambda graph: shapes(graph.within(["a", "b", "c"])),
    "between": lambda graph: shapes(graph.between(["a", "b"], ["b", "c"])),
    "ranges": lambda graph: shapes(graph.ranges(("a", "c"))),
    "adjacent": lambda graph: graph.get("a", "b", "c").edges().adjacent(),
    "hops": lambda graph: graph.hops("a", steps=2, within=True),
    "walks": lambda graph: [path.vertices for path in graph.walk("a", Link, Link)],
    "figures": lambda graph: graph.all(Link).summarise(total=lg.sum("count")).to_list(),
    "rolled up": lambda graph: graph.all(Link).roll_up().count(),
}


class GraphDeletes(GraphTests):
    """Deletes of elements."""

    @pytest.mark.parametrize("gone", range(len(DATA)))
    def test_every_question_honours_a_delete(self, make: MakeGraph, gone: int) -> None:
        """20: it answers as a graph does that never had the element; behind a merge too."""
        graph, never = make(Seen, Link), make(Seen, Link, name="never")
        graph.add(DATA)
        graph.add(DATA[:gone] + DATA[gone + 1 :])
        for _ in range(2):
            never.add(DATA[:gone] + DATA[gone + 1 :])
        assert graph.delete([DATA[gone]]) == 1
        for _ in range(2):
            for name, ask in QUESTIONS.items():
                assert ask(graph) == ask(never), name
            graph.admin.compact()
        graph.add([DATA[gone]])
        never.add([DATA[gone]])
        for name, ask in QUESTIONS.items():
            assert ask(graph) == ask(never), f"{name}, added again"

    def test_deletes_count_what_was_there(self, make: MakeGraph) -> None:
        """20: strangers count nothing; an undirected edge may be named from either end."""
        graph = make(Seen, Link)
        graph.add(DATA)
        assert graph.delete([link("c", "a"), seen("z"), link("a", "b", directed=False)]) == 0
        assert graph.delete([link("c", "a", directed=False)]) == 1
        assert graph.delete([link("a", "b"), link("a", "b")]) == 1
        assert graph.count() == 4

    def test_duplicates_go_together(self, make: MakeGraph) -> None:
        """20: of a group that keeps them (Gaffer may not find them); all have to be meant."""
        graph = make(Event)
        graph.add([Event("a", what="x")] * 3 + [Event("b", what="x")])
        graph.add([Event("a", what="y")])
        for some in ([Event("a", what="z")], graph.all(Event).where(Event.what == "y")):
            with pytest.raises(UsageError, match="vertex='a'"):
                graph.delete(some)
        assert graph.count() == 5
        assert graph.delete({"group": "Event", "vertex": "a"}) == 4
        assert [one.id for one in graph.all()] == ["b"]
        graph.add([Event("a", what="x")])
        assert graph.count() == 2

    def test_labelled_elements_can_be_deleted_and_hidden_ones_stay(self, make: MakeGraph) -> None:
        """20: a delete takes what its caller may read and no more (Gaffer's takes no label)."""
        graph = make(Secret)
        for at, label in enumerate((None, "x", "y", "x&y")):
            graph.add([Secret("a", "b", day=day(1), count=2**at, label=label)])
        writer = graph.session(["x"], role="writer")
        assert writer.delete([Secret("a", "b", day=day(1))]) == 1
        assert writer.count() == 0
        [left] = graph.all(Secret)
        assert left.count == 4 + 8
        assert graph.delete([Secret("a", "b", day=day(1))], visibility="y") == 1
        assert [one.count for one in graph.all(Secret)] == [8]
        assert writer.delete([Secret("a", "b", day=day(1))]) == 0

    def test_a_cleared_graph_can_be_filled_again(self, make: MakeGraph) -> None:
        """20: Gaffer's is gone."""
        graph = make(Seen, Link)
        graph.add(DATA)
        graph.admin.clear()
        assert graph.count() == 0
        graph.add(DATA)
        assert shapes(graph.all()) == shapes(DATA)
