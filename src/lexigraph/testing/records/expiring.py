"""Times to live of records: what expires, with what, and what stays.

Layer ``testing``. The clock of the engine is the only one: a test moves it on, and nothing is
written in between.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

import lexigraph as lg
from lexigraph.store import ManualClock
from lexigraph.testing.records.base import SECOND, START, RecordTests, moment, near

HOUR = 3601 * SECOND
"""A little more: commits of one moment of the clock count on by microseconds."""


class Person(lg.Vertex):
    """Somebody who stays."""

    id: str
    name: str | None = None
    code: str | None = lg.expires(minutes=30, default=None)


class Visit(lg.Vertex, ttl=timedelta(hours=2)):
    """Something that is forgotten."""

    id: str
    name: str | None = None
    place: str | None = None


class Knows(lg.Edge):
    """Lives for ever."""

    source: str
    destination: str


class Sees(lg.Edge, ttl=timedelta(hours=1), multiplicity="many2one"):
    """Is forgotten before the visit is."""

    source: str
    destination: str
    note: str | None = None


class RecordExpiring(RecordTests):
    """Elements and values that expire."""

    @pytest.fixture
    def graph(self, engine: lg.Engine) -> Iterator[lg.Graph]:
        """Yield an empty graph whose classes have times to live."""
        classes = [Person, Visit, Knows, Sees]
        with lg.open(engine, classes, authorizations=lg.ALL) as graph:
            yield graph

    def test_a_vertex_expires_with_all_that_it_has(
        self, graph: lg.Graph, clock: ManualClock
    ) -> None:
        """Also as of a time when it lived; nothing has to be written or merged."""
        graph.add([Visit("v", name="Ann", place="Bern")])
        clock.micros += HOUR
        assert graph.vertex("v").one().place == "Bern"
        clock.micros += HOUR
        assert not graph.vertex("v").exists()
        assert graph.all(Visit).count() == 0
        assert not graph.as_of(moment(START + HOUR)).vertex("v").exists()
        assert len(graph.vertex("v").history()) == 0

    def test_a_value_expires_alone(self, graph: lg.Graph, clock: ManualClock) -> None:
        """The element stays, and conditions do not find the value."""
        graph.add([Person("p", name="Ann", code="1234")])
        clock.micros += HOUR
        assert (graph.vertex("p").one().name, graph.vertex("p").one().code) == ("Ann", None)
        assert graph.all(Person).where(Person.code == "1234").count() == 0
        graph.vertex("p").set("code", "5678")
        assert graph.all(Person).where(Person.code == "5678").count() == 1

    def test_a_vertex_of_two_classes_lives_as_long_as_one_of_them(
        self, graph: lg.Graph, clock: ManualClock
    ) -> None:
        """The label of the other class expires with what was added under it."""
        graph.add([Person("p", name="Ann")])
        graph.add([Visit("p", place="Bern")])
        assert set(graph.vertex("p").one().labels) == {"Person", "Visit"}
        clock.micros += 3 * HOUR
        found = graph.vertex("p").one()
        assert (tuple(found.labels), found.name) == (("Person",), "Ann")

    def test_an_edge_expires_at_both_ends(self, graph: lg.Graph, clock: ManualClock) -> None:
        """Its references have its time to live."""
        graph.add([Visit("v"), Person("p")])
        edge = graph.add_edge("v", Sees, "p", note="x")
        assert (near(graph, "v"), near(graph, "p")) == ([edge], [edge])
        clock.micros += HOUR
        assert (near(graph, "v"), near(graph, "p")) == ([], [])
        assert graph.edge(edge).first() is None
        assert graph.get("v").edges(Sees).adjacent() == []

    def test_an_edge_is_not_judged_by_its_ends(self, graph: lg.Graph, clock: ManualClock) -> None:
        """It stays when they expire, until it is deleted."""
        graph.add([Visit("v"), Visit("w")])
        edge = graph.add_edge("v", Knows, "w")
        clock.micros += 3 * HOUR
        assert graph.edge(edge).first() is not None
        assert near(graph, "v") == [edge]

    def test_what_is_set_later_does_not_outlive_the_vertex(
        self, graph: lg.Graph, clock: ManualClock
    ) -> None:
        """So it does not come back when the vertex is added again."""
        graph.add([Visit("v")])
        clock.micros += HOUR
        graph.vertex("v").set("place", "Bern")
        clock.micros += HOUR
        assert not graph.vertex("v").exists()
        graph.add([Visit("v")])
        assert graph.vertex("v").one().place is None

    def test_an_add_renews_what_it_gives(self, graph: lg.Graph, clock: ManualClock) -> None:
        """What it does not give expires when it would have."""
        graph.add([Visit("v", name="Ann", place="Bern")])
        clock.micros += HOUR
        graph.add([Visit("v", name="Ann")])
        clock.micros += HOUR
        found = graph.vertex("v").one()
        assert (found.name, found.place) == ("Ann", None)

    def test_a_move_does_not_prolong(self, graph: lg.Graph, clock: ManualClock) -> None:
        """Neither of the element nor of a value, nor of the past."""
        graph.add([Visit("v", place="Bern"), Visit("w")], visibility="a")
        clock.micros += HOUR
        graph.vertex("v").set_visibility("b").set_visibility("b", "place", of="a")
        graph.vertex("w").set_visibility("b", past=True)
        assert graph.session(["a", "b"]).vertex("v").one().place == "Bern"
        assert graph.session(["a", "b"]).vertex("w").exists()
        clock.micros += HOUR
        assert not graph.vertex("v").exists()
        assert not graph.vertex("w").exists()

    def test_what_was_deleted_and_added_again_expires_too(
        self, graph: lg.Graph, clock: ManualClock
    ) -> None:
        """And what was deleted does not come back with it."""
        graph.add([Person("p", name="Ann")])
        clock.micros += SECOND
        graph.vertex("p").delete()
        graph.add([Visit("p", place="Bern")])
        clock.micros += 2 * HOUR
        assert not graph.vertex("p").exists()

    def test_a_hide_does_not_expire(self, graph: lg.Graph, clock: ManualClock) -> None:
        """Whoever adds the vertex again does not show it."""
        graph.add([Visit("v")])
        graph.vertex("v").hide("a")
        clock.micros += 2 * HOUR
        graph.add([Visit("v")])
        assert not graph.session(["a"]).vertex("v").exists()
        assert graph.session(["b"]).vertex("v").exists()

    def test_constraints_count_what_lives(self, graph: lg.Graph, clock: ManualClock) -> None:
        """An id is free again, and so is the place of an edge."""
        graph.add([Visit("v"), Person("p"), Person("q")])
        graph.add_edge("v", Sees, "p")
        with pytest.raises(lg.errors.MultiplicityViolation):
            graph.add_edge("v", Sees, "q")
        clock.micros += HOUR
        graph.add_edge("v", Sees, "q")
        clock.micros += HOUR
        assert graph.add([Visit("v")], new=True).added == 1

    def test_what_would_have_expired_is_refused(self, graph: lg.Graph, clock: ManualClock) -> None:
        """Nothing is written, and the message says how long it lives."""
        clock.micros += 5 * HOUR
        with pytest.raises(lg.errors.UsageError, match="expired already: it lives 2:00:00"):
            graph.add([Visit("v")], time=moment(START + HOUR))
        assert not graph.vertex("v").exists()
        graph.add([Visit("v")], time=moment(START + 4 * HOUR))
        clock.micros += HOUR
        assert not graph.vertex("v").exists()

    def test_an_edge_keeps_its_time_to_live(self, graph: lg.Graph) -> None:
        """Another label with another one is refused."""
        edge = graph.add_edge("v", Sees, "p")
        with pytest.raises(lg.errors.UsageError, match="keeps its time to live"):
            graph.edge(edge).relabel("Knows")

    def test_the_checks_find_nothing_wrong(self, graph: lg.Graph, clock: ManualClock) -> None:
        """A row may have expired while others of the same edge are read."""
        graph.add([Visit("v"), Person("p", code="1")])
        graph.add_edge("v", Sees, "p")
        clock.micros += 3 * HOUR
        assert graph.admin.check().ok
