from __future__ import annotations

import logging
from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexigraph.errors import InvalidOption, UsageError
from lexigraph.store import (
    Cell,
    CellBatch,
    ManualClock,
    MemoryEngine,
    Mutations,
    Range,
    StageCount,
    StageSpec,
    Table,
    TableSettings,
)
from lexigraph.store.stages.base import Families, Stage
from lexigraph.store.stages.registry import register_stage
from tests.unit.store.engines import EVERY_VERSION, clock_of, everything, make_table, put, rows
from tests.unit.store.strategies import cells


@register_stage
class Witness(Stage):
    """Passes everything on and remembers what it was told."""

    name = "probe"
    combines = True
    default_priority = 5
    seen: list[tuple[str, bool, int]] = []

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        Witness.seen.append((self.context.scope.value, self.context.combine, self.context.now))
        yield from self.source.scan(range, families)


def compact(table: Table, first: int, last: int) -> tuple[str, bool, int]:
    assert isinstance(table.engine, MemoryEngine)
    table.engine.compact("t", runs=(first, last))
    return Witness.seen[-1]


def witnessed(writes: list[Mutations], *, append_only: bool = False) -> Table:
    settings = TableSettings(
        max_versions=None, merge_stages=[StageSpec("probe")], append_only=append_only
    )
    table = make_table(settings)
    for write in writes:
        table.write(write)
    return table


@given(
    st.lists(st.lists(cells, min_size=1, max_size=3), min_size=1, max_size=4),
    st.sampled_from([1, 2, None]),
    st.data(),
)
def test_no_merge_of_any_runs_changes_what_is_read(
    listed: list[list[Cell]], max_versions: int | None, data: st.DataObject
) -> None:
    engine = MemoryEngine(clock=ManualClock(5), join_runs=False)
    table = engine.create_table("t", TableSettings(max_versions=max_versions))
    for group in listed:
        table.write(CellBatch.from_cells(group))
    before = everything(table)
    spans = list(combinations(range(len(listed) + 1), 2))
    first, last = data.draw(st.sampled_from(spans))
    engine.compact("t", runs=(first, last))
    assert everything(table) == before
    table.compact()
    assert everything(table) == before


def test_a_merge_takes_exactly_the_runs_it_is_told() -> None:
    table = make_table(EVERY_VERSION)
    for row in "abcd":
        put(table, row)
    assert isinstance(table.engine, MemoryEngine)
    report = table.engine.compact("t", runs=(1, 3))
    assert (report.runs, report.full, table.engine.stats("t").runs) == (2, False, 3)


@pytest.mark.parametrize("runs", [(0, 3), (1, 1), (2, 1), (-1, 1)])
def test_runs_that_are_not_there_are_refused(runs: tuple[int, int]) -> None:
    table = make_table()
    put(table, "a")
    put(table, "b")
    assert isinstance(table.engine, MemoryEngine)
    with pytest.raises(InvalidOption):
        table.engine.compact("t", runs=runs)


def test_a_partial_merge_keeps_the_marker_and_a_full_one_drops_it() -> None:
    table = make_table(EVERY_VERSION)
    put(table, "a")
    put(table, "b")
    table.delete("b")
    assert isinstance(table.engine, MemoryEngine)
    table.engine.compact("t", runs=(1, 3))
    assert table.engine.stats("t").delete_markers == 1
    table.compact()
    stats = table.engine.stats("t")
    assert (stats.delete_markers, stats.cells) == (0, 1)


def test_an_empty_table_can_be_merged() -> None:
    report = make_table().compact()
    assert (report.full, report.runs, report.cells_in, report.cells_out) == (True, 0, 0, 0)


def test_a_merge_that_leaves_nothing_leaves_no_run() -> None:
    table = make_table()
    put(table, "a")
    table.delete("a")
    table.compact()
    assert table.engine.stats("t").runs == 0


TIMED = Mutations().put("a", timestamp=5)


def test_a_full_merge_combines() -> None:
    assert compact(witnessed([TIMED, TIMED]), 0, 2)[:2] == ("full", True)


def test_a_partial_merge_combines_where_the_engine_gave_every_time() -> None:
    untimed = Mutations().put("a")
    assert compact(witnessed([untimed, untimed]), 0, 1)[:2] == ("merge", True)


def test_a_partial_merge_does_not_combine_once_a_writer_gave_a_time() -> None:
    table = witnessed([Mutations().put("a"), TIMED, Mutations().put("b")])
    assert compact(table, 2, 3)[:2] == ("merge", False)
    table.compact()
    table.write(Mutations().put("c"))
    assert compact(table, 1, 2)[:2] == ("merge", False)


def test_an_import_gives_times_too() -> None:
    table = witnessed([Mutations().put("a")])
    table.engine.import_sorted("t", [CellBatch.from_cells([Cell(b"b", timestamp=1)])])
    assert compact(table, 0, 1)[:2] == ("merge", False)


def test_a_clone_remembers_that_a_writer_gave_a_time() -> None:
    table = witnessed([Mutations().put("a"), TIMED])
    table.engine.clone_table("t", "u")
    table.engine.drop_table("t")
    table.engine.rename_table("u", "t")
    assert compact(table, 0, 1)[:2] == ("merge", False)


def test_an_append_only_table_combines_in_every_merge() -> None:
    assert compact(witnessed([TIMED, TIMED], append_only=True), 0, 1)[:2] == ("merge", True)


def test_a_merge_has_the_clocks_time_in_the_tables_unit() -> None:
    for unit, now in (("micros", 1000), ("millis", 1), ("logical", 1)):
        settings = TableSettings(merge_stages=[StageSpec("probe")], time_unit=unit)
        table = make_table(settings)
        put(table, "a")
        table.compact()
        assert Witness.seen[-1] == ("full", True, now)


def ageing(**options: int) -> Table:
    settings = TableSettings(
        max_versions=None, merge_stages=[StageSpec("age-off", {"ttl": 10}, 10)], **options
    )
    table = make_table(settings)
    table.write(Mutations().put("a").put("old", timestamp=5))
    return table


def test_a_merge_counts_and_logs_what_its_stages_removed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    table = ageing()
    with caplog.at_level(logging.INFO, "lexigraph.store"):
        report = table.compact()
    assert report.stages == (StageCount("age-off", 2, 1),)
    assert (report.cells_in, report.cells_out, report.now) == (2, 1, 1000)
    assert str(report) == "full merge of 1 runs of table 't': 2 cells in, 1 out"
    assert "stage age-off permanently removed 1 of 2 cells" in caplog.text
    assert rows(table) == [b"a"]


def test_hidden_cells_are_counted_before_the_stages() -> None:
    table = make_table(TableSettings(max_versions=1))
    for value in ("1", "2"):
        put(table, "a", value)
    put(table, "b")
    table.delete("b")
    report = table.compact()
    assert (report.cells_in, report.cells_out) == (4, 1)
    assert report.stages == (StageCount("versions", 2, 1),)


def test_a_merge_that_removes_is_refused_with_a_clock_before_the_newest_commit() -> None:
    table = ageing()
    clock_of(table).advance(-1_000_001)
    with pytest.raises(UsageError, match="older than the newest commit, 1000"):
        table.compact()
    with pytest.raises(UsageError):
        table.compact(now=999)
    assert table.engine.stats("t").cells == 2


def test_commits_within_one_tick_of_the_clock_do_not_make_it_look_wrong() -> None:
    table = ageing()
    for _ in range(3):
        put(table, "b")
    assert table.compact().now == 1003


def test_a_merge_that_removes_is_refused_with_a_clock_too_far_ahead() -> None:
    table = ageing(max_clock_jump=50)
    with pytest.raises(UsageError, match="max_clock_jump is 50"):
        table.compact(now=1051)
    assert table.engine.stats("t").cells == 2
    assert table.compact(now=1050).cells_out == 0


def test_a_merge_that_only_keeps_versions_needs_no_clock() -> None:
    table = make_table(TableSettings(max_clock_jump=1))
    put(table, "a")
    clock_of(table).advance(-500)
    assert table.compact().cells_out == 1


def test_stages_of_accumulo_combine_whatever_the_merge() -> None:
    settings = TableSettings(
        max_versions=None, merge_stages=[StageSpec("sum", {"encoding": "text", "columns": None})]
    )
    table = make_table(settings)
    for timestamp in (1, 2, 3):
        put(table, "a", str(timestamp), timestamp)
    assert isinstance(table.engine, MemoryEngine)
    table.engine.compact("t", runs=(0, 2))
    assert [(c.timestamp, c.value) for c in everything(table)] == [(3, b"3"), (2, b"3")]
