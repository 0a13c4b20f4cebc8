"""Deleting records: behaviours 38 to 44 of Vertexium's tests.

Layer ``testing``. Left out: what searches, and the tables under elements of 43.
"""

from __future__ import annotations

import pytest

import lexigraph as lg
from lexigraph.testing.records.base import RecordTests, Time, held, near, seen_by, user


class RecordDeletes(RecordTests):
    """Soft and hard deletes."""

    def test_a_deleted_vertex_takes_its_edges_and_comes_back_clean(
        self, graph: lg.Graph, time: Time
    ) -> None:
        """38: again and again, under other visibilities."""
        graph.add_vertex("w")
        for number, visibility in enumerate(("", "a", "b", "")):
            graph.add_vertex("v", visibility=visibility, properties={f"p{number}": number})
            graph.add_edge("v", "KNOWS", "w", id=number, visibility=visibility)
            found = graph.vertex("v").one()
            assert [one.name for one in found.all_values()] == [f"p{number}"]
            assert near(graph, "w") == [number]
            time.passes()
            assert graph.vertex("v").delete() == 2
            assert graph.vertex("v").first() is None
            assert graph.edge(number).first() is None
            assert near(graph, "w") == near(graph, "v") == []
            time.passes()

    def test_a_deleted_value_can_be_set_again(self, graph: lg.Graph, time: Time) -> None:
        """39: it is as new, without the metadata it had."""
        graph.add_vertex("v", p=lg.value(1, metadata={"m": 1}))
        time.passes()
        graph.vertex("v").unset("p")
        assert held(graph.vertex("v").one(), "p") == []
        time.passes()
        graph.vertex("v").set("p", 1)
        [value] = graph.vertex("v").one().values("p")
        assert (value.value, value.metadata) == (1, {})

    def test_a_delete_of_one_visibility_leaves_the_twin(self, graph: lg.Graph) -> None:
        """40: of values and of vertices."""
        for token in "ab":
            graph.add_vertex("v", visibility=token)
            graph.vertex("v").set("p", token, visibility=token)
        graph.vertex("v").unset("p", visibility="a")
        assert held(graph.vertex("v").one(), "p") == [("", "b", "b")]
        graph.vertex("v").delete(visibility="a")
        assert seen_by(graph, "v", ["a", "b", "ab"]) == [False, True, True]

    def test_a_hidden_vertex_can_be_deleted(self, graph: lg.Graph, time: Time) -> None:
        """41: and the hide outlives the delete: what comes back is hidden still."""
        graph.add_vertex("v", visibility="a")
        graph.vertex("v").hide("b")
        time.passes()
        assert user(graph, "a", "b").vertex("v").delete() == 1
        assert seen_by(graph, "v", ["a", "ab"]) == [False, False]
        time.passes()
        graph.add_vertex("v", visibility="a")
        assert seen_by(graph, "v", ["a", "ab"]) == [True, False]

    def test_no_hint_finds_what_was_deleted_but_the_past_has_it(
        self, graph: lg.Graph, time: Time
    ) -> None:
        """42: with its values and its edges."""
        graph.add_vertex("v", p=1)
        graph.add_edge("v", "KNOWS", "w", id="e")
        before = time.passes()
        graph.vertex("v").delete()
        assert graph.vertex("v").fetch("hidden").first() is None
        assert graph.edge("e").fetch("hidden").first() is None
        past = graph.as_of(before)
        assert past.vertex("v").one()["p"] == 1
        assert near(past, "w") == ["e"]

    @pytest.mark.parametrize("merged", [False, True], ids=["unmerged", "merged"])
    def test_a_hard_delete_leaves_no_past(self, graph: lg.Graph, time: Time, merged: bool) -> None:  # noqa: FBT001
        """43: nor what is written later with an earlier date; a new add is clean."""
        graph.add_vertex("v", p=1)
        graph.add_edge("v", "KNOWS", "w", id="e", q=1)
        before = time.passes()
        assert graph.vertex("v").delete(hard=True) == 2
        if merged:
            graph.admin.compact()
        graph.add_edge("v", "KNOWS", "w", id="e", time=before)
        past = graph.as_of(before)
        for session in (graph, past):
            assert session.vertex("v").first() is None
            assert session.edge("e").first() is None
            assert near(session, "v") == near(session, "w") == []
        kinds = {one.kind for one in graph.vertex("v").history()}
        assert kinds <= {"removed", "edge removed"}
        time.passes()
        graph.add_vertex("v")
        assert graph.vertex("v").one().all_values() == ()

    @pytest.mark.parametrize("hard", [False, True], ids=["soft", "hard"])
    def test_who_cannot_see_an_edge_cannot_delete_it(self, graph: lg.Graph, hard: bool) -> None:  # noqa: FBT001
        """44: nothing happens, also if its vertex is deleted; others still have it."""
        graph.add_vertex("v")
        graph.add_edge("v", "KNOWS", "w", id="e", visibility="a", p=1)
        stranger = user(graph, "b")
        assert stranger.edge("e").delete(hard=hard) == 0
        assert stranger.vertex("v").delete(hard=hard) == 1
        reader = user(graph, "a")
        assert reader.edge("e").one()["p"] == 1
        assert near(reader, "v") == near(reader, "w") == ["e"]
