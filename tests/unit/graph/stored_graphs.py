"""Graphs to store, and what they hold, read without the layers above."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date
from typing import Any

import lexigraph as lg
from lexigraph.graph.write.add import Adder, AddReport
from lexigraph.graph.write.delete import Deleter
from lexigraph.graph.write.delete_report import DeleteReport
from lexigraph.graph.write.rows.options import RowOptions
from lexigraph.keyplan import StoredElement
from lexigraph.layout import Layout, Wanted
from lexigraph.layout.spi import ELEMENTS
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.write.sinks import Commit
from lexigraph.layout.write.writer import Writer
from lexigraph.schema import schema_of
from lexigraph.security import ALL, All
from lexigraph.store import Engine, ScanSpec, StageSpec
from lexigraph.testing.duplicates import groups_to_store


class Calls(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    day: date = lg.group_by()
    count: int = lg.sum(default=1)
    devices: tuple[str, ...] | None = lg.set_of()
    label: str | None = lg.visibility()


class Knows(lg.Edge, summary=True, directed=False):
    source: str
    destination: str
    since: int = lg.min()
    opened: str | None = lg.first()


class Event(lg.Vertex, summary=True, aggregates=False):
    id: str
    what: str


class Reading(lg.Vertex, summary=True):
    id: str
    at: int = lg.timestamp()
    value: int = lg.last()


DAY = date(2026, 1, 2)
SCHEMA = schema_of(groups_to_store([Calls, Knows, Event, Reading]))


def make(engine: Engine, layout: Layout | None = None, name: str = "g") -> StoredGraph:
    return StoredGraph.create(engine, name, SCHEMA, layout)


def writer_of(graph: StoredGraph) -> Writer:
    return Writer(graph, Commit(graph, ALL))


def add(graph: StoredGraph, elements: Any, **how: Any) -> AddReport:
    size = how.pop("batch_elements", 20_000)
    options = RowOptions(skip_invalid=how.pop("skip_invalid", False))
    adder = Adder(writer_of(graph), batch_elements=size)
    return adder.add(elements, options=options, **how)


def delete(
    graph: StoredGraph, elements: Any, by: Iterable[str] | All = ALL, **how: Any
) -> DeleteReport:
    return Deleter(graph, by).delete(elements, **how)


def held(graph: StoredGraph, by: Iterable[str] | All = ALL) -> list[StoredElement]:
    """Give all elements that somebody sees, one row of each."""
    found = []
    for place in graph.layout.everything(Wanted(frozenset(graph.schema.groups))):
        once = StageSpec("filter", {"plan": ELEMENTS, "once": True}, 50)
        spec = ScanSpec(
            ranges=place.ranges, columns=place.columns, stages=[once], authorizations=by
        )
        table = graph.tables[place.table]
        decode = graph.plan_in(table).decode
        for batch in graph.engine.scan(table, spec):
            found += [element for cell in batch if (element := decode(cell))]
    return found


def shown(graph: StoredGraph, by: Iterable[str] | All = ALL) -> Counter[Any]:
    """Give what elements say, each as often as it is there; times of commits do not count."""
    return Counter(
        (
            one.group,
            one.vertex,
            one.source,
            one.destination,
            one.directed,
            one.visibility,
            one.timestamp if one.group == "Reading" else None,
            tuple(sorted((k, v) for k, v in one.properties.items() if k != ".shard")),
        )
        for one in held(graph, by)
    )


def cells_of(graph: StoredGraph) -> int:
    """Count cells, hidden and second rows too."""
    return sum(graph.engine.stats(table).cells for table in graph.tables.values())
