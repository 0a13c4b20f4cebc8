"""Paths into a graph that tests of single writes do not take: they keep indexes too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.store import CellBatch, Engine, MemoryEngine, ScanSpec
from tests.unit.index.indexed_graphs import (
    ALL_GROUPS,
    Calls,
    Knows,
    Person,
    call,
    day,
    entries,
    filtered,
    used_index,
)


def cells_of(engine: Engine, table: str = "graph.elements") -> list[Any]:
    found = engine.scan(table, ScanSpec(authorizations=lg.ALL))
    return [cell for batch in found for cell in batch]


@pytest.mark.parametrize("layout", ["byte-entity", "classic"])
def test_a_repaired_edge_has_its_entry(layout: str) -> None:
    whole, broken = MemoryEngine(), MemoryEngine()
    with (
        lg.open(whole, ALL_GROUPS, layout=layout) as expected,
        lg.open(broken, ALL_GROUPS, layout=layout) as graph,
    ):
        graph.index.create("by_end", Calls.destination)
        graph.index.create("by_since", Knows.since)
        expected.index.create("by_end", Calls.destination)
        expected.index.create("by_since", Knows.since)
        expected.add([call("a", f"b{at}", at) for at in range(4)])
        expected.add([Knows("m", f"n{at}", since=1) for at in range(4)])
        [table] = [one for one in whole.tables() if one.startswith("graph.el")]
        # Of each edge the row that does not count is there alone, as if others wrote it.
        counted = {row for _, row in map(_entry_row, cells_of(whole, "graph.indexes"))}
        halves = [cell for cell in cells_of(whole, table) if cell.row not in counted]
        assert len(halves) == 8
        broken.table(table).write(CellBatch.from_cells(halves))
        assert graph.admin.repair_half_edges() == 8
        assert sorted(entries(graph)) == sorted(entries(expected))
        asked = graph.all(Calls).where(Calls.destination == "b2")
        assert used_index(asked)
        assert asked.to_list() == expected.all(Calls).where(Calls.destination == "b2").to_list()
        assert graph.all(Knows).where(Knows.since == 1).count() == 4


def _entry_row(cell: Any) -> tuple[bytes, bytes]:
    """Return the number of an index, and the row of the element of an entry."""
    number = cell.row[:4]
    if number == (1).to_bytes(4, "big"):
        return number, cell.row[cell.row.index(b"\0", 4) + 1 :]
    # The value has no end of its own; the rows of these elements start with an m.
    return number, cell.row[cell.row.index(b"m", 4) :]


@pytest.mark.parametrize("engine", ["memory", "embedded"])
def test_a_delete_by_a_question_finds_elements_by_the_index(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = ":memory:" if engine == "memory" else tmp_path / "g"
    with lg.open(where, ALL_GROUPS, authorizations=lg.ALL) as graph:
        graph.add([call(f"a{at}", "b", at % 10, label=["", "x"][at % 2]) for at in range(200)])
        graph.index.create("by_day", Calls.day)
        store, read = graph._access.engine, []
        scan = type(store).scan

        def counting(self: Any, table: str, spec: Any = None, **more: Any) -> Any:
            if table == "graph.elements" and spec is not None:
                read.extend(spec.ranges or ["everything"])
            return scan(self, table, spec, **more)

        monkeypatch.setattr(type(store), "scan", counting)
        asked = graph.all(Calls).where((Calls.day == day(3)) & (Calls.count > 0))
        assert graph.delete(asked).deleted == 20
        assert read
        # Single rows, and nothing else.
        assert all(one.start is not None and one.end is not None for one in read)
        monkeypatch.undo()
        assert asked.count() == 0
        assert graph.all(Calls).count() == 180
        assert len(entries(graph)) == 180
        assert list(graph.admin.find_half_edges()) == []


def test_a_delete_of_too_many_elements_reads_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lexigraph.index.looking_up.MOST_FOUND", 3)
    with lg.open(":memory:", ALL_GROUPS) as graph:
        graph.index.create("by_day", Calls.day)
        graph.add([call("a", str(at), at % 2) for at in range(20)])
        assert graph.delete(graph.all(Calls).where(Calls.day == day(1))).deleted == 10
        assert graph.all(Calls).where(Calls.day == day(0)).count() == graph.all(Calls).count() == 10
        assert len(entries(graph)) == 10
        assert list(graph.admin.find_half_edges()) == []


@pytest.mark.parametrize("engine", ["memory", "embedded"])
def test_groups_of_several_layouts_have_indexes(engine: str, tmp_path: Path) -> None:
    where = ":memory:" if engine == "memory" else tmp_path / "g"
    layouts = {Calls: "classic"}
    with lg.open(where, ALL_GROUPS, authorizations=lg.ALL, group_layouts=layouts) as graph:
        graph.index.create("by_end", Calls.destination)
        graph.index.create("by_city", Person.city)
        graph.add([call("a", f"b{at % 3}", at, label=["", "x"][at % 2]) for at in range(9)])
        graph.add([Person(f"p{at}", city="xy"[at % 2]) for at in range(6)])
        graph.add([Knows("b1", "p1", since=2)])
        for seen in (lg.ALL, [], ["x"]):
            session = graph.session(seen)
            ended = session.all(Calls).where(Calls.destination == "b1")
            assert used_index(ended)
            assert ended.to_list() == filtered(session, Calls, lambda one: one.destination == "b1")
            lives = session.all(Person).where(Person.city == "x")
            assert used_index(lives)
            assert lives.to_list() == filtered(session, Person, lambda one: one.city == "x")
        graph.delete(graph.all(Calls).where(Calls.destination == "b1"))
        assert graph.all(Calls).where(Calls.destination == "b1").count() == 0
        assert len(entries(graph)) == 12


def test_graphs_of_one_engine_have_indexes_of_their_own(tmp_path: Path) -> None:
    with (
        lg.open(tmp_path / "g", ALL_GROUPS, name="one") as one,
        lg.open(tmp_path / "g", ALL_GROUPS, name="two") as two,
    ):
        one.index.create("by_day", Calls.day)
        two.add([call("a", "b", 0)])
        assert list(two.index.list()) == []
        one.add([call("a", "c", 0)])
        two.index.create("by_day", Calls.type)
        two.add([call("a", "d", 0)])
        of_day = one.all(Calls).where(Calls.day == day(0))
        of_type = two.all(Calls).where(Calls.type == "x")
        assert used_index(of_day)
        assert used_index(of_type)
        assert [each.destination for each in of_day] == ["c"]
        assert [each.destination for each in of_type] == ["b", "d"]
        one.index.drop("by_day")
        two.add([call("a", "e", 0)])
        assert of_type.count() == 3
        assert used_index(two.all(Calls).where(Calls.type == "x"))
        one.admin.drop()
        assert of_type.count() == 3
