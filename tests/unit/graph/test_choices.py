"""Which groups a question is about, and which steps are meant for them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import lexigraph as lg
from lexigraph.errors import PropertyNotFound, SemanticProblem


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


def test_the_edges_of_a_pair_are_narrowed_by_the_first_choice(graph: lg.Graph) -> None:
    pair = graph.edge("a", "b")
    assert len(names(pair)) > 1
    assert names(pair.edges(Knows)) == names(graph.edge("a", "b", Knows)) == ["Knows('a', 'b')"]
    assert len(names(pair.edges(Knows).edges(Calls))) == 2


def test_a_choice_that_leaves_nothing_is_refused(graph: lg.Graph) -> None:
    large = graph.get("a").where(Calls.count > 4)
    with pytest.raises(SemanticProblem, match="no group is left of 'Knows'"):
        large.edges(Knows)
    with pytest.raises(SemanticProblem, match="the question asks for other groups"):
        graph.edge("a", "b").vertices(Person)
    assert names(large.edges(Knows, Calls)) == ["Calls('a', 'b', count=9)"]


def test_ids_may_be_selected_and_come_in_any_case(graph: lg.Graph) -> None:
    calls = graph.all(Calls)
    for names in (["source", "destination"], ["directed", "source"], [Calls.source], []):
        assert calls.select(*names).to_arrow().column_names == [
            *("group", "source", "destination", "directed")
        ]
        assert [one.properties for one in calls.select(*names).elements()] == [{}, {}]
    assert calls.select("source", "count").to_list() == calls.to_list()
    both = graph.all(Calls, Person).select(Person.id, "source", "count")
    assert sorted(map(repr, both)) == sorted(map(repr, graph.all(Calls, Person)))
    with pytest.raises(PropertyNotFound, match="no property 'vertex'"):
        calls.select("vertex").to_list()


def test_ids_cannot_be_excluded(graph: lg.Graph) -> None:
    for name in ("source", "directed", Calls.destination):
        with pytest.raises(SemanticProblem, match="results always contain ids"):
            graph.all(Calls).exclude(name)


def test_a_property_may_be_called_as_an_id_of_another_group() -> None:
    class Trip(lg.Edge, summary=True, directed=True):
        source: str
        destination: str
        vertex: int = lg.sum(default=1)
        count: int = lg.sum(default=1)

    with lg.open(":memory:", [Person, Trip]) as graph:
        graph.add([Person("a"), Trip("a", "b")])
        assert [one.properties for one in graph.all().select("vertex").elements()] == [
            *({}, {"vertex": 1})
        ]
        assert graph.all(Trip).exclude("vertex").to_arrow().num_columns == 5
