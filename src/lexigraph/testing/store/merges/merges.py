"""Merges: their reports, what they may not change, and stages that remove for ever.

Layer ``testing``. A merge that removes counts what it removes and refuses to work with a clock that
cannot be right.
"""

from __future__ import annotations

import logging

import pytest

from lexigraph.errors import InvalidOption, UsageError
from lexigraph.store import (
    Engine,
    Key,
    ManualClock,
    Range,
    ScanSpec,
    StageCount,
    Table,
    TableSettings,
)
from lexigraph.testing.marks import needs
from lexigraph.testing.store.base import START, StoreTests, read, rows, stage, times, values
from lexigraph.testing.store.reads.partitions import merge_runs

AGE = TableSettings(max_versions=None, merge_stages=[stage("age-off", ttl=100)])


class Merges(StoreTests):
    """Merges and their reports."""

    def test_a_merge_changes_no_answer(self, raw: Table) -> None:
        """Puts, versions, labels and deletes over several commits."""
        for number in range(20):
            label = "A" if number % 3 else "B"
            raw.put(f"r{number % 7}", value=str(number), visibility=label)
            raw.delete(f"r{number % 5}", visibility="A")
        before = read(raw)
        raw.compact()
        assert read(raw) == before

    def test_a_report_counts_cells_and_stages(self, engine: Engine) -> None:
        """In and out, for the merge and for each stage."""
        table = engine.create_table("t", TableSettings(max_versions=1))
        for time in (1, 2, 3):
            table.put("r", timestamp=time)
        table.put("s", timestamp=1)
        table.delete("s", timestamp=1)
        report = table.compact()
        assert (report.table, report.full, report.combined) == ("t", True, True)
        assert (report.cells_in, report.cells_out) == (5, 1)
        assert report.stages == (StageCount("versions", 3, 1),)

    def test_a_merged_table_merges_to_itself(self, table: Table) -> None:
        """Nothing is removed twice."""
        table.put("r")
        table.compact()
        report = table.compact()
        assert (report.cells_in, report.cells_out) == (1, 1)

    def test_a_merge_looks_at_no_labels(self, engine: Engine) -> None:
        """Unreadable and malformed ones are stored as before."""
        table = engine.create_table("t", TableSettings(constraints=()))
        table.put("r", value="1", visibility="A")
        table.put("r", value="2", visibility="A&")
        table.compact()
        assert values(read(table)) == ["1", "2"]

    @pytest.mark.parametrize(
        ("rows_of", "merged"),
        [
            (Range.row("b"), "b"),
            (Range.rows("b", "c"), "bc"),
            (Range.rows("b", "c", end_inclusive=False), "b"),
            (Range.rows("b", "c", start_inclusive=False), "c"),
            (Range.rows(None, "b"), "ab"),
            (Range.rows("c", None), "cd"),
            (Range.prefix("b"), "b"),
            (Range.rows("x", "y"), ""),
            (Range(), "abcd"),
        ],
    )
    def test_rows_of_a_range_are_merged_fully_and_no_others(
        self, engine: Engine, rows_of: Range, merged: str
    ) -> None:
        """Right up to its edges: markers and old versions of other rows stay."""
        table = engine.create_table("t", TableSettings(max_versions=1))
        for row in "abcd":
            for family in "fg":
                table.put(row, family, value="1")
                table.put(row, family, value="2")
            table.delete(row, "g")
        before = read(table)
        report = table.compact(range=rows_of)
        assert (report.cells_in, report.cells_out) == (5 * len(merged), len(merged))
        stats = engine.stats("t")
        assert stats.cells == 20 - 4 * len(merged)
        assert stats.delete_markers == 4 - len(merged)
        assert read(table) == before

    @pytest.mark.parametrize(
        "cut", [Range.exact("r", "f"), Range(Key(b"a")), Range(None, True, Key(b"b"), True)]
    )
    def test_a_merge_of_part_of_a_row_is_refused(self, table: Table, cut: Range) -> None:
        """Some versions of a column might be in it and others not."""
        table.put("r")
        with pytest.raises(InvalidOption):
            table.compact(range=cut)

    @needs("partial-merges")
    def test_a_report_says_whether_the_merge_was_full(self, runs: Engine) -> None:
        """All runs, or some."""
        table = runs.create_table("t")
        for row in "abc":
            table.put(row)
        partial = merge_runs(runs, "t", 0, 2)
        assert (partial.full, partial.runs) == (False, 2)
        full = merge_runs(runs, "t", 0, 2)
        assert (full.full, full.runs) == (True, 2)

    @needs("partial-merges")
    @pytest.mark.parametrize("span", [(0, 0), (1, 1), (0, 3), (-1, 1), (2, 1)])
    def test_runs_that_are_not_there_cannot_be_merged(
        self, runs: Engine, span: tuple[int, int]
    ) -> None:
        """Two runs are there."""
        table = runs.create_table("t")
        table.put("a")
        table.put("b")
        with pytest.raises(InvalidOption):
            merge_runs(runs, "t", *span)

    @needs("partial-merges")
    @pytest.mark.parametrize(
        ("client", "append_only", "expected"),
        [(False, False, True), (True, False, False), (True, True, True)],
    )
    def test_a_partial_merge_combines_only_where_no_cell_can_lie_between(
        self, runs: Engine, *, client: bool, append_only: bool, expected: bool
    ) -> None:
        """With the engine's timestamps, or in a table that only grows."""
        table = runs.create_table("t", TableSettings(append_only=append_only))
        for time in (1, 2, 3):
            table.put("r", timestamp=time if client else None)
        assert merge_runs(runs, "t", 1, 3).combined is expected


class Ages(StoreTests):
    """Stages that remove cells permanently, at merge scope."""

    def fill(self, table: Table, clock: ManualClock) -> None:
        """Write one cell, and another 200 microseconds later."""
        table.put("old")
        clock.advance(200)
        table.put("new")

    def test_a_merge_removes_what_is_too_old_and_counts_it(
        self, engine: Engine, clock: ManualClock
    ) -> None:
        """By the engine's clock."""
        table = engine.create_table("t", AGE)
        self.fill(table, clock)
        report = table.compact()
        assert report.stages == (StageCount("age-off", 2, 1),)
        assert (report.now, rows(read(table))) == (START + 200, [b"new"])

    def test_until_a_merge_nothing_is_removed(self, engine: Engine, clock: ManualClock) -> None:
        """The stage has no scan scope here."""
        table = engine.create_table("t", AGE)
        self.fill(table, clock)
        assert rows(read(table)) == [b"new", b"old"]

    def test_the_time_of_a_merge_can_be_given(self, engine: Engine, clock: ManualClock) -> None:
        """It need not be the clock's."""
        table = engine.create_table("t", AGE)
        self.fill(table, clock)
        table.compact(now=START + 301)
        assert read(table) == []

    def test_a_clock_older_than_the_newest_commit_refuses_the_merge(
        self, engine: Engine, clock: ManualClock
    ) -> None:
        """Before it starts; nothing is removed."""
        table = engine.create_table("t", AGE)
        self.fill(table, clock)
        before = read(table)
        with pytest.raises(UsageError):
            table.compact(now=START + 199)
        clock.advance(-2_000_000)
        with pytest.raises(UsageError):
            table.compact()
        assert read(table) == before

    def test_commits_within_one_tick_do_not_make_the_clock_look_wrong(self, engine: Engine) -> None:
        """They run ahead of it by a step each, which is no jump."""
        table = engine.create_table("t", AGE)
        commits = [table.put(row) for row in "abc"]
        assert table.compact().now == commits[-1] == START + 2

    def test_a_clock_too_far_ahead_refuses_the_merge(
        self, engine: Engine, clock: ManualClock
    ) -> None:
        """By more than the table allows; up to that it merges."""
        stages = [stage("age-off", ttl=1000)]
        settings = TableSettings(max_versions=None, merge_stages=stages, max_clock_jump=50)
        table = engine.create_table("t", settings)
        self.fill(table, clock)
        with pytest.raises(UsageError):
            table.compact(now=START + 251)
        assert table.compact(now=START + 250).cells_out == 2

    def test_a_merge_that_only_keeps_versions_takes_any_clock(
        self, engine: Engine, table: Table
    ) -> None:
        """Only stages that remove for other reasons than a newer version need a clock."""
        table.put("r")
        assert table.compact(now=0).cells_out == 1

    def test_what_was_removed_is_logged(
        self, engine: Engine, clock: ManualClock, caplog: pytest.LogCaptureFixture
    ) -> None:
        """By the logger of the store, with numbers and names."""
        table = engine.create_table("precious", AGE)
        self.fill(table, clock)
        with caplog.at_level(logging.INFO, logger="lexigraph.store"):
            table.compact()
        [record] = [entry for entry in caplog.records if entry.name == "lexigraph.store"]
        assert all(word in record.getMessage() for word in ("precious", "age-off", "1 of 2"))

    def test_what_a_stage_passes_over_is_counted_as_removed(
        self, engine: Engine, clock: ManualClock, caplog: pytest.LogCaptureFixture
    ) -> None:
        """Also by a stage that seeks from one result to the next."""
        documents = stage("intersect", terms=["red"])
        settings = TableSettings(max_versions=None, merge_stages=[documents])
        table = engine.create_table("t", settings)
        for term in ("blue", "green", "red"):
            table.put("shard", term, "document")
        clock.advance(10)
        with caplog.at_level(logging.INFO, logger="lexigraph.store"):
            report = table.compact()
        assert (report.cells_in, report.stages) == (3, (StageCount("intersect", 3, 1),))
        assert "2 of 3" in caplog.text

    @needs("partial-merges")
    def test_a_partial_merge_filters_puts_and_keeps_markers(
        self, runs: Engine, clock: ManualClock
    ) -> None:
        """A marker that aged off would bring back what it hides elsewhere."""
        table = runs.create_table("t", AGE)
        table.put("r", timestamp=START - 50)
        table.delete("r", timestamp=START - 50)
        table.put("s", timestamp=START - 50)
        clock.advance(1000)
        table.put("t")
        merge_runs(runs, "t", 1, 4)
        assert runs.stats("t").delete_markers == 1
        assert rows(read(table)) == [b"t"]

    def test_age_at_scan_uses_the_scans_clock(self, raw: Table) -> None:
        """A field of the scan, else the engine's."""
        raw.put("r", timestamp=START - 10)
        raw.put("s", timestamp=START)
        young = [stage("age-off", ttl=5)]
        assert rows(read(raw, ScanSpec(stages=young))) == [b"s"]
        assert times(read(raw, ScanSpec(stages=young, now=START - 5))) == [START - 10, START]
        assert read(raw, ScanSpec(stages=young, now=START + 6)) == []
