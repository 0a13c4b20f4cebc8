"""Edges that a writer left half-written: found from whichever end, and mended.

Layer ``testing``. Whole edges come from a graph in memory; some of their cells are put into the
table of the graph under test, as an engine does that is ended between two rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import ReadOnly
from lexigraph.store import Cell, CellBatch, ManualClock, MemoryEngine, Mutations, ScanSpec
from lexigraph.testing.duplicates import open_keeping
from lexigraph.testing.graph.base import (
    START,
    GraphTests,
    Link,
    MakeGraph,
    Seen,
    Trip,
    day,
    layout_options,
    link,
    seen,
)
from lexigraph.testing.graph.visibility import Secret

CLASSES = (Seen, Link, Trip, Secret)
WHOLE: list[Any] = [
    *(seen(name) for name in "abc"),
    link("a", "b"),
    link("b", "a", count=2),
    link("a", "b", directed=False, count=3),
    link("c", "c"),
    link("c", "c", directed=False),
    *[Trip("a", "b", what="x")] * 2,
    Trip("a", "a", what="y"),
    Secret("a", "b", day=day(1), label="x"),
    Secret("a", "b", day=day(1), label="y"),
]
HALVES: list[Any] = [
    link("a", "z", count=5, words="w"),
    link("b", "z", directed=False, count=6),
    Trip("b", "z", what="h"),
    Secret("z", "c", day=day(2), count=7, label="x&y"),
    Secret("a", "b", day=day(3), count=8),
]


Placed = tuple[str, Cell]
"""A cell and its table."""


def cells_of(layout: str, *batches: Iterable[Any], start: int = START) -> list[Placed]:
    """Return the cells of elements as a graph in memory has them, a microsecond for each batch."""
    engine = MemoryEngine(clock=ManualClock(start))
    with open_keeping(engine, CLASSES, **layout_options(layout, CLASSES)) as graph:
        for batch in batches:
            graph.add(batch)
        return read_cells(engine)


def read_cells(engine: lg.Engine) -> list[Placed]:
    """Return the cells of the graph of an engine."""
    spec = ScanSpec(authorizations=lg.ALL)
    tables = [table for table in engine.tables() if table.startswith("graph.")]
    return [(table, cell) for table in tables for one in engine.scan(table, spec) for cell in one]


def write_cells(engine: lg.Engine, cells: Iterable[Placed]) -> None:
    """Put cells into the graph of an engine."""
    for table, cell in cells:
        engine.table(table).write(CellBatch.from_cells([cell]), authorizations=lg.ALL)


class HalfWritten(GraphTests):
    """Half-written edges."""

    def test_whole_edges_are_left_alone(self, make: MakeGraph) -> None:
        """Of every kind, however their parts were merged, and one of which a part is deleted."""
        graph = make(*CLASSES)
        for _ in range(2):
            graph.add(WHOLE)
            graph.admin.compact()
        graph.add([*WHOLE, *HALVES])
        graph.delete([link("a", "b"), HALVES[0]])
        before = sorted(map(repr, graph.all()))
        assert list(graph.admin.find_half_edges()) == []
        assert graph.admin.repair_half_edges() == 0
        assert sorted(map(repr, graph.all())) == before

    @pytest.mark.parametrize("kept", [0, 1], ids=["first row", "second row"])
    def test_an_edge_with_one_row_is_found_and_gets_the_other(
        self, make: MakeGraph, engine: lg.Engine, layout: str, kept: int
    ) -> None:
        """Directed, undirected, duplicate, labelled; whichever of its rows is there."""
        graph = make(*CLASSES)
        graph.add(WHOLE)
        for half in HALVES:
            write_cells(engine, cells_of(layout, [half])[kept : kept + 1])
        found = list(graph.admin.find_half_edges())
        assert sorted(repr(one.element) for one in found) == sorted(map(repr, HALVES))
        assert all(one.missing for one in found)
        assert graph.admin.repair_half_edges() == len(HALVES)
        assert list(graph.admin.find_half_edges()) == []
        how = layout_options(layout, CLASSES)
        with open_keeping(":memory:", CLASSES, authorizations=lg.ALL, **how) as never:
            never.add([*WHOLE, *HALVES])
            for vertices in ("abc", "z"):
                expected = sorted(map(repr, never.get(*vertices)))
                assert sorted(map(repr, graph.get(*vertices))) == expected
            assert sorted(map(repr, graph.all())) == sorted(map(repr, never.all()))

    @pytest.mark.parametrize("ahead", [0, 1], ids=["first row", "second row"])
    def test_rows_that_differ_become_the_one_that_was_written_last(
        self, make: MakeGraph, engine: lg.Engine, layout: str, ahead: int
    ) -> None:
        """Sums are taken as they are, not merged again."""
        graph = make(*CLASSES)
        write_cells(engine, cells_of(layout, [link("a", "b", count=1, words="u")]))
        later = cells_of(layout, [link("a", "b", count=2, words="v")], start=START + 50)
        write_cells(engine, later[ahead : ahead + 1])
        whole = link("a", "b", count=3, words="u,v")
        [half] = graph.admin.find_half_edges()
        assert (half.element, half.missing) == (whole, False)
        assert graph.admin.repair_half_edges() == 1
        for _ in range(2):
            assert graph.all(Link).to_list() == [whole]
            assert graph.get("a").to_list() == graph.get("b").to_list() == [whole]
            assert list(graph.admin.find_half_edges()) == []
            graph.add([seen("a")])
            graph.delete([seen("a")])
            graph.admin.compact()

    def test_of_rows_of_one_time_the_one_that_counts_once_is_taken(
        self, make: MakeGraph, engine: lg.Engine, layout: str
    ) -> None:
        """As where one of them was sent twice."""
        graph = make(*CLASSES)
        cells = cells_of(layout, [link("a", "b", count=4)])
        write_cells(engine, cells)
        write_cells(engine, cells[1:])
        once = graph.all(Link).to_list()
        assert [half.missing for half in graph.admin.find_half_edges()] == [False]
        assert graph.admin.repair_half_edges() == 1
        assert graph.all(Link).to_list() == once
        assert graph.get("a").to_list() == graph.get("b").to_list() == once

    def test_duplicates_are_added_where_they_lack(
        self, make: MakeGraph, engine: lg.Engine, layout: str
    ) -> None:
        """A row may hold more of them, and others."""
        graph = make(*CLASSES)
        trips = [Trip("a", "b", what="x"), Trip("a", "b", what="y")]
        first, second = cells_of(layout, [trips[0]])
        write_cells(engine, [first, second])
        table, cell = first
        write_cells(engine, [(table, cell._replace(timestamp=START + 9))] * 2)
        write_cells(engine, cells_of(layout, [trips[1]], start=START + 7)[1:])
        assert [half.missing for half in graph.admin.find_half_edges()] == [False]
        assert graph.admin.repair_half_edges() == 1
        expected = sorted(map(repr, [trips[0]] * 3 + [trips[1]]))
        for question in (graph.all(), graph.get("a"), graph.get("b")):
            assert sorted(map(repr, question)) == expected
        assert list(graph.admin.find_half_edges()) == []

    def test_an_edge_of_which_one_row_was_deleted_is_whole_again(
        self, make: MakeGraph, engine: lg.Engine
    ) -> None:
        """A delete that was not acknowledged may not have happened; its marker hides no longer."""
        graph = make(*CLASSES)
        graph.add([link("a", "b", count=3), link("a", "c")])
        table, gone = read_cells(engine)[-1]
        marker = Mutations().delete(gone.row, gone.family, gone.qualifier)
        engine.write({table: marker})
        assert [half.missing for half in graph.admin.find_half_edges()] == [True]
        assert graph.admin.repair_half_edges() == 1
        assert list(graph.admin.find_half_edges()) == []
        assert graph.get("a").count() == 2
        assert (graph.get("b").count(), graph.get("c").count()) == (1, 1)

    def test_a_graph_that_is_only_read_is_looked_at_and_not_mended(
        self, make: MakeGraph, engine: lg.Engine, layout: str
    ) -> None:
        """It says so."""
        make(*CLASSES)
        write_cells(engine, cells_of(layout, [link("a", "b")])[:1])
        reader = make(*CLASSES, read_only=True)
        assert [half.element for half in reader.admin.find_half_edges()] == [link("a", "b")]
        with pytest.raises(ReadOnly):
            reader.admin.repair_half_edges()
