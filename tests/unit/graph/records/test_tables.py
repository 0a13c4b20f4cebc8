"""Tables of rows under elements: what is read, what the owner reaches, and two writers at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import (
    Conflict,
    InvalidVisibility,
    NotGranted,
    ReadOnly,
    UnsupportedError,
    UsageError,
    ValidationError,
)
from lexigraph.plan import ELEMENT, run
from lexigraph.plan.records.under import TableSpan, TablesUnder
from lexigraph.store.checks import OK
from tests.unit.graph.records.test_checks import steps
from tests.unit.graph.records.test_erase import facts
from tests.unit.graph.test_erase import found
from tests.unit.plan.records.worlds import Cut

GONE = "sub-7f3a91c2-4be0d6"


def rows(table: Any) -> dict[Any, dict[str, Any]]:
    return {one.id: dict(one) for one in table.rows()}


def cells_read(graph: lg.Graph, ask: Callable[[TablesUnder], Any]) -> tuple[Any, dict[str, int]]:
    """Return an answer, and how many cells it took, by table."""
    scope = graph._scope()
    cut = Cut(scope.engine)
    answer = ask(TablesUnder.of("vertex", "ann", replace(scope, engine=cut)))  # type: ignore[arg-type]
    return answer, {table.split(".")[-1]: count for table, count in cut.cells.items()}


@pytest.fixture
def filled(free: lg.Graph) -> lg.Graph:
    for vertex in ("ann", "bob"):
        free.add_vertex(vertex, "Person", name="N")
        for name in ("logs", "visits", "visits2"):
            table = free.vertex(vertex).table(name)
            assert table.add_rows((at, {"n": at, "place": f"p{at}"}) for at in range(3000)) == 3000
    return free


def test_a_range_reads_its_own_rows_and_no_others(filled: lg.Graph) -> None:
    asked = TableSpan(start=500, stop=1500)
    answer, read = cells_read(filled, lambda under: list(under.rows("visits", asked)))
    assert [one.id for one in answer] == list(range(500, 1500))
    # Two columns of 1,000 rows, and the existence of the element.
    assert read == {"vertices": 2001}
    answer, read = cells_read(filled, lambda under: under.row("visits", 7))
    assert (answer, read) == ({"n": 7, "place": "p7"}, {"vertices": 3})
    answer, read = cells_read(filled, lambda under: len(list(under.rows("visits", limit=10))))
    assert answer == 10
    assert read["vertices"] < 300


def test_the_names_of_tables_do_not_cost_their_rows(filled: lg.Graph) -> None:
    names, read = cells_read(filled, lambda under: list(under.names()))
    assert names == ["logs", "visits", "visits2"]
    assert read["vertices"] <= 1 + 3 * 64


def test_questions_about_elements_read_no_rows(filled: lg.Graph) -> None:
    scope = filled._scope()
    cut = Cut(scope.engine)
    asked = filled.all()._asked
    elements = run(asked, replace(scope, engine=cut)).values(ELEMENT)  # type: ignore[arg-type]
    assert [one.vertex for one in elements] == ["ann", "bob"]
    # Existence, label and name of both.
    assert [count for table, count in cut.cells.items() if "vertices" in table] == [6]
    assert [one.kind for one in filled.vertex("ann").history()] == [
        "added",
        "label added",
        "value set",
    ]


def test_an_erased_element_leaves_no_row(tmp_path: Path) -> None:
    with lg.open(tmp_path / "g", authorizations=lg.ALL) as graph:
        for vertex in (GONE, "bob"):
            graph.add_vertex(vertex)
            graph.vertex(vertex).table("t").add_rows({at: {"n": at} for at in range(5)})
        graph.add_edge(GONE, "KNOWS", "bob", id="e")
        graph.edge("e").table("t").add("r", {"n": lg.value(1, visibility="x")})
        kept = [one for one in facts(graph) if getattr(one.subject, "id", None) == "bob"]
        graph.vertex(GONE).delete()
        report = graph.admin.erase(GONE)
        assert (report.vertices, report.deleted, report.mentions) == (1, 2, 0)
        assert rows(graph.vertex("bob").table("t")) == {at: {"n": at} for at in range(5)}
        left = [one for one in facts(graph) if getattr(one.subject, "id", None) == "bob"]
        assert left == kept
        assert len(facts(graph)) == len(kept) + 5
    assert found(tmp_path / "g", {GONE}) == set()


def test_rows_that_nobody_sees_are_found_and_erased(free: lg.Graph) -> None:
    free.add_vertex("ann")
    free.vertex("ann").table("t").add("r", {"n": lg.value(1, visibility="x")})
    assert (OK, "1 rows of tables under 1 elements") in steps(free)
    stranger = free.session([], role="writer")
    assert stranger.vertex("ann").delete(hard=True) == 1
    what = "rows under elements that are not there, which nobody sees: vertex 'ann'"
    assert (OK, what) in steps(free)
    assert free.admin.erase("ann").vertices == 1
    assert steps(free) == [(OK, "0 vertices, 0 edges")]
    free.add_vertex("ann")
    assert free.vertex("ann").tables() == []


def test_a_hard_delete_leaves_no_value_in_the_store(free: lg.Graph) -> None:
    free.add_vertex("ann")
    table = free.vertex("ann").table("t")
    table.add_rows({at: {"n": "secret"} for at in range(3)})
    assert table.delete(1, hard=True) == 1
    assert free.vertex("ann").delete(hard=True) == 1
    free.admin.compact()
    assert not [one for one in facts(free) if getattr(one, "value", None) == "secret"]


def test_a_backup_has_the_rows(tmp_path: Path) -> None:
    with lg.open(tmp_path / "g", authorizations=lg.ALL) as graph:
        graph.add_vertex("ann")
        graph.vertex("ann").table("t").add("r", {"n": 1})
        graph.admin.backup(tmp_path / "copy")
        graph.vertex("ann").delete()
    with lg.open(tmp_path / "copy", authorizations=lg.ALL, create=False) as graph:
        assert rows(graph.vertex("ann").table("t")) == {"r": {"n": 1}}


def test_merges_and_reopening_change_no_row(tmp_path: Path) -> None:
    with lg.open(tmp_path / "g", authorizations=lg.ALL) as graph:
        graph.add_vertex("ann")
        table = graph.vertex("ann").table("t").add("r", {"n": 1}).add("r", {"n": 2})
        table.add("q", {"n": 1}).delete("q")
        graph.admin.compact()
    with lg.open(tmp_path / "g", authorizations=lg.ALL) as graph:
        assert rows(graph.vertex("ann").table("t")) == {"r": {"n": 2}}


def test_the_history_of_a_class_holds_for_rows(path: str) -> None:
    class Person(lg.Vertex, history=lg.keep(versions=1)):
        id: str
        n: int | None = None

    with lg.open(path, [Person], authorizations=lg.ALL) as graph:
        graph.add(Person("ann"))
        table = graph.vertex("ann").table("t").add("r", {"n": 1}, note="first").add("r", {"n": 2})
        assert rows(table) == {"r": {"n": 2}}
        table.delete("r")
        assert rows(table) == {}
        with pytest.raises(UsageError, match="keeps 1 versions"):
            graph.as_of(5).vertex("ann").table("t").get("r")


def test_adding_rows_conflicts_with_a_delete_of_the_element_only(free: lg.Graph) -> None:
    free.add_vertex("ann")
    with free.transaction() as transaction:
        transaction.vertex("ann").table("t").add("r", {"n": 1})
        free.vertex("ann").table("t").add("q", {"n": 1})
        free.vertex("ann").table("t").add("r", {"n": 0})
    assert rows(free.vertex("ann").table("t")) == {"q": {"n": 1}, "r": {"n": 1}}
    transaction = free.transaction()
    transaction.vertex("ann").table("t").add("s", {"n": 1})
    free.vertex("ann").delete()
    with pytest.raises(Conflict):
        transaction.commit()
    assert free.vertex("ann").tables() == []


def test_a_delete_conflicts_with_rows_that_it_did_not_see(free: lg.Graph) -> None:
    free.add_vertex("ann")
    transaction = free.transaction()
    assert transaction.vertex("ann").delete() == 1
    free.vertex("ann").table("t").add("r", {"n": 1})
    with pytest.raises(Conflict):
        transaction.commit()
    assert rows(free.vertex("ann").table("t")) == {"r": {"n": 1}}


def test_a_change_that_is_refused_leaves_the_others_of_its_transaction(free: lg.Graph) -> None:
    free.add_vertex("ann")
    with free.transaction() as transaction:
        table = transaction.vertex("ann").table("t").add("r", {"n": 1})
        with pytest.raises(UnsupportedError, match="no metadata"):
            table.add_rows({"r": {"n": 2}, "q": {"n": lg.value(1, metadata={"m": 1})}})
        with pytest.raises(UsageError, match="has no value"):
            table.add_rows({"r": {"n": 3}, "q": {}})
        assert rows(table) == {"r": {"n": 1}}
    assert rows(free.vertex("ann").table("t")) == {"r": {"n": 1}}


def test_a_reader_changes_nothing_and_a_writer_labels_as_allowed(free: lg.Graph) -> None:
    free.add_vertex("ann")
    reader = free.session(["a"]).vertex("ann").table("t")
    for change in (
        lambda: reader.add("r", {"n": 1}),
        lambda: reader.add_rows([]),
        lambda: reader.delete("r"),
        lambda: reader.drop(),
    ):
        with pytest.raises(ReadOnly):
            change()
    own = free.session(["a"], role="writer", own_labels=True).vertex("ann").table("t")
    own.add("r", {"n": lg.value(1, visibility="a")})
    for change in (
        lambda: own.add("r", {"n": lg.value(1, visibility="b")}),
        lambda: own.add("r", {"n": 1}, visibility="b"),
    ):
        with pytest.raises(NotGranted):
            change()
    with pytest.raises(InvalidVisibility):
        own.add("r", {"n": 1}, visibility="a&")


def test_an_error_names_the_row(free: lg.Graph) -> None:
    free.add_vertex("ann")
    table = free.vertex("ann").table("t")
    with pytest.raises(ValidationError, match="row 1, 'q': 'n'") as caught:
        table.add_rows([("r", {"n": 1}), ("q", {"n": object()})])
    assert (caught.value.element, caught.value.property) == (1, "n")
    for given in (5, "text", [3], [{"n": 1}], [("r", 5)]):
        with pytest.raises(UsageError):
            table.add_rows(given)


def test_a_row_shows_itself(free: lg.Graph) -> None:
    free.add_vertex("ann")
    table = free.vertex("ann").table("t")
    assert repr(table) == "<table 't' under vertex 'ann': .rows() reads it, .get(id) one row>"
    table.add("r", {"row": "x", "n": {1, 2}}, note={"why": 1})
    assert repr(table.get("r")) == "<row 'r': {'n': (1, 2), 'row': 'x'}>"
    assert table.rows().to_arrow().column_names == ["row_", "n", "row"]
    assert "not read yet" in repr(table.rows())
    assert "<table" in table.rows()._repr_html_()
