"""Static vertices: they do not change after the commit that added them.

Layer ``testing``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.testing.records.base import RecordTests, near, user


class Reading(lg.Vertex, static=True):
    """Is measured once."""

    id: str
    celsius: float
    tags: set[str] | None = None


class Sensor(lg.Vertex):
    """May change."""

    id: str
    place: str | None = None


class Made(lg.Edge):
    """From a sensor to a reading."""

    source: str
    destination: str


CHANGES: dict[str, Callable[[Any], object]] = {
    "add": lambda graph: graph.add([Reading("r", celsius=3.0)]),
    "the same add": lambda graph: graph.add([Reading("r", celsius=2.5)]),
    "another class": lambda graph: graph.add([Sensor("r", place="roof")]),
    "set": lambda graph: graph.vertex("r").set("celsius", 3.0),
    "append": lambda graph: graph.vertex("r").append("tags", "new"),
    "unset": lambda graph: graph.vertex("r").unset("tags"),
    "metadata": lambda graph: graph.vertex("r").set_metadata("celsius", "by", "ann"),
    "visibility": lambda graph: graph.vertex("r").set_visibility("a"),
    "visibility of a value": lambda graph: graph.vertex("r").set_visibility("a", "celsius"),
    "a label more": lambda graph: graph.vertex("r").add_label("Sensor"),
    "a label less": lambda graph: graph.vertex("r").remove_label("Reading"),
}


class RecordStatic(RecordTests):
    """What may follow the commit of a static vertex, and what may not."""

    @pytest.fixture
    def graph(self, engine: lg.Engine) -> Iterator[lg.Graph]:
        """Yield a graph with one reading."""
        with lg.open(engine, [Reading, Sensor, Made], authorizations=lg.ALL) as graph:
            graph.add([Reading("r", celsius=2.5, tags={"old"})])
            yield graph

    @pytest.mark.parametrize("change", CHANGES)
    def test_a_change_is_refused(self, graph: lg.Graph, change: str) -> None:
        """With an error of its own; nothing of it is stored."""
        before = list(graph.vertex("r").history())
        with pytest.raises(lg.errors.StaticViolation, match="'r' does not change: 'Reading' is"):
            CHANGES[change](graph)
        assert list(graph.vertex("r").history()) == before

    def test_others_of_the_same_call_are_not_stored_either(self, graph: lg.Graph) -> None:
        """A call is stored whole or not at all."""
        with pytest.raises(lg.errors.StaticViolation):
            graph.add([Sensor("s"), Reading("r", celsius=3.0)])
        assert not graph.vertex("s").exists()

    def test_the_commit_that_adds_it_may_change_it(
        self, graph: lg.Graph, engine: lg.Engine
    ) -> None:
        """Where there are transactions; a label may also make a vertex static."""
        if engine.capabilities.transactions:
            with graph.transaction() as transaction:
                transaction.add([Reading("q", celsius=1.0)])
                transaction.vertex("q").set("celsius", 2.0)
            assert graph.vertex("q").one().celsius == 2.0
        graph.add([Sensor("s")])
        graph.add([Reading("s", celsius=1.0)])
        with pytest.raises(lg.errors.StaticViolation):
            graph.vertex("s").set("place", "roof")

    def test_edges_hides_and_protection_may_follow(self, graph: lg.Graph) -> None:
        """An edge is an element of its own; the others say who sees the vertex, not what it is."""
        graph.add([Sensor("s")])
        edge = graph.add_edge("s", Made, "r")
        assert near(graph, "r") == [edge]
        graph.edge(edge).delete()
        graph.vertex("r").hide("a").require("b")
        assert not user(graph, "a", "b").vertex("r").exists()
        assert user(graph, "b").vertex("r").exists()
        graph.vertex("r").show("a").release("b")
        assert user(graph, "a").vertex("r").exists()

    @pytest.mark.parametrize("hard", [False, True])
    def test_a_deleted_one_may_be_added_again(self, graph: lg.Graph, *, hard: bool) -> None:
        """It is not there any more."""
        graph.vertex("r").delete(hard=hard)
        graph.add([Reading("r", celsius=4.0)])
        assert graph.vertex("r").one().celsius == 4.0

    def test_who_cannot_see_it_does_not_learn_of_it(self, graph: lg.Graph) -> None:
        """An add of such a user is a second existence, as for any other vertex."""
        graph.add([Reading("secret", celsius=1.0)], visibility="a")
        user(graph, "b").add([Reading("secret", celsius=2.0)], visibility="b")
        assert user(graph, "b").vertex("secret").one().celsius == 2.0
        assert user(graph, "a").vertex("secret").one().celsius == 1.0
