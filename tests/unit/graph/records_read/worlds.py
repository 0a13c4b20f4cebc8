"""Graphs with records that were put in as facts, to be read through sessions."""

from __future__ import annotations

from typing import Any

import lexigraph as lg
from lexigraph.layout.records.cells import write_cell
from lexigraph.store import Mutations
from tests.unit.plan.records.worlds import Knows, Meets, Person, World


class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    count: int = lg.sum()


CLASSES = [Person, Knows, Meets, Calls]


def fill(graph: lg.Graph, world: World) -> lg.Graph:
    """Write the facts of a world to the tables of a graph."""
    stored = graph._access.stored
    records = stored.records
    assert records is not None
    batches: dict[str, Mutations] = {}
    for fact in world.facts:
        cell = write_cell(records.rows, fact)
        table = records.tables[records.rows.table_of(fact.subject)]
        batches.setdefault(table, Mutations()).put(
            cell.row,
            cell.family,
            cell.qualifier,
            cell.value,
            visibility=cell.visibility,
            timestamp=cell.timestamp,
        )
    stored.engine.write(batches)
    return graph


def open_world(path: Any, world: World, classes: Any = CLASSES, **options: Any) -> lg.Graph:
    """Open a graph that has the facts of a world."""
    given = {"authorizations": lg.ALL, **options}
    return fill(lg.open(path, classes, **given), world)
