"""Graphs in an engine: made, opened again, changed, dropped, and kept apart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import (
    Authorization,
    Conflict,
    GraphNotFound,
    InvalidName,
    SchemaError,
    TableNotFound,
    UnsupportedError,
)
from lexigraph.layout import ByteEntity, Classic
from lexigraph.layout.stored.catalogue import CATALOGUE, MAKING, READY, Catalogue, Entry
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.schema import Schema, schema_of
from lexigraph.store import EmbeddedEngine, MemoryEngine, Outcome
from tests.unit.graph.stored_graphs import DAY, SCHEMA, Calls, add, held, make, shown
from tests.unit.layout.test_third_party import OutOnly


class Positive(lg.Vertex, summary=True):
    id: str
    total: int = lg.sum()
    rules = [lg.field("total") > 0, lg.field("total") < 10]


def test_a_graph_is_there_when_the_directory_is_opened_again(tmp_path: Path) -> None:
    with EmbeddedEngine(tmp_path / "d") as engine:
        graph = make(engine, Classic(shards=2))
        add(graph, [Calls("a", "b", day=DAY)])
        before = shown(graph)
    with EmbeddedEngine(tmp_path / "d") as engine:
        assert StoredGraph.names(engine) == ["g"]
        again = StoredGraph.attach(engine, "g")
        assert again.schema == graph.schema
        assert again.layout_name == "classic"
        assert again.layout.options == {"shards": 2}
        assert shown(again) == before
    with EmbeddedEngine(tmp_path / "d", read_only=True) as engine:
        assert shown(StoredGraph.attach(engine, "g", SCHEMA, read_only=True)) == before


def test_graphs_of_one_engine_never_meet() -> None:
    with MemoryEngine() as engine:
        one, other = make(engine, name="one"), make(engine, ByteEntity(shards=4), name="other")
        add(one, [Calls("a", "b", day=DAY)])
        add(other, [Calls("x", "y", day=DAY)])
        assert [element.source for element in held(one)] == ["a"]
        assert [element.source for element in held(other)] == ["x"]
        assert StoredGraph.names(engine) == ["one", "other"]
        one.drop()
        assert StoredGraph.names(engine) == ["other"]
        assert [element.source for element in held(other)] == ["x"]
        with pytest.raises(TableNotFound):
            held(one)


def test_a_name_is_taken_once_and_can_be_used_again_after_a_drop() -> None:
    with MemoryEngine() as engine:
        add(make(engine), [Calls("a", "b", day=DAY)])
        with pytest.raises(InvalidName, match="already a graph"):
            make(engine)
        StoredGraph.attach(engine, "g").drop()
        with pytest.raises(GraphNotFound):
            StoredGraph.attach(engine, "g")
        assert held(make(engine)) == []


def test_a_graph_that_is_not_there_names_the_nearest() -> None:
    with MemoryEngine() as engine:
        with pytest.raises(GraphNotFound):
            StoredGraph.attach(engine, "calls")
        make(engine, name="calls")
        with pytest.raises(GraphNotFound, match="did you mean: calls"):
            StoredGraph.attach(engine, "cals")
        for wrong in ("", "a.b", "2nd", "a b", None, "x" * 101):
            with pytest.raises(InvalidName):
                make(engine, name=wrong)  # type: ignore[arg-type]


def test_what_a_crash_left_behind_is_cleared_away() -> None:
    with MemoryEngine() as engine:
        graph = make(engine)
        add(graph, [Calls("a", "b", day=DAY)])
        catalogue = Catalogue(engine)
        entry = catalogue.get("g")
        catalogue.change("g", entry, Entry(MAKING, entry.schema, "byte-entity", {}, entry.tables))
        assert StoredGraph.names(engine) == []
        with pytest.raises(GraphNotFound):
            StoredGraph.attach(engine, "g")
        assert held(make(engine)) == []


def test_of_two_changes_at_once_one_is_a_conflict() -> None:
    with MemoryEngine() as engine:
        make(engine)
        catalogue = Catalogue(engine)
        seen = catalogue.get("g")
        catalogue.change("g", seen, Entry(READY, Schema({}, version=9), "classic"))
        with pytest.raises(Conflict):
            catalogue.change("g", seen, None)


def test_who_goes_on_late_to_make_a_graph_takes_nothing_from_who_overtook() -> None:
    class Overtaken(MemoryEngine):
        entries = 0

        def conditional_write(self, *args: Any, **options: Any) -> list[Outcome]:
            outcomes = super().conditional_write(*args, **options)
            self.entries += 1
            if self.entries == 1:
                add(make(self), [Calls("a", "b", day=DAY)])
            return outcomes

    with Overtaken() as engine:
        with pytest.raises(Conflict):
            make(engine)
        graph = StoredGraph.attach(engine, "g")
        assert len(held(graph)) == 1
        assert engine.tables() == [*graph.tables.values(), CATALOGUE]
        graph.drop()
        assert engine.tables() == [CATALOGUE]


def test_a_graph_that_cannot_be_dropped_stays() -> None:
    class Kept(MemoryEngine):
        def drop_table(self, name: str) -> None:
            raise Authorization("not you")

    with Kept() as engine:
        graph = make(engine)
        add(graph, [Calls("a", "b", day=DAY)])
        with pytest.raises(Authorization):
            graph.drop()
        assert held(StoredGraph.attach(engine, "g")) == held(graph) != []


@pytest.mark.parametrize("options", [{}, {"table_per_group": True}, {"short_columns": True}])
def test_a_schema_may_bring_what_is_new(options: dict[str, Any]) -> None:
    with MemoryEngine() as engine:
        first = StoredGraph.create(engine, "g", schema_of([Calls]), ByteEntity(**options))
        add(first, [Calls("a", "b", day=DAY)])
        second = StoredGraph.attach(engine, "g", schema_of([Positive]))
        assert list(second.schema.groups) == ["Calls", "Positive"]
        assert second.schema.version == 2
        add(second, [Positive("a", total=1), Calls("a", "b", day=DAY)])
        third = StoredGraph.attach(engine, "g", schema_of([Calls]))
        assert third.schema == second.schema
        assert {one.properties.get("count") for one in held(third)} == {2, None}


def test_a_schema_that_disagrees_shows_where() -> None:
    class Calls(lg.Edge, summary=True, directed=True):
        source: str
        destination: str
        count: int = lg.max()

    with MemoryEngine() as engine:
        make(engine)
        with pytest.raises(SchemaError, match=r"Calls\.count: stored sum"):
            StoredGraph.attach(engine, "g", schema_of([Calls]))
        with pytest.raises(SchemaError, match="read-only"):
            StoredGraph.attach(engine, "g", schema_of([Positive]), read_only=True)
        assert StoredGraph.attach(engine, "g").schema.version == 1


def test_the_layout_of_a_graph_stays() -> None:
    with MemoryEngine() as engine:
        make(engine, ByteEntity(shards=2))
        assert StoredGraph.attach(engine, "g", layout="byte-entity").layout.options == {"shards": 2}
        StoredGraph.attach(engine, "g", layout=ByteEntity(shards=2))
        with pytest.raises(UnsupportedError, match="'byte-entity', not 'classic'"):
            StoredGraph.attach(engine, "g", layout="classic")
        with pytest.raises(UnsupportedError, match="shards=2, not 3"):
            StoredGraph.attach(engine, "g", layout=ByteEntity(shards=3))


def test_a_layout_of_ones_own_is_handed_over_each_time() -> None:
    with MemoryEngine() as engine:
        graph = StoredGraph.create(engine, "g", schema_of([Calls]), OutOnly())
        add(graph, [Calls("a", "b", day=DAY)] * 3)
        again = StoredGraph.attach(engine, "g", layout=OutOnly())
        assert [one.properties["count"] for one in held(again)] == [3]
        with pytest.raises(UnsupportedError, match="or register your own layout") as caught:
            StoredGraph.attach(engine, "g")
        assert "no layout 'out-only'" in str(caught.value)


def test_rules_hide_what_breaks_them_once_merged_and_merges_keep_it() -> None:
    with MemoryEngine() as engine:
        graph = StoredGraph.create(engine, "g", schema_of([Positive, Calls]))
        add(graph, [Positive("a", total=6), Positive("b", total=6), Calls("a", "b", day=DAY)])
        assert len(held(graph)) == 3
        add(graph, [Positive("a", total=6)])
        assert {one.vertex for one in held(graph)} == {"b", None}
        engine.compact(graph.tables["elements"])
        assert {one.vertex for one in held(graph)} == {"b", None}
        assert engine.stats(graph.tables["elements"]).cells == 4


def test_a_cleared_graph_can_be_filled_again() -> None:
    with MemoryEngine() as engine:
        graph = make(engine)
        add(graph, [Calls("a", "b", day=DAY)])
        graph.clear()
        assert held(graph) == []
        add(graph, [Calls("a", "b", day=DAY)])
        assert [one.properties["count"] for one in held(graph)] == [1]


def test_short_columns_merge_in_the_embedded_engine(tmp_path: Path) -> None:
    with EmbeddedEngine(tmp_path / "d") as engine:
        graph = make(engine, Classic(short_columns=True))
        add(graph, [Calls("a", "b", day=DAY)])
        add(graph, [Calls("a", "b", day=DAY)])
        engine.compact(graph.tables["elements"])
        assert engine.stats(graph.tables["elements"]).cells == 2
        again = StoredGraph.attach(engine, "g", SCHEMA)
        assert [one.properties["count"] for one in held(again)] == [2]
