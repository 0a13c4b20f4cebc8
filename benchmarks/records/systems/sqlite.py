"""SQLite with the tables of ``benchmarks.graph``."""

from __future__ import annotations

import json
from typing import Any

from benchmarks.graph.systems import sqlite


class Measured(sqlite.Measured):
    with_names = False

    def open(self) -> None:
        super().open()
        self.connection.execute("PRAGMA synchronous = FULL")

    def vertex(self, vertex: str) -> tuple[Any, ...]:
        asked = "SELECT name, age FROM vertices WHERE id = ?"
        return self.connection.execute(asked, (vertex,)).fetchone()

    def near(self, vertices: list[str]) -> Any:
        return self.connection.execute(
            "SELECT this.id, other.id, other.name, other.age"
            " FROM json_each(?) JOIN vertices this ON this.id = value"
            " JOIN edges ON source = this.number JOIN vertices other ON other.number = destination",
            (json.dumps(vertices),),
        ).fetchall()

    def update(self, ages: Any, rows: list[tuple[Any, ...]]) -> None:
        run = self.connection.execute
        run("BEGIN")
        asked = "UPDATE vertices SET age = ? WHERE id = ?"
        self.connection.executemany(asked, ((age, vertex) for vertex, age, _ in rows))
        run("COMMIT")
