"""Vertices of records as tables: the engine's columns are those that are made of elements."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.plan import choose_vertices


class Person(lg.Vertex):
    id: str
    name: str | None = None
    age: int = 18
    tags: set[str] | None = None


def filled(path: str | Path) -> Any:
    """Make a graph whose vertices are not all seen, nor all that they have."""
    graph = lg.open(path, [Person], authorizations=["x", "y"], strict=False)
    graph.add([Person("a", name="A", age=3), Person("b", name="B"), Person("c", age=5)])
    graph.add([Person("a", name="Ax")], visibility="x")
    graph.add([Person("d", name="D", tags={"t"})], visibility="y")
    graph.add_vertex("e", "Other", name="E")
    graph.add([Person("f", name="F"), Person("g", name="G")])
    graph.vertex("f").delete()
    graph.vertex("g").hide("x")
    return graph


SEEDS = ["g", "f", "e", "d", "c", "b", "a", "none"]


@pytest.mark.parametrize("held", [(), ("x",), ("y",), ("x", "y")])
def test_columns_are_those_of_the_elements(held: tuple[str, ...], tmp_path: Path) -> None:
    with filled(tmp_path / "g.lexi") as stored, filled(":memory:") as memory:
        for names in (("name", "age"), ("age",), ("name", "tags"), ()):
            asked = [
                one.session(held).get(SEEDS).vertices(Person).select(*names)
                for one in (stored, memory)
            ]
            tables = [one.to_arrow() for one in asked]
            assert tables[0].equals(tables[1])
            for name in () if "tags" in names else names:
                shown = [one.properties.get(name) for one in asked[0].elements()]
                assert tables[0][name].to_pylist() == shown


def test_a_table_of_vertices_is_read_by_column(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with filled(tmp_path / "g.lexi") as graph:
        asked = graph.session(("x",)).get(SEEDS).vertices(Person).select("name", "age")
        expected = asked.to_arrow()
        assert choose_vertices(asked._asked, asked._reading.scope()).reader is not None
        # No element is made of any vertex that has one value of each name.
        monkeypatch.setattr(type(asked), "elements", None)
        assert asked.to_arrow().equals(expected)
        assert expected["name"].to_pylist() == ["Ax", "B", None]
        assert expected["age"].to_pylist() == [3, 18, 5]


def test_past_and_transactions_are_tables_too(tmp_path: Path) -> None:
    with filled(tmp_path / "g.lexi") as graph:
        before = graph.vertex("b").one().time
        graph.add([Person("b", name="B2")])
        asked = graph.as_of(before).get(["b"]).vertices(Person).select("name")
        assert asked.to_arrow()["name"].to_pylist() == ["B"]
        with graph.transaction() as changes:
            changes.add([Person("b", name="B3")])
            found = changes.get(["b"]).vertices(Person).select("name").to_arrow()
            assert found["name"].to_pylist() == ["B3"]
