"""Snapshots: what all tables held at one moment, for any number of scans.

Layer ``testing``.
"""

from __future__ import annotations

import pytest

from lexigraph.errors import Closed, TableNotFound, UsageError
from lexigraph.store import Engine, Mutations, Table, TableSettings
from lexigraph.testing.marks import needs
from lexigraph.testing.store.base import StoreTests, read, rows, values


@needs("snapshots")
class Snapshots(StoreTests):
    """Snapshots."""

    def test_a_snapshot_keeps_what_was_there(self, engine: Engine, table: Table) -> None:
        """Through puts and deletes that come later."""
        table.put("a", value="1")
        with engine.snapshot() as snapshot:
            table.put("a", value="2")
            table.put("b")
            table.delete("a")
            assert values(read(table, snapshot=snapshot)) == ["1"]
        assert rows(read(table)) == [b"b"]

    def test_a_snapshot_reads_the_same_any_number_of_times(
        self, engine: Engine, table: Table
    ) -> None:
        """With writes in between."""
        table.put("a")
        snapshot = engine.snapshot()
        first = read(table, snapshot=snapshot)
        table.put("b")
        assert read(table, snapshot=snapshot) == first

    def test_a_snapshot_holds_all_tables_of_one_moment(self, engine: Engine, table: Table) -> None:
        """Tables written in one commit are both there, or neither."""
        other = engine.create_table("other")
        before = engine.snapshot()
        engine.write({"plain": Mutations().put("a"), "other": Mutations().put("b")})
        after = engine.snapshot()
        assert read(table, snapshot=before) == read(other, snapshot=before) == []
        assert rows(read(table, snapshot=after)) == [b"a"]
        assert rows(read(other, snapshot=after)) == [b"b"]

    def test_a_merge_changes_no_snapshot(self, engine: Engine, raw: Table) -> None:
        """What a merge drops stays for those who still read it."""
        raw.put("a", value="1")
        snapshot = engine.snapshot()
        raw.delete("a")
        raw.compact()
        assert values(read(raw, snapshot=snapshot)) == ["1"]

    def test_a_dropped_table_is_still_read_by_a_snapshot(
        self, engine: Engine, table: Table
    ) -> None:
        """But by nobody else."""
        table.put("a")
        snapshot = engine.snapshot()
        engine.drop_table("plain")
        assert rows(read(table, snapshot=snapshot)) == [b"a"]
        with pytest.raises(TableNotFound):
            read(table)

    def test_a_snapshot_knows_no_later_table(self, engine: Engine) -> None:
        """Not even by name."""
        snapshot = engine.snapshot()
        table = engine.create_table("later")
        with pytest.raises(TableNotFound):
            read(table, snapshot=snapshot)

    def test_a_snapshot_keeps_the_names_of_its_moment(self, engine: Engine, table: Table) -> None:
        """A renamed table has its old name there."""
        table.put("a")
        snapshot = engine.snapshot()
        engine.rename_table("plain", "new")
        assert rows(read(table, snapshot=snapshot)) == [b"a"]

    def test_a_snapshot_keeps_the_settings_of_its_moment(
        self, engine: Engine, table: Table
    ) -> None:
        """A scan runs the stages that were there."""
        table.put("a", value="1")
        table.put("a", value="2")
        snapshot = engine.snapshot()
        engine.configure_table("plain", TableSettings(max_versions=None))
        assert values(read(table, snapshot=snapshot)) == ["2"]

    def test_a_snapshot_tells_its_newest_commit(self, engine: Engine, table: Table) -> None:
        """None before the first."""
        empty = engine.snapshot()
        commit = table.put("a")
        later = engine.snapshot()
        table.put("b")
        assert (empty.timestamp, later.timestamp) == (None, commit)

    def test_a_closed_snapshot_cannot_be_read(self, engine: Engine, table: Table) -> None:
        """Closing it twice is fine."""
        snapshot = engine.snapshot()
        snapshot.close()
        snapshot.close()
        with pytest.raises(Closed):
            read(table, snapshot=snapshot)

    def test_a_snapshot_of_another_engine_is_refused(self, engine: Engine, table: Table) -> None:
        """It would be read as something it is not."""
        with self.backend.make() as other, other.snapshot() as foreign, pytest.raises(UsageError):
            read(table, snapshot=foreign)
