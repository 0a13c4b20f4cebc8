"""A graph that was dropped and made again is another one, out of reach of old handles."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import lexigraph as lg
from lexigraph.errors import GraphNotFound, NotFoundError, TableNotFound
from lexigraph.layout.stored.catalogue import CATALOGUE, DROPPED, DROPPING, MAKING, READY, Catalogue
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.schema import Schema, schema_of
from lexigraph.store import EmbeddedEngine, Engine, MemoryEngine


class Before(lg.Vertex, summary=True, group="P"):
    id: str
    secretive: int = lg.sum()
    label: str | None = lg.visibility()


class After(lg.Vertex, summary=True, group="P"):
    id: str
    text: str = lg.max()
    share: float = lg.sum(check=[lg.this >= 0])


class Timed(lg.Vertex, summary=True):
    id: str
    at: int = lg.timestamp()
    value: int = lg.last()


@pytest.fixture(params=["memory", "embedded"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    with MemoryEngine() if request.param == "memory" else EmbeddedEngine(tmp_path / "g") as made:
        yield made


USES: dict[str, Callable[[lg.Graph], object]] = {
    "add": lambda graph: graph.add([Before("y", secretive=5)]),
    "all": lambda graph: graph.all().to_list(),
    "get": lambda graph: graph.get("y").to_list(),
    "count": lambda graph: graph.count(),
    "delete": lambda graph: graph.delete([Before("y", secretive=5)]),
    "compact": lambda graph: graph.admin.compact(),
    "clear": lambda graph: graph.admin.clear(),
    "erase": lambda graph: graph.admin.erase("y"),
    "drop": lambda graph: graph.admin.drop(),
    "declare": lambda graph: graph.admin.declare_authorizations(["a"]),
    "declared": lambda graph: graph.admin.declared_authorizations(),
}


@pytest.mark.parametrize("then", ["dropped", "made again"])
@pytest.mark.parametrize("use", USES)
def test_what_has_the_old_one_open_does_not_reach_the_new_one(
    engine: Engine, use: str, then: str
) -> None:
    old = lg.open(engine, [Before, Timed])
    old.add([Before("y", secretive=1)])
    lg.open(engine).admin.drop()
    if then == "made again":
        new = lg.open(engine, [After, Timed])
        new.add([After("y", text="q", share=1.5)])
    with pytest.raises(NotFoundError) as caught:
        USES[use](old)
    assert isinstance(caught.value, GraphNotFound | TableNotFound)
    if then == "made again":
        assert "again" in caught.value.hint
        assert new.all().to_list() == [After("y", text="q", share=1.5)]
        assert lg.open(engine).admin.check().ok


def test_a_dropped_graph_is_not_there_and_leaves_only_its_name(engine: Engine) -> None:
    seen: set[str] = set()
    for number in range(3):
        graph = lg.open(engine, [Before, Timed])
        assert graph.count() == 0
        assert seen.isdisjoint(graph.admin.tables()[1:])
        seen.update(graph.admin.tables()[1:])
        graph.add([Before("y", secretive=number)])
        graph.admin.declare_authorizations(["hush"])
        graph.admin.drop()
        assert lg.graphs(engine) == StoredGraph.names(engine) == []
        assert engine.tables() == [CATALOGUE]
        for options in ({"read_only": True}, {"create": False}, {}):
            with pytest.raises(GraphNotFound):
                lg.open(engine, **options)
        with pytest.raises(GraphNotFound):
            lg.open(engine, [Before], create=False)
        entry = Catalogue(engine).find("graph")
        assert entry is not None
        assert entry.raw is not None
        assert (entry.state, entry.schema, entry.tables) == (DROPPED, Schema({}), ())
        assert not any(word in entry.raw for word in (b"secretive", b"Timed", b"hush"))


def test_a_catalogue_without_the_name_of_a_dropped_graph_works_as_before(engine: Engine) -> None:
    lg.open(engine, [Before]).admin.drop()
    catalogue = Catalogue(engine)
    catalogue.change("graph", catalogue.find("graph"), None)
    graph = lg.open(engine, [Before])
    graph.add([Before("y", secretive=1)])
    assert graph.count() == 1
    assert (catalogue.get("graph").state, catalogue.get("graph").suffix) == (READY, "")


def test_a_name_stays_used_after_an_unfinished_one(engine: Engine) -> None:
    seen: set[str] = set()
    catalogue = Catalogue(engine)
    for state in (READY, MAKING, READY, DROPPING, READY, READY):
        stored = StoredGraph.create(engine, "g", schema_of([Before]))
        assert seen.isdisjoint(stored.tables.values())
        seen.update(stored.tables.values())
        if state == READY:
            stored.drop()
        else:
            entry = catalogue.get("g")
            catalogue.change("g", entry, replace(entry, state=state))


def test_another_process_drops_and_makes_it(tmp_path: Path) -> None:
    home = tmp_path / "g"
    other = (
        "import sys, lexigraph as lg\n"
        "class After(lg.Vertex, summary=True, group='P'):\n"
        "    id: str\n"
        "    text: str = lg.max()\n"
        "lg.open(sys.argv[1]).admin.drop()\n"
        "lg.open(sys.argv[1], [After]).add([After('y', text='q')])\n"
    )
    with lg.open(home, [Before]) as old:
        old.add([Before("y", secretive=1)])
        subprocess.run([sys.executable, "-c", other, str(home)], check=True)
        with pytest.raises(TableNotFound):
            old.add([Before("y", secretive=5)])
        with pytest.raises(TableNotFound):
            old.all().to_list()
    with lg.open(home) as new:
        assert [one.properties["text"] for one in new.all()] == ["q"]
