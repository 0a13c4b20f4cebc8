"""Graphs without a schema: names are learnt when they are first used."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

import lexigraph as lg
from lexigraph.errors import GroupNotFound, PropertyNotFound, SchemaError, ValidationError
from tests.unit.graph.records.graphs import Person, references, seen_edge, seen_vertex, values


def learnt(graph: lg.Graph) -> list[tuple[str, ...]]:
    return [tuple(one) for one in graph._access.stored.learnt.all()]


def test_anything_is_stored_as_itself(free: lg.Graph) -> None:
    given: dict[str, Any] = {"name": "Ann", "born": date(2001, 2, 3), "path": ["a", 1], "n": 2.5}
    assert free.add_vertex("ann", "Person", "Friend", visibility="public", **given) == "ann"
    found = seen_vertex(free, "ann")
    assert found is not None
    assert found.labels == ("Friend", "Person")
    assert found.visibility == b"public"
    assert {name: one for name, [one] in values(found).items()} == given
    edge = free.add_edge("ann", "KNOWS", 7, since=2001)
    assert isinstance(edge, UUID)
    assert values(seen_edge(free, edge)) == {"since": [2001]}
    assert references(free, 7) == [("in", "KNOWS", "ann")]


def test_names_are_learnt(free: lg.Graph) -> None:
    free.add_vertex("ann", "Person", name="Ann")
    free.add_edge("ann", "KNOWS", "bob", since=3)
    free.vertex("ann").set("size", 1.5).add_label("Friend")
    assert learnt(free) == [
        ("edge", "KNOWS", ""),
        ("property", "name", "str"),
        ("property", "since", "int"),
        ("property", "size", "float"),
        ("vertex", "Friend", ""),
        ("vertex", "Person", ""),
    ]
    assert free.admin.learnt_names()["property"] == {"name": "str", "since": "int", "size": "float"}
    # Values of another type are taken, and the definition says so.
    free.add_vertex("bob", name=7)
    assert ("property", "name", "any") in learnt(free)
    assert values(seen_vertex(free, "bob")) == {"name": [7]}


def test_names_stay_learnt(tmp_path: Path) -> None:
    with lg.open(tmp_path / "g") as graph:
        graph.add_vertex("ann", "Person", name="Ann")
    with lg.open(tmp_path / "g") as graph:
        graph.add_vertex("bob", "Person", name="Bob")
        assert len(learnt(graph)) == 2
        assert values(seen_vertex(graph, "ann")) == {"name": ["Ann"]}


def test_a_refused_change_teaches_nothing(free: lg.Graph) -> None:
    free.add_vertex("ann")
    with pytest.raises(ValidationError, match="property 'what'"):
        free.add_vertex("bob", "Person", what=object())
    with pytest.raises(ValidationError, match="is not an id"):
        free.add_vertex(1.5, "Person")
    assert learnt(free) == []


def test_strict_refuses_names_that_no_class_declares(path: str) -> None:
    with lg.open(path, [Person], strict=False, authorizations=lg.ALL) as graph:
        graph.add_vertex("ann", "Person", "Friend", name="Ann", size=3)
        assert values(seen_vertex(graph, "ann")) == {"name": ["Ann"], "size": [3]}
        # What a class declares keeps its type.
        with pytest.raises(ValidationError, match="property 'age': it takes int"):
            graph.add_vertex("ann", "Person", name="Ann", age="old")
        with pytest.raises(ValidationError, match="property 'age': it takes int"):
            graph.add_vertex("ann", "Friend", age="old")
        strict = lg.open(graph._access.engine, strict=True)
        with pytest.raises(GroupNotFound, match="no vertex group 'Friend'"):
            strict.add_vertex("ann", "Friend")
        with pytest.raises(PropertyNotFound, match="'size'"):
            strict.add_vertex("ann", "Person", name="Ann", size=3)


def test_properties_that_are_called_as_options(free: lg.Graph) -> None:
    free.add_vertex("ann", properties={"time": 3, "replace": "x"}, name="Ann")
    assert values(seen_vertex(free, "ann")) == {"name": ["Ann"], "replace": ["x"], "time": [3]}


def test_several_values_of_one_name_by_key(free: lg.Graph) -> None:
    free.add_vertex("ann", mail=[lg.value("x", key="home"), lg.value("y", key="work")])
    free.vertex("ann").set("mail", "z", key="work").unset("mail", key="home")
    assert values(seen_vertex(free, "ann")) == {"mail": ["z"]}


class Plain(lg.Edge, group="KNOWS"):
    source: str
    destination: str
    since: int | None = None


class Sorted(lg.Edge, group="KNOWS"):
    source: str
    destination: str
    since: int = lg.sort_key()


class Signed(lg.Edge, group="KNOWS"):
    source: str
    destination: str
    since: int | None = lg.signature()


class Undirected(lg.Edge, group="KNOWS", directed=False):
    source: str
    destination: str


class OneWay(lg.Edge, group="KNOWS", unidirected=True):
    source: str
    destination: str


def test_classes_are_added_to_labels_that_were_learnt(path: str) -> None:
    with lg.open(path, authorizations=lg.ALL) as graph:
        graph.add_vertex("ann", "Person", name="Ann", size=3)
        graph.add_edge("ann", "KNOWS", "bob", since=2019)
        graph.admin.evolve([Person, Plain])
        assert [one.name for one in graph.all(Person)] == ["Ann"]
        [knows] = graph.get("ann").edges(Plain).where(Plain.since < 2020)
        assert (knows.destination, knows.since) == ("bob", 2019)


@pytest.mark.parametrize(
    ("given", "what"),
    [
        (Sorted, "a sort key"),
        (Signed, "a signature"),
        (Undirected, "directed=False"),
        (OneWay, "unidirected=True"),
    ],
)
def test_classes_that_stored_edges_do_not_fit_are_refused(
    path: str, given: type[lg.Edge], what: str
) -> None:
    with lg.open(path, authorizations=lg.ALL) as graph:
        graph.add_edge("ann", "KNOWS", "bob", since=2019)
        with pytest.raises(SchemaError, match=f"'KNOWS' cannot have {what}"):
            graph.admin.evolve([given])
        assert graph.get("ann").edges("KNOWS").adjacent() == ["bob"]
        # Vertices of the same label do not matter, nor do labels that have no edges.
    with lg.open(":memory:", authorizations=lg.ALL) as graph:
        graph.add_vertex("ann", "KNOWS")
        graph.admin.evolve([given])
