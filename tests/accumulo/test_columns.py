"""On a cluster the client decodes packed batches and follows edges natively, with equal answers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import Annotated, Any

import pytest

import lexigraph as lg
from lexigraph.codec import register, registry
from lexigraph.store import AccumuloEngine, MemoryEngine
from tests.accumulo.engines import fresh_engine
from tests.unit.graph.test_unmerged_groups import Shade

pytestmark = pytest.mark.accumulo


class Sees(lg.Edge, summary=True):
    source: str
    destination: str
    day: date = lg.group_by()
    count: int = lg.sum()
    cost: Decimal = lg.sum()
    places: set[str] = lg.set_of()
    when: dict[date, int] = lg.time_series()
    label: str = lg.visibility(default="")


class Knows(lg.Edge, summary=True, directed=False):
    source: str
    destination: str
    weight: float = lg.sum()


class Person(lg.Vertex, summary=True):
    id: str
    seen: int = lg.sum()


def elements() -> Iterator[Any]:
    """Yield edges and vertices, more than a batch of the scans below has."""
    for number in range(200):
        day = date(2026, 1, 1 + number % 5)
        yield Sees(
            f"a{number % 13}",
            f"{'ab'[number % 2]}{number % 17}",
            day=day,
            count=number,
            cost=Decimal(number) / 4,
            places={f"p{number % 3}", "q"},
            when={day: 1},
            label="A" if number % 3 == 0 else "",
        )
        yield Knows(f"a{number % 11}", f"a{number % 5}", weight=0.5)
    for number in range(10):
        yield Person(f"a{number}", seen=number)


def answers(graph: lg.Graph) -> list[Any]:
    """Return tables, neighbours, pairs and hops of the owner and of somebody else."""
    found: list[Any] = []
    for session in (graph, graph.session(["A"]), graph.session([])):
        found += [
            session.all().to_arrow().to_pylist(),
            session.get("a1", "b3").to_arrow().to_pylist(),
            session.all(Sees).where(Sees.count > 50).to_arrow().to_pylist(),
            session.all(Sees).count(),
        ]
        for direction in ("out", "in", "both"):
            near = session.get("a1", "b3", "a12").edges(Sees, Knows, direction=direction)
            found += [
                near.adjacent(),
                near.pairs().to_pylist(),
                list(session.hops("a1", Sees, Knows, direction=direction, steps=2)),
                list(session.hops("a1", Sees, Knows, direction=direction, steps=3, within=True)),
            ]
    return found


def filled(engine: Any) -> lg.Graph:
    graph = lg.open(engine, [Sees, Knows, Person])
    graph.add(elements())
    return graph


def test_tables_and_hops_are_those_of_memory() -> None:
    with fresh_engine() as engine, filled(engine) as graph, filled(MemoryEngine()) as memory:
        assert answers(graph) == answers(memory)
        explained = str(graph.all(Sees).explain())
        assert "frames" in explained


def test_batches_of_any_size_make_the_same_table(monkeypatch: pytest.MonkeyPatch) -> None:
    with fresh_engine() as engine, filled(engine) as graph:
        whole = graph.all().to_arrow()
        scan = AccumuloEngine.scan

        def cut(self: AccumuloEngine, *given: Any, **options: Any) -> Any:
            return scan(self, *given, **{**options, "batch_cells": 7})

        monkeypatch.setattr(AccumuloEngine, "scan", cut)
        assert graph.all().to_arrow().equals(whole)


def test_a_codec_of_a_user_is_declined_and_read_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_CODECS", dict(registry._CODECS))
    register(Shade())

    class Wall(lg.Vertex, summary=True):
        id: str
        shade: Annotated[str, "shade"] = lg.max()

    with fresh_engine() as engine, lg.open(engine, [Wall]) as graph:
        graph.add([Wall("w", shade="red"), Wall("v", shade="blue")])
        rows = graph.all().to_arrow().to_pylist()
        assert [(one["vertex"], one["shade"]) for one in rows] == [("v", "blue"), ("w", "red")]
        assert "shade" in str(graph.all().explain())
