"""Who sees what: behaviours 16 and 17 of Gaffer's integration tests.

Layer ``testing``. The oracle keeps the parts that a reader's authorizations satisfy and merges
those; whatever else is stored must not show in any answer.
"""

from __future__ import annotations

from collections import Counter
from datetime import date
from itertools import combinations, product

import pytest

import lexigraph as lg
from lexigraph.errors import NotGranted, ValidationError
from lexigraph.testing.graph.base import GraphTests, MakeGraph, Seen, day, seen

TOKENS = ("a", "b", "private")
READERS = [chosen for size in range(4) for chosen in combinations(TOKENS, size)]
LABELS = (None, "", "a", "b", "a&b", "b&a", "a|b", "(a|b)&private", "private")


class Secret(lg.Edge, summary=True, directed=True):
    """A labelled edge."""

    source: str
    destination: str
    day: date = lg.group_by()
    count: int = lg.sum(default=1)
    label: str | None = lg.visibility(default=None)


class Note(lg.Vertex, summary=True, aggregates=False):
    """A labelled vertex that keeps duplicates."""

    id: str
    text: str
    label: str | None = lg.visibility(default=None)


# Powers of two: a sum tells which labels it was made from.
PARTS = [
    Secret("p", "q" if on < 3 else "r", day=day(on), count=2**at, label=label)
    for on, (at, label) in product((1, 2, 3), enumerate(LABELS))
]


def may_see(label: str | None, reader: tuple[str, ...]) -> bool:
    """Return what the grammar of labels says."""
    return lg.Visibility(label or "").evaluate(lg.Authorizations(reader))


def sums(reader: tuple[str, ...], *, by_day: bool) -> Counter[tuple[object, ...]]:
    """Merge what a reader may see."""
    found: Counter[tuple[object, ...]] = Counter()
    for one in PARTS:
        if may_see(one.label, reader):
            found[(one.destination, one.day if by_day else None)] += one.count
    return found


class Labels(GraphTests):
    """Labels and readers."""

    @pytest.fixture
    def graph(self, make: MakeGraph) -> lg.Graph:
        """Return a graph with every label on every day, one batch for each."""
        graph = make(Secret, Note, Seen)
        for one in PARTS:
            graph.add([one])
        graph.add([Note("n", text=str(label), label=label) for label in LABELS])
        graph.add([seen("plain")])
        return graph

    @pytest.mark.parametrize("reader", READERS, ids=lambda tokens: "+".join(tokens) or "none")
    def test_a_reader_sees_what_its_authorizations_satisfy(
        self, graph: lg.Graph, reader: tuple[str, ...]
    ) -> None:
        """16: single, and, or, empty, missing, and a group without labels."""
        session = graph.session(reader)
        expected = sorted(str(label) for label in LABELS if may_see(label, reader))
        assert sorted(one.text for one in session.all(Note)) == expected
        assert session.get("n").count() == len(expected)
        assert [one.id for one in session.all(Seen)] == ["plain"]

    @pytest.mark.parametrize("reader", READERS, ids=lambda tokens: "+".join(tokens) or "none")
    def test_what_merges_is_what_the_reader_may_see(
        self, graph: lg.Graph, reader: tuple[str, ...]
    ) -> None:
        """17: for every reader, by day and over all days, before and behind a merge."""
        session = graph.session(reader)
        for _ in range(2):
            for question in (session.all(Secret), session.get("p").edges(Secret)):
                found = {(one.destination, one.day): one.count for one in question}
                assert found == sums(reader, by_day=True)
                rolled = {(one.destination, one.day): one.count for one in question.roll_up()}
                assert rolled == sums(reader, by_day=False)
                assert question.count() == len(found)
                total = question.summarise(total=lg.sum("count")).to_list()
                assert total == [{"total": sum(rolled.values())}]
            graph.admin.compact()

    def test_no_label_and_the_empty_one_are_the_same(self, graph: lg.Graph) -> None:
        """17: they merge; so do two ways to write one label."""
        apart = graph.edge("p", "r", Secret).by_visibility()
        found = {one.label: one.count for one in apart}
        assert found == {
            None: 2**0 + 2**1,
            "a": 2**2,
            "b": 2**3,
            "a&b": 2**4 + 2**5,
            "a|b": 2**6,
            "private&(a|b)": 2**7,
            "private": 2**8,
        }

    def test_the_label_of_what_merged_says_what_it_took(self, graph: lg.Graph) -> None:
        """17: nobody sees it who does not see all of its parts."""
        for reader in READERS:
            [merged] = graph.session(reader).edge("p", "r", Secret)
            visible = {label for label in LABELS if may_see(label, reader)}
            for other in READERS:
                sees_all = all(may_see(label, other) for label in visible)
                assert may_see(merged.label, other) == sees_all

    def test_labels_that_are_none_are_refused(self, graph: lg.Graph) -> None:
        """16: nothing is stored."""
        for wrong in ("a&", "a b", "a&b|c", "("):
            with pytest.raises(ValidationError, match="'label'"):
                graph.add([Secret("x", "y", day=day(1), label=wrong)])
        assert graph.get("x").count() == 0

    def test_nobody_asks_for_more_than_was_granted(self, make: MakeGraph) -> None:
        """16: an error, on every engine."""
        graph = make(Secret, grants=["a"], authorizations=["a"])
        graph.add([Secret("x", "y", day=day(1), label="b")])
        assert graph.count() == 0
        with pytest.raises(NotGranted):
            graph.session(["a", "b"])
        with pytest.raises(NotGranted):
            graph.session(lg.ALL)
