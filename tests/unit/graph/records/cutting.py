"""A commit that ends half-way: only some of the rows of references in it are stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager
from datetime import date
from typing import Any

import lexigraph as lg
from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.cells.mutations import MutationBatch
from lexigraph.cells.ranges import Range
from lexigraph.store import Engine
from tests.unit.graph.records.graphs import Knows, Meets, Person

DAY = date(2026, 1, 2)
CLASSES: list[Any] = [Person, Knows, Meets]
Change = Callable[[lg.Graph], object]


def add(graph: lg.Graph) -> object:
    return graph.add([Knows("k", "ann", "bob", DAY, weight=2.0, note="tea")], visibility="x")


CHANGES: dict[str, Change] = {
    "add": add,
    "add undirected": lambda graph: graph.add_edge("bob", Meets, "ann", id="k"),
    "add a loop": lambda graph: graph.add_edge("bob", Knows, "bob", id="k", since=DAY),
    "reshape": lambda graph: graph.add([Knows("k", "ann", "cid", DAY)], visibility="x"),
    "delete": lambda graph: graph.edge("k").delete(),
    "delete hard": lambda graph: graph.edge("k").delete(hard=True),
    "delete an end": lambda graph: graph.vertex("ann").delete(),
    "hide an end": lambda graph: graph.vertex("ann").hide("y"),
    "require": lambda graph: graph.edge("k").require("z"),
    "move": lambda graph: graph.edge("k").set_visibility("w"),
}


def fill(graph: lg.Graph, name: str) -> None:
    """Store what is there before a change."""
    graph.add([Person("ann", name="A"), Person("bob", name="B"), Person("cid", name="C")])
    graph.add([Knows("other", "bob", "cid", DAY)])
    if not name.startswith("add"):
        add(graph)


class Cut:
    """Which rows of references of the next commit are stored; those that are not are noted."""

    def __init__(self, kept: Set[int]) -> None:
        self._kept = kept
        self.dropped: list[Cell] = []
        self.rows = 0
        """How many rows of references the commit had."""

    def part(self, batch: MutationBatch) -> MutationBatch:
        """Return what is stored of a batch; references are sorted as their rows are."""
        cells = list(batch.cells)
        rows = sorted({cell.row for cell in cells if cell.family.startswith(b"r")})
        self.rows += len(rows)
        gone = {row for at, row in enumerate(rows) if at not in self._kept}
        self.dropped += [cell for cell in cells if cell.row in gone]
        return MutationBatch(CellBatch.from_cells([cell for cell in cells if cell.row not in gone]))


@contextmanager
def cutting(engine: Engine, kept: Set[int]) -> Iterator[Cut]:
    """Store only some rows of references of what is written inside, by their number."""
    cut, whole = Cut(kept), engine.write_made

    def write_made(tables: Any, make: Any, **options: Any) -> int:
        def made(timestamp: int) -> Any:
            return {
                table: cut.part(batch) if table.endswith("vertices") else batch
                for table, batch in make(timestamp).items()
            }

        return whole(tables, made, **options)

    engine.write_made = write_made  # type: ignore[method-assign]
    try:
        yield cut
    finally:
        engine.write_made = whole  # type: ignore[method-assign]


def references_in(graph: lg.Graph) -> list[Cell]:
    """Return all stored cells of references."""
    stored = graph._access.stored
    assert stored.records is not None
    batches = stored.engine.read_raw(stored.records.tables["vertices"], [Range()])
    return [cell for batch in batches for cell in batch if cell.family.startswith(b"r")]


def check_repaired(graph: lg.Graph, cut: Cut) -> None:
    """Find what a cut left, repair it, and check that all of it is there then."""
    found = list(graph.admin.find_half_edges())
    assert [one.element for one in found] == ["k"] * bool(cut.dropped)
    assert graph.admin.repair_half_edges() == len(found)
    there = set(references_in(graph))
    rows = {cell.row for cell in there}
    for cell in cut.dropped:
        # What a hard delete did not reach may go as a whole: its edge has no shape any more.
        removed = cell.value[:1] == b"\x04" and cell.row not in rows
        assert cell.deleted or removed or cell in there
    assert list(graph.admin.find_half_edges()) == []
