"""What a new user does to directories: erases several, opens files, puts a backup inside."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import InvalidValue, Locked, UsageError


class Person(lg.Vertex, summary=True):
    id: str
    seen: int = lg.sum()


class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    count: int = lg.sum()


@pytest.fixture(params=["memory", "embedded"])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    path = ":memory:" if request.param == "memory" else tmp_path / "store"
    with lg.open(path, [Person, Calls]) as opened:
        opened.add([Person("anna", seen=1), Person("cid", seen=1), Calls("anna", "bob", count=1)])
        yield opened


@pytest.mark.parametrize(
    "call",
    [
        lambda admin: admin.erase("anna", "bob"),
        lambda admin: admin.erase(["anna", "bob"]),
        lambda admin: admin.erase({"anna"}, ["bob", "bob"]),
    ],
)
def test_many_vertices_are_erased_as_they_are_asked_for(
    graph: lg.Graph, call: Callable[[Any], Any]
) -> None:
    report = call(graph.admin)
    assert (report.vertices, report.absent, report.deleted) == (2, 0, 2)
    assert graph.all().to_list() == [Person("cid", seen=1)]


def test_a_vertex_that_is_not_there_is_not_reported_as_erased(graph: lg.Graph) -> None:
    report = graph.admin.erase("nobody", "cid")
    assert (report.vertices, report.absent, report.deleted) == (1, 1, 1)
    assert "erased: vertices 1, elements 1 (1 Person)" in str(report)
    assert "not there: vertices 1" in str(report)
    assert "not there" not in str(graph.admin.erase("anna"))


def test_what_is_not_a_vertex_is_not_erased(graph: lg.Graph) -> None:
    with pytest.raises(UsageError, match="an edge cannot be erased"):
        graph.admin.erase(Calls("anna", "bob", count=1))
    with pytest.raises(InvalidValue, match="a vertex of this graph"):
        graph.admin.erase(7)
    with pytest.raises(UsageError, match="no vertex to erase"):
        graph.admin.erase([])
    assert graph.count() == 3


def test_a_second_handle_of_this_process_is_refused_without_waiting(tmp_path: Path) -> None:
    with lg.open(tmp_path / "store", [Person], lock_timeout_s=60.0) as graph:
        graph.add([Person("anna", seen=1)])
        with lg.open(tmp_path / "store"):
            began = monotonic()
            with pytest.raises(Locked, match="open more than once in this process"):
                graph.admin.erase("anna")
            assert monotonic() - began < 30
        assert graph.admin.erase("anna").vertices == 1


def test_a_backup_does_not_lie_inside_what_it_copies(tmp_path: Path) -> None:
    with lg.open(tmp_path / "store", [Person]) as graph:
        for inside in ("store/copy", "store/deep/copy", "other/../store/copy"):
            with pytest.raises(UsageError, match="cannot lie inside it") as raised:
                graph.admin.backup(tmp_path / inside)
            assert "outside" in raised.value.hint
        assert graph.admin.backup(tmp_path / "store2") > 0


def test_a_file_is_not_a_graph(tmp_path: Path) -> None:
    table = tmp_path / "calls.csv"
    table.write_text("source,destination,count\n")
    for schema in (None, [Calls]):
        with pytest.raises(UsageError, match="is a file, and a graph is a directory") as raised:
            lg.open(table, schema)
        assert "graph.load(" in raised.value.hint
    with lg.open(tmp_path / "store", [Calls]):
        pass
    with pytest.raises(UsageError, match="is a file") as raised:
        lg.open(tmp_path / "store" / "data.mdb")
    assert f"lexigraph.open({str(tmp_path / 'store')!r})" in raised.value.hint
