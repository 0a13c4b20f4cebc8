"""Which groups a question is about, and which steps are meant for them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import lexigraph as lg
from lexigraph.errors import SemanticProblem


class Person(lg.Vertex, summary=True):
    id: str
    count: int = lg.sum(default=1)


class Calls(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    count: int = lg.sum(default=1)


class Mails(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    count: int = lg.sum(default=1)


class Knows(lg.Edge, summary=True, directed=True):
    source: str
    destination: str


@pytest.fixture
def graph() -> Iterator[lg.Graph]:
    with lg.open(":memory:", [Person, Calls, Mails, Knows]) as graph:
        graph.add([Person("a", count=1), Person("a", count=4), Knows("a", "b")])
        graph.add([Calls("a", "b", count=9), Calls("a", "c", count=1), Mails("a", "b", count=9)])
        yield graph


def names(question: lg.Query[object]) -> list[str]:
    return sorted(map(repr, question))


def test_a_choice_behind_a_condition_narrows(graph: lg.Graph) -> None:
    large = Calls.count > 4
    assert names(graph.get("a").where(large).edges(Calls)) == ["Calls('a', 'b', count=9)"]
    for question in (graph.get("a"), graph.all(), graph.within(["a", "b"])):
        ways = [question.where(large).edges(Calls), question.edges(Calls).where(large)]
        assert names(ways[0]) == names(ways[1]) == ["Calls('a', 'b', count=9)"]
        assert question.where(large).vertices(Person).to_list() == [Person("a", count=5)]


def test_steps_of_all_kinds_leave_the_choice_open(graph: lg.Graph) -> None:
    asked = graph.get("a").edges(Calls, Mails, Knows).vertices(Person)
    assert len(asked.to_list()) == 5
    everything = graph.get("a")
    assert names(everything.select().edges(Mails)) == ["Mails('a', 'b')"]
    assert names(everything.exclude().edges(Knows)) == ["Knows('a', 'b')"]
    assert names(everything.roll_up().edges(Knows)) == ["Knows('a', 'b')"]
    derived = everything.where(lg.field("count") > 0).derive("twice", lambda n: n * 2, "count")
    assert [one["twice"] for one in derived.vertices(Person).elements()] == [10]


def test_a_condition_before_the_first_choice_is_meant_for_every_choice(graph: lg.Graph) -> None:
    large = graph.get("a").where(lg.field("count") > 4)
    assert names(large.vertices(Person).edges(Calls)) == [
        "Calls('a', 'b', count=9)",
        "Person('a', count=5)",
    ]


def test_a_condition_behind_a_choice_is_meant_for_what_was_chosen(graph: lg.Graph) -> None:
    calls = graph.get("a").edges(Calls).where(Calls.count > 4)
    assert names(calls.edges(Knows)) == ["Calls('a', 'b', count=9)", "Knows('a', 'b')"]
    assert names(graph.all(Calls).where(Calls.count > 4).edges(Knows)) == names(calls.edges(Knows))
    assert names(calls.edges(Calls)) == names(calls)


def test_a_choice_that_leaves_nothing_is_refused(graph: lg.Graph) -> None:
    large = graph.get("a").where(Calls.count > 4)
    with pytest.raises(SemanticProblem, match="leaves nothing of 'Knows'"):
        large.edges(Knows)
    assert names(large.edges(Knows, Calls)) == ["Calls('a', 'b', count=9)"]
