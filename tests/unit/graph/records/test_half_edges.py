"""Half-written edges of records: found and repaired, whichever part of them is missing."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

import lexigraph as lg
from lexigraph.cells.ranges import Range
from lexigraph.layout.records.rows import EDGES
from lexigraph.plan.targets import half_records
from lexigraph.store import EmbeddedEngine, MemoryEngine, Mutations
from tests.unit.graph.records.cutting import (
    CHANGES,
    CLASSES,
    check_repaired,
    cutting,
    fill,
    references_in,
)
from tests.unit.graph.records.graphs import references


@pytest.mark.parametrize("name", CHANGES)
def test_whatever_is_missing_is_completed(name: str) -> None:
    most, mask = 1, 0
    while mask < 2**most:
        with MemoryEngine() as engine:
            graph = lg.open(engine, CLASSES, authorizations=lg.ALL)
            fill(graph, name)
            with cutting(engine, {at for at in range(9) if mask >> at & 1}) as cut:
                CHANGES[name](graph)
            check_repaired(graph, cut)
            most, mask = cut.rows, mask + 1
    assert most


def test_references_without_an_edge_are_removed(tmp_path: Path) -> None:
    with EmbeddedEngine(tmp_path / "g") as engine:
        graph = lg.open(engine, CLASSES, authorizations=lg.ALL)
        fill(graph, "move")
        CHANGES["require"](graph)
        stored = graph._access.stored
        assert stored.records is not None
        before = references_in(graph)
        gone, table = Mutations(), stored.records.tables[EDGES]
        for batch in engine.read_raw(table, [Range.row(b"Hk\0")]):
            for cell in batch:
                gone.delete(cell.row, cell.family, cell.qualifier, visibility=cell.visibility)
        engine.write({table: gone})
        assert [(one.element, one.missing) for one in graph.admin.find_half_edges()] == [
            ("k", True)
        ]
        assert graph.admin.repair_half_edges() == 1
        left = references_in(graph)
        assert left == [cell for cell in before if not cell.row.endswith(b"Hk\0")]
        assert references(graph, "ann") == []


def test_edges_that_are_whole_are_not_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(half_records, "MAX_HELD", 1)
    with MemoryEngine() as engine:
        graph = lg.open(engine, CLASSES, authorizations=lg.ALL)
        fill(graph, "move")
        for name in ("reshape", "require", "move", "hide an end", "delete", "add", "delete hard"):
            CHANGES[name](graph)
        assert list(graph.admin.find_half_edges()) == []
        with cutting(engine, set()):
            for number in range(20):
                graph.add_edge(
                    "ann", "Knows", "bob", id=str(number), since=date(2026, 1, 1 + number)
                )
        assert {one.element for one in graph.admin.find_half_edges()} == set(map(str, range(20)))
        assert graph.admin.repair_half_edges() == 20
