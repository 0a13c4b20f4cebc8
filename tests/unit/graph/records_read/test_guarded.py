"""Records that an authorization guards, and counts of edges by label and direction."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import lexigraph as lg
from lexigraph.errors import InvalidOption, UnsupportedError, UsageError


class Person(lg.Vertex):
    id: str
    name: str | None = None


class Calls(lg.Edge, summary=True):
    source: str
    destination: str


@pytest.fixture(params=["memory", "embedded"])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[lg.Graph]:
    path = ":memory:" if request.param == "memory" else tmp_path / "graph.lexi"
    with lg.open(path, [Person, Calls], strict=False, authorizations=lg.ALL) as made:
        made.add_vertex("ann", Person, visibility="hr")
        made.add_vertex("bob", Person, name=lg.value("Bob", visibility="hr&audit"))
        made.add_vertex("cid", "Other", name=lg.value("Cid", metadata={"by": "hr"}))
        made.vertex("cid").set_metadata("name", "seen", 1, visibility="audit")
        made.add_vertex("dan", "Other", name="Dan", visibility="hrx")
        made.add_edge("ann", "KNOWS", "bob", id="e1", visibility="hr")
        made.add_edge("ann", "KNOWS", "bob", id="e2")
        made.add_edge("cid", "LIKES", "ann", id="e3", since=lg.value(1, visibility="hr"))
        yield made


def found(session: object, *asked: str) -> list[str]:
    return sorted(str(one.id) for one in session.all().vertices("Other", Person).guarded_by(*asked))  # type: ignore[attr-defined]


def test_every_part_that_the_session_reads_counts(graph: lg.Graph) -> None:
    assert found(graph, "hr") == ["ann", "bob"]
    assert found(graph, "audit") == ["bob", "cid"]
    assert found(graph, "hr", "element") == ["ann"]
    assert found(graph, "hr", "properties") == ["bob"]
    assert found(graph, "audit", "metadata") == ["cid"]
    assert found(graph, "element") == []


def test_what_a_session_does_not_read_does_not_count(graph: lg.Graph) -> None:
    assert found(graph.session(), "hr") == []
    assert found(graph.session(["audit"]), "audit") == ["cid"]
    assert found(graph.session(["hr", "audit"]), "audit") == ["bob", "cid"]


def test_edges_are_guarded_too(graph: lg.Graph) -> None:
    asked = graph.all().edges("KNOWS", "LIKES")
    assert sorted(one.id for one in asked.guarded_by("hr")) == ["e1", "e3"]
    assert sorted(one.id for one in asked.guarded_by("hr", "element")) == ["e1"]


def test_what_cannot_be_asked_is_refused(graph: lg.Graph) -> None:
    people = graph.all().vertices(Person)
    with pytest.raises(InvalidOption, match="element"):
        people.guarded_by("hr", "elemen")
    with pytest.raises(UsageError, match="text"):
        people.guarded_by(7)  # type: ignore[arg-type]
    with pytest.raises(UnsupportedError, match="summary"):
        graph.all().edges(Calls).guarded_by("hr")


def test_edges_are_counted_by_label_and_direction_from_references_alone(graph: lg.Graph) -> None:
    asked = graph.vertex("ann").edges("KNOWS", "LIKES")
    counted = asked.summarise(by=["group", "matched"], edges=lg.count())
    rows = {(row["group"], row["matched"]): row["edges"] for row in counted}
    assert rows == {("KNOWS", "source"): 2, ("LIKES", "destination"): 1}
    assert "edge rows" not in str(counted.explain())
