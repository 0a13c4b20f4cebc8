"""Records in transactions: with summaries, all or nothing."""

from __future__ import annotations

from datetime import date

import pytest

import lexigraph as lg
from lexigraph.errors import Conflict, MultiplicityViolation, UnsupportedError
from tests.unit.graph.records.graphs import (
    Calls,
    Knows,
    Owns,
    Person,
    references,
    seen_vertex,
    values,
)


def test_records_and_summaries_are_stored_together(graph: lg.Graph) -> None:
    with graph.transaction() as transaction:
        transaction.add([Person("ann", name="Ann"), Calls("ann", "bob", count=1)])
        transaction.add_edge("ann", Knows, "bob", id="k", since=date(2026, 1, 2))
        assert seen_vertex(graph, "ann") is None
        assert transaction.count(Calls) == 1
    assert values(seen_vertex(graph, "ann")) == {"name": ["Ann"]}
    assert references(graph, "bob") == [("in", "Knows", "ann")]
    assert graph.count(Calls) == 1


def test_changes_see_those_before(graph: lg.Graph) -> None:
    with graph.transaction() as transaction:
        transaction.add([Person("ann", name="Ann")])
        transaction.vertex("ann").set("name", "Anna").set("age", 7)
        assert transaction.vertex("ann").delete() == 1
        transaction.add([Person("ann", name="Again")])
    assert values(seen_vertex(graph, "ann")) == {"name": ["Again"]}


def test_a_transaction_reads_what_it_writes(graph: lg.Graph) -> None:
    graph.add([Person("ann", name="Ann"), Person("bob", name="Bob")])
    with graph.transaction() as transaction:
        edge = transaction.add_edge("ann", Knows, "bob", since=date(2026, 1, 2))
        transaction.vertex("ann").set("name", "Anna")
        assert transaction.vertex("ann").one().name == "Anna"
        assert [one.destination for one in transaction.get("ann").edges(Knows)] == ["bob"]
        transaction.vertex("bob").delete()
        assert transaction.vertex("bob").first() is None
        assert transaction.get("ann").edges(Knows).count() == 0
        assert graph.vertex("ann").one().name == "Ann"
    assert graph.vertex("ann").one().name == "Anna"
    assert graph.edge(edge).first() is None


def test_an_exception_stores_nothing(graph: lg.Graph) -> None:
    def fails() -> None:
        with graph.transaction() as transaction:
            transaction.add([Person("ann", name="Ann")])
            raise KeyError

    with pytest.raises(KeyError):
        fails()
    assert seen_vertex(graph, "ann") is None


def test_what_was_looked_at_must_not_change(graph: lg.Graph) -> None:
    graph.add([Person("ann", name="Ann")])
    transaction = graph.transaction()
    transaction.vertex("ann").set("name", "Anna")
    graph.vertex("ann").set("age", 3)
    with pytest.raises(Conflict):
        transaction.commit()
    assert values(seen_vertex(graph, "ann"))["name"] == ["Ann"]


def test_what_the_caller_cannot_see_is_no_conflict(graph: lg.Graph) -> None:
    graph.add([Person("ann", name="Ann")])
    writer = graph.session([], role="writer")
    transaction = writer.transaction()
    transaction.vertex("ann").set("name", "Anna")
    graph.vertex("ann").set("age", 3, visibility="secret")
    transaction.commit()
    assert values(seen_vertex(graph, "ann")) == {"age": [3], "name": ["Anna"]}


def test_constraints_hold_within_a_transaction(graph: lg.Graph) -> None:
    with graph.transaction() as transaction:
        transaction.add([Owns("ann", "car")])
        with pytest.raises(MultiplicityViolation):
            transaction.add([Owns("bob", "car")])
    assert references(graph, "car") == [("in", "Owns", "ann")]


def test_metadata_of_the_graph_stays_outside(graph: lg.Graph) -> None:
    with graph.transaction() as transaction, pytest.raises(UnsupportedError):
        transaction.metadata.set("a", 1)


def test_a_transaction_without_a_schema_learns(free: lg.Graph) -> None:
    with free.transaction() as transaction:
        transaction.add_vertex("ann", "Person", name="Ann")
        transaction.add_vertex("bob", "Person", name=7)
    assert [tuple(one) for one in free._access.stored.learnt.all()] == [
        ("property", "name", "any"),
        ("vertex", "Person", ""),
    ]


def test_edges_are_not_deleted_in_several_commits_of_one_transaction(free: lg.Graph) -> None:
    free.add_edge("ann", "KNOWS", "bob", id=1)
    with free.transaction() as changes, pytest.raises(UnsupportedError, match="several commits"):
        changes.vertex("ann").delete_edges()
    assert free.edge(1).exists()
    assert free.vertex("ann").delete_edges() == 1
