"""Time: units, clocks that stand still or jump back, and what a combining table refuses.

Layer ``testing``.
"""

from __future__ import annotations

from lexigraph.store import Engine, ManualClock, Mutations, ScanSpec, Table, TableSettings
from lexigraph.testing.store.base import START, StoreTests, read, rows, stage, times, values


class Times(StoreTests):
    """Clocks and time units."""

    def test_a_commit_has_the_clocks_time(self, table: Table, clock: ManualClock) -> None:
        """In microseconds."""
        clock.advance(77)
        assert table.put("r") == START + 77

    def test_a_clock_that_jumps_back_makes_no_commit_older(
        self, table: Table, clock: ManualClock
    ) -> None:
        """Commits go on one by one until the clock has caught up."""
        first = table.put("r", value="1")
        clock.advance(-500)
        second = table.put("r", value="2")
        clock.advance(1000)
        third = table.put("r", value="3")
        assert [second - first, third - first] == [1, 500]
        assert values(read(table)) == ["3"]

    def test_a_delete_after_a_jump_back_still_hides(self, table: Table, clock: ManualClock) -> None:
        """And a put after it is still visible."""
        table.put("r", value="1")
        clock.advance(-1000)
        table.delete("r")
        assert read(table) == []
        clock.advance(-1000)
        table.put("r", value="2")
        assert values(read(table)) == ["2"]

    def test_a_clients_timestamp_does_not_move_the_clock(self, table: Table) -> None:
        """However far ahead it is."""
        table.put("a", timestamp=2**62)
        assert table.put("b") == START + 1

    def test_millis_are_rounded_down_and_only_move_forward(
        self, engine: Engine, clock: ManualClock
    ) -> None:
        """No two commits share one, so a put behind a delete is never hidden by it."""
        settings = TableSettings(max_versions=None, time_unit="millis")
        table = engine.create_table("t", settings)
        clock.advance(999)
        table.put("a")
        clock.advance(1)
        table.put("b")
        clock.advance(-5000)
        table.put("c")
        assert times(read(table)) == [START // 1000 + step for step in range(3)]

    def test_logical_time_counts_the_commits_of_a_table(self, engine: Engine) -> None:
        """One step for each, whatever the clock says; all cells of a commit share it."""
        settings = TableSettings(max_versions=None, time_unit="logical")
        table, other = (engine.create_table(name, settings) for name in ("t", "other"))
        table.write(Mutations().put("a").put("b"))
        other.put("x")
        engine.write({"t": Mutations().put("c"), "other": Mutations().put("y")})
        table.put("d")
        assert times(read(table)) == [1, 1, 2, 3]
        assert times(read(other)) == [1, 2]

    def test_tables_of_different_units_take_part_in_one_commit(self, engine: Engine) -> None:
        """Each in its own unit."""
        units = ("micros", "millis", "logical")
        for unit in units:
            engine.create_table(unit, TableSettings(time_unit=unit))
        commit = engine.write({unit: Mutations().put("r") for unit in units})
        found = [times(read(engine.table(unit))) for unit in units]
        assert found == [[commit], [commit // 1000], [1]]

    def test_now_of_a_scan_is_in_the_tables_unit(self, engine: Engine, clock: ManualClock) -> None:
        """Also when the engine's clock gives it."""
        clock.advance(5_000_000 - START)
        table = engine.create_table("t", TableSettings(max_versions=None, time_unit="millis"))
        table.put("old", timestamp=4980)
        table.put("new", timestamp=4995)
        young = ScanSpec(stages=[stage("age-off", ttl=10)])
        assert rows(read(table, young)) == [b"new"]

    def test_a_reader_is_never_before_the_last_commit(
        self, engine: Engine, clock: ManualClock, raw: Table
    ) -> None:
        """A clock that jumped back makes no cell too old or too young."""
        raw.put("r")
        clock.advance(-500)
        spec = ScanSpec(stages=[stage("age-off", ttl=-1)])
        assert read(raw, spec) == []
