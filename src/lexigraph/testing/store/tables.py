"""Tables as things: made, listed, renamed, cloned, dropped, split and set up.

Layer ``testing``.
"""

from __future__ import annotations

import pytest

from lexigraph.errors import InvalidName, InvalidOption, TableNotFound
from lexigraph.store import Engine, Table, TableSettings
from lexigraph.testing.marks import needs
from lexigraph.testing.store.base import SUM, StoreTests, read, rows, stage, times, values

RICH = TableSettings(
    scan_stages=[SUM],
    merge_stages=[SUM],
    max_versions=3,
    time_unit="millis",
    default_visibility=b"A",
    constraints=("key-size",),
    append_only=True,
    max_clock_jump=7,
    durability="sync",
    locality_groups={"one": [b"f", b"\xff"]},
    splits=[b"m", b"\0"],
    bloom="row",
)


class Tables(StoreTests):
    """Tables: names, clones, splits, settings."""

    def test_tables_are_listed_by_name(self, engine: Engine) -> None:
        """Sorted; none at first."""
        assert engine.tables() == []
        for name in ("b", "a", "C"):
            engine.create_table(name)
        assert engine.tables() == ["C", "a", "b"]

    @pytest.mark.parametrize("name", ["", "1a", "a b", "a/b", "é", "a\n", "a" * 201, None, 5])
    def test_a_bad_name_is_refused(self, engine: Engine, name: str) -> None:
        """For creating, renaming and cloning."""
        engine.create_table("good")
        for make in (
            lambda: engine.create_table(name),
            lambda: engine.rename_table("good", name),
            lambda: engine.clone_table("good", name),
        ):
            with pytest.raises(InvalidName):
                make()
        assert engine.tables() == ["good"]

    def test_a_name_that_is_taken_is_refused(self, engine: Engine) -> None:
        """And both tables stay as they are."""
        engine.create_table("a").put("1")
        engine.create_table("b").put("2")
        for make in (
            lambda: engine.create_table("b"),
            lambda: engine.rename_table("a", "b"),
            lambda: engine.clone_table("a", "b"),
            lambda: engine.clone_table("a", "a"),
        ):
            with pytest.raises(InvalidName):
                make()
        assert rows(read(engine.table("a")) + read(engine.table("b"))) == [b"1", b"2"]

    def test_a_missing_table_is_named_with_its_nearest(self, engine: Engine) -> None:
        """The error helps."""
        engine.create_table("people")
        with pytest.raises(TableNotFound, match="people"):
            engine.table("peple")

    def test_a_dropped_table_is_gone(self, engine: Engine, table: Table) -> None:
        """And one of the same name starts empty."""
        table.put("a")
        engine.drop_table("plain")
        assert engine.tables() == []
        with pytest.raises(TableNotFound):
            table.put("a")
        assert read(engine.create_table("plain")) == []

    def test_a_renamed_table_keeps_its_cells_and_settings(self, engine: Engine) -> None:
        """Under the new name alone."""
        engine.create_table("old", RICH).put("r", value="1")
        engine.rename_table("old", "new")
        assert engine.tables() == ["new"]
        assert engine.settings("new") == RICH
        assert values(read(engine.table("new"))) == ["1"]

    def test_a_clone_starts_with_the_same_cells_and_settings(self, engine: Engine) -> None:
        """Deletes and versions too."""
        source = engine.create_table("source", TableSettings(max_versions=2))
        for time in (1, 2, 3):
            source.put("r", timestamp=time)
        source.put("s", timestamp=1)
        source.delete("s", timestamp=1)
        clone = engine.clone_table("source", "clone")
        assert (clone.name, read(clone), clone.settings) == ("clone", read(source), source.settings)

    def test_a_clone_and_its_source_go_their_own_ways(self, engine: Engine, raw: Table) -> None:
        """Puts, deletes, merges and settings of one do not reach the other."""
        raw.put("a", value="1")
        raw.put("a", value="2")
        clone = engine.clone_table("raw", "clone")
        clone.put("b")
        raw.put("c")
        raw.delete("a")
        raw.compact()
        engine.configure_table("clone", TableSettings(max_versions=1))
        assert rows(read(raw)) == [b"c"]
        assert [(c.row, c.value) for c in read(clone)] == [(b"a", b"2"), (b"b", b"")]
        assert raw.settings.max_versions is None

    def test_dropping_the_source_leaves_the_clone(self, engine: Engine, raw: Table) -> None:
        """And the other way round."""
        raw.put("a")
        first, second = (engine.clone_table("raw", name) for name in ("first", "second"))
        engine.drop_table("raw")
        engine.drop_table("second")
        assert rows(read(first)) == [b"a"]
        assert second.name not in engine.tables()

    @needs("splits")
    def test_splits_are_kept_sorted_and_once(self, engine: Engine, table: Table) -> None:
        """Added in any order; no answer changes."""
        table.put("a")
        table.put("z")
        before = read(table)
        engine.add_splits("plain", [b"m", b"c"])
        engine.add_splits("plain", [b"c", b"\0"])
        assert engine.splits("plain") == [b"\0", b"c", b"m"]
        assert read(table) == before

    @needs("splits")
    def test_a_table_can_be_made_with_splits(self, engine: Engine) -> None:
        """And a clone has them too."""
        engine.create_table("t", TableSettings(splits=[b"m", b"c"]))
        engine.clone_table("t", "clone")
        assert engine.splits("t") == engine.splits("clone") == [b"c", b"m"]

    @needs("splits")
    def test_splits_are_part_of_the_settings(self, engine: Engine, table: Table) -> None:
        """One list of them: new settings add to it and take none away."""
        engine.add_splits("plain", [b"m"])
        assert engine.settings("plain").splits == (b"m",)
        engine.configure_table("plain", TableSettings(splits=[b"c"]))
        assert engine.splits("plain") == list(engine.settings("plain").splits) == [b"c", b"m"]

    def test_settings_come_back_as_given(self, engine: Engine) -> None:
        """Every field, also those that the engine cannot use."""
        engine.create_table("t", RICH)
        assert engine.settings("t") == RICH
        assert TableSettings.from_json(RICH.to_json()) == RICH

    def test_new_settings_apply_to_the_next_scan(self, engine: Engine, raw: Table) -> None:
        """To cells that are there already."""
        raw.put("r", value="1")
        raw.put("r", value="2")
        engine.configure_table("raw", TableSettings(max_versions=None, scan_stages=[SUM]))
        assert values(read(raw)) == ["3"]

    def test_the_time_unit_of_a_table_is_fixed(self, engine: Engine, table: Table) -> None:
        """Old timestamps would mean something else."""
        with pytest.raises(InvalidOption):
            engine.configure_table("plain", TableSettings(time_unit="millis"))
        assert engine.settings("plain").time_unit == "micros"

    @pytest.mark.parametrize(
        "settings",
        [
            TableSettings(scan_stages=[stage("versoins")]),
            TableSettings(merge_stages=[stage("sum", encoding="roman")]),
            TableSettings(merge_stages=[stage("limit", cells=3)]),
            TableSettings(scan_stages=[stage("age-off", priority=20, ttl=1)]),
        ],
    )
    def test_settings_with_a_bad_stage_are_refused(
        self, engine: Engine, table: Table, settings: TableSettings
    ) -> None:
        """When they are set, not when the first scan fails."""
        with pytest.raises(InvalidOption):
            engine.create_table("t", settings)
        with pytest.raises(InvalidOption):
            engine.configure_table("plain", settings)
        assert engine.tables() == ["plain"]

    def test_a_handle_reads_what_its_name_means_now(self, engine: Engine) -> None:
        """It holds a name, not a table."""
        handle = engine.create_table("t")
        handle.put("a")
        engine.drop_table("t")
        engine.create_table("t").put("b", timestamp=4)
        assert (rows(read(handle)), times(read(handle))) == ([b"b"], [4])
