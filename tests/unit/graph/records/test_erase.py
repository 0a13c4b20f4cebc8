"""An erased record leaves nothing: no fact, no reference at another vertex, no byte in a file."""

from __future__ import annotations

import random
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.cells.ranges import Range
from lexigraph.errors import Conflict, UsageError
from lexigraph.layout.records.cells import read_facts
from lexigraph.layout.records.facts import AnyFact
from lexigraph.layout.records.subjects import EdgeSubject, ReferenceSubject, VertexSubject
from tests.unit.graph.records.graphs import (
    Calls,
    Knows,
    Meets,
    Person,
    references,
    seen_vertex,
    values,
)
from tests.unit.graph.test_erase import found

GONE = "sub-7f3a91c2-4be0d6"
DAY = date(2026, 1, 2)


def facts(graph: lg.Graph) -> list[AnyFact]:
    """Return every stored fact of the graph, under every label."""
    stored = graph._access.stored
    assert stored.records is not None
    return [
        fact
        for part, table in stored.records.tables.items()
        for batch in stored.engine.read_raw(table, [Range()])
        for fact in read_facts(stored.records.rows, part, batch)
    ]


def about(fact: AnyFact, vertex: str, edges: set[Any]) -> bool:
    """Return whether a fact is about a vertex or about one of some edges."""
    subject = fact.subject
    if isinstance(subject, VertexSubject):
        return subject.id == vertex
    edge = subject.edge if isinstance(subject, ReferenceSubject) else subject.id
    return edge in edges


def fill(graph: lg.Graph) -> set[Any]:
    """Write all kinds of facts about a vertex; return the ids of its edges."""
    graph.add(
        [Person(GONE, name="A", tags={"a", "b"}), Person("bob", name="B"), Person("cid", name="C")]
    )
    graph.add([Person(GONE, name="A2")], visibility="x&y")
    graph.vertex(GONE).set("name", "N", metadata={"by": "bob"}, visibility="z")
    graph.vertex(GONE).set("age", 9, time=2**61)
    graph.vertex(GONE).unset("tags", hard=True)
    graph.vertex(GONE).require("x|y")
    graph.add([Knows("to", GONE, "bob", DAY, weight=1.0), Knows("from", "bob", GONE, DAY)])
    graph.add([Knows("stays", "bob", "cid", DAY, note="tea"), Knows("loop", GONE, GONE, DAY)])
    graph.add_edge(GONE, Meets, "cid", id=5, visibility="q")
    graph.add_edge("bob", Meets, "cid", id=6)
    # Another shape: it was at the vertex once.
    graph.add([Knows("was", GONE, "bob", DAY)])
    graph.add([Knows("was", "cid", "bob", date(2026, 3, 4))])
    graph.add([Knows("deleted", "cid", GONE, DAY), Knows("removed", "cid", GONE, DAY)])
    graph.edge("deleted").delete()
    graph.edge("removed").delete(hard=True)
    graph.vertex(GONE).hide("x")
    graph.add([Calls(GONE, "bob", 2), Calls("bob", "cid", 3)])
    return {"to", "from", "loop", 5, "was", "deleted", "removed"}


def test_every_fact_of_a_vertex_and_its_edges_goes(graph: lg.Graph) -> None:
    edges = fill(graph)
    before = facts(graph)
    kept = [one for one in before if not about(one, GONE, edges)]
    assert len(kept) < len(before) / 2
    report = graph.admin.erase(GONE)
    assert facts(graph) == kept
    assert report.deleted == 1 + len(edges) + 1
    # A hard delete leaves no label.
    assert report.groups == {"Calls": 1, "Knows": 5, "Meets": 1, "Person": 1}
    assert (report.vertices, report.absent, report.mentions) == (1, 0, 0)
    assert report.cells > len(edges)
    assert graph.admin.erase(GONE).deleted == 0


def test_a_vertex_that_was_erased_can_be_added_again(graph: lg.Graph) -> None:
    fill(graph)
    graph.vertex(GONE).delete(hard=True)
    graph.admin.erase(GONE)
    # What a removal would hide for ever, and what is dated before everything that was there.
    graph.add_vertex(GONE, Person, name="again", time=5)
    found = seen_vertex(graph, GONE)
    assert found is not None
    assert found.time == 5
    assert references(graph, GONE) == []


def test_an_edge_is_erased_alone(graph: lg.Graph) -> None:
    fill(graph)
    before = facts(graph)
    report = graph.admin.erase(edges=["to", 5, "nothing"])
    assert facts(graph) == [one for one in before if not about(one, "", {"to", 5})]
    assert (report.deleted, report.vertices, report.absent) == (2, 0, 0)
    with pytest.raises(UsageError, match="no vertex to erase"):
        graph.admin.erase(edges=[])


@pytest.mark.parametrize("given", [None, 5, "to", b"to"])
def test_ids_of_edges_come_in_a_list(graph: lg.Graph, given: Any) -> None:
    with pytest.raises(UsageError, match="a list of ids of edges"):
        graph.admin.erase(edges=given)


def test_only_records_have_ids_of_edges() -> None:
    with (
        lg.open(":memory:", [Calls]) as graph,
        pytest.raises(UsageError, match="edges have no ids"),
    ):
        graph.admin.erase(edges=[1])


def test_an_edge_that_its_destination_does_not_know_goes_too(path: str) -> None:
    class Follows(lg.Edge, unidirected=True):
        source: int
        destination: int

    with lg.open(path, [Follows], authorizations=lg.ALL) as graph:
        graph.add_edge(1, Follows, 2, id="a")
        graph.add_edge(3, Follows, 1, id="b")
        graph.add_edge(3, Follows, 2, id="c")
        assert graph.admin.erase(1).deleted == 2
        assert {one.subject for one in facts(graph) if isinstance(one.subject, EdgeSubject)} == {
            EdgeSubject("c")
        }
        assert [one for one in facts(graph) if about(one, "", {"a", "b"})] == []


def test_ids_of_any_type_are_erased(free: lg.Graph) -> None:
    for vertex in (1, lg.Int8(2), 2**70, "a\0b", "1"):
        free.add_vertex(vertex)
        free.add_edge(vertex, "TO", "hub", id=repr(vertex))
    assert free.admin.erase(lg.Int64(1), 2, ["a\0b"]).deleted == 6
    left = {one.subject.id for one in facts(free) if isinstance(one.subject, VertexSubject)}
    assert left == {2**70, "1"}
    assert len(references(free, "hub")) == 2


def test_what_others_say_of_them_is_counted(graph: lg.Graph) -> None:
    fill(graph)
    graph.vertex("bob").set("name", f"friend of {GONE}")
    report = graph.admin.erase(GONE)
    assert report.mentions == 1
    assert "the bytes of an id: 1" in str(report)


def test_a_transaction_that_changes_them_conflicts() -> None:
    with lg.open(":memory:", [Person], authorizations=lg.ALL) as graph:
        graph.add([Person(GONE, name="A"), Person("bob", name="B")])
        about_it, beside = graph.transaction(), graph.transaction()
        about_it.vertex(GONE).set("name", "A2")
        beside.vertex("bob").set("name", "B2")
        graph.admin.erase(GONE)
        with pytest.raises(Conflict):
            about_it.commit()
        beside.commit()
        assert values(seen_vertex(graph, "bob"))["name"] == ["B2"]


def test_no_byte_of_them_is_in_any_file(tmp_path: Path) -> None:
    chance = random.Random(3)
    path = tmp_path / "db"
    names = [f"sub-{number:04}-{chance.randbytes(8).hex()}" for number in range(600)]
    gone = set(names[::7])
    with lg.open(path, [Person, Knows, Meets], authorizations=lg.ALL) as graph:
        for start in range(0, 600, 200):
            graph.add([Person(one, name=f"n{one[:6]}") for one in names[start : start + 200]])
            graph.add(
                [
                    Knows(f"{start}.{number}", *chance.sample(names, 2), since=DAY)
                    for number in range(500)
                ]
            )
            graph.admin.compact()
        for one in list(gone)[::3]:
            graph.vertex(one).delete(hard=True)
        before = facts(graph)
    assert found(path, gone) == gone
    with lg.open(path, authorizations=lg.ALL) as graph:
        assert graph.admin.erase(*gone).mentions == 0
        edges = {
            one.subject.edge
            for one in before
            if isinstance(one.subject, ReferenceSubject)
            and gone & {one.subject.vertex, one.subject.other}
        }
        kept = [one for one in before if not any(about(one, name, edges) for name in gone)]
        assert facts(graph) == kept
    assert found(path, gone) == set()
