"""Ladybug with the tables of ``benchmarks.graph``."""

from __future__ import annotations

from typing import Any

from benchmarks.graph.systems import ladybug


class Measured(ladybug.Measured):
    with_names = False

    def open(self) -> None:
        super().open()
        self._vertex = self.connection.prepare("MATCH (a:Vertex {id: $id}) RETURN a.name, a.age")

    def vertex(self, vertex: str) -> tuple[Any, ...]:
        return tuple(self.connection.execute(self._vertex, {"id": vertex}).get_next())

    def near(self, vertices: list[str]) -> Any:
        asked = (
            "UNWIND $ids AS id MATCH (a:Vertex {id: id})-[:Link]->(b)"
            " RETURN a.id, b.id, b.name, b.age"
        )
        return self.connection.execute(asked, {"ids": vertices}).get_as_arrow()

    def update(self, ages: Any, rows: list[tuple[Any, ...]]) -> None:
        given = ages.combine_chunks()  # noqa: F841 - the statement names it
        self.connection.execute("LOAD FROM given MATCH (v:Vertex {id: id}) SET v.age = age")
