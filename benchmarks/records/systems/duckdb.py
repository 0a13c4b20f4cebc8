"""DuckDB with the tables of ``benchmarks.graph``."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from benchmarks.graph.systems import duckdb


class Measured(duckdb.Measured):
    with_names = False

    def vertex(self, vertex: str) -> tuple[Any, ...]:
        asked = "SELECT name, age FROM vertices WHERE id = ?"
        return self.connection.execute(asked, (vertex,)).fetchone()

    def near(self, vertices: list[str]) -> Any:
        seeds = pa.table({"id": vertices})  # noqa: F841 - the question names it
        return self.connection.sql(
            "SELECT a.id, b.id AS other, b.name, b.age FROM seeds"
            " JOIN vertices a ON a.id = seeds.id"
            " JOIN edges ON source = a.number JOIN vertices b ON b.number = destination"
        ).to_arrow_table()

    def update(self, ages: Any, rows: list[tuple[Any, ...]]) -> None:
        self.connection.execute(
            "UPDATE vertices SET age = ages.age FROM ages WHERE vertices.id = ages.id"
        )
