"""Hiding records: behaviours 32 to 37 of Vertexium's tests.

Layer ``testing``. Left out: the search of 36 and the paths of 33. A hidden record is found with the
hint ``hidden``, and says that it is hidden.
"""

from __future__ import annotations

import lexigraph as lg
from lexigraph.testing.records.base import RecordTests, Time, held, near, seen_by, user


class RecordHiding(RecordTests):
    """Hides and shows."""

    def test_hides_of_a_vertex_stack_and_are_undone_one_by_one(self, graph: lg.Graph) -> None:
        """32: each for its visibility, whatever order they sort in."""
        users = ["a", "ab"]
        graph.add_vertex("v", visibility="a")
        vertex = graph.vertex("v")
        vertex.hide("a&b")
        assert seen_by(graph, "v", users) == [True, False]
        vertex.hide("a")
        assert seen_by(graph, "v", users) == [False, False]
        vertex.show("a")
        assert seen_by(graph, "v", users) == [True, False]
        vertex.show("a&b")
        assert seen_by(graph, "v", users) == [True, True]

    def test_a_show_undoes_the_hide_of_its_own_visibility_only(self, graph: lg.Graph) -> None:
        """32: decided otherwise: in Vertexium the last one in order decides."""
        graph.add_vertex("v")
        graph.vertex("v").hide("a").hide("b").show("a&b").show("b")
        assert seen_by(graph, "v", ["a", "b", "ab", ""]) == [False, True, False, True]

    def test_a_hidden_edge_is_found_with_the_hint_only(self, graph: lg.Graph) -> None:
        """33: by its id, from both its ends, and with a vertex; then it is shown again."""
        for vertex in "vw":
            graph.add_vertex(vertex)
        graph.add_edge("v", "KNOWS", "w", id="e")
        graph.edge("e").hide("a")
        reader = graph.session(["a"])
        for vertex in "vw":
            assert near(reader, vertex) == []
            assert near(graph.session(), vertex) == ["e"]
            assert reader.get(vertex).edges().adjacent() == []
            [hidden] = reader.get(vertex).edges().fetch("hidden")
            assert (hidden.id, hidden.hidden) == ("e", True)
        assert reader.edge("e").first() is None
        assert reader.edge("e").fetch("hidden").one().hidden
        plain = reader.vertex("v").fetch("out_edges").one()
        every = reader.vertex("v").fetch("out_edges", "hidden").one()
        assert [[one.id for one in found.out_edges] for found in (plain, every)] == [[], ["e"]]
        graph.edge("e").show("a")
        assert near(reader, "v") == near(reader, "w") == ["e"]

    def test_a_hidden_value_leaves_its_twins(self, graph: lg.Graph) -> None:
        """34: those with another key or another visibility."""
        graph.add_vertex("v")
        vertex = graph.vertex("v")
        twins = [("k1", "a"), ("k1", "b"), ("k2", "a")]
        for key, visibility in twins:
            vertex.set("p", 1, key=key, visibility=visibility)
        vertex.hide("c", "p", key="k1", of="a")
        found = held(user(graph, "a", "b", "c").vertex("v").one(), "p")
        assert [one[:2] for one in found] == twins[1:]
        found = held(user(graph, "a", "b").vertex("v").one(), "p")
        assert [one[:2] for one in found] == twins
        reader = user(graph, "a", "b", "c").vertex("v").fetch("properties", "hidden").one()
        assert [one.hidden for one in reader.values("p")] == [True, False, False]

    def test_the_past_of_a_value_is_hidden_while_it_was(self, graph: lg.Graph, time: Time) -> None:
        """35: before it was shown again it was hidden, before the hide it was not."""
        graph.add_vertex("v", p=1)
        moments = [time.passes()]
        graph.vertex("v").hide("a", "p")
        moments.append(time.passes())
        graph.vertex("v").show("a", "p")
        moments.append(time.passes())
        reader = graph.session(["a"])
        seen = [len(reader.as_of(at).vertex("v").one().values("p")) for at in moments]
        assert seen == [1, 0, 1]
        assert reader.vertex("v").one()["p"] == 1

    def test_a_scan_leaves_out_what_is_hidden_from_its_reader(self, graph: lg.Graph) -> None:
        """36: and has it with the hint."""
        for vertex in "vw":
            graph.add_vertex(vertex)
        graph.vertex("v").hide("a&b")
        for tokens, expected in (("a", ["v", "w"]), ("ab", ["w"])):
            session = graph.session([*tokens])
            assert sorted(one.id for one in session.all()) == expected
            assert session.count() == len(expected)
            assert sorted(one.id for one in session.all().fetch("hidden")) == ["v", "w"]

    def test_one_users_workspace_does_not_touch_anothers(self, graph: lg.Graph) -> None:
        """37: one hides what is public and deletes its own; the other sees no difference."""
        graph.add_vertex("public")
        users = {token: user(graph, token) for token in "ab"}
        for token, session in users.items():
            session.add_vertex(token, visibility=token)
        users["a"].vertex("public").hide("a")
        assert users["a"].vertex("a").delete() == 1
        assert users["a"].vertex("b").delete() == 0
        assert users["a"].all().to_list() == []
        assert sorted(one.id for one in users["b"].all()) == ["b", "public"]

    def test_a_vertex_hides_and_shows_its_edges_and_no_values(self, graph: lg.Graph) -> None:
        """32: exactly those edges that it hid; a value or an edge that was hidden before stays."""
        graph.add_vertex("v", p=1)
        graph.add_edge("v", "KNOWS", "w", id="e1")
        graph.add_edge("v", "KNOWS", "w", id="e2")
        graph.edge("e1").hide("a")
        graph.vertex("v").hide("a", "p").hide("a")
        reader = graph.session(["a"])
        assert near(reader, "w") == []
        graph.vertex("v").show("a")
        assert near(reader, "w") == ["e2"]
        assert held(reader.vertex("v").one(), "p") == []
