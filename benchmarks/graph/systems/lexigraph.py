"""Lexigraph through its public API: summaries with a label each, asked by one who holds them all.

Peers make an index by name as well; there is none to make here yet.
"""

from __future__ import annotations

from typing import Any

import pyarrow.parquet as pq
from benchmarks.graph.data import FIRST_DAY, LAST_DAY, READER, Data
from benchmarks.graph.systems import System

import lexigraph as lg


class Person(lg.Vertex, summary=True):
    id: str
    name: str = lg.last()
    age: lg.Int32 = lg.last()


class Link(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    day: lg.Int32 = lg.group_by()
    weight: lg.Int32 = lg.sum()
    label: str = lg.visibility()


class Event(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    day: lg.Int32 = lg.group_by()
    count: lg.Int32 = lg.sum()
    label: str = lg.visibility()


class Measured(System):
    version = lg.__version__

    def load(self, data: Data) -> None:
        with lg.open(self.where / "graph.lexi", [Person, Link], authorizations=READER) as graph:
            _load(graph, data.vertices, Person)
            _load(graph, data.edges, Link)

    def open(self) -> None:
        self.graph = lg.open(self.where / "graph.lexi", [Person, Link], read_only=True)
        self.session = self.graph.session(READER)
        links = self.session.get().edges(Link, direction="out")
        days = lg.field(Link.day).between(FIRST_DAY, LAST_DAY)
        self._links, self._in_days = links.prepare(), links.where(days).prepare()

    def neighbours(self, vertex: str) -> list[str]:
        return self._links.adjacent(vertex)

    def neighbours_in_days(self, vertex: str) -> list[str]:
        return self._in_days.adjacent(vertex)

    def pairs(self, vertices: list[str]) -> Any:
        return self._links.pairs(vertices)

    def hops(self, vertex: str, steps: int) -> int:
        return len(self.session.hops(vertex, Link, steps=steps))

    def by_day(self) -> list[tuple[int, int, int]]:
        asked = self.session.all(Link)
        rows = asked.summarise(by=["day"], edges=lg.count(), weight=lg.sum("weight"))
        return [(row["day"], row["edges"], row["weight"]) for row in rows]

    def edges(self) -> Any:
        columns = ["source", "destination", "day", "weight"]
        return self.session.all(Link).select("day", "weight").to_arrow().select(columns)

    def close(self) -> None:
        self.graph.close()

    def open_events(self) -> None:
        self.graph = lg.open(self.where / "events.lexi", [Event], durability="sync")
        self.session = self.graph.session(READER, role="writer")

    def add_events(self, batch: Any) -> None:
        self.session.add(batch, group=Event)

    def events_by_day(self) -> list[tuple[int, int, int]]:
        rows = self.session.all(Event).summarise(by=["day"], keys=lg.count(), n=lg.sum("count"))
        return [(row["day"], row["keys"], row["n"]) for row in rows]


def _load(graph: Any, path: Any, group: Any) -> None:
    with pq.ParquetFile(path) as file:
        graph.load(file.iter_batches(131_072), group=group)
