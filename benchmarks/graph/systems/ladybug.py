"""Ladybug, which goes on from Kuzu: vertices and edges in tables, questions in Cypher, prepared."""

from __future__ import annotations

from typing import Any

import ladybug
import pyarrow as pa
import pyarrow.compute as pc
from benchmarks.graph.data import FIRST_DAY, LAST_DAY, Data
from benchmarks.graph.systems import System

_START = "MATCH (a:Vertex {id: $id})"
_WALK_ENDS = {
    2: f"{_START}-[:Link]->(b)-[:Link]->(c) RETURN count(DISTINCT c.id)",
    3: f"""{_START}-[:Link]->(b)-[:Link]->(c) WITH DISTINCT c
        MATCH (c)-[:Link]->(d) RETURN count(DISTINCT d)""",
}


class Measured(System):
    version = ladybug.__version__

    def load(self, data: Data) -> None:
        self._connect("graph.lbug")
        run = self.connection.execute
        run("CREATE NODE TABLE Vertex(id STRING PRIMARY KEY, name STRING, age INT32)")
        run("CREATE REL TABLE Link(FROM Vertex TO Vertex, day INT32, weight INT32)")
        run(f"COPY Vertex FROM '{data.vertices}'")
        run(f"COPY Link FROM (LOAD FROM '{data.edges}' RETURN source, destination, day, weight)")
        if self.with_names:
            run("CREATE ART INDEX by_name FOR (v:Vertex) ON (v.name)")
        run("CHECKPOINT")
        self.close()

    def open(self) -> None:
        self._connect("graph.lbug")
        prepare = self.connection.prepare
        self._near = prepare(f"{_START}-[:Link]->(b) RETURN b.id")
        self._near_in_days = prepare(
            f"{_START}-[e:Link]->(b) WHERE e.day >= {FIRST_DAY} AND e.day <= {LAST_DAY} RETURN b.id"
        )
        self._walk_ends = {steps: prepare(text) for steps, text in _WALK_ENDS.items()}

    def neighbours(self, vertex: str) -> list[str]:
        return [x for (x,) in self.connection.execute(self._near, {"id": vertex}).get_all()]

    def neighbours_in_days(self, vertex: str) -> list[str]:
        found = self.connection.execute(self._near_in_days, {"id": vertex})
        return [x for (x,) in found.get_all()]

    def pairs(self, vertices: list[str]) -> Any:
        asked = "UNWIND $ids AS id MATCH (a:Vertex {id: id})-[:Link]->(b) RETURN a.id, b.id"
        return self.connection.execute(asked, {"ids": vertices}).get_as_arrow()

    def hops(self, vertex: str, steps: int) -> int:
        asked = (
            f"{_START}-[way:Link* SHORTEST 1..{steps}]->(c)"
            f" WHERE length(way) = {steps} AND c.id <> $id RETURN count(*)"
        )
        return self.connection.execute(asked, {"id": vertex}).get_all()[0][0]

    def walk_ends(self, vertex: str, steps: int) -> int:
        return self.connection.execute(self._walk_ends[steps], {"id": vertex}).get_all()[0][0]

    def by_day(self) -> list[tuple[int, int, int]]:
        asked = "MATCH ()-[e:Link]->() RETURN e.day, count(*), sum(e.weight)"
        return [tuple(map(int, row)) for row in self.connection.execute(asked).get_all()]

    def edges(self) -> Any:
        asked = "MATCH (a)-[e:Link]->(b) RETURN a.id, b.id, e.day, e.weight"
        return self.connection.execute(asked).get_as_arrow()

    def close(self) -> None:
        self.connection.close()
        self.database.close()

    def open_events(self) -> None:
        self._connect("events.lbug")
        # Edges have no key to find them by, so an event is a vertex whose id says all.
        self.connection.execute(
            "CREATE NODE TABLE Event(key STRING PRIMARY KEY, day INT32, n INT64)"
        )

    def add_events(self, batch: Any) -> None:
        key = ["source", "destination", "day"]
        summed = pa.table(batch).group_by(key).aggregate([("count", "sum")])
        texts = [pc.cast(summed[name], pa.string()) for name in key]
        given = pa.table(  # noqa: F841 - the statement names it
            {
                "key": pc.binary_join_element_wise(*texts, "|"),
                "day": summed["day"],
                "n": pc.cast(summed["count_sum"], pa.int64()),
            }
        ).combine_chunks()
        self.connection.execute(
            "LOAD FROM given MERGE (e:Event {key: key})"
            " ON CREATE SET e.day = day, e.n = n ON MATCH SET e.n = e.n + n"
        )

    def settle_events(self) -> None:
        self.connection.execute("CHECKPOINT")

    def events_by_day(self) -> list[tuple[int, int, int]]:
        asked = "MATCH (e:Event) RETURN e.day, count(*), sum(e.n)"
        return [tuple(map(int, row)) for row in self.connection.execute(asked).get_all()]

    def _connect(self, name: str) -> None:
        self.database = ladybug.Database(str(self.where / name))
        self.connection = ladybug.Connection(self.database)
