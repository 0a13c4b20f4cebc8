"""Records on an engine whose atomic unit is the row: the row of an edge comes first."""

from __future__ import annotations

from datetime import date
from typing import Any, ClassVar

import pytest

import lexigraph as lg
from lexigraph.errors import UnsupportedError
from tests.unit.graph.records.graphs import (
    CLASSES,
    Calls,
    Knows,
    Person,
    references,
    seen_edge,
    seen_vertex,
    values,
)
from tests.unit.layout.observe.row_engine import RowEngine


class MadeRows(RowEngine):
    """Notes the tables of what is made of the time of a commit, in the order of writing."""

    made: ClassVar[list[list[str]]] = []

    def write_made(self, tables: Any, make: Any, **options: Any) -> int:
        def noted(timestamp: int) -> Any:
            batches = make(timestamp)
            self.made.append(list(batches))
            return batches

        assert options.get("if_unchanged") is None
        return super().write_made(tables, noted, **options)


def test_records_are_stored_row_by_row() -> None:
    engine = MadeRows()
    graph = lg.open(engine, CLASSES, authorizations=lg.ALL)
    graph.add(
        [
            Person("ann", name="Ann"),
            Knows("k", "ann", "bob", date(2026, 1, 2)),
            Calls("ann", "bob", count=1),
        ]
    )
    assert engine.made == [["graph.elements", "graph.records.edges", "graph.records.vertices"]]
    assert references(graph, "bob") == [("in", "Knows", "ann")]
    assert graph.count(Calls) == 1
    graph.vertex("ann").set("name", "Anna").hide("secret").show("secret")
    assert values(seen_vertex(graph, "ann")) == {"name": ["Anna"]}
    assert graph.vertex("ann").delete() == 2
    assert seen_edge(graph, "k") is None
    with pytest.raises(UnsupportedError, match="no transactions"):
        graph.transaction()


def test_names_are_learnt_row_by_row() -> None:
    graph = lg.open(RowEngine(), authorizations=lg.ALL)
    graph.add_vertex("ann", "Person", name="Ann")
    assert graph.admin.learnt_names()["vertex"] == {"Person": ""}
    assert values(seen_vertex(graph, "ann")) == {"name": ["Ann"]}
