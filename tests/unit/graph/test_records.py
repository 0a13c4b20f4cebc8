"""Classes whose elements do not merge: new groups are refused, stored ones still open."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import lexigraph as lg
from lexigraph.errors import UnsupportedError
from lexigraph.layout.stored.catalogue import CATALOGUE
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.schema import Schema, group_of, schema_from_json, schema_of, schema_to_json
from lexigraph.store import MemoryEngine


class Pays(lg.Edge, directed=True):
    """As classes of records were declared before they were refused."""

    source: str
    destination: str
    amount: int


class Event(lg.Vertex, summary=True, aggregates=False):
    id: str
    what: str


class Person(lg.Vertex, summary=True):
    id: str


def stored_before(*classes: type[lg.Vertex | lg.Edge]) -> Schema:
    """Return the schema of classes as a graph of before holds it: without records."""
    schema = schema_from_json(schema_to_json(schema_of(classes)))
    groups = {name: replace(group, record=None) for name, group in schema.groups.items()}
    return replace(schema, groups=groups)


def test_a_new_graph_refuses_a_class_that_does_not_merge(tmp_path: Path) -> None:
    for path in (":memory:", tmp_path / "g"):
        with pytest.raises(UnsupportedError, match="Event") as caught:
            lg.open(path, [Person, Event])
        assert "summary=True" in caught.value.hint
        assert caught.value.code == "unsupported"
    assert not (tmp_path / "g").exists()


def test_a_schema_made_of_such_a_class_is_refused_too() -> None:
    for schema in (schema_of([Event]), schema_of([group_of(Event)])):
        with pytest.raises(UnsupportedError, match="Event"):
            lg.open(":memory:", schema)


def test_a_graph_that_is_there_takes_no_new_group_of_that_kind() -> None:
    engine = MemoryEngine()
    graph = lg.open(engine, [Person])
    with pytest.raises(UnsupportedError, match="Event"):
        graph.admin.evolve([Event])
    with pytest.raises(UnsupportedError, match="Event"):
        lg.open(engine, [Person, Event])
    assert list(lg.open(engine).schema.groups) == ["Person"]


def test_a_stored_group_opens_with_its_class_and_without(tmp_path: Path) -> None:
    from lexigraph.store import EmbeddedEngine

    with EmbeddedEngine(tmp_path / "g") as engine:
        StoredGraph.create(engine, "graph", stored_before(Pays, Event))
    with lg.open(tmp_path / "g", [Pays, Event]) as graph:
        graph.add([Pays("a", "b", amount=1), Pays("a", "b", amount=2), Event("a", what="x")])
    with lg.open(tmp_path / "g", [Pays, Person], read_only=False) as graph:
        assert sorted(one.amount for one in graph.all(Pays)) == [1, 2]
    with lg.open(tmp_path / "g") as graph:
        assert graph.count() == 3


def test_a_stored_group_takes_more_properties(tmp_path: Path) -> None:
    engine = MemoryEngine()
    StoredGraph.create(engine, "graph", stored_before(Pays))
    lg.open(engine, [Pays]).add([Pays("a", "b", amount=1)])

    class More(lg.Edge, directed=True, group="Pays"):
        source: str
        destination: str
        amount: int
        why: str | None = None

    graph = lg.open(engine, [More])
    graph.add([More("a", "b", amount=1, why="rent")])
    assert sorted(str(one.why) for one in graph.all(More)) == ["None", "rent"]


def test_a_refused_class_leaves_no_graph_behind() -> None:
    engine = MemoryEngine()
    with pytest.raises(UnsupportedError):
        lg.open(engine, [Event])
    assert lg.graphs(engine) == []


def test_an_entry_of_before_there_were_records_keeps_its_groups(tmp_path: Path) -> None:
    # Versions that knew such classes, but stored no records, wrote what a class says all the same.
    engine = MemoryEngine()
    StoredGraph.create(engine, "graph", stored_before(Pays))
    [cell] = engine.table(CATALOGUE).row("graph")
    data = json.loads(cell.value)
    data["schema"]["groups"]["Pays"]["record"] = {}
    engine.table(CATALOGUE).put("graph", cell.family, b"", json.dumps(data))
    graph = lg.open(engine, [Pays])
    graph.add([Pays("a", "b", amount=1), Pays("a", "b", amount=1)])
    assert graph.count(Pays) == 2
    assert not graph.schema.records.groups
