from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from lexigraph.errors import Closed, InvalidName, InvalidOption, TableNotFound
from lexigraph.store import MemoryEngine, Mutations, Range, StageSpec, Table, TableSettings
from tests.unit.store.engines import make_table, put, rows, values


def test_tables_are_listed_sorted() -> None:
    engine = MemoryEngine()
    for name in ("b", "a", "c.d-e_1"):
        engine.create_table(name)
    assert engine.tables() == ["a", "b", "c.d-e_1"]


@pytest.mark.parametrize("name", ["", "1a", "a b", "a/b", "ä", "a\n", "x" * 201, 5, None])
def test_a_name_that_no_table_can_have_is_refused(name: Any) -> None:
    engine = MemoryEngine()
    with pytest.raises(InvalidName):
        engine.create_table(name)
    assert engine.tables() == []


def test_a_taken_name_is_refused() -> None:
    table = make_table()
    with pytest.raises(InvalidName, match="already a table 't'"):
        table.engine.create_table("t")


def test_an_unknown_table_is_reported_with_the_nearest_names() -> None:
    engine = MemoryEngine()
    engine.create_table("people")
    with pytest.raises(TableNotFound, match="did you mean: people"):
        engine.scan("peple")


@pytest.mark.parametrize(
    "use",
    [
        lambda e: e.write({"x": Mutations()}),
        lambda e: e.scan("x"),
        lambda e: e.drop_table("x"),
        lambda e: e.rename_table("x", "y"),
        lambda e: e.clone_table("x", "y"),
        lambda e: e.settings("x"),
        lambda e: e.configure_table("x", TableSettings()),
        lambda e: e.compact("x"),
        lambda e: e.stats("x"),
        lambda e: e.splits("x"),
        lambda e: e.add_splits("x", [b"a"]),
        lambda e: e.import_sorted("x", []),
        lambda e: e.conditional_write("x", []),
        lambda e: e.placement("x"),
        lambda e: e.table("x"),
    ],
)
def test_every_use_of_a_missing_table_or_a_closed_engine_says_so(
    use: Callable[[MemoryEngine], Any],
) -> None:
    engine = MemoryEngine()
    with pytest.raises(TableNotFound):
        use(engine)
    engine.close()
    with pytest.raises(Closed):
        use(engine)


def test_closing_twice_is_fine() -> None:
    with MemoryEngine() as engine:
        engine.close()
    uses = (engine.tables, engine.snapshot, lambda: engine.create_table("a"))
    for use in (*uses, lambda: engine.write({})):
        with pytest.raises(Closed):
            use()


def test_a_scan_cannot_go_on_after_close() -> None:
    table = make_table()
    table.write(Mutations().put("a").put("b"))
    batches = table.engine.scan("t", batch_cells=1)
    next(batches)
    table.engine.close()
    with pytest.raises(Closed):
        next(batches)


def test_a_dropped_and_recreated_table_is_empty() -> None:
    table = make_table()
    put(table, "a")
    table.engine.drop_table("t")
    assert rows(table.engine.create_table("t")) == []


def test_a_renamed_table_keeps_its_cells() -> None:
    table = make_table()
    put(table, "a")
    table.engine.rename_table("t", "u")
    assert table.engine.tables() == ["u"]
    assert rows(table.engine.table("u")) == [b"a"]


def test_a_table_cannot_be_renamed_to_a_taken_name() -> None:
    table = make_table()
    table.engine.create_table("u")
    with pytest.raises(InvalidName):
        table.engine.rename_table("t", "u")
    assert table.engine.tables() == ["t", "u"]


def test_a_clone_goes_its_own_way() -> None:
    table = make_table()
    put(table, "a")
    clone = table.engine.clone_table("t", "u")
    put(table, "b")
    put(clone, "c")
    assert (rows(table), rows(clone)) == ([b"a", b"b"], [b"a", b"c"])
    assert clone.settings == table.settings


def test_new_settings_change_what_is_read_at_once() -> None:
    table = make_table()
    put(table, "a", "1")
    put(table, "a", "2")
    assert values(table) == [b"2"]
    table.configure(TableSettings(max_versions=None))
    assert values(table) == [b"2", b"1"]


def test_the_time_unit_of_a_table_cannot_change() -> None:
    table = make_table()
    with pytest.raises(InvalidOption, match="time unit 'micros'"):
        table.configure(TableSettings(time_unit="millis"))


def test_a_table_with_markers_becomes_append_only_after_a_full_merge() -> None:
    table = make_table()
    table.delete("a")
    with pytest.raises(InvalidOption, match="holds delete markers"):
        table.configure(TableSettings(append_only=True))
    table.compact()
    table.configure(TableSettings(append_only=True))
    assert table.settings.append_only


@pytest.mark.parametrize(
    "settings",
    [
        TableSettings(scan_stages=[StageSpec("no-such")]),
        TableSettings(merge_stages=[StageSpec("no-such")]),
        TableSettings(scan_stages=[StageSpec("age-off", {"no-such": 1})]),
        TableSettings(merge_stages=[StageSpec("age-off", {"no-such": 1})]),
        TableSettings(scan_stages=[StageSpec("age-off", {"ttl": 1}, 20)]),
        TableSettings(merge_stages=[StageSpec("age-off", {"ttl": 1}, 20)]),
        TableSettings(merge_stages=[StageSpec("limit", {"cells": 1})]),
    ],
)
def test_stages_that_cannot_run_are_refused_with_the_settings(settings: TableSettings) -> None:
    table = make_table()
    with pytest.raises(InvalidOption):
        table.engine.create_table("u", settings)
    with pytest.raises(InvalidOption):
        table.configure(settings)


def test_splits_are_kept_sorted_and_distinct() -> None:
    table = make_table(TableSettings(splits=[b"m"]))
    table.engine.add_splits("t", [b"z", b"a", b"m"])
    assert table.engine.splits("t") == [b"a", b"m", b"z"]


def test_stats_count_what_is_stored() -> None:
    table = make_table(TableSettings(max_versions=None))
    table.write(Mutations().put("ab", "c", "d", "ef", visibility="G"))
    table.delete("ab")
    stats = table.engine.stats("t")
    assert (stats.cells, stats.delete_markers, stats.size_bytes, stats.runs) == (2, 1, 9, 2)
    assert stats.newest == 1001


def test_handles_of_one_table_are_equal() -> None:
    table = make_table()
    assert table == table.engine.table("t")
    assert table != make_table()
    assert len({table, table.engine.table("t")}) == 1
    assert repr(table) == "Table('t', MemoryEngine(1 tables))"


def test_a_handle_reads_text_rows_columns_ranges_and_stages() -> None:
    table: Table = make_table()
    table.write(Mutations().put("a", "f", "q", "1").put("b", "f", "r", "2").put("c", "g", "q", "3"))
    assert rows(table, rows="a") == [b"a"]
    assert rows(table, rows=["c", b"a"]) == [b"a", b"c"]
    assert rows(table, rows=[]) == []
    assert rows(table, ranges=[Range.rows(b"b")]) == [b"b", b"c"]
    assert rows(table, columns=["f"]) == [b"a", b"b"]
    assert rows(table, columns=[("f", "q"), "g"]) == [b"a", b"c"]
    assert rows(table, stages=[("grep", {"term": "2"})]) == [b"b"]
    assert rows(table, stages=[StageSpec("limit", {"cells": 2})]) == [b"a", b"b"]
    assert [cell.value for cell in table.row("b")] == [b"2"]
    with pytest.raises(InvalidOption, match="a stage is a name"):
        table.scan(stages=[5])  # type: ignore[list-item]


def test_settings_that_mean_nothing_in_memory_are_noted(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", logger="lexigraph.store")
    engine = MemoryEngine()
    engine.create_table("plain")
    assert caplog.messages == []
    engine.create_table("t", TableSettings(bloom="row", locality_groups={"a": [b"f"]}))
    assert caplog.messages == [
        "table t: engine memory keeps bloom, locality_groups but cannot use it"
    ]
