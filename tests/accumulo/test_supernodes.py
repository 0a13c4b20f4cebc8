"""A vertex whose edges lie in several tablets: Accumulo splits between them, and nobody notices."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.layout.records.subjects import OUT, ReferenceSubject
from lexigraph.layout.stored.splits import write_splits
from lexigraph.store import MemoryEngine
from lexigraph.testing.records.supernodes import Account, paged
from tests.accumulo.engines import fresh_engine

pytestmark = pytest.mark.accumulo
EDGES, TABLE = 3000, "records.vertices"


class Pays(lg.Edge):
    id: int
    source: str
    destination: str
    at: int = lg.sort_key(descending=True)


def fill(graph: lg.Graph) -> None:
    turned = [one * 1009 % EDGES for one in range(EDGES)]
    made = [Pays(one, "hub", f"v{one % 90}", one) for one in turned]
    graph.add([Account("hub"), *made[::2]])
    graph.add(made[1::2], visibility="x")


def split(graph: lg.Graph, file: Path) -> list[bytes]:
    """Split the table at references of the hub; the last point is within the bytes of a row."""
    records: Any = graph._access.stored.records
    rows = [
        records.rows.row_of(ReferenceSubject("hub", OUT, "Pays", (at,), f"v{at % 90}", at))
        for at in (2500, 2000, 1400, 700, 3)
    ]
    points = [*rows[:4], rows[4][:-4]]
    write_splits(file, {TABLE: points})
    assert graph.admin.apply_splits(file) == {TABLE: 5}
    return sorted(points)


def answers(graph: lg.Graph) -> list[Any]:
    found: list[Any] = []
    for held in (lg.ALL, ["x"], []):
        session: Any = graph.session(held)
        out = session.vertex("hub").edges(Pays, direction="out")
        pages = [one.at for one in paged(out, 350)]
        assert pages == [one.at for one in out]
        assert pages == sorted(pages, reverse=True)
        some = out.where((Pays.at > 690) & (Pays.at <= 2100))
        found += [
            pages,
            [one.at for one in paged(some, 500)],
            [one.at for one in out.order_by(Pays.at, descending=True).page(20)],
            [one.at for one in out.order_by(Pays.at, descending=True).limit(3)],
            sum(len(one) for one in out.to_batches()),
            out.count(),
            out.adjacent(),
            [one.at for one in paged(session.vertex("v7").edges(Pays), 11)],
            session.all(Pays).count(),
        ]
    return found


def test_pages_streams_and_deletes_cross_tablets(tmp_path: Path) -> None:
    with fresh_engine(tokens=["x"]) as engine, MemoryEngine() as memory:
        classes = [Account, Pays]
        graph, other = (lg.open(one, classes, authorizations=lg.ALL) for one in (engine, memory))
        for one in (graph, other):
            fill(one)
        before = answers(other)
        assert len(before[0]) == EDGES
        assert answers(graph) == before
        points = split(graph, tmp_path / "splits")
        assert engine.splits(graph._access.stored.own_tables[TABLE]) == points
        assert answers(graph) == before
        graph.admin.compact()
        assert answers(graph) == before
        for one in (graph, other):
            reader = one.session(role="writer")
            assert reader.vertex("hub").delete_edges(every=600) == EDGES // 2
        after = answers(other)
        assert len(after[0]) == EDGES // 2
        assert answers(graph) == after
        for one in (graph, other):
            assert one.vertex("hub").delete() == EDGES // 2 + 1
        assert answers(graph) == answers(other)
        assert graph.all().count() == 0
