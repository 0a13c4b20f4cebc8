"""First and last go by time: behaviour 18 of Gaffer's integration tests.

Layer ``testing``. Gaffer gives the last for First and loses keys when such a scan is resumed; ours
gives the same before and behind every merge, and for every reader.
"""

from __future__ import annotations

from itertools import permutations

import lexigraph as lg
from lexigraph.store import ManualClock
from lexigraph.testing.graph.base import GraphTests, MakeGraph


class Heard(lg.Edge, summary=True, directed=True):
    """What was heard first and last, by the time of its commit."""

    source: str
    destination: str
    first: str = lg.first()
    last: str = lg.last()
    count: int = lg.sum(default=1)


class Reading(lg.Vertex, summary=True):
    """What was read first and last, by a time of its own."""

    id: str
    at: int = lg.timestamp()
    first: str = lg.first()
    last: str = lg.last()


def heard(text: str) -> Heard:
    """Return an edge that says something."""
    return Heard("a", "b", first=text, last=text)


class TimeOrder(GraphTests):
    """First and last."""

    def test_first_and_last_by_commits(self, make: MakeGraph, clock: ManualClock) -> None:
        """18: after every commit, and after a merge at any point between them."""
        for merged_at in range(4):
            graph = make(Heard, name=f"merged{merged_at}")
            for at, text in enumerate(("m", "z", "a", "k")):
                graph.add([heard(text)])
                clock.advance(1000)
                if at == merged_at:
                    graph.admin.compact()
                [one] = graph.all(Heard)
                assert (one.first, one.last, one.count) == ("m", text, at + 1)
            graph.admin.compact()
            [one] = graph.get("b").edges(Heard)
            assert (one.first, one.last, one.count) == ("m", "k", 4)

    def test_of_one_batch_the_order_in_it_decides(self, make: MakeGraph) -> None:
        """18: it stands for the time that all of a batch share."""
        for number, texts in enumerate(permutations("amz")):
            graph = make(Heard, name=f"order{number}")
            graph.add(map(heard, texts))
            [one] = graph.all(Heard)
            assert (one.first, one.last, one.count) == (texts[0], texts[2], 3)

    def test_a_time_of_its_own_beats_the_order_of_commits(self, make: MakeGraph) -> None:
        """18: added in every order, merged in between or not."""
        for number, times in enumerate(permutations((1000, 2000, 3000))):
            graph = make(Reading, name=f"times{number}")
            for at in times:
                graph.add([Reading("v", at=at, first=f"t{at}", last=f"t{at}")])
                if number % 2:
                    graph.admin.compact()
            [one] = graph.all(Reading)
            assert (one.at, one.first, one.last) == (3000, "t1000", "t3000")

    def test_rolled_up_first_and_last_are_those_of_all(self, make: MakeGraph) -> None:
        """18: over labels and group-by values too."""

        class Daily(lg.Vertex, summary=True):
            id: str
            day: int = lg.group_by()
            first: str = lg.first()
            last: str = lg.last()
            label: str | None = lg.visibility(default=None)

        graph = make(Daily)
        said = [(2, "one", None), (1, "two", "s"), (3, "three", None), (2, "four", "s")]
        for on, text, label in said:
            graph.add([Daily("v", day=on, first=text, last=text, label=label)])
        for _ in range(2):
            [one] = graph.all(Daily).roll_up()
            assert (one.first, one.last) == ("one", "four")
            [blind] = graph.session().all(Daily).roll_up()
            assert (blind.first, blind.last) == ("one", "three")
            graph.admin.compact()
