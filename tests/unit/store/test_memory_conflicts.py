from __future__ import annotations

from collections.abc import Callable

import pytest

from lexigraph.errors import Conflict, InvalidOption, TableNotFound
from lexigraph.store import Cell, CellBatch, MemoryEngine, Mutations, Range, Snapshot, Table
from tests.unit.store.engines import make_table, put, rows


def write_unless_changed(table: Table, snapshot: Snapshot, *ranges: Range) -> None:
    table.engine.write(
        {"t": Mutations().put("new")}, if_unchanged=(snapshot, [("t", item) for item in ranges])
    )


def replace_table(table: Table) -> None:
    table.engine.drop_table("t")
    table.engine.create_table("t")


def rename_away_and_clone_back(table: Table) -> None:
    table.engine.rename_table("t", "u")
    table.engine.clone_table("u", "t")


def import_one(table: Table) -> None:
    table.engine.import_sorted("t", [CellBatch.from_cells([Cell(b"b", timestamp=1)])])


@pytest.mark.parametrize(
    "change",
    [
        lambda table: put(table, "b"),
        lambda table: table.delete("b"),
        lambda table: put(table, "b", "", -5),
        import_one,
        replace_table,
        rename_away_and_clone_back,
    ],
)
def test_a_change_in_a_range_since_the_snapshot_is_a_conflict(
    change: Callable[[Table], None],
) -> None:
    table = make_table()
    put(table, "b")
    snapshot = table.engine.snapshot()
    change(table)
    with pytest.raises(Conflict) as caught:
        write_unless_changed(table, snapshot, Range.row(b"a"), Range.row(b"b"))
    assert caught.value.retryable
    assert b"new" not in rows(table)


@pytest.mark.parametrize("join_runs", [True, False])
def test_changes_elsewhere_before_or_by_merging_are_none(join_runs: object) -> None:
    table = make_table(join_runs=join_runs)
    put(table, "b")
    snapshot = table.engine.snapshot()
    put(table, "c")
    table.compact()
    write_unless_changed(table, snapshot, Range.row(b"b"), Range.rows(b"x"))
    assert rows(table) == [b"b", b"c", b"new"]


def test_a_conflict_is_seen_after_the_write_was_merged() -> None:
    table = make_table(join_runs=True)
    put(table, "b")
    snapshot = table.engine.snapshot()
    put(table, "b")
    table.compact()
    with pytest.raises(Conflict):
        write_unless_changed(table, snapshot, Range.row(b"b"))


def test_a_conflict_in_another_table_counts_and_writes_nothing() -> None:
    table = make_table()
    other = table.engine.create_table("u")
    snapshot = table.engine.snapshot()
    put(other, "x")
    with pytest.raises(Conflict, match="'u'"):
        table.engine.write({"t": Mutations().put("a")}, if_unchanged=(snapshot, [("u", Range())]))
    assert rows(table) == []


def test_a_table_made_since_is_a_conflict_and_one_that_never_was_is_not_found() -> None:
    engine = MemoryEngine()
    snapshot = engine.snapshot()
    engine.create_table("t")
    with pytest.raises(Conflict, match="created, dropped or renamed"):
        engine.write({}, if_unchanged=(snapshot, [("t", Range())]))
    with pytest.raises(TableNotFound):
        engine.write({}, if_unchanged=(snapshot, [("x", Range())]))


def test_an_older_snapshot_still_conflicts_when_a_newer_one_is_closed() -> None:
    table = make_table()
    older = table.engine.snapshot()
    put(table, "b")
    table.engine.snapshot().close()
    put(table, "c")
    with pytest.raises(Conflict):
        write_unless_changed(table, older, Range.row(b"b"))


def test_two_that_read_the_same_row_cannot_both_write_it() -> None:
    table = make_table()
    first, second = table.engine.snapshot(), table.engine.snapshot()
    write_unless_changed(table, first, Range.row(b"new"))
    with pytest.raises(Conflict):
        write_unless_changed(table, second, Range.row(b"new"))


def test_commits_are_forgotten_when_no_snapshot_asks_for_them() -> None:
    table = make_table()
    engine = table.engine
    assert isinstance(engine, MemoryEngine)
    snapshot = engine.snapshot()
    put(table, "a")
    assert len(engine._log) == 1
    snapshot.close()
    put(table, "b")
    assert len(engine._log) == 0


def test_a_write_before_a_newer_snapshot_is_no_conflict_for_it() -> None:
    table = make_table()
    older = table.engine.snapshot()
    put(table, "b")
    newer = table.engine.snapshot()
    write_unless_changed(table, newer, Range.row(b"b"))
    with pytest.raises(Conflict):
        write_unless_changed(table, older, Range.row(b"b"))


def test_a_write_to_another_table_is_no_conflict() -> None:
    table = make_table()
    other = table.engine.create_table("u")
    snapshot = table.engine.snapshot()
    put(other, "b")
    write_unless_changed(table, snapshot, Range())
    assert rows(table) == [b"new"]


def test_a_row_in_the_place_of_a_range_is_refused_though_nothing_changed() -> None:
    table = make_table()
    with (
        table.engine.snapshot() as snapshot,
        pytest.raises(InvalidOption, match="Range"),
    ):
        write_unless_changed(table, snapshot, b"a")  # type: ignore[arg-type]
    assert rows(table) == []
