from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexigraph.cells.cell import order
from lexigraph.errors import Closed, InvalidOption, InvalidValue, NotGranted, UsageError
from lexigraph.security import ALL
from lexigraph.store import (
    MAX_TIMESTAMP,
    Capabilities,
    Cell,
    CellBatch,
    Key,
    ManualClock,
    MemoryEngine,
    Mutations,
    Range,
    Resume,
    ScanSpec,
    StageSpec,
    Table,
    TableSettings,
)
from lexigraph.store.stages.base import Families, Stage
from lexigraph.store.stages.registry import register_stage
from tests.unit.store.engines import (
    EVERY_VERSION,
    clock_of,
    everything,
    make_table,
    put,
    rows,
    values,
)
from tests.unit.store.strategies import cells, parts, ranges


def test_a_marker_hides_a_put_of_its_own_time_whichever_came_first() -> None:
    for order_of_writing in ((True, False), (False, True)):
        table = make_table()
        for deletes in order_of_writing:
            write = Mutations().delete if deletes else Mutations().put
            table.write(write("a", timestamp=5))
        assert rows(table) == []


def test_a_marker_hides_older_cells_written_after_it_and_no_newer_ones() -> None:
    table = make_table(EVERY_VERSION)
    table.delete("a", timestamp=5)
    for timestamp in (4, 6):
        put(table, "a", str(timestamp), timestamp)
    assert values(table) == [b"6"]


def test_a_marker_hides_its_own_label_only() -> None:
    table = make_table()
    table.write(Mutations().put("a", visibility="A", value="1").put("a", value="2"))
    table.delete("a")
    assert values(table, authorizations=["A"]) == [b"1"]


def test_deleting_and_putting_in_one_batch_leaves_nothing() -> None:
    table = make_table()
    table.write(Mutations().delete("a").put("a"))
    assert rows(table) == []


def test_a_marker_of_the_largest_time_hides_from_every_range() -> None:
    table = make_table()
    put(table, "a")
    table.delete("a", timestamp=MAX_TIMESTAMP)
    assert rows(table) == rows(table, rows="a") == []


def test_labels_are_checked_against_the_scans_authorizations() -> None:
    table = make_table()
    labels = ["", "A", "A&B", "A|B"]
    for label in labels:
        table.put(label, visibility=label)
    assert rows(table) == [b""]
    assert rows(table, authorizations=["A"]) == [b"", b"A", b"A|B"]
    assert rows(table, authorizations=ALL) == [b"", b"A", b"A&B", b"A|B"]


def test_a_default_label_stands_in_for_none() -> None:
    table = make_table(TableSettings(default_visibility=b"A"))
    put(table, "a")
    assert rows(table) == []
    assert rows(table, authorizations=["A"]) == [b"a"]


ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("asked", [b"", b"B", b"A|B"])
def test_a_scan_cannot_do_away_with_the_default_label_of_its_table(asked: bytes) -> None:
    table = make_table(TableSettings(default_visibility=b"A"))
    put(table, "a")
    spec = ScanSpec(default_visibility=asked, authorizations=["B"])
    assert list(table.engine.scan("t", spec)) == []


def test_a_scan_cannot_replace_the_plan_that_a_tables_stage_reads_by() -> None:
    plan = json.loads((ROOT / "spec/plans/web-hits.json").read_text())
    table = make_table(TableSettings(plans={"p": plan}, max_versions=None))
    other = {**plan, "groups": {}}
    with pytest.raises(InvalidOption, match="another key plan 'p'"):
        table.engine.scan("t", ScanSpec(plans={"p": other}))


def test_scans_beyond_the_grants_are_refused_before_they_start() -> None:
    table = make_table(grants=["A"])
    table.scan(authorizations=["A"])
    for asked in (["A", "B"], ALL):
        with pytest.raises(NotGranted):
            table.scan(authorizations=asked)


def test_a_result_is_fixed_when_its_iteration_starts() -> None:
    table = make_table()
    put(table, "a")
    batches = table.engine.scan("t", batch_cells=1)
    put(table, "b")
    first = next(batches)
    put(table, "c")
    assert [cell.row for batch in (first, *batches) for cell in batch] == [b"a", b"b"]


def test_a_snapshot_reads_the_same_after_writes_merges_and_drops() -> None:
    table = make_table()
    put(table, "a", "1")
    snapshot = table.engine.snapshot()
    put(table, "a", "2")
    table.compact()
    assert (values(table), values(table, snapshot=snapshot)) == ([b"2"], [b"1"])
    table.engine.drop_table("t")
    assert values(table, snapshot=snapshot) == [b"1"]
    assert snapshot.timestamp == 1000


def test_a_closed_or_foreign_snapshot_is_refused() -> None:
    table, other = make_table(), make_table()
    with table.engine.snapshot() as snapshot:
        pass
    with pytest.raises(Closed):
        table.scan(snapshot=snapshot)
    with pytest.raises(UsageError, match="not a snapshot of this engine"):
        table.scan(snapshot=other.engine.snapshot())


def test_no_range_gives_nothing_and_ranges_that_overlap_give_each_cell_once() -> None:
    table = make_table()
    table.write(Mutations().put("a").put("b").put("c"))
    assert rows(table, ranges=[]) == []
    overlapping = [Range.rows(b"b", b"c"), Range.rows(b"a", b"b"), Range.row(b"b")]
    assert rows(table, ranges=overlapping) == [b"a", b"b", b"c"]


def test_a_limit_counts_over_all_ranges() -> None:
    table = make_table()
    table.write(Mutations().put("a").put("b").put("c").put("d"))
    two = [Range.row(b"d"), Range.rows(b"a", b"b")]
    assert rows(table, ranges=two, stages=[("limit", {"cells": 2})]) == [b"a", b"b"]
    assert rows(table, ranges=two, stages=[("limit", {"cells": 9})]) == [b"a", b"b", b"d"]


def test_a_grouping_stage_cannot_stand_above_a_limit() -> None:
    table = make_table()
    stages = [StageSpec("limit", {"cells": 1}, 10), StageSpec("sum", {"encoding": "text"}, 11)]
    with pytest.raises(InvalidOption, match="cannot run after 'limit'"):
        table.scan(stages=stages)


def test_a_mistake_in_a_stage_is_told_before_iteration() -> None:
    table = make_table()
    for stages in ([("no-such", {})], [("age-off", {"no-such": 1})]):
        with pytest.raises(InvalidOption):
            table.scan(stages=stages)
    with pytest.raises(InvalidOption, match="both have priority 20"):
        table.scan(stages=[StageSpec("age-off", {"ttl": 1}, 20)])


def test_the_clock_of_a_scan_is_the_engines_unless_given() -> None:
    table = make_table()
    put(table, "a")
    stages = [("age-off", {"ttl": 100})]
    clock_of(table).advance(100)
    assert rows(table, stages=stages) == [b"a"]
    clock_of(table).advance(1)
    assert rows(table, stages=stages) == []
    assert rows(table, stages=stages, now=1000) == [b"a"]


@pytest.mark.parametrize("batch_cells", [0, -1])
def test_a_batch_holds_at_least_one_cell(batch_cells: int) -> None:
    with pytest.raises(InvalidValue):
        make_table().engine.scan("t", batch_cells=batch_cells)


def _filled(listed: list[list[Cell]], cut_every: int | None = None) -> Table:
    engine = MemoryEngine(clock=ManualClock(5), join_runs=False, cut_every=cut_every)
    table = engine.create_table("t", TableSettings(max_versions=None))
    for group in listed:
        table.write(CellBatch.from_cells(group))
    return table


def _expected(listed: list[list[Cell]], wanted: list[Range], family: bytes | None) -> list[Cell]:
    """The model in three lines: sort, hide, pick. The later written of equals comes first."""
    latest_first = [cell for group in reversed(listed) for cell in reversed(group)]
    merged = sorted(latest_first, key=order)
    markers = [cell for cell in merged if cell.deleted]
    return [
        cell
        for cell in merged
        if not cell.deleted
        and not any(m.column == cell.column and m.timestamp >= cell.timestamp for m in markers)
        and any(item.contains(cell) for item in wanted)
        and family in (None, cell.family)
        and cell.visibility == b""
    ]


@given(
    st.lists(st.lists(cells, max_size=4), max_size=4),
    st.lists(ranges(), max_size=3),
    st.none() | parts,
    st.sampled_from([None, 1, 2, 3]),
    st.sampled_from([1, 2, 100]),
)
def test_a_scan_gives_what_the_model_gives_however_it_is_cut(
    listed: list[list[Cell]],
    wanted: list[Range],
    family: bytes | None,
    cut_every: int | None,
    batch_cells: int,
) -> None:
    table = _filled(listed, cut_every)
    spec = ScanSpec(ranges=wanted, columns=[] if family is None else [(family, None)])
    found = table.engine.scan("t", spec, batch_cells=batch_cells)
    assert [cell for batch in found for cell in batch] == _expected(listed, wanted, family)


@given(st.lists(cells, max_size=8), st.integers(0, 8))
def test_a_scan_resumed_behind_any_cell_gives_the_rest(listed: list[Cell], cut: int) -> None:
    table = _filled([listed])
    whole = list(table.scan())
    if not whole:
        return
    cut = min(cut, len(whole) - 1)
    key = whole[cut].key
    seen = sum(cell.key == key for cell in whole[: cut + 1])
    spec = ScanSpec(after=Resume(key, seen))
    rest = [cell for batch in table.engine.scan("t", spec) for cell in batch]
    assert rest == whole[cut + 1 :]


@pytest.mark.parametrize("cut_every", [1, 2, 3])
def test_a_limit_is_a_limit_however_the_scan_is_cut(cut_every: int) -> None:
    table = make_table(EVERY_VERSION, cut_every=cut_every)
    for _ in range(3):
        table.write(Mutations().put("a", timestamp=1).put("b", timestamp=1))
    stages = [("limit", {"cells": 4})]
    assert rows(table, stages=stages) == [b"a", b"a", b"a", b"b"]


def test_resuming_at_a_key_between_cells_starts_behind_it() -> None:
    table = make_table()
    table.write(Mutations().put("a").put("c"))
    spec = ScanSpec(after=Resume(Key(b"b"), 1))
    assert [cell.row for batch in table.engine.scan("t", spec) for cell in batch] == [b"c"]


def test_cut_every_must_be_positive() -> None:
    with pytest.raises(InvalidOption):
        MemoryEngine(cut_every=0)


def test_a_users_own_stage_runs_in_the_engine() -> None:
    @register_stage
    class Shout(Stage):
        name = "loudly"

        def scan(self, range: Range, families: Families) -> Iterator[Cell]:
            for cell in self.source.scan(range, families):
                yield cell._replace(value=cell.value.upper())

    table = make_table()
    put(table, "a", "hey")
    assert values(table, stages=["loudly"]) == [b"HEY"]


class _Narrow(MemoryEngine):
    @property
    def capabilities(self) -> Capabilities:
        return Capabilities("narrow", stages=frozenset({"versions", "age-off"}))


def test_once_a_stage_runs_in_the_client_all_above_it_do() -> None:
    engine = _Narrow()
    engine.create_table("t")
    spec = ScanSpec(
        stages=[
            StageSpec("grep", {"term": "a"}, 30),
            StageSpec("age-off", {"ttl": 1}, 40),
            StageSpec("age-off", {"ttl": 1}, 10),
        ]
    )
    assert list(map(str, engine.placement("t", spec))) == [
        "10: age-off (engine)",
        "20: versions (engine)",
        "30: grep (client)",
        "40: age-off (client)",
    ]


def test_the_memory_engine_runs_every_stage_itself() -> None:
    table = make_table()
    spec = ScanSpec(stages=[StageSpec("grep", {"term": "a"})])
    assert all(placement.in_engine for placement in table.engine.placement("t", spec))


def test_everything_is_read_as_the_owner() -> None:
    table = make_table()
    table.put("a", visibility="A")
    assert [cell.row for cell in everything(table)] == [b"a"]
