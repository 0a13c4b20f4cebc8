"""How many versions of a column a table keeps and a scan gives.

Layer ``testing``.
"""

from __future__ import annotations

import pytest

from lexigraph.store import Engine, Key, Range, ScanSpec, Table, TableSettings
from lexigraph.testing.store.base import StoreTests, read, stage, times


def fill(table: Table) -> None:
    """Write five versions of two columns, in a bad order."""
    for time in (3, 5, 1, 4, 2):
        table.put("r", "f", timestamp=time)
        table.put("r", "g", timestamp=time)


class Versions(StoreTests):
    """Versions."""

    def test_a_table_gives_the_newest_version_by_default(self, table: Table) -> None:
        """The newest by timestamp, not the last written."""
        fill(table)
        assert times(read(table)) == [5, 5]

    @pytest.mark.parametrize(
        ("most", "expected"), [(2, [5, 4]), (9, [5, 4, 3, 2, 1]), (None, [5, 4, 3, 2, 1])]
    )
    def test_a_table_gives_as_many_versions_as_it_says(
        self, engine: Engine, most: int | None, expected: list[int]
    ) -> None:
        """Of each column."""
        table = engine.create_table("some", TableSettings(max_versions=most))
        fill(table)
        assert times(read(table)) == expected * 2

    def test_a_scan_may_ask_for_fewer(self, raw: Table) -> None:
        """By a stage of its own."""
        fill(raw)
        spec = ScanSpec(stages=[stage("versions", max=2)])
        assert times(read(raw, spec)) == [5, 4, 5, 4]

    def test_a_range_that_starts_among_versions_counts_from_the_newest(
        self, engine: Engine
    ) -> None:
        """Otherwise an answer would depend on where a scan starts."""
        table = engine.create_table("two", TableSettings(max_versions=2))
        fill(table)
        item = Range(Key(b"r", b"f", b"", b"", 4), True, Key(b"r", b"g"), False)
        assert times(read(table, ScanSpec(ranges=[item]))) == [4]

    def test_fully_equal_keys_count_as_versions(self, table: Table) -> None:
        """One of them is given, not all."""
        for value in ("1", "2", "3"):
            table.put("r", value=value, timestamp=5)
        assert len(read(table)) == 1

    def test_as_of_below_versions_gives_the_newest_of_that_time(self, raw: Table) -> None:
        """Stages run by ascending priority."""
        fill(raw)
        spec = ScanSpec(stages=[stage("versions", max=1), stage("as-of", timestamp=3)])
        assert times(read(raw, spec)) == [3, 3]

    def test_as_of_above_versions_filters_what_they_left(self, raw: Table) -> None:
        """The other way round the answer is another one."""
        fill(raw)
        stages = [stage("versions", max=1), stage("as-of", priority=30, timestamp=3)]
        assert read(raw, ScanSpec(stages=stages)) == []

    def test_a_merge_keeps_as_many_versions_as_the_table(self, engine: Engine) -> None:
        """For ever, and no reader sees a difference."""
        table = engine.create_table("two", TableSettings(max_versions=2))
        fill(table)
        before = read(table)
        table.compact()
        assert (engine.stats("two").cells, read(table)) == (4, before)

    def test_raising_the_number_shows_what_no_merge_has_removed(
        self, engine: Engine, table: Table
    ) -> None:
        """Settings are read by each scan."""
        fill(table)
        engine.configure_table("plain", TableSettings(max_versions=3))
        assert times(read(table)) == [5, 4, 3] * 2
