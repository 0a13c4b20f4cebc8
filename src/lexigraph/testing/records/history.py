"""Metadata and history of records: behaviours 45 to 50 and 52 of Vertexium's tests.

Layer ``testing``.
"""

from __future__ import annotations

from typing import Any

import lexigraph as lg
from lexigraph.testing.records.base import RecordTests, Time, near, user


class RecordHistory(RecordTests):
    """Metadata, earlier times, events."""

    def test_a_metadata_entry_has_its_own_visibility(self, graph: lg.Graph) -> None:
        """45: one key under two visibilities is two entries."""
        graph.add_vertex("v", p=1)
        for token in "ab":
            graph.vertex("v").set_metadata("p", "m", f"of {token}", visibility=token)

        def entries(*tokens: str) -> list[Any]:
            [value] = user(graph, *tokens).vertex("v").one().values("p")
            return [(one.key, one.visibility, one.value) for one in value.entries or ()]

        both = [("m", b"a", "of a"), ("m", b"b", "of b")]
        assert entries("a", "b") == both
        assert (entries("a"), entries("b"), entries()) == (both[:1], both[1:], [])

    def test_a_new_value_drops_the_metadata_of_the_old_one(
        self, graph: lg.Graph, time: Time
    ) -> None:
        """46: the past keeps it; decided otherwise: no hint merges it into the new value."""
        graph.add_vertex("v", p=lg.value(1, metadata={"m": 1}))
        before = time.passes()
        graph.vertex("v").set("p", 2, metadata={"n": 2})
        [value] = graph.vertex("v").one().values("p")
        assert value.metadata == {"n": 2}
        [value] = graph.as_of(before).vertex("v").one().values("p")
        assert value.metadata == {"m": 1}

    def test_setting_one_entry_keeps_the_others(self, graph: lg.Graph, time: Time) -> None:
        """47: whatever was fetched; None deletes the entry, and the value stays as old."""
        graph.add_vertex("v", p=lg.value(1, metadata={"m": 1, "n": 2}))
        [value] = graph.vertex("v").one().values("p")
        since = value.time
        time.passes()
        graph.vertex("v").fetch("properties").set_metadata("p", "m", 3)
        [value] = graph.vertex("v").one().values("p")
        assert (value.metadata, value.time) == ({"m": 3, "n": 2}, since)
        time.passes()
        graph.vertex("v").set_metadata("p", "n", None)
        [value] = graph.vertex("v").one().values("p")
        assert (value.metadata, value.time) == ({"m": 3}, since)

    def test_values_of_the_past_come_newest_first_with_their_metadata(
        self, graph: lg.Graph, time: Time
    ) -> None:
        """48: a delete is among them, with the value that it ended."""
        graph.add_vertex("v")
        for number in range(3):
            time.passes()
            graph.vertex("v").set("p", number, metadata={"m": number})
        time.passes()
        graph.vertex("v").unset("p")
        events: list[Any] = [
            one for one in graph.vertex("v").history() if one.kind.startswith("value")
        ]
        assert [one.kind for one in events] == ["value deleted", *["value set"] * 3]
        assert [one.previous for one in events] == [2, 1, 0, None]
        assert [(one.value, dict(one.metadata)) for one in events[1:]] == [
            (number, {"m": number}) for number in (2, 1, 0)
        ]

    def test_vertices_and_edges_are_as_they_were(self, graph: lg.Graph, time: Time) -> None:
        """49: at every moment, found by id, in a scan and from their ends."""
        moments = [time.passes()]
        for number in range(3):
            graph.add_vertex(f"v{number}", p=number)
            graph.add_edge("v0", "KNOWS", f"v{number}", id=number, p=number)
            graph.add_vertex("v0", p=number)
            moments.append(time.passes())
        for number, at in enumerate(moments):
            past = graph.as_of(at)
            ids = list(range(number))
            assert sorted(one.id for one in past.all() if one.kind == "edge") == ids
            assert sorted(one.id for one in past.all() if one.kind == "vertex") == [
                f"v{one}" for one in ids
            ]
            assert near(past, "v0") == ids
            assert [one["p"] for one in past.get("v0") if one.kind == "vertex"] == ids[-1:]
            assert [past.edge(one).exists() for one in range(3)] == [
                one < number for one in range(3)
            ]

    def test_everything_that_happened_is_an_event_and_comes_in_pages(
        self, graph: lg.Graph, time: Time
    ) -> None:
        """50: fifteen events of a vertex, with the data given to them, whatever the pages are."""
        vertex = graph.vertex("v")

        def changes() -> None:
            graph.add_vertex("v", visibility="a", note="made")
            for do in (
                lambda: vertex.set("p", 1, visibility="a", note="first"),
                lambda: vertex.set("p", 2, visibility="a"),
                lambda: graph.add_edge("v", "KNOWS", "w", id="e"),
                lambda: vertex.hide("b", "p", of="a"),
                lambda: vertex.show("b", "p", of="a"),
                lambda: vertex.unset("p", note="gone"),
                lambda: vertex.set_visibility("b"),
                lambda: vertex.hide("c"),
                lambda: vertex.show("c"),
                lambda: vertex.require("c"),
                lambda: vertex.release("c"),
                lambda: vertex.hide("a"),
                lambda: graph.edge("e").delete(),
                lambda: vertex.delete(note="over"),
            ):
                time.passes()
                do()

        changes()
        events = list(vertex.history())
        assert [one.kind for one in reversed(events)] == [
            "added",
            "value set",
            "value set",
            "edge added",
            "value hidden",
            "value shown",
            "value deleted",
            "moved",
            "hidden",
            "shown",
            "visibility required",
            "visibility released",
            "hidden",
            "edge deleted",
            "deleted",
        ]
        notes = [one.note for one in reversed(events) if one.note is not None]
        assert notes == ["made", "first", "gone", "over"]
        for size in (1, 8, len(events)):
            pages, last = [], None
            while page := list(vertex.history(limit=size, after=last)):
                pages += page
                last = page[-1]
            assert pages == events

    def test_a_graph_has_metadata_of_its_own(self, graph: lg.Graph) -> None:
        """52: set, overwritten, removed; each value has a visibility."""
        graph.metadata.set("k", 1)
        graph.metadata.set("k", "two")
        graph.metadata.set("other", 3, visibility="a")
        assert dict(graph.session().metadata) == {"k": "two"}
        assert dict(graph.session(["a"]).metadata) == {"k": "two", "other": 3}
        graph.metadata.set("k", None)
        assert dict(graph.session().metadata) == {}
