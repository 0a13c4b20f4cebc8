"""Edges whose rows lie on different tablets, half-written: found and mended on a real cluster.

The graph suite has every kind of them; this is in every run.
"""

from __future__ import annotations

import pytest

import lexigraph as lg
from lexigraph.store import CellBatch, ScanSpec
from lexigraph.testing.duplicates import open_keeping
from lexigraph.testing.graph.base import Link, Trip, link
from lexigraph.testing.graph.half_edges import CLASSES, WHOLE, cells_of
from tests.accumulo.engines import fresh_engine
from tests.accumulo.files import Files

pytestmark = pytest.mark.accumulo


def test_half_written_edges_are_mended_over_tablets_and_files() -> None:
    layout = "byte-entity"
    halves = [link("a", "m", count=5), link("m", "z", directed=False), Trip("z", "a", what="h")]
    with (
        fresh_engine() as engine,
        open_keeping(engine, CLASSES, authorizations=lg.ALL) as graph,
        Files(engine, "graph.elements") as files,
    ):
        table = engine.table("graph.elements")
        engine.add_splits("graph.elements", [b"b", b"n"])
        graph.add(WHOLE)
        files.flush()
        for half in halves:
            table.write(CellBatch.from_cells([cells_of(layout, [half])[0][1]]))
        # The second of these was written from one end only.
        [other] = [cell for _, cell in cells_of(layout, [link("a", "b")]) if cell.row > b"b"]
        table.write(CellBatch.from_cells([other._replace(timestamp=engine.now())]))
        files.flush()
        found = {repr(one.element): one.missing for one in graph.admin.find_half_edges()}
        twice = link("a", "b", count=2)
        assert found == {**{repr(half): True for half in halves}, repr(twice): False}
        assert graph.admin.repair_half_edges() == len(found)
        assert list(graph.admin.find_half_edges()) == []
        for vertex in "ab":
            [edge] = graph.edge("a", "b", Link).where(Link.directed == True)  # noqa: E712
            assert edge == twice
            assert repr(twice) in map(repr, graph.get(vertex))
        assert {repr(one) for one in graph.get("m", "z").edges()} == set(map(repr, halves))
        spec = ScanSpec(authorizations=lg.ALL)
        before = [cell for batch in engine.scan(table.name, spec) for cell in batch]
        graph.admin.compact()
        assert [cell for batch in engine.scan(table.name, spec) for cell in batch] == before
