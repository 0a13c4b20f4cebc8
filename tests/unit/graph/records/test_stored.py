"""Records in a stored graph: which tables it has, what stays, what may change."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import GraphNotFound, InvalidOption, SchemaError, UnsupportedError
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.schema import declare, schema_of
from lexigraph.schema.records import keep
from lexigraph.store import EmbeddedEngine, Engine, MemoryEngine

FACTS = ["vertices", "edges"]
TABLES = ["graph.records.edges", "graph.records.names", "graph.records.vertices"]


class Person(lg.Vertex):
    id: str
    name: str | None = None


class Knows(lg.Edge):
    source: str
    destination: str
    since: date = declare.sort_key(descending=True)


class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    count: int = lg.sum()


@pytest.fixture(params=["memory", "embedded"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    made = MemoryEngine() if request.param == "memory" else EmbeddedEngine(tmp_path / "g")
    with made:
        yield made


def test_records_have_tables_of_their_own(engine: Engine) -> None:
    stored = lg.open(engine, [Person, Knows])._access.stored
    assert [one for one in engine.tables() if one.startswith("graph.")] == TABLES
    assert stored.records is not None
    assert stored.records.rows.vertex_codec == "str"
    assert [one.name for one in stored.records.rows.sort_keys["Knows"]] == ["since"]
    for part in FACTS:
        settings = engine.settings(stored.records.tables[part])
        assert settings.max_versions is None
        assert not settings.scan_stages
        assert sorted(map(sorted, settings.locality_groups.values())) == [
            [b"a", b"e", b"h", b"l"],
            [b"hp", b"p", b"pm"],
            [b"ra", b"re", b"rh"],
        ]


def test_records_stand_beside_summaries(engine: Engine) -> None:
    graph = lg.open(engine, [Person, Calls])
    assert [one for one in engine.tables() if one.startswith("graph.")] == [
        "graph.elements",
        *TABLES,
    ]
    assert graph.admin.tables()[0] == "lexigraph.meta"
    assert sorted(graph.admin.tables()[1:]) == ["graph.elements", *TABLES]
    assert set(graph.admin.stats()) == {
        "elements",
        *(f"records.{part}" for part in (*FACTS, "names")),
    }
    assert list(graph.schema.groups) == ["Person", "Calls"]
    graph.add([Calls("ann", "bob", count=1)])
    assert graph.count() == 1
    graph.admin.compact()
    graph.admin.clear()
    assert graph.count() == 0


def test_records_are_added_to_a_graph_later(engine: Engine) -> None:
    lg.open(engine, [Calls]).add([Calls("ann", "bob", count=1)])
    later = lg.open(engine, [Person])
    assert later._access.stored.records is not None
    assert list(lg.open(engine)._access.stored.records.schema.groups) == ["Person"]
    later.admin.evolve([Knows])
    assert list(later.schema.records.groups) == ["Person", "Knows"]
    assert later.count() == 1

    class More(lg.Vertex, group="Person"):
        id: str
        name: str | None = None
        born: date | None = None

    later.admin.evolve([More])
    assert [one.name for one in later.schema.group("Person").properties] == ["name", "born"]


def test_summaries_are_added_to_records_later(engine: Engine) -> None:
    graph = lg.open(engine, [Person])
    graph.admin.evolve([Calls])
    graph.add([Calls("ann", "bob", count=1), Calls("ann", "bob", count=2)])
    assert [one.count for one in lg.open(engine, [Calls]).all(Calls)] == [3]


def test_a_dropped_graph_takes_its_records_along(engine: Engine) -> None:
    lg.open(engine, [Person]).admin.drop()
    assert [one for one in engine.tables() if one.startswith("graph.")] == []
    again = lg.open(engine, [Person])._access.stored
    assert again.records is not None
    assert again.records.tables["edges"] == "graph.records.edges.2"


def test_tables_that_are_missing_are_made_again(engine: Engine) -> None:
    lg.open(engine, [Person])
    engine.drop_table("graph.records.edges")
    lg.open(engine, [Person])
    assert "graph.records.edges" in engine.tables()
    assert engine.settings("graph.records.edges").max_versions is None


def test_ids_of_new_groups_fit_the_stored_ones(engine: Engine) -> None:
    class Machine(lg.Vertex):
        id: int

    lg.open(engine, [Person])
    with pytest.raises(SchemaError, match="stored as str"):
        lg.open(engine, [Machine])
    assert lg.open(":memory:", [Person, Machine])._access.stored.records.rows.vertex_codec == "any"


def test_a_graph_without_a_schema_takes_ids_of_any_type(engine: Engine) -> None:
    stored = lg.open(engine)._access.stored
    assert stored.records is not None
    assert (stored.records.learns, stored.records.rows.vertex_codec) == (True, "any")
    # Rows that are there keep their ids, whatever classes come later.
    later = lg.open(engine, [Person])._access.stored
    assert later.records is not None
    assert (later.records.learns, later.records.rows.vertex_codec) == (True, "any")


@pytest.mark.parametrize(
    ("given", "strict", "learns"),
    [
        ([Person], None, False),
        ([Person], False, True),
        ([Person], True, False),
        (None, None, True),
        (None, False, True),
    ],
)
def test_whether_a_graph_learns_is_stored(given: Any, strict: Any, learns: Any) -> None:
    engine = MemoryEngine()
    assert lg.open(engine, given, strict=strict)._access.learns is learns
    assert lg.open(engine)._access.learns is learns
    assert lg.open(engine, strict=True)._access.learns is False


def test_no_graph_is_made_by_a_mistyped_name(tmp_path: Path) -> None:
    with lg.open(tmp_path / "g", [Person], name="people"):
        pass
    with pytest.raises(GraphNotFound, match="no graph 'peple'"):
        lg.open(tmp_path / "g", name="peple")
    with lg.open(tmp_path / "g", name="more", strict=False) as graph:
        assert graph._access.learns
    assert lg.graphs(tmp_path / "g") == ["more", "people"]
    with pytest.raises(InvalidOption, match="strict"):
        lg.open(tmp_path / "g", name="people", strict="yes")  # type: ignore[arg-type]


def test_a_history_cannot_change_yet() -> None:
    engine = MemoryEngine()

    class Note(lg.Vertex, history=keep(days=3)):
        id: str

    class Longer(lg.Vertex, group="Note", history=keep(days=30)):
        id: str

    lg.open(engine, [Note])
    with pytest.raises(UnsupportedError, match="history of 'Note'"):
        lg.open(engine, [Longer])


def test_records_have_one_layout() -> None:
    with pytest.raises(UnsupportedError, match="always 'records'"):
        lg.open(":memory:", [Person, Calls], group_layouts={Person: "classic"})
    graph = lg.open(":memory:", [Person, Calls], group_layouts={Calls: "classic"})
    with pytest.raises(UnsupportedError, match="always 'records'"):
        lg.open(graph._access.engine, [Person, Knows], group_layouts={Knows: "classic"})


def test_what_does_not_know_records_yet_refuses_them() -> None:
    graph = lg.open(":memory:", [Person, Knows, Calls])
    with pytest.raises(UnsupportedError, match="indexes of records"):
        graph.index.create("by_name", "name", group="Person")


def test_a_stored_graph_shows_its_layouts() -> None:
    engine = MemoryEngine()
    made = StoredGraph.create(engine, "one", schema_of([Person, Knows, Calls]))
    assert made.layout_name == "byte-entity, records for Person Knows"
    assert StoredGraph.create(engine, "two", schema_of([Person])).layout_name == "records"
