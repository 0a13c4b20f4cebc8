"""Rules of a schema: behaviour 15 of Gaffer's integration tests.

Layer ``testing``. A rule is asked when an element is added, and again of what merging made of it:
no answer holds an element that breaks one. A merge removes it only if nothing that is added later
could change that, or if the rule says ``remove=True``.
"""

from __future__ import annotations

from datetime import timedelta

import pytest

import lexigraph as lg
from lexigraph.errors import ValidationError
from lexigraph.store import ManualClock
from lexigraph.testing.graph.base import GraphTests, MakeGraph

SECOND = 1_000_000


class Small(lg.Vertex, summary=True):
    """A total that must stay below ten."""

    id: str
    total: int = lg.sum(check=[lg.this < 10])


class Swept(lg.Vertex, summary=True):
    """A total that merges remove if it is not below ten."""

    id: str
    total: int = lg.sum(check=[lg.rule(lg.this < 10, remove=True)])


class Brief(lg.Edge, summary=True, directed=True):
    """An edge that is gone after ten seconds."""

    source: str
    destination: str
    at: int = lg.group_by()
    count: int = lg.sum(default=1)
    rules = {"too old": lg.field("at").age_off(timedelta(seconds=10))}


class Rules(GraphTests):
    """Rules, when elements are added and after merging."""

    def test_what_breaks_a_rule_is_refused_with_its_reason(self, make: MakeGraph) -> None:
        """15: nothing of the call is stored; with skip_invalid the others are."""
        graph = make(Small)
        given = [Small("a", total=1), Small("b", total=10), Small("c", total=2)]
        with pytest.raises(ValidationError, match="total") as caught:
            graph.add(given)
        assert caught.value.context.get("number", 1) == 1
        assert graph.count() == 0
        report = graph.add(given, skip_invalid=True)
        assert (report.added, report.skipped_count) == (2, 1)
        assert [one.number for one in report.skipped] == [1]
        assert [one.id for one in graph.all()] == ["a", "c"]

    def test_what_merging_makes_invalid_is_hidden(self, make: MakeGraph) -> None:
        """15: from every question, before and behind a merge."""
        graph = make(Small)
        graph.add([Small("a", total=6), Small("b", total=6)])
        assert graph.count() == 2
        graph.add([Small("a", total=6)])
        for _ in range(2):
            assert [one.id for one in graph.all()] == ["b"]
            assert graph.get("a").to_list() == []
            assert graph.all().summarise(total=lg.sum("total")).to_list() == [{"total": 6}]
            assert graph.count() == 1
            graph.admin.compact()

    def test_what_a_merge_hides_comes_back(self, make: MakeGraph) -> None:
        """15: an add that makes a total fit again finds all of it, whether a merge ran or not."""
        graph = make(Small)
        graph.add([Small("a", total=6), Small("b", total=6)])
        graph.add([Small("a", total=6), Small("b", total=6)])
        graph.add([Small("b", total=-5)])
        graph.admin.compact()
        assert [(one.id, one.total) for one in graph.all()] == [("b", 7)]
        graph.add([Small("a", total=-5)])
        assert [(one.id, one.total) for one in graph.all()] == [("a", 7), ("b", 7)]

    def test_a_rule_may_say_that_merges_remove(self, make: MakeGraph) -> None:
        """15: as in Gaffer, where what is added later starts anew."""
        graph = make(Swept)
        for _ in range(2):
            graph.add([Swept("a", total=6)])
        graph.admin.compact()
        assert sum(stats.cells for stats in graph.admin.stats().values()) == 0
        graph.add([Swept("a", total=-5)])
        assert [one.total for one in graph.all()] == [-5]

    def test_what_is_too_old_goes(self, make: MakeGraph, clock: ManualClock) -> None:
        """15: refused when it is added too late, hidden when its time has come, and merged away."""
        graph = make(Brief)
        now = clock.now() // 1000
        with pytest.raises(ValidationError, match="too old"):
            graph.add([Brief("a", "b", at=now - 11_000)])
        graph.add(
            [Brief("a", "b", at=now), Brief("a", "b", at=now - 5_000), Brief("b", "a", at=now)]
        )
        assert graph.count() == 3
        assert [one.count for one in graph.edge("a", "b").roll_up()] == [2]
        clock.advance(6 * SECOND)
        assert graph.count() == 2
        assert [one.count for one in graph.edge("a", "b").roll_up()] == [1]
        clock.advance(5 * SECOND)
        assert graph.count() == 0
        assert graph.get("a").edges().adjacent() == []
        assert graph.hops("a", Brief) == []
        graph.admin.compact()
        assert sum(stats.cells for stats in graph.admin.stats().values()) == 0
