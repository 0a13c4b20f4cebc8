"""A layout for each group: chosen when the group is new, kept for good, in tables of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import (
    FormatVersion,
    GroupNotFound,
    InvalidOption,
    SchemaError,
    UnsupportedError,
    UsageError,
)
from lexigraph.layout import ByteEntity, Classic
from lexigraph.layout.stored.catalogue import CATALOGUE, Catalogue
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.schema import schema_of
from lexigraph.store import EmbeddedEngine, MemoryEngine
from tests.fixtures.catalogue import PEOPLE, Knows, Person, restore
from tests.unit.layout.test_third_party import OutOnly


class Place(lg.Vertex, summary=True):
    id: str
    seen: int = lg.sum(default=1)


class Road(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    cars: int = lg.sum(default=1)


class Rail(lg.Edge, summary=True, directed=False):
    source: str
    destination: str
    trains: int = lg.sum(default=1)


class Numbered(lg.Vertex, summary=True):
    id: int


CLASSES = [Place, Road, Rail]
ELEMENTS: list[Any] = [Place("a"), Road("a", "b"), Rail("b", "c"), Road("c", "d"), Rail("a", "d")]


def layouts_of(graph: lg.Graph) -> dict[str, str]:
    """Return the table of each group, without the name of the graph."""
    stored = graph._access.stored
    return {name: stored.layout.table_of(name) for name in stored.schema.groups}


def test_each_group_has_the_tables_of_its_layout() -> None:
    with lg.open(":memory:", CLASSES, group_layouts={Road: "classic"}) as graph:
        assert layouts_of(graph) == {
            "Place": "elements",
            "Road": "classic.elements",
            "Rail": "elements",
        }
        stored = graph._access.stored
        assert sorted(stored.tables.values()) == ["graph.classic.elements", "graph.elements"]
        assert set(stored.plan_of("Road").decoder.groups) == {"Road"}
        assert set(stored.plan_of("Rail").decoder.groups) == {"Place", "Rail"}
        assert stored.layout_name == "byte-entity, classic for Road"


def test_groups_of_one_layout_share_tables_and_other_options_are_another_layout() -> None:
    layouts = {"Place": Classic(shards=2), "Road": "classic", "Rail": Classic(shards=2)}
    with lg.open(":memory:", CLASSES, layout="byte-entity", group_layouts=layouts) as graph:
        assert layouts_of(graph) == {
            "Place": "classic.elements",
            "Road": "classic-2.elements",
            "Rail": "classic.elements",
        }
        graph.add(ELEMENTS)
        assert graph.all().count() == len(ELEMENTS)


@pytest.mark.parametrize("where", ["memory", "embedded"])
def test_questions_cross_layouts(where: str, tmp_path: Path) -> None:
    layouts = {"Rail": "classic", "Place": ByteEntity(shards=2)}
    path = ":memory:" if where == "memory" else tmp_path / "d"
    with (
        lg.open(path, CLASSES, group_layouts=layouts) as graph,
        lg.open(":memory:", CLASSES) as alike,
    ):
        for one in (graph, alike):
            one.add(ELEMENTS)
        assert len({*layouts_of(graph).values()}) == 3
        for steps in (1, 2, 3):
            for within in (False, True):
                found = list(graph.hops("a", steps=steps, within=within))
                assert found == list(alike.hops("a", steps=steps, within=within))
                assert found or (steps, within) == (3, False)
        assert graph.get("a", "d").adjacent() == alike.get("a", "d").adjacent()
        for asked in ("get", "within", "between"):
            args = {
                "get": ("a", "c"),
                "within": (["a", "b", "d"],),
                "between": (["a", "d"], ["b", "c"]),
            }[asked]
            shown = [sorted(map(repr, getattr(one, asked)(*args))) for one in (graph, alike)]
            assert shown[0] == shown[1] != []
        assert sorted(map(repr, graph.ranges(("b", "c")))) == sorted(
            map(repr, alike.ranges(("b", "c")))
        )
        told = graph.get("a").explain()
        tables = {scan.facts["table"] for scan in told.find("scan")}
        assert tables == {"graph.elements", "graph.classic.elements", "graph.byte-entity.elements"}
        assert "classic for Rail" in str(told)


def test_a_graph_opens_again_with_its_layouts(tmp_path: Path) -> None:
    layouts = {"Road": Classic(short_columns=True), "Rail": Classic(short_columns=True)}
    with lg.open(tmp_path / "d", CLASSES, group_layouts=layouts) as graph:
        graph.add(ELEMENTS)
        tables = layouts_of(graph)
    for how in ({}, {"group_layouts": layouts}, {"group_layouts": {"Road": "classic"}}):
        with lg.open(tmp_path / "d", CLASSES, **how) as graph:
            assert layouts_of(graph) == tables
            assert sorted(map(repr, graph.all())) == sorted(map(repr, ELEMENTS))
    with lg.open(tmp_path / "d") as graph:
        graph.admin.declare_authorizations(["x"])
        assert layouts_of(graph) == tables


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"layout": "classic"}, "graph 'graph' has the layout 'byte-entity', not 'classic'"),
        ({"group_layouts": {"Road": "byte-entity"}}, "group 'Road' of graph .* 'classic', not"),
        ({"group_layouts": {"Rail": "classic"}}, "group 'Rail' of graph .* 'byte-entity', not"),
        ({"group_layouts": {Road: Classic(shards=3)}}, "shards=None, not 3"),
    ],
)
def test_a_layout_cannot_change(how: dict[str, Any], said: str) -> None:
    with MemoryEngine() as engine:
        lg.open(engine, CLASSES, group_layouts={"Road": "classic"}).close()
        with pytest.raises(UnsupportedError, match=said) as caught:
            lg.open(engine, CLASSES, **how)
        assert "copy the graph" in caught.value.hint


@pytest.mark.parametrize(
    ("layouts", "kind"),
    [
        ({"Raod": "classic"}, GroupNotFound),
        ({"Road": 7}, InvalidOption),
        ({"Road": "clasic"}, UnsupportedError),
        ({3: "classic"}, UsageError),
        (["Road"], InvalidOption),
    ],
)
def test_what_is_not_a_choice_is_refused(layouts: Any, kind: type[Exception]) -> None:
    with MemoryEngine() as engine:
        for _ in range(2):
            with pytest.raises(kind):
                lg.open(engine, CLASSES, group_layouts=layouts)
            assert engine.tables() in ([], ["graph.elements", CATALOGUE])
            lg.open(engine, CLASSES).close()


def test_a_new_group_gets_the_default_layout_unless_another_is_chosen() -> None:
    with MemoryEngine() as engine:
        with lg.open(engine, [Place]) as graph:
            graph.add([Place("a")])
            assert graph.admin.evolve([Place, Road], dry_run=True).changes
        with lg.open(engine, [Place, Road], group_layouts={"Road": "classic"}) as graph:
            graph.add([Road("a", "b")])
            graph.admin.evolve([Rail])
            graph.add([Rail("b", "c")])
            assert layouts_of(graph) == {
                "Place": "elements",
                "Road": "classic.elements",
                "Rail": "elements",
            }
        with lg.open(engine) as graph:
            assert graph.all().count() == 3
            graph.admin.drop()
        assert engine.tables() == [CATALOGUE]


def test_layouts_that_store_ids_in_different_bytes_are_refused() -> None:
    class Steps(lg.Edge, summary=True):
        source: lg.Int64
        destination: lg.Int64

    class Point(lg.Vertex, summary=True):
        id: lg.Int64

    with pytest.raises(UnsupportedError, match="different codecs"):
        lg.open(":memory:", [Steps, Point], group_layouts={Steps: Classic(fixed_length=True)})


def test_ids_of_all_groups_have_one_codec_in_every_layout() -> None:
    with lg.open(":memory:", [Place, Numbered], group_layouts={Numbered: "classic"}) as graph:
        graph.add([Place("a"), Numbered(3)])
        assert set(map(repr, graph.get("a", 3))) == {repr(Numbered(3)), repr(Place("a"))}


def test_a_group_whose_ids_have_another_type_is_refused_later() -> None:
    with MemoryEngine() as engine, lg.open(engine, [Place]) as graph:
        graph.add([Place("a")])
        for layouts in ({}, {"Numbered": "classic"}):
            with pytest.raises(SchemaError, match="'Numbered' do not have the type"):
                lg.open(engine, [Place, Numbered], group_layouts=layouts)
        for dry_run in (True, False):
            with pytest.raises(SchemaError, match="'Numbered' do not have the type"):
                graph.admin.evolve([Numbered], dry_run=dry_run)
        assert lg.open(engine, [Place]).all().to_list() == [Place("a")]


def test_a_layout_without_a_name_is_handed_over_each_time() -> None:
    with MemoryEngine() as engine:
        with lg.open(engine, CLASSES, group_layouts={"Road": OutOnly()}) as graph:
            graph.add(ELEMENTS)
            assert layouts_of(graph)["Road"] == "out-only.out"
        with pytest.raises(UnsupportedError, match="out-only"):
            lg.open(engine)
        with lg.open(engine, group_layouts={"Road": OutOnly()}) as graph:
            graph.admin.declare_authorizations(["x"])
            assert graph.all("Road").count() == 2


def test_entries_of_one_layout_are_as_they_were() -> None:
    """So earlier versions read them; one with several is refused by them."""
    with MemoryEngine() as engine:
        wanted = schema_of(CLASSES)
        StoredGraph.create(engine, "one", wanted, "classic")
        lg.open(engine, CLASSES, name="two", group_layouts={"Road": "classic"}).close()
        one, two = (json.loads(Catalogue(engine).get(name).raw or b"") for name in ("one", "two"))
        assert one["version"] == 1
        assert "others" not in one
        assert two["version"] == 2
        assert two["others"] == [{"layout": "classic", "options": {}, "groups": ["Road"]}]


@pytest.mark.parametrize("version", [0, 6])
def test_an_entry_of_another_version_is_refused(version: int) -> None:
    with MemoryEngine() as engine:
        lg.open(engine, CLASSES, group_layouts={"Road": "classic"}).close()
        [cell] = engine.table(CATALOGUE).row("graph")
        data = {**json.loads(cell.value), "version": version}
        table = engine.table(CATALOGUE)
        table.put("graph", cell.family, b"", json.dumps(data))
        with pytest.raises(FormatVersion, match=f"format {version}"):
            lg.open(engine)


@pytest.mark.parametrize("engine_name", ["memory", "embedded"])
def test_a_graph_stored_before_groups_had_layouts_opens_unchanged(
    engine_name: str, tmp_path: Path
) -> None:
    with MemoryEngine() if engine_name == "memory" else EmbeddedEngine(tmp_path / "d") as engine:
        restore(engine)
        before = Catalogue(engine).get("people").raw
        with lg.open(engine, [Person, Knows], name="people", authorizations=lg.ALL) as graph:
            assert sorted(map(repr, graph.all())) == sorted(map(repr, PEOPLE))
            assert Catalogue(engine).get("people").raw == before
            graph.add([Person("ann")])
            assert graph.get("ann").vertices().to_list() == [Person("ann", seen=4)]
