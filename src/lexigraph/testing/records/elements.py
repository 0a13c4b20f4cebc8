"""Elements and properties: behaviours 1 to 17 of Vertexium's tests.

Layer ``testing``. Left out: the search of 9, and 16, because ids and names are escaped here.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import LexigraphError, UsageError
from lexigraph.testing.records.base import RecordTests, Time, held, near, user


class RecordElements(RecordTests):
    """Records and their properties."""

    def test_what_is_not_there_is_none(self, graph: lg.Graph) -> None:
        """1: neither an unknown id, nor an empty one, nor none."""
        graph.add_vertex("v")
        for id_ in ("other", "", None):
            assert graph.vertex(id_).first() is None
            assert graph.edge(id_).first() is None
            assert not graph.vertex(id_).exists()

    def test_ids_that_begin_alike_are_different(self, graph: lg.Graph) -> None:
        """2: an id that is the beginning of another one does not find that one."""
        ids = ("v", "v1", "v10", "v1\x00", "v1\x01")
        for number, id_ in enumerate(ids):
            graph.add_vertex(id_, number=number)
            graph.add_edge(id_, "KNOWS", "z", id=f"e{id_}")
        for number, id_ in enumerate(ids):
            assert graph.vertex(id_).one()["number"] == number
            assert near(graph, id_) == [f"e{id_}"]

    def test_an_id_that_is_not_given_is_generated(self, graph: lg.Graph) -> None:
        """3: each time another one."""
        ids = [graph.add_vertex() for _ in range(3)]
        edges = [graph.add_edge(ids[0], "KNOWS", ids[1]) for _ in range(3)]
        assert len({*ids}) == len({*edges}) == 3
        assert all(graph.vertex(id_).exists() for id_ in ids)
        assert near(graph, ids[0]) == sorted(edges)

    def test_numbers_that_many_claim_at_once_are_given_once(self, graph: lg.Graph) -> None:
        """Ids in blocks: each claimer gets its numbers in order, and nobody else gets them."""

        def claim(_: int) -> list[int]:
            return [one for count in (1, 7, 2) for one in graph.admin.claim_ids(count)]

        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(claim, range(8)))
        assert all(one == sorted(one) for one in found)
        assert sorted(number for one in found for number in one) == list(range(1, 81))
        assert graph.admin.claim_ids(1, "edge") == range(1, 2)

    def test_a_reader_sees_the_values_of_its_visibilities(self, graph: lg.Graph) -> None:
        """4: one name under two visibilities is two values."""
        graph.add_vertex("v")
        for token in "ab":
            graph.vertex("v").set("name", f"of {token}", visibility=token)
        both = [("", "a", "of a"), ("", "b", "of b")]
        assert held(user(graph, "a", "b").vertex("v").one(), "name") == both
        assert held(user(graph, "a").vertex("v").one(), "name") == both[:1]
        assert held(user(graph).vertex("v").one(), "name") == []

    def test_an_equal_key_overwrites_and_another_key_adds(
        self, graph: lg.Graph, time: Time
    ) -> None:
        """5: the newest value of each key is seen."""
        graph.add_vertex("v")
        for key, value in (("k1", 1), ("k2", 2), ("k1", 3)):
            time.passes()
            graph.vertex("v").set("p", value, key=key)
        assert held(graph.vertex("v").one(), "p") == [("k1", "", 3), ("k2", "", 2)]

    def test_values_are_in_the_order_of_their_keys(self, graph: lg.Graph) -> None:
        """6: keys are compared as bytes, then visibilities."""
        graph.add_vertex("v")
        for key in ("b", "aa", "a", "Z", "A", "0", ""):
            for visibility in ("b", "a"):
                graph.vertex("v").set("p", 1, key=key, visibility=visibility)
        keys = ["", "0", "A", "Z", "a", "aa", "b"]
        expected = [(key, visibility, 1) for key in keys for visibility in "ab"]
        assert held(graph.vertex("v").one(), "p") == expected

    def test_none_is_not_a_value(self, graph: lg.Graph) -> None:
        """7: setting it is refused; decided otherwise for adds, where None says nothing."""
        graph.add_vertex("v", p=1)
        with pytest.raises(UsageError, match="'p'"):
            graph.vertex("v").set("p", None)
        graph.add_vertex("v", p=None)
        assert graph.vertex("v").one()["p"] == 1

    def test_changes_while_values_are_iterated_are_safe(self, graph: lg.Graph) -> None:
        """8: what was read stays as it was."""
        graph.add_vertex("v")
        for key in "xyz":
            graph.vertex("v").set("p", key, key=key)
        seen = []
        for one in graph.vertex("v").one().values("p"):
            graph.vertex("v").unset("p", key=one.key.decode()).set("q", 1)
            seen.append(one.value)
        assert seen == ["x", "y", "z"]
        assert held(graph.vertex("v").one(), "p") == []

    @pytest.mark.parametrize("blind", [False, True])
    def test_an_add_keeps_what_it_does_not_name(self, graph: lg.Graph, blind: bool) -> None:  # noqa: FBT001
        """9: other properties and other keys stay, also if the add does not look."""
        graph.add_vertex("v", p=1, q=1)
        graph.vertex("v").set("r", 1, key="k")
        graph.add_vertex("v", q=2, blind=blind)
        one = graph.vertex("v").one()
        assert (one["p"], one["q"], held(one, "r")) == (1, 2, [("k", "", 1)])

    @pytest.mark.parametrize(
        "given", [(None, "KNOWS", "w"), ("v", None, "w"), ("v", "KNOWS", None)]
    )
    def test_an_edge_needs_a_label_and_both_ends(
        self, graph: lg.Graph, given: tuple[Any, Any, Any]
    ) -> None:
        """10: otherwise it is refused and nothing is stored."""
        with pytest.raises(LexigraphError):
            graph.add_edge(*given)
        assert graph.count() == 0

    def test_the_ends_of_an_edge_need_not_exist(self, graph: lg.Graph) -> None:
        """11: their ids come with the edge, vertices do not."""
        graph.add_vertex("v")
        graph.add_edge("v", "KNOWS", "nobody", id="e")
        assert near(graph, "v") == near(graph, "nobody") == ["e"]
        assert graph.get("v").edges().adjacent() == ["nobody"]
        assert not graph.vertex("nobody").exists()

    def test_another_label_is_seen_from_both_ends(self, graph: lg.Graph, time: Time) -> None:
        """12: the edge keeps its properties; the past keeps the old label."""
        graph.add_edge("v", "KNOWS", "w", id="e", p=1)
        before = time.passes()
        graph.edge("e").relabel("LIKES")
        assert graph.edge("e").one().labels == ("LIKES",)
        assert graph.edge("e").one()["p"] == 1
        for vertex in "vw":
            assert near(graph, vertex, "LIKES") == ["e"]
            assert near(graph, vertex, "KNOWS") == []
            assert near(graph.as_of(before), vertex, "KNOWS") == ["e"]

    def test_an_edge_that_is_added_again_can_be_turned_round(
        self, graph: lg.Graph, time: Time
    ) -> None:
        """13: the newest ends count, and the old references are gone (they stay in Vertexium)."""
        graph.add_edge("v", "KNOWS", "w", id="e")
        time.passes()
        graph.add_edge("w", "KNOWS", "v", id="e")
        assert [one.id for one in graph.get("w").edges(direction="out")] == ["e"]
        assert [one.id for one in graph.get("v").edges(direction="in")] == ["e"]
        assert graph.get("v").edges(direction="out").count() == 0
        assert graph.get("w").edges(direction="in").count() == 0

    def test_vertices_and_edges_come_in_one_answer(self, graph: lg.Graph) -> None:
        """14: of all elements, and around a vertex."""
        for id_ in "vwx":
            graph.add_vertex(id_)
        graph.add_edge("v", "KNOWS", "w", id="e")
        found = sorted((one.kind, one.id) for one in graph.all())
        assert found == [("edge", "e"), *(("vertex", id_) for id_ in "vwx")]
        around = sorted((one.kind, one.id) for one in graph.get("v"))
        assert around == [("edge", "e"), ("vertex", "v")]

    def test_ranges_of_ids_have_their_start_and_their_end(self, graph: lg.Graph) -> None:
        """15: decided otherwise for the end; and a prefix has all that begin with it."""
        ids = ["a", "ab", "b", "ba", "c"]
        for id_ in ids:
            graph.add_vertex(id_)
        found = [one.id for one in graph.ranges(("ab", "ba")) if one.kind == "vertex"]
        assert sorted(found) == ["ab", "b", "ba"]
        assert sorted(one.id for one in graph.starting("b")) == ["b", "ba"]

    def test_two_times_of_one_value_in_one_commit_are_both_kept(
        self, graph: lg.Graph, time: Time
    ) -> None:
        """17: the later time is the value, the earlier one is its past."""
        times = [time.passes() for _ in range(3)]
        values = [lg.value(number, time=at) for number, at in enumerate(times, 1)]
        graph.add_vertex("v", time=times[0], p=values)
        events: list[Any] = list(graph.vertex("v").history())
        assert [one.value for one in events if one.kind == "value set"] == [3, 2, 1]
        assert graph.vertex("v").one()["p"] == 3
        assert graph.as_of(times[1]).vertex("v").one()["p"] == 2
