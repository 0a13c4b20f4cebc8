"""Tables of rows under elements: the behaviours of Vertexium's tests about extended data.

Layer ``testing``. Behaviours 43 and 69, and what Vertexium leaves open: its rows outlive their
element, and a row is found by what its id starts with. Here rows are seen with their element only.
"""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import lexigraph as lg
from lexigraph.errors import InvalidValue, LexigraphError, VertexNotFound
from lexigraph.testing.records.base import RecordTests, Time, changing, moment, user


class RecordTables(RecordTests):
    """Rows of tables under vertices and edges."""

    def test_a_row_is_found_by_its_id_alone(self, graph: lg.Graph) -> None:
        """69: not by what the id starts with, and not under what the element's id starts with."""
        for vertex in ("v", "v1"):
            graph.add_vertex(vertex)
            table = graph.vertex(vertex).table("t")
            table.add_rows({f"{vertex}{row}": {"n": row} for row in ("r0", "r00", "r000", "r1")})
        table = graph.vertex("v").table("t")
        assert table.get("vr0") == {"n": "r0"}
        assert table.get("vr") is None
        assert ids(table) == ["vr0", "vr00", "vr000", "vr1"]
        assert ids(graph.vertex("v").table("t1")) == []

    def test_rows_come_in_the_order_of_their_ids(self, graph: lg.Graph) -> None:
        """Numbers by their size, before texts; ranges end before their stop."""
        graph.add_vertex("v")
        table = graph.vertex("v").table("t")
        given: list[Any] = ["b", 10, "a", 9, -1, "aa"]
        assert table.add_rows([(one, {"n": 1}) for one in given]) == 6
        assert ids(table) == [-1, 9, 10, "a", "aa", "b"]
        assert ids(table, start=9, stop="b") == [9, 10, "a", "aa"]
        assert ids(table, prefix="a") == ["a", "aa"]
        assert ids(table, prefix="a", start="aa") == ["aa"]
        assert ids(table, start="b", stop="a") == []
        first = ids(table, limit=4)
        assert (first, ids(table, limit=4, after=first[-1])) == ([-1, 9, 10, "a"], ["aa", "b"])

    def test_an_edge_has_tables_too(self, graph: lg.Graph) -> None:
        """Also where a vertex has the same id."""
        graph.add_vertex("e")
        graph.add_edge("e", "KNOWS", "w", id="e")
        graph.edge("e").table("t").add("r", {"n": 1})
        assert graph.edge("e").table("t").get("r") == {"n": 1}
        assert (graph.edge("e").tables(), graph.vertex("e").tables()) == (["t"], [])
        assert [one.id for one in graph.all()] == ["e", "e"]

    def test_a_column_is_seen_by_those_who_can_read_it(self, graph: lg.Graph) -> None:
        """69: and a row by those who can read a column of it."""
        graph.add_vertex("v")
        table = graph.vertex("v").table("t")
        table.add("r", {"n": 1, "m": lg.value(2, visibility="a")})
        table.add("q", {"m": lg.value(3, visibility="b")})
        seen = {who: rows(user(graph, *who).vertex("v").table("t")) for who in ("", "a", "ab")}
        assert seen[""] == {"r": {"n": 1}}
        assert seen["a"] == {"r": {"n": 1, "m": 2}}
        assert seen["ab"] == {"q": {"m": 3}, "r": {"n": 1, "m": 2}}
        assert [one.visibility for one in found(table, "r").values_of("m")] == ["a"]

    def test_several_values_of_a_column_have_keys_or_visibilities(
        self, graph: lg.Graph, time: Time
    ) -> None:
        """The newest is shown, and all of them are there."""
        graph.add_vertex("v")
        table = graph.vertex("v").table("t").add("r", {"n": lg.value(1, key="k")})
        time.passes()
        table.set("r", "n", 2, visibility="a")
        assert [(one.key, one.visibility, one.value) for one in found(table, "r").all_values()] == [
            (b"", "a", 2),
            (b"k", "", 1),
        ]
        assert found(table, "r")["n"] == 2
        assert user(graph).vertex("v").table("t").get("r") == {"n": 1}

    def test_rows_are_seen_with_their_element_only(self, graph: lg.Graph) -> None:
        """69: not by those who cannot read it, nor where it is hidden or asks for more."""
        graph.add_vertex("v", visibility="a")
        table = graph.vertex("v").table("t")
        table.add("r", {"n": lg.value(1, visibility="")})
        asked = {who: user(graph, *who).vertex("v") for who in ("", "a", "ab")}
        assert [bool(one.tables()) for one in asked.values()] == [False, True, True]
        assert [one.table("t").get("r") is None for one in asked.values()] == [True, False, False]
        graph.vertex("v").hide("b")
        assert [one.tables() for one in asked.values()] == [[], ["t"], []]
        assert asked["ab"].fetch("hidden").table("t").get("r") == {"n": 1}
        graph.vertex("v").show("b").require("b")
        assert [one.tables() for one in asked.values()] == [[], [], ["t"]]

    def test_columns_have_the_visibility_of_the_element(self, graph: lg.Graph) -> None:
        """Unless the call or the value says another."""
        graph.add_vertex("v", visibility="a")
        table = graph.vertex("v").table("t")
        table.add("r", {"n": 1, "m": lg.value(2, visibility="c")})
        table.add("r", {"k": 3}, visibility="b")
        held = {one.name: one.visibility for one in found(table, "r").all_values()}
        assert held == {"n": "a", "m": "c", "k": "b"}

    def test_an_add_updates_and_leaves_the_rest(self, graph: lg.Graph, time: Time) -> None:
        """Earlier values are there as of earlier times."""
        graph.add_vertex("v")
        table = graph.vertex("v").table("t").add("r", {"n": 1, "m": 1})
        before = time.passes()
        table.add("r", {"n": 2, "m": None})
        assert rows(table) == {"r": {"n": 2, "m": 1}}
        assert graph.as_of(before).vertex("v").table("t").get("r") == {"n": 1, "m": 1}
        table.add("r", {"n": 0}, time=before)
        assert table.get("r") == {"n": 2, "m": 1}
        assert graph.as_of(before).vertex("v").table("t").get("r") == {"n": 0, "m": 1}

    def test_a_delete_ends_what_the_session_can_read(self, graph: lg.Graph, time: Time) -> None:
        """69: with another visibility nothing happens; as-of questions still see it."""
        graph.add_vertex("v")
        table = graph.vertex("v").table("t")
        table.add("r", {"n": 1, "m": lg.value(2, visibility="a")})
        before = time.passes()
        mine = user(graph).vertex("v").table("t")
        assert mine.delete("r", visibility="b") == 0
        assert mine.delete("r", "m") == 0
        assert mine.delete("r") == 1
        assert mine.delete("r") == 0
        assert (rows(mine), rows(table)) == ({}, {"r": {"m": 2}})
        assert graph.as_of(before).vertex("v").table("t").get("r") == {"n": 1, "m": 2}
        assert table.delete("r", "m") == 1
        assert graph.vertex("v").tables() == []
        time.passes()
        assert table.add("r", {"k": 1}).get("r") == {"k": 1}

    def test_a_dropped_table_is_not_named_any_more(self, graph: lg.Graph, time: Time) -> None:
        """Other tables stay."""
        graph.add_vertex("v")
        for name in ("s", "t", "tt"):
            graph.vertex("v").table(name).add_rows({row: {"n": 1} for row in range(3)})
        time.passes()
        assert graph.vertex("v").table("t").drop() == 3
        assert graph.vertex("v").tables() == ["s", "tt"]
        assert ids(graph.vertex("v").table("tt")) == [0, 1, 2]

    @pytest.mark.parametrize("hard", [False, True], ids=["soft", "hard"])
    def test_rows_go_with_their_element_and_do_not_come_back(
        self,
        graph: lg.Graph,
        time: Time,
        hard: bool,  # noqa: FBT001
    ) -> None:
        """43: also those under the edges of a deleted vertex, and those of a time to come."""
        graph.add_vertex("v")
        graph.add_edge("v", "KNOWS", "w", id="e")
        for handle in (graph.vertex("v"), graph.edge("e")):
            handle.table("t").add("r", {"n": 1, "m": lg.value(2, time=moment(2**52))})
        before = time.passes()
        assert graph.vertex("v").delete(hard=hard) == 2
        for handle in (graph.vertex("v"), graph.edge("e")):
            assert (handle.tables(), ids(handle.table("t"))) == ([], [])
        past = graph.as_of(before).vertex("v").table("t").get("r")
        assert past is None if hard else past == {"n": 1}
        time.passes()
        # Another visibility is another existence, which nothing has ended.
        graph.add_vertex("v", visibility="a")
        graph.add_edge("v", "KNOWS", "w", id="e", visibility="a")
        assert (graph.vertex("v").tables(), graph.edge("e").tables()) == ([], [])
        time.passes()
        graph.add_vertex("v")
        graph.add_edge("v", "KNOWS", "w", id="e")
        for handle in (graph.vertex("v"), graph.edge("e")):
            assert handle.tables() == []
            handle.table("t").add("r", {"k": 3})
            assert handle.table("t").get("r") == {"k": 3}

    def test_a_delete_leaves_the_rows_of_those_who_still_see_the_element(
        self, graph: lg.Graph, time: Time
    ) -> None:
        """It ends the cells that the session can read, as it does with values."""
        for token in "ab":
            graph.add_vertex("v", visibility=token)
        table = graph.vertex("v").table("t")
        table.add("r", {token: lg.value(1, visibility=token) for token in ("", "a", "b") if token})
        table.add("q", {"n": lg.value(1, visibility="")})
        time.passes()
        assert user(graph, "a").vertex("v").delete() == 1
        assert rows(user(graph, "b").vertex("v").table("t")) == {"r": {"b": 1}}
        time.passes()
        graph.add_vertex("v", visibility="a")
        assert rows(table) == {"r": {"b": 1}}

    def test_changes_of_one_commit_see_each_other(self, graph: lg.Graph, engine: lg.Engine) -> None:
        """Added, deleted and added again; and nothing that was added before an element's delete."""
        graph.add_vertex("v")
        with changing(graph, engine) as session:
            table = session.vertex("v").table("t")
            table.add_rows({row: {"n": row, "m": row} for row in range(4)})
            table.delete(1)
            table.add(1, {"k": 1})
            table.delete(2, "n")
            table.set(3, "n", 33)
            assert rows(table) == {
                0: {"n": 0, "m": 0},
                1: {"k": 1},
                2: {"m": 2},
                3: {"n": 33, "m": 3},
            }
        assert rows(graph.vertex("v").table("t"))[3] == {"n": 33, "m": 3}

    def test_a_deleted_element_that_comes_back_at_once_is_clean(
        self, graph: lg.Graph, engine: lg.Engine, time: Time
    ) -> None:
        """Rows that the same commit added before are gone too."""
        graph.add_vertex("v")
        graph.vertex("v").table("t").add("old", {"n": 1})
        time.passes()
        with changing(graph, engine) as session:
            session.vertex("v").table("t").add("r", {"n": 1})
            session.vertex("v").table("t").add("future", {"n": 1}, time=moment(2**52))
            session.vertex("v").delete()
            session.add_vertex("v")
            assert session.vertex("v").tables() == []
            session.vertex("v").table("t").add("new", {"n": 1})
        assert ids(graph.vertex("v").table("t")) == ["new"]

    def test_rows_move_with_their_element(self, graph: lg.Graph, time: Time) -> None:
        """69: its visibility changes, that of the columns does not."""
        graph.add_vertex("v", visibility="a")
        graph.vertex("v").table("t").add("r", {"n": lg.value(1, visibility="")})
        time.passes()
        graph.vertex("v").set_visibility("b")
        seen = {who: user(graph, who).vertex("v").table("t").get("r") for who in "ab"}
        assert seen == {"a": None, "b": {"n": 1}}

    def test_many_rows_come_as_a_frame_and_leave_as_one(self, graph: lg.Graph) -> None:
        """A null is no value."""
        graph.add_vertex("v")
        frame = pl.DataFrame({"day": ["a", "b"], "n": [1, None], "x": [0.5, 1.5]})
        table = graph.vertex("v").table("t")
        assert table.add_rows(frame, row="day") == 2
        assert rows(table) == {"a": {"n": 1, "x": 0.5}, "b": {"x": 1.5}}
        assert table.rows().to_polars().rename({"row": "day"}).equals(frame)

    def test_what_cannot_be_a_row_is_refused_and_nothing_is_stored(self, graph: lg.Graph) -> None:
        """69: nothing is stored of the other rows of the call either."""
        graph.add_vertex("v")
        table = graph.vertex("v").table("t")
        for odd in (None, 1.5, True, object()):
            with pytest.raises(InvalidValue):
                table.get(odd)
            with pytest.raises(LexigraphError):
                table.add_rows([("r", {"n": 1}), (odd, {"n": 1})])
        for values in ({"n": object()}, {}, {"n": None}, {"": 1}):
            with pytest.raises(LexigraphError):
                table.add_rows([("r", {"n": 1}), ("q", values)])
        with pytest.raises(VertexNotFound):
            graph.vertex("w").table("t").add("r", {"n": 1})
        assert (ids(table), graph.vertex("w").tables()) == ([], [])


def found(table: Any, row: Any) -> Any:
    """Return a row that is there."""
    one = table.get(row)
    assert one is not None
    return one


def ids(table: Any, **which: Any) -> list[Any]:
    """Return the ids of rows, in their order."""
    return [one.id for one in table.rows(**which)]


def rows(table: Any) -> dict[Any, dict[str, Any]]:
    """Return the rows of a table with their values."""
    return {one.id: dict(one) for one in table.rows()}
