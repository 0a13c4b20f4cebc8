"""What was once found by attacking the store, so that it is never found again."""

from __future__ import annotations

from typing import Any

import pytest

from lexigraph.cells.cell import Key
from lexigraph.errors import LexigraphError, UsageError
from lexigraph.store import (
    MAX_TIMESTAMP,
    Condition,
    ConditionalMutation,
    ManualClock,
    MemoryEngine,
    Mutations,
    Outcome,
    Range,
    Resume,
    ScanSpec,
    StageSpec,
    TableSettings,
)
from lexigraph.store.clock import HybridClock


@pytest.mark.parametrize("now", [float("nan"), 2**64, "x", True])
def test_no_strange_time_gets_past_the_guard_of_a_merge_that_removes(now: Any) -> None:
    settings = TableSettings(merge_stages=[("age-off", {"ttl": 10**9})], max_clock_jump=10)
    table = MemoryEngine(clock=ManualClock(10**15)).create_table("t", settings)
    table.put("a")
    with pytest.raises(UsageError):
        table.compact(now=now)
    assert len(list(table.scan())) == 1


def test_a_marker_of_the_largest_timestamp_holds_for_a_resumed_scan_too() -> None:
    table = MemoryEngine().create_table("t", TableSettings(max_versions=None))
    both = Mutations().put("r", "f", "q", "old", timestamp=5)
    table.write(both.put("r", "f", "q", "new", timestamp=MAX_TIMESTAMP))
    first = next(table.scan())
    table.delete("r", "f", "q", timestamp=MAX_TIMESTAMP)
    for seen in (0, 1):
        assert list(table.engine.scan("t", ScanSpec(after=Resume(first.key, seen)))) == []


def test_no_condition_is_about_an_unlabelled_cell_that_the_tables_default_hides() -> None:
    table = MemoryEngine().create_table("t", TableSettings(default_visibility=b"A"))
    table.put("r", "f", "q", "secret")
    absent = ConditionalMutation("r", [Condition("f", "q")]).put("f", "q", "mine")
    outcomes = table.conditional_write([absent], authorizations=["B"])
    assert outcomes == [Outcome.INVISIBLE_VISIBILITY]
    assert [cell.value for cell in table.scan(authorizations=["A"])] == [b"secret"]


def test_nobody_writes_unlabelled_what_the_tables_default_hides_from_them() -> None:
    settings = TableSettings(default_visibility=b"A", constraints=["readable-visibility"])
    engine = MemoryEngine()
    engine.create_table("t", settings)
    with pytest.raises(LexigraphError, match="cannot read"):
        engine.write({"t": Mutations().put("r")}, authorizations=["B"])


def test_no_condition_is_about_an_unparsable_label_not_even_for_the_owner() -> None:
    table = MemoryEngine().create_table("t", TableSettings(constraints=()))
    odd = ConditionalMutation("r", [Condition("f", "q", visibility="A&")]).put("f", "q", "1")
    assert table.conditional_write([odd]) == [Outcome.INVISIBLE_VISIBILITY]


def test_what_a_caller_does_to_settings_leaves_the_table_as_it_is() -> None:
    stage = StageSpec("visibility", {"authorizations": ["A"]})
    table = MemoryEngine().create_table("t", TableSettings(scan_stages=[stage]))
    table.settings.stages("scan")[1].options["authorizations"].append("B")
    assert table.settings.stages("scan")[1].options == {"authorizations": ["A"]}


def test_ranges_that_both_leave_out_a_key_do_not_join_over_it() -> None:
    key = Key(b"b")
    before, behind = Range(end=key, end_inclusive=False), Range(key, False)
    assert Range.merge([before, behind]) == [before, behind]


def test_a_clock_exactly_a_second_behind_counts_as_commits_within_a_tick() -> None:
    clock = ManualClock(2_000_000)
    commits = HybridClock(clock)
    commits.tick()
    clock.advance(-1_000_000)
    assert commits.merging() == 2_000_000
    clock.advance(-1)
    assert commits.merging() == 999_999


def test_options_that_contain_themselves_are_refused() -> None:
    options: dict[str, Any] = {}
    options["again"] = options
    with pytest.raises(UsageError, match="nest"):
        StageSpec("limit", options)


@pytest.mark.parametrize("odd", [10**5000, "x" * 10**6], ids=["huge", "long"])
def test_a_value_that_is_hard_to_print_is_refused_in_few_words(odd: Any) -> None:
    table = MemoryEngine().create_table("t")
    with pytest.raises(LexigraphError) as caught:
        table.put("r", timestamp=odd)
    assert len(str(caught.value)) < 300


def test_a_search_in_one_row_reads_no_other() -> None:
    table = MemoryEngine().create_table("t", TableSettings(scan_stages=[]))
    table.put("a", "white", "d1", "1")
    table.put("b", "house", "d1", "no number")
    stages = [("sum", {"encoding": "text"}), ("intersect", {"terms": ["white", "house"]})]
    assert list(table.scan(rows="a", stages=stages)) == []


def test_no_table_sums_in_merges_alone_what_its_scans_see_one_version_of() -> None:
    settings = TableSettings(merge_stages=[("sum", {"encoding": "text"})])
    with pytest.raises(LexigraphError, match="a merge would change its answer"):
        MemoryEngine().create_table("t", settings)
