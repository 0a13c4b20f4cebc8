"""DuckDB: numbers for ids inside, edges sorted by source, an index for every look-up."""

from __future__ import annotations

from typing import Any

import duckdb
import pyarrow as pa
from benchmarks.graph.data import FIRST_DAY, LAST_DAY, Data
from benchmarks.graph.systems import System, sql

_NEIGHBOURS = """SELECT other.id FROM edges JOIN vertices other ON other.number = destination
    WHERE source = (SELECT number FROM vertices WHERE id = ?)"""


class Measured(System):
    version = duckdb.__version__

    def load(self, data: Data) -> None:
        with duckdb.connect(str(self.where / "graph.db")) as made:
            made.execute(
                "CREATE TABLE vertices AS SELECT (row_number() OVER ())::INT AS number,"
                f" vertex AS id, name, age FROM '{data.vertices}'"
            )
            made.execute(
                "CREATE TABLE edges AS SELECT a.number AS source, b.number AS destination,"
                f" weight, day FROM '{data.edges}' given JOIN vertices a ON a.id = given.source"
                " JOIN vertices b ON b.id = given.destination ORDER BY ALL"
            )
            made.execute("CREATE UNIQUE INDEX by_id ON vertices(id)")
            made.execute("CREATE UNIQUE INDEX by_number ON vertices(number)")
            if self.with_names:
                made.execute("CREATE INDEX by_name ON vertices(name)")
            made.execute("CREATE INDEX by_source ON edges(source)")
            made.execute("CHECKPOINT")

    def open(self) -> None:
        self.connection = duckdb.connect(str(self.where / "graph.db"))

    def neighbours(self, vertex: str) -> list[str]:
        return [x for (x,) in self.connection.execute(_NEIGHBOURS, (vertex,)).fetchall()]

    def neighbours_in_days(self, vertex: str) -> list[str]:
        asked = f"{_NEIGHBOURS} AND day BETWEEN {FIRST_DAY} AND {LAST_DAY}"
        return [x for (x,) in self.connection.execute(asked, (vertex,)).fetchall()]

    def pairs(self, vertices: list[str]) -> Any:
        seeds = pa.table({"id": vertices})  # noqa: F841 - the question names it
        return self.connection.sql(
            "SELECT a.id, b.id AS other FROM seeds JOIN vertices a ON a.id = seeds.id"
            " JOIN edges ON source = a.number JOIN vertices b ON b.number = destination"
        ).to_arrow_table()

    def hops(self, vertex: str, steps: int) -> int:
        return self.connection.execute(sql.hops(steps), (vertex,)).fetchall()[0][0]

    def walk_ends(self, vertex: str, steps: int) -> int:
        return self.connection.execute(sql.WALK_ENDS[steps], (vertex,)).fetchall()[0][0]

    def by_day(self) -> list[tuple[int, int, int]]:
        asked = "SELECT day, count(*), sum(weight)::BIGINT FROM edges GROUP BY day"
        return self.connection.execute(asked).fetchall()

    def edges(self) -> Any:
        return self.connection.sql(sql.EDGES).to_arrow_table()

    def close(self) -> None:
        self.connection.close()

    def open_events(self) -> None:
        self.connection = duckdb.connect(str(self.where / "events.db"))
        self.connection.execute(
            "CREATE TABLE events(source VARCHAR, destination VARCHAR, day INT, n BIGINT,"
            " PRIMARY KEY(source, destination, day))"
        )

    def add_events(self, batch: Any) -> None:
        given = pa.table(batch)  # noqa: F841 - the statement names it
        self.connection.execute(
            "INSERT INTO events SELECT source, destination, day, sum(count) FROM given GROUP BY ALL"
            " ON CONFLICT DO UPDATE SET n = n + excluded.n"
        )

    def settle_events(self) -> None:
        self.connection.execute("CHECKPOINT")

    def events_by_day(self) -> list[tuple[int, int, int]]:
        asked = "SELECT day, count(*), sum(n)::BIGINT FROM events GROUP BY day"
        return self.connection.execute(asked).fetchall()
