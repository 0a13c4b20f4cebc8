"""Who sees which record: behaviours 18 to 31 of Vertexium's tests.

Layer ``testing``. Left out: what searches (24, 29) and 30 (NOT in a visibility). 28 is
among streams.
"""

from __future__ import annotations

import pytest

import lexigraph as lg
from lexigraph.errors import InvalidVisibility, NotGranted, PropertyNotFound, ValidationError
from lexigraph.store import ManualClock
from lexigraph.testing.records.base import (
    RecordTests,
    Time,
    changing,
    held,
    near,
    seen_by,
    user,
)


class RecordVisibility(RecordTests):
    """Visibilities of records."""

    def test_a_stranger_sees_nothing(self, graph: lg.Graph) -> None:
        """18: neither elements, nor values, nor that there are any."""
        graph.add_vertex("v", visibility="a", p=lg.value(1, visibility="b"))
        graph.add_edge("v", "KNOWS", "w", id="e", visibility="b")
        stranger = user(graph, "c")
        assert stranger.vertex("v").first() is None
        assert stranger.edge("e").first() is None
        assert (stranger.all().to_list(), stranger.count(), near(stranger, "v")) == ([], 0, [])
        assert len(stranger.vertex("v").history()) == 0
        assert held(user(graph, "a").vertex("v").one(), "p") == []

    def test_the_empty_visibility_is_for_everybody(self, graph: lg.Graph) -> None:
        """19: also for those who have no authorizations."""
        graph.add_vertex("v", p=1)
        graph.add_edge("v", "KNOWS", "w", id="e")
        nobody = graph.session()
        assert nobody.vertex("v").one()["p"] == 1
        assert near(nobody, "v") == ["e"]

    def test_an_authorization_that_was_not_granted_is_refused(self, clock: ManualClock) -> None:
        """20: it is an error, not an empty answer."""
        with (
            self.backend.make(clock=clock, grants=["a"]) as engine,
            lg.open(engine, authorizations=["a"]) as graph,
        ):
            graph.add_vertex("v", visibility="a")
            assert graph.session(["a"]).vertex("v").exists()
            with pytest.raises(NotGranted):
                graph.session(["b"])

    def test_the_case_of_an_authorization_counts(self, graph: lg.Graph) -> None:
        """21: and brackets that are not needed are no obstacle."""
        graph.add_vertex("v", visibility="((A))|b", p=1)
        assert seen_by(graph, "v", ["A", "b", "a", "B", ""]) == [True, True, False, False, False]
        assert graph.vertex("v").one().visibility == "A|b"

    def test_another_visibility_of_a_vertex_moves_it(self, graph: lg.Graph, time: Time) -> None:
        """22: old readers lose it, new ones gain it; to the same visibility nothing happens."""
        graph.add_vertex("v", visibility="a", p=lg.value(1, visibility=""))
        before = time.passes()
        graph.vertex("v").set_visibility("b")
        assert seen_by(graph, "v", ["a", "b", "ab"]) == [False, True, True]
        assert user(graph, "b").vertex("v").one()["p"] == 1
        assert graph.session(["a"]).as_of(before).vertex("v").exists()
        assert not graph.session(["b"]).as_of(before).vertex("v").exists()
        events = len(graph.vertex("v").history())
        graph.vertex("v").set_visibility("b")
        assert len(graph.vertex("v").history()) == events

    def test_another_visibility_of_an_edge_moves_its_references(
        self, graph: lg.Graph, time: Time
    ) -> None:
        """23: so both ends list it for its new readers only."""
        for vertex in "vw":
            graph.add_vertex(vertex)
        graph.add_edge("v", "KNOWS", "w", id="e", visibility="a")
        time.passes()
        graph.edge("e").set_visibility("b")
        for token, expected in (("a", []), ("b", ["e"])):
            session = user(graph, token)
            assert session.edge("e").exists() == bool(expected)
            assert near(session, "v") == near(session, "w") == expected

    def test_another_visibility_of_a_value_moves_its_metadata(
        self, graph: lg.Graph, time: Time
    ) -> None:
        """24: the past stays with the old readers; a value at the new place is replaced."""
        entry = {"m": lg.value("x", visibility="")}
        graph.add_vertex("v", p=lg.value(1, visibility="a", metadata=entry))
        graph.vertex("v").set("p", 2, visibility="b")
        before = time.passes()
        graph.vertex("v").set_visibility("b", "p", of="a")
        assert held(user(graph, "a").vertex("v").one(), "p") == []
        [value] = user(graph, "b").vertex("v").one().values("p")
        assert (value.value, value.metadata) == (1, {"m": "x"})
        past = graph.session(["a"]).as_of(before).vertex("v").one()
        assert held(past, "p") == [("", "a", 1)]

    def test_a_value_can_move_and_be_set_at_once(
        self, graph: lg.Graph, engine: lg.Engine, time: Time
    ) -> None:
        """25: the last change of a commit counts."""
        graph.add_vertex("v", p=lg.value(1, visibility="a"))
        time.passes()
        with changing(graph, engine) as session:
            session.vertex("v").set_visibility("b", "p", of="a").set("p", 2, visibility="b")
        assert held(graph.vertex("v").one(), "p") == [("", "b", 2)]

    def test_element_value_and_metadata_can_change_at_once(
        self, graph: lg.Graph, engine: lg.Engine, time: Time
    ) -> None:
        """26: all of it is seen by the new readers."""
        graph.add_vertex("v", visibility="a", p=lg.value(1, metadata={"m": 1}))
        time.passes()
        with changing(graph, engine) as session:
            one = session.vertex("v").set_metadata("p", "m", 2, of="a")
            one.set_visibility("b", "p", of="a").set_visibility("b")
        assert not user(graph, "a").vertex("v").exists()
        found = user(graph, "b").vertex("v").one()
        assert found.visibility == "b"
        assert held(found, "p") == [("", "b", 1)]

    def test_a_value_that_is_not_there_cannot_move(self, graph: lg.Graph) -> None:
        """27: an unknown name is refused, and so is a visibility that it does not have."""
        graph.add_vertex("v", p=1)
        for name, of in (("q", ""), ("p", "a")):
            with pytest.raises(PropertyNotFound, match=name):
                graph.vertex("v").set_visibility("b", name, of=of)

    def test_additional_visibilities_must_all_be_satisfied(self, graph: lg.Graph) -> None:
        """29: added and taken back step by step; only the owner sees past them."""
        graph.add_vertex("v", visibility="a")
        users = ["a", "ab", "abc"]
        for change, token, expected in (
            ("require", "b", [False, True, True]),
            ("require", "c", [False, False, True]),
            ("release", "c", [False, True, True]),
            ("release", "b", [True, True, True]),
        ):
            getattr(graph.vertex("v"), change)(token)
            assert seen_by(graph, "v", users) == expected
            assert graph.vertex("v").exists()

    @pytest.mark.parametrize("bad", ["a&b|c", "a&", "(a", "a b", "!a"])
    def test_an_invalid_visibility_is_refused(self, graph: lg.Graph, bad: str) -> None:
        """31: wherever one is written, and nothing is stored."""
        graph.add_vertex("v", p=1)
        vertex = graph.vertex("v")
        for write in (
            lambda: graph.add_vertex("w", visibility=bad),
            lambda: vertex.set("p", 2, visibility=bad),
            lambda: vertex.set_visibility(bad),
            lambda: vertex.hide(bad),
            lambda: vertex.require(bad),
        ):
            with pytest.raises((InvalidVisibility, ValidationError)):
                write()
        assert [(one.id, one["p"]) for one in graph.all()] == [("v", 1)]
