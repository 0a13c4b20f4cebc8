"""Records on a real cluster: the same answers as memory for every user, row by row."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import polars as pl
import pytest

import lexigraph as lg
from lexigraph.errors import UnsupportedError
from lexigraph.store import MemoryEngine
from tests.accumulo.engines import fresh_engine

pytestmark = pytest.mark.accumulo
USERS: list[Any] = [lg.ALL, [], ["x"], ["x", "y"]]


class Person(lg.Vertex):
    id: str
    name: str
    nick: lg.Many[str]


class Knows(lg.Edge):
    source: str
    destination: str
    since: date = lg.sort_key(descending=True)
    note: str | None = None


class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    count: int = lg.sum()
    label: str | None = lg.visibility(default=None)


def fill(graph: lg.Graph) -> None:
    for visibility in ("", "x", "x&y"):
        graph.add(
            [
                Person("ann", name=f"Ann{visibility}", nick=["a", "b"]),
                Person(f"bob{visibility}", name="Bob"),
                Calls("ann", "bob", count=2),
            ],
            visibility=visibility,
        )
    for year in range(2015, 2024):
        graph.add_edge("ann", Knows, "bob", id=year, since=date(year, 1, 1), visibility="x")


def hide(graph: lg.Graph) -> None:
    graph.edge(2020).hide("y")
    graph.vertex("bob").hide("x")


def delete(graph: lg.Graph) -> None:
    graph.edge(2019).delete()
    graph.edge(2018).delete(hard=True)
    graph.session(["x"], role="writer").vertex("bobx").delete()
    graph.vertex("ann").unset("nick")


def move(graph: lg.Graph) -> None:
    graph.edge(2021).set_visibility("y").relabel("Knows")
    graph.vertex("ann").set("name", "Anna", visibility="y").show("x")


def answers(graph: lg.Graph) -> list[Any]:
    found: list[Any] = []
    for held in USERS:
        session = graph.session(held)
        near = session.get("ann").edges(Knows)
        found += [
            sorted(map(repr, session.all())),
            [one.id for one in near],
            [one.id for one in near.where(Knows.since >= date(2019, 1, 1))],
            sorted(session.get("ann").edges().adjacent()),
            session.vertex("ann").exists(),
            [value.value for one in session.all(Person) for value in one.values("name")],
        ]
    return found


@pytest.mark.parametrize("change", [fill, hide, delete, move])
def test_a_cluster_answers_as_memory_does(change: Callable[[lg.Graph], None]) -> None:
    classes = [Person, Knows, Calls]
    with fresh_engine(tokens=["x", "y"]) as engine, MemoryEngine() as memory:
        graphs = [lg.open(one, classes, authorizations=lg.ALL) for one in (engine, memory)]
        for graph in graphs:
            fill(graph)
            if change is not fill:
                change(graph)
        assert answers(graphs[0]) == answers(graphs[1])
        graphs[0].admin.compact()
        assert answers(graphs[0]) == answers(graphs[1])
        with pytest.raises(UnsupportedError, match="transaction"):
            graphs[0].transaction()


def test_a_load_of_records_is_refused_and_stores_nothing() -> None:
    with fresh_engine(tokens=["x"]) as engine:
        graph = lg.open(engine, [Person, Knows, Calls], authorizations=lg.ALL)
        with pytest.raises(UnsupportedError, match="one table at a time"):
            graph.load(pl.DataFrame({"id": ["ann"], "name": ["Ann"]}), group=Person)
        assert graph.all(Person).count() == 0
