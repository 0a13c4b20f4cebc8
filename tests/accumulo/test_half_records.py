"""Edges of records that a writer left half-written on a real cluster: found and repaired."""

from __future__ import annotations

import pytest

import lexigraph as lg
from tests.accumulo.engines import fresh_engine
from tests.unit.graph.records.cutting import CHANGES, CLASSES, check_repaired, cutting, fill
from tests.unit.graph.records.graphs import references

pytestmark = pytest.mark.accumulo


@pytest.mark.parametrize("name", CHANGES)
def test_whatever_is_missing_is_completed(name: str) -> None:
    with fresh_engine() as engine, lg.open(engine, CLASSES, authorizations=lg.ALL) as graph:
        most, mask = 1, 0
        while mask < 2**most:
            graph.admin.clear()
            fill(graph, name)
            with cutting(engine, {at for at in range(9) if mask >> at & 1}) as cut:
                CHANGES[name](graph)
            check_repaired(graph, cut)
            most, mask = cut.rows, mask + 1


def test_an_erased_record_leaves_nothing() -> None:
    with fresh_engine() as engine, lg.open(engine, CLASSES, authorizations=lg.ALL) as graph:
        fill(graph, "delete")
        for name in ("reshape", "hide an end", "move", "delete hard"):
            CHANGES[name](graph)
        assert graph.admin.erase("ann").deleted == 2
        assert references(graph, "ann") == []
        assert [one for _, _, one in references(graph, "bob")] == ["cid"]
        graph.add_vertex("ann", "Person", name="again", time=5)
        assert graph.vertex("ann").one().name == "again"
