"""Lexigraph through its public API: records with a label each, asked by one who holds them all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from benchmarks.graph.data import FIRST_DAY, LAST_DAY, READER, Data
from benchmarks.records.data import labelled

import lexigraph as lg


class Person(lg.Vertex):
    id: str
    name: str | None = None
    age: lg.Int32 | None = None
    label: str | None = lg.visibility(default=None)


class Link(lg.Edge):
    source: str
    destination: str
    day: lg.Int32 = lg.sort_key()
    weight: lg.Int32 = lg.signature()
    label: str | None = lg.visibility(default=None)


class Measured:
    version = lg.__version__

    def __init__(self, where: Path) -> None:
        self.where = where

    def load(self, data: Data) -> None:
        with lg.open(self.where / "graph.lexi", [Person, Link], authorizations=READER) as graph:
            _load(graph, labelled(data), Person, {"vertex": "id"})
            _load(graph, data.edges, Link, {})

    def open(self) -> None:
        classes = [Person, Link]
        self.graph = lg.open(self.where / "graph.lexi", classes, durability="sync")
        self.session = self.graph.session(READER, role="writer")
        links = self.session.get().edges(Link, direction="out")
        days = lg.field(Link.day).between(FIRST_DAY, LAST_DAY)
        self._links, self._in_days = links.prepare(), links.where(days).prepare()

    def vertex(self, vertex: str) -> tuple[Any, ...]:
        found = self.session.vertex(vertex).one()
        return found.name, found.age

    def neighbours(self, vertex: str) -> list[str]:
        return self._links.adjacent(vertex)

    def neighbours_in_days(self, vertex: str) -> list[str]:
        return self._in_days.adjacent(vertex)

    def near(self, vertices: list[str]) -> Any:
        pairs = self._links.pairs(vertices)
        near = pairs["adjacent"].unique().to_pylist()
        people = self.session.get(near).vertices(Person).select("name", "age")
        found = people.to_arrow().select(["vertex", "name", "age"])
        keys = found.rename_columns(["adjacent", "name", "age"])
        return pairs.join(keys, "adjacent").select(["vertex", "adjacent", "name", "age"])

    def update(self, ages: Any, rows: list[tuple[Any, ...]]) -> None:
        with self.session.transaction() as changes:
            changes.add(ages.to_pylist(), group=Person)

    def close(self) -> None:
        self.graph.close()


def _load(graph: Any, path: Path, group: Any, columns: dict[str, str]) -> None:
    with pq.ParquetFile(path) as file:
        graph.load(file.iter_batches(131_072), group=group, columns=columns)
