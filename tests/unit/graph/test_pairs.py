"""What a question about pairs of vertices reads: the edges of those pairs, not all of a hub."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.plan.sources import find as sources
from lexigraph.store import EmbeddedEngine, Engine, MemoryEngine

HUB = 200


class Person(lg.Vertex, summary=True):
    id: str
    count: int = lg.sum(default=1)


class Calls(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    label: str | None = lg.visibility(default=None)
    count: int = lg.sum(default=1)


class Knows(lg.Edge, summary=True, directed=False):
    source: str
    destination: str
    count: int = lg.sum(default=1)


@pytest.fixture(params=["memory", "embedded"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    made: Engine = MemoryEngine() if request.param == "memory" else EmbeddedEngine(tmp_path / "db")
    with made:
        yield made


@pytest.fixture(params=["byte-entity", "classic"])
def graph(request: pytest.FixtureRequest, engine: Engine) -> lg.Graph:
    """Give a hub with many edges of each kind, some of them for readers of S only."""
    made = lg.open(engine, [Person, Calls, Knows], layout=request.param, authorizations=["S"])
    names = [f"v{at}" for at in range(HUB)]
    made.add([Person("hub"), *map(Person, names)])
    made.add([Calls("hub", name, label="S") for name in names])
    made.add([one for name in names for one in (Calls("hub", name), Knows(name, "hub"))])
    made.add([Calls(name, "hub") for name in names[: HUB // 2]])
    return made


def cells_read(question: Any) -> int:
    return sum(scan.facts["cells_read"] for scan in question.explain(run=True).find("scan"))


def shown(question: Any) -> list[str]:
    return sorted(repr(one) for one in question)


def test_a_pair_of_a_hub_reads_a_few_cells(graph: lg.Graph) -> None:
    assert cells_read(graph.between(["hub"], ["nobody"]).edges()) == 0
    for question in (
        graph.between(["hub"], ["v7"]),
        graph.between(["v7"], ["hub"]),
        graph.edge("hub", "v7"),
        graph.within(["hub", "v7", "nobody"]),
    ):
        assert 3 <= cells_read(question) <= 12


def test_one_vertex_as_second_set_reads_its_pairs_however_large_the_first_set_is(
    graph: lg.Graph,
) -> None:
    many = ["hub", *(f"w{at}" for at in range(3 * sources.MAX_PAIRS))]
    found = graph.between(many, ["v7"]).edges()
    assert cells_read(found) <= 12
    assert found.count() == 3


@pytest.mark.parametrize("direction", ["out", "in", "both"])
@pytest.mark.parametrize("auths", [[], ["S"]])
def test_pairs_and_whole_vertices_give_the_same_elements(
    graph: lg.Graph, direction: str, auths: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = graph.session(auths)
    sets = (["hub", "v1", "v150"], ["v1", "v7", "hub"])

    def answers() -> list[list[str]]:
        questions = (reader.between(*sets), reader.between(*sets).edges(direction=direction))
        inside = (reader.within(sets[0]), reader.within(sets[0]).edges(direction=direction))
        return [shown(one) for one in (*questions, *inside)]

    by_pair = answers()
    assert all(by_pair)
    monkeypatch.setattr(sources, "MAX_PAIRS", 0)
    assert answers() == by_pair
