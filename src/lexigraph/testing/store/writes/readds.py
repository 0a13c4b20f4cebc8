"""Add, delete, add again, and merge in every order: the answer is that of no merge at all.

Layer ``testing``. All partitions of the sequence of runs, and all orders of merging neighbours,
with the engine's timestamps and with a client's.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import pytest

from lexigraph.store import Cell, CellBatch, Engine, Mutations, Table, TableSettings
from lexigraph.testing.marks import needs
from lexigraph.testing.store.base import KEEP_ALL, StoreTests, read, stage, values
from lexigraph.testing.store.reads.partitions import Merge, merge_orders, merge_runs

# What each commit does to one column: a number is added, None is a delete.
SCRIPT: list[int | None] = [1, 2, None, 4, None, 8]
# Timestamps of a client, so that time and order of writing disagree.
CLIENT_TIMES = [3, 1, 2, 5, 1, 2]

SAFE_SUM = stage("sum", encoding="text", full_merge_only=True)
TOLD_SUM = stage("sum", encoding="text")

SETTINGS = {
    "every version": KEEP_ALL,
    "two versions": TableSettings(max_versions=2),
    "newest version": TableSettings(),
    "sums combined at full merges": TableSettings(
        max_versions=None, scan_stages=[SAFE_SUM], merge_stages=[SAFE_SUM]
    ),
}
ENGINE_TIMED = {
    **SETTINGS,
    "sums combined at every merge": TableSettings(
        max_versions=None, scan_stages=[TOLD_SUM], merge_stages=[TOLD_SUM]
    ),
    "sums below the newest version": TableSettings(scan_stages=[TOLD_SUM], merge_stages=[TOLD_SUM]),
}


def all_orders(runs: int) -> Iterator[list[Merge]]:
    """Yield the partitions, then every order of merging two neighbours until one run is left."""
    yield from merge_orders(runs)
    for gaps in permutations(range(runs - 1)):
        order = []
        for step, gap in enumerate(gaps):
            place = gap - sum(earlier < gap for earlier in gaps[:step])
            order.append((place, place + 2))
        yield order


@needs("partial-merges")
class Readds(StoreTests):
    """Add, delete and add again, with merges in every order."""

    @pytest.mark.parametrize("kind", ENGINE_TIMED)
    def test_merges_change_nothing_with_the_engines_timestamps(
        self, runs: Engine, kind: str
    ) -> None:
        """After each merge of each order."""
        self.check_orders(runs, ENGINE_TIMED[kind], client=False)

    @pytest.mark.parametrize("kind", SETTINGS)
    def test_merges_change_nothing_with_a_clients_timestamps(self, runs: Engine, kind: str) -> None:
        """Where markers and cells lie in time as they like."""
        self.check_orders(runs, SETTINGS[kind], client=True)

    def check_orders(self, runs: Engine, settings: TableSettings, *, client: bool) -> None:
        """Fill one table, clone it for each order of merges and compare after each merge."""
        source = runs.create_table("source", settings)
        fill(source, client=client)
        expected = read(source)
        assert expected
        for number, order in enumerate(all_orders(len(SCRIPT))):
            table = runs.clone_table("source", f"t{number}")
            for first, last in order:
                merge_runs(runs, table.name, first, last)
                assert read(table) == expected, (order, (first, last))
            runs.drop_table(table.name)

    def test_a_partial_merge_keeps_the_marker_for_what_lies_elsewhere(self, runs: Engine) -> None:
        """The put is in an older run that takes no part."""
        table = runs.create_table("t", KEEP_ALL)
        table.put("r", value="old")
        table.delete("r")
        table.put("s", value="other")
        report = merge_runs(runs, "t", 1, 3)
        assert (report.full, values(read(table))) == (False, ["other"])
        assert runs.stats("t").delete_markers == 1

    def test_a_partial_merge_keeps_the_marker_for_what_comes_later(self, runs: Engine) -> None:
        """A client writes a put that is older than the marker."""
        table = runs.create_table("t", KEEP_ALL)
        table.put("q")
        table.put("r", timestamp=1)
        table.delete("r", timestamp=5)
        merge_runs(runs, "t", 1, 3)
        table.put("r", timestamp=4)
        assert [cell.row for cell in read(table)] == [b"q"]

    def test_fully_equal_keys_keep_their_order_in_merges(self, runs: Engine) -> None:
        """The later written stays first."""
        source = runs.create_table("source", KEEP_ALL)
        for value in "123":
            source.write(CellBatch.from_cells([Cell(b"r", timestamp=5, value=value.encode())]))
        for number, order in enumerate(all_orders(3)):
            table = runs.clone_table("source", f"t{number}")
            for first, last in order:
                merge_runs(runs, table.name, first, last)
            assert values(read(table)) == ["3", "2", "1"], order


def fill(table: Table, *, client: bool) -> None:
    """Write the script, a commit for each step."""
    for number, time in zip(SCRIPT, CLIENT_TIMES, strict=True):
        timestamp = time if client else None
        if number is None:
            table.write(Mutations().delete("r", timestamp=timestamp))
        else:
            table.write(Mutations().put("r", value=str(number), timestamp=timestamp))
