"""A vertex with thousands of edges: pages, streams, counts and deletes are those of a small one.

Layer ``testing``. Each edge has rows of its own, so nothing depends on how many a vertex has.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import UnsupportedError, UsageError
from lexigraph.store import ManualClock
from lexigraph.testing.records.base import START, RecordTests

EDGES, PAGE = 1000, 200
PAYS, CALLS = EDGES - EDGES // 4, EDGES // 4


class Account(lg.Vertex):
    """One end of a payment."""

    id: str


class Pays(lg.Edge):
    """A payment; the newest come first."""

    source: str
    destination: str
    at: int = lg.sort_key(descending=True)
    amount: int = lg.signature()
    note: str | None = None


class Calls(lg.Edge, summary=True):
    """How often one called another."""

    source: str
    destination: str
    number: int = lg.sum()


def fill(graph: lg.Graph) -> None:
    """Give the hub edges in no order; every fifth can be read by few."""
    numbers = list(range(PAYS))
    random.Random(7).shuffle(numbers)
    public = [one for one in numbers if one % 5]
    for few, visibility in ((public, ""), ([one for one in numbers if one % 5 == 0], "a")):
        made = [Pays("hub", f"v{one % 50}", at=one, amount=one % 9) for one in few]
        graph.add([Account("hub"), *made], visibility=visibility)
    graph.add([Calls("hub", f"w{one}", number=1) for one in range(CALLS)])


def paged(question: Any, size: int = PAGE) -> list[Any]:
    """Return all elements of a question, read page by page."""
    found, page = [], question.page(size)
    while True:
        assert len(page) <= size
        found += page
        if page.cursor is None:
            return found
        assert len(page) == size
        page = question.page(size, after=page.cursor)


class RecordSupernodes(RecordTests):
    """Pages, streams and deletes of one vertex with many edges."""

    @pytest.fixture
    def hub(self, clock: ManualClock) -> Iterator[lg.Graph]:
        """Yield a graph whose vertex ``hub`` has many edges; it is only read."""
        clock.micros = START
        with (
            self.backend.make(clock=clock) as engine,
            lg.open(engine, [Account, Pays, Calls], authorizations=lg.ALL) as graph,
        ):
            fill(graph)
            yield graph

    def test_pages_and_streams_are_the_whole_answer(self, hub: lg.Graph) -> None:
        """Of the owner and of somebody who reads less; records and summaries."""
        for session, count in ((hub, PAYS), (hub.session(), PAYS * 4 // 5)):
            out = session.vertex("hub").edges(Pays, direction="out")
            times = [one.at for one in paged(out)]
            assert times == sorted(times, reverse=True)
            assert len(times) == len(set(times)) == count == out.count()
            assert [one.at for one in out] == times
            batches = list(out.to_batches())
            assert [at for one in batches for at in one["at"].to_pylist()] == times
            ordered = out.order_by("at", descending=True)
            assert [one.at for one in paged(ordered, 400)] == times
            assert [one.at for one in ordered.limit(3)] == times[:3]
        calls = hub.get("hub").edges(Calls)
        assert [one.destination for one in paged(calls)] == [one.destination for one in calls]
        assert len(paged(calls, 249)) == CALLS
        assert len(paged(hub.get("hub").edges(), 600)) == EDGES

    def test_pages_begin_and_end_where_conditions_say(self, hub: lg.Graph) -> None:
        """A part of the sort key, one value of a signature, the other direction."""
        out = hub.vertex("hub").edges(Pays, direction="out")
        some = out.where((Pays.at >= 200) & (Pays.at < 600))
        assert [one.at for one in paged(some, 100)] == list(range(599, 199, -1))
        assert [one.at for one in some.page(2, after=some.page(2).cursor)] == [597, 596]
        sevens = out.where(Pays.amount == 7)
        assert [one.at for one in paged(sevens, 10)] == [x for x in range(PAYS)[::-1] if x % 9 == 7]
        assert len(paged(hub.vertex("v3").edges(Pays, direction="in"), 7)) == PAYS // 50
        assert hub.vertex("hub").edges(Pays, direction="in").page(5) == []
        with pytest.raises(UnsupportedError, match="sort key"):
            out.order_by("at").page(5)

    def test_edges_are_deleted_in_commits_of_so_many(self, hub: lg.Graph) -> None:
        """What a session cannot read stays; summaries are left alone."""
        writer = hub.session(role="writer")
        kept = list(range(0, PAYS, 5))[::-1]
        assert writer.vertex("hub").delete_edges(every=400) == PAYS * 4 // 5
        assert writer.vertex("hub").edges(Pays).count() == 0
        out = hub.vertex("hub").edges(Pays, direction="out")
        assert [one.at for one in paged(out, 100)] == kept
        assert hub.vertex("v1").edges(Pays).count() == 0
        assert hub.vertex("v5").edges(Pays).count() == len([x for x in kept if x % 50 == 5])
        assert hub.vertex("hub").delete_edges(Pays, direction="in") == 0
        with pytest.raises(UsageError, match="merge"):
            hub.vertex("hub").delete_edges(Calls)
        assert hub.vertex("hub").delete_edges(Pays, every=10_000, hard=True) == len(kept)
        assert hub.vertex("hub").delete() == 1
        assert hub.get("hub").edges(Calls).count() == CALLS

    def test_edges_are_deleted_with_their_vertex(self, hub: lg.Graph) -> None:
        """As many as fit one commit."""
        assert hub.vertex("hub").delete() == PAYS + 1
        assert hub.all(Pays).count() == hub.vertex("v1").edges(Pays).count() == 0

    def test_more_edges_than_fit_a_commit_are_refused(
        self, hub: lg.Graph, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Only those that the session can read count: nobody learns of the others."""
        monkeypatch.setattr("lexigraph.layout.records.write.pending.MOST_EDGES", PAYS * 4 // 5)
        with pytest.raises(UnsupportedError, match=r"more than 600 edges.*delete") as refused:
            hub.vertex("hub").delete()
        assert "delete_edges()" in str(refused.value.hint)
        with pytest.raises(UnsupportedError, match="hide"):
            hub.vertex("hub").hide("a")
        assert hub.vertex("hub").edges(Pays).count() == PAYS
        assert hub.session(role="writer").vertex("hub").delete() == PAYS * 4 // 5 + 1
