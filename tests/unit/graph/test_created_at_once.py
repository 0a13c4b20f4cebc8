"""Several who create the same graph at once: one makes it, the others open what it made."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import SchemaError
from lexigraph.layout.stored.catalogue import CATALOGUE, MAKING, READY, Catalogue, Entry
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.schema import schema_of
from lexigraph.store import EmbeddedEngine, Engine, MemoryEngine, Outcome

AT_ONCE, ROUNDS = 3, 5
LONG_S = 120.0
"""Longer than any maker takes on a busy machine: no maker here is taken to be dead unless it is."""


class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    count: int = lg.sum()


class Person(lg.Vertex, summary=True):
    id: str
    seen: int = lg.sum()


class Place(lg.Vertex, summary=True):
    id: str
    visits: int = lg.sum()


# Each process waits for a line, so that all of them open the graph at the same moment.
OPEN = """
import sys
import lexigraph as lg
from lexigraph.layout.stored import making
from tests.unit.graph.test_created_at_once import LONG_S, Calls, Person, Place
making.WAIT_S = making.TRY_S = LONG_S
path, number = sys.argv[1], int(sys.argv[2])
brought = [Calls, [Person, Place][number % 2]]
for line in sys.stdin:
    with lg.open(path, brought, name=line.strip()) as graph:
        graph.add([Calls("ann", "bob", count=1)])
    print("opened", flush=True)
"""


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lexigraph.layout.stored.making.WAIT_S", LONG_S)
    monkeypatch.setattr("lexigraph.layout.stored.making.TRY_S", LONG_S)


def test_processes_that_create_a_graph_at_once_all_get_it(tmp_path: Path) -> None:
    path = tmp_path / "store.lexi"
    command = [sys.executable, "-c", OPEN, str(path)]
    processes = [
        subprocess.Popen(
            [*command, str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(AT_ONCE)
    ]
    for number in range(ROUNDS):
        for process in processes:
            assert process.stdin is not None
            process.stdin.write(f"graph{number}\n")
            process.stdin.flush()
        for process in processes:
            assert process.stdout is not None
            assert process.stderr is not None
            assert process.stdout.readline() == "opened\n", process.stderr.read()
    for process in processes:
        process.communicate()
    with EmbeddedEngine(path) as engine:
        for number in range(ROUNDS):
            name = f"graph{number}"
            with lg.open(engine, [Calls, Person, Place], name=name, read_only=True) as graph:
                assert [one.count for one in graph.all(Calls)] == [AT_ONCE]
        tables = {f"graph{number}.elements" for number in range(ROUNDS)}
        assert set(engine.tables()) == {CATALOGUE, *tables}


def at_once(calls: list[Callable[[], Any]]) -> list[Any]:
    """Run functions in threads that start together; return what each gave or raised."""
    together = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        together.wait()
        try:
            return call()
        except Exception as error:
            return error

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


@pytest.fixture(params=["memory", "embedded"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Engine:
    return MemoryEngine() if request.param == "memory" else EmbeddedEngine(tmp_path / "d")


def test_threads_that_create_a_graph_at_once_all_get_it(engine: Engine) -> None:
    for number in range(ROUNDS):
        name = f"graph{number}"
        brought = [[Calls, Person], [Calls, Place], [Calls], [Person, Place]]
        opened = at_once([partial(lg.open, engine, one, name=name) for one in brought])
        assert all(isinstance(one, lg.Graph) for one in opened), opened
        with lg.open(engine, name=name) as graph:
            assert set(graph.schema.groups) == {"Calls", "Person", "Place"}


def test_who_comes_second_and_disagrees_gets_a_schema_error(engine: Engine) -> None:
    first = Calls

    def disagreeing() -> Any:
        class Calls(lg.Edge, summary=True):
            source: str
            destination: str
            count: int = lg.max()

        return lg.open(engine, [Calls], name="g")

    found = at_once([lambda: lg.open(engine, [first], name="g"), disagreeing])
    assert sorted(type(one).__name__ for one in found) == ["Graph", "SchemaError"], found
    [refused] = [one for one in found if isinstance(one, SchemaError)]
    assert "Calls.count" in str(refused)


def test_who_is_overtaken_while_it_makes_a_graph_opens_the_other_one() -> None:
    class Overtaken(MemoryEngine):
        entries = 0

        def conditional_write(self, *args: Any, **options: Any) -> list[Outcome]:
            outcomes = super().conditional_write(*args, **options)
            self.entries += 1
            if self.entries == 1:
                StoredGraph.create(self, "g", schema_of([Calls, Place]))
            return outcomes

    with Overtaken() as engine:
        with lg.open(engine, [Calls, Person], name="g") as graph:
            assert list(graph.schema.groups) == ["Calls", "Place", "Person"]
        assert len(engine.tables()) == 2


def test_who_finds_that_another_has_just_begun_waits_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Other(MemoryEngine):
        """Another begins to make the graph just after this one looked, and is done soon after."""

        looks = 0

        def look(self, catalogue: Catalogue, name: str) -> Entry | None:
            found = find(catalogue, name)
            self.looks += 1
            if self.looks == 1:
                self.making = catalogue.change(name, found, replace(entry, state=MAKING, by="it"))
            elif self.looks == 5:
                catalogue.change(name, self.making, replace(entry, state=READY))
            return found

    with MemoryEngine() as first:
        StoredGraph.create(first, "g", schema_of([Calls]))
        entry = Catalogue(first).get("g")
        settings = first.settings(entry.tables[0])
    with Other() as engine:
        engine.create_table(entry.tables[0], settings)
        find = Catalogue.find
        monkeypatch.setattr(Catalogue, "find", lambda held, name: engine.look(held, name))
        with lg.open(engine, [Calls], name="g") as graph:
            assert graph.count() == 0
        assert set(engine.tables()) == {CATALOGUE, *entry.tables}


def test_a_graph_whose_maker_died_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lexigraph.layout.stored.making.WAIT_S", 0.05)
    with MemoryEngine() as engine:
        StoredGraph.create(engine, "g", schema_of([Calls]))
        catalogue = Catalogue(engine)
        entry = catalogue.get("g")
        catalogue.change("g", entry, Entry(MAKING, entry.schema, "byte-entity", {}, entry.tables))
        with lg.open(engine, [Calls], name="g") as graph:
            assert graph.count() == 0
