"""Transactions: one snapshot, recorded read ranges, one write that depends on them.

Layer ``testing``. What was read must still be so when the write is made; a merge is no change.
"""

from __future__ import annotations

import pytest

from lexigraph.errors import Closed, Conflict, ConstraintError, TableNotFound, UsageError
from lexigraph.store import (
    ConditionalMutation,
    Engine,
    Mutations,
    Range,
    Snapshot,
    Table,
    TableSettings,
)
from lexigraph.testing.marks import needs
from lexigraph.testing.store.base import StoreTests, read, rows, values

READ = Range.row(b"a")


def write_if(engine: Engine, snapshot: Snapshot, *ranges: tuple[str, Range]) -> int:
    """Write a row ``mine`` to the table ``plain`` if the ranges are unchanged."""
    mine = Mutations().put("mine")
    return engine.write({"plain": mine}, if_unchanged=(snapshot, ranges or [("plain", READ)]))


@needs("transactions")
class Transactions(StoreTests):
    """Writes that depend on what was read."""

    def test_a_write_goes_through_when_nothing_changed(self, engine: Engine, table: Table) -> None:
        """And is a commit as any other."""
        table.put("a")
        commit = write_if(engine, engine.snapshot())
        assert {cell.row: cell.timestamp for cell in read(table)}[b"mine"] == commit

    def test_a_change_in_a_range_that_was_read_is_a_conflict(
        self, engine: Engine, table: Table
    ) -> None:
        """Nothing is written; trying again from a new snapshot works."""
        table.put("a")
        snapshot = engine.snapshot()
        table.put("a", value="2")
        with pytest.raises(Conflict) as caught:
            write_if(engine, snapshot)
        assert caught.value.retryable
        assert rows(read(table)) == [b"a"]
        write_if(engine, engine.snapshot())
        assert rows(read(table)) == [b"a", b"mine"]

    def test_a_new_cell_in_an_empty_range_is_a_conflict(self, engine: Engine, table: Table) -> None:
        """Having read nothing is having read something."""
        snapshot = engine.snapshot()
        table.put("a")
        with pytest.raises(Conflict):
            write_if(engine, snapshot)

    def test_a_delete_is_a_change(self, engine: Engine, table: Table) -> None:
        """Also of what was not there."""
        snapshot = engine.snapshot()
        table.delete("a")
        with pytest.raises(Conflict):
            write_if(engine, snapshot)

    def test_a_change_with_an_old_timestamp_is_a_change(self, engine: Engine, table: Table) -> None:
        """When it was written counts, not the time it bears."""
        table.put("a", timestamp=9)
        snapshot = engine.snapshot()
        table.put("a", timestamp=1)
        with pytest.raises(Conflict):
            write_if(engine, snapshot)

    def test_an_import_is_a_change(self, engine: Engine, table: Table) -> None:
        """As any commit."""
        snapshot = engine.snapshot()
        engine.import_sorted("plain", [Mutations().put("a", timestamp=1).batch().cells])
        with pytest.raises(Conflict):
            write_if(engine, snapshot)

    @pytest.mark.parametrize("row", ["", "A", "a\0", "b"])
    def test_a_change_elsewhere_in_the_table_is_no_conflict(
        self, engine: Engine, table: Table, row: str
    ) -> None:
        """Right before and right behind the range."""
        snapshot = engine.snapshot()
        table.put(row)
        write_if(engine, snapshot)
        assert b"mine" in rows(read(table))

    def test_a_change_in_another_table_is_no_conflict(self, engine: Engine, table: Table) -> None:
        """Not even of the same row."""
        other = engine.create_table("other")
        snapshot = engine.snapshot()
        other.put("a")
        write_if(engine, snapshot)
        assert rows(read(table)) == [b"mine"]

    def test_a_change_of_a_clone_is_no_conflict_with_its_source(
        self, engine: Engine, table: Table
    ) -> None:
        """Nor the other way round."""
        clone = engine.clone_table("plain", "clone")
        snapshot = engine.snapshot()
        clone.put("a")
        write_if(engine, snapshot)
        write_if(engine, engine.snapshot(), ("clone", READ))
        assert rows(read(table)) == [b"mine"]

    def test_ranges_of_several_tables_are_all_checked(self, engine: Engine, table: Table) -> None:
        """Any one of them conflicts."""
        other = engine.create_table("other")
        snapshot = engine.snapshot()
        other.put("b")
        with pytest.raises(Conflict):
            write_if(engine, snapshot, ("plain", READ), ("other", Range.row(b"b")))
        assert read(table) == []

    def test_without_ranges_nothing_conflicts(self, engine: Engine, table: Table) -> None:
        """Whatever was written."""
        snapshot = engine.snapshot()
        table.put("a")
        engine.write({"plain": Mutations().put("mine")}, if_unchanged=(snapshot, []))
        assert rows(read(table)) == [b"a", b"mine"]

    def test_a_merge_is_no_change(self, engine: Engine, table: Table) -> None:
        """It alters runs, not answers."""
        table.put("a", value="1")
        table.put("a", value="2")
        snapshot = engine.snapshot()
        table.compact()
        write_if(engine, snapshot)
        assert rows(read(table)) == [b"a", b"mine"]

    def test_a_change_is_still_known_after_a_merge(self, engine: Engine, table: Table) -> None:
        """Also when the merge removed every trace of it."""
        table.put("a")
        snapshot = engine.snapshot()
        table.put("a")
        table.delete("a")
        table.compact()
        with pytest.raises(Conflict):
            write_if(engine, snapshot)

    def test_a_write_conflicts_with_an_earlier_one_of_the_same_snapshot(
        self, engine: Engine, table: Table
    ) -> None:
        """A snapshot does not see its own writer's commits."""
        snapshot = engine.snapshot()
        everything = ("plain", Range())
        write_if(engine, snapshot, everything)
        with pytest.raises(Conflict):
            write_if(engine, snapshot, everything)

    def test_a_table_dropped_and_made_again_is_a_conflict(
        self, engine: Engine, table: Table
    ) -> None:
        """It is another table of the same name."""
        snapshot = engine.snapshot()
        engine.drop_table("plain")
        engine.create_table("plain")
        with pytest.raises(Conflict):
            write_if(engine, snapshot)

    def test_a_table_that_was_read_and_dropped_is_a_conflict(
        self, engine: Engine, table: Table
    ) -> None:
        """What was read is gone."""
        engine.create_table("other")
        snapshot = engine.snapshot()
        engine.drop_table("other")
        with pytest.raises(Conflict):
            write_if(engine, snapshot, ("other", READ))

    def test_a_table_made_since_is_a_conflict(self, engine: Engine, table: Table) -> None:
        """It was not there to be read."""
        snapshot = engine.snapshot()
        engine.create_table("other")
        with pytest.raises(Conflict):
            write_if(engine, snapshot, ("other", READ))

    def test_a_table_that_never_was_is_not_found(self, engine: Engine, table: Table) -> None:
        """That is a mistake, not a conflict."""
        with pytest.raises(TableNotFound):
            write_if(engine, engine.snapshot(), ("gone", READ))

    def test_a_conflict_writes_to_none_of_several_tables(
        self, engine: Engine, table: Table
    ) -> None:
        """The batch is one."""
        other = engine.create_table("other")
        snapshot = engine.snapshot()
        table.put("a")
        both = {"plain": Mutations().put("x"), "other": Mutations().put("y")}
        with pytest.raises(Conflict):
            engine.write(both, if_unchanged=(snapshot, [("plain", READ)]))
        assert (rows(read(table)), read(other)) == ([b"a"], [])

    def test_a_refused_write_is_no_change(self, engine: Engine, table: Table) -> None:
        """Others need not try again because of it."""
        snapshot = engine.snapshot()
        with pytest.raises(ConstraintError):
            table.put("a", visibility="A&")
        write_if(engine, snapshot)
        assert rows(read(table)) == [b"mine"]

    def test_a_conditional_write_that_was_accepted_is_a_change(
        self, engine: Engine, table: Table
    ) -> None:
        """It is a commit too."""
        snapshot = engine.snapshot()
        engine.conditional_write("plain", [ConditionalMutation("a").put()])
        with pytest.raises(Conflict):
            write_if(engine, snapshot)

    def test_a_closed_or_foreign_snapshot_is_refused(self, engine: Engine, table: Table) -> None:
        """Nothing can be said about what happened since."""
        snapshot = engine.snapshot()
        snapshot.close()
        with pytest.raises(Closed):
            write_if(engine, snapshot)
        with self.backend.make() as other, other.snapshot() as foreign, pytest.raises(UsageError):
            write_if(engine, foreign)
        assert read(table) == []

    def test_two_transactions_that_read_what_the_other_writes_do_not_both_commit(
        self, engine: Engine
    ) -> None:
        """Write skew: each reads both rows and changes one."""
        table = engine.create_table("doctors", TableSettings())
        table.write(Mutations().put("ann", value="on call").put("bob", value="on call"))
        ranges = [("doctors", Range())]
        first, second = engine.snapshot(), engine.snapshot()
        engine.write({"doctors": Mutations().put("ann", value="off")}, if_unchanged=(first, ranges))
        with pytest.raises(Conflict):
            engine.write(
                {"doctors": Mutations().put("bob", value="off")}, if_unchanged=(second, ranges)
            )
        assert values(read(table)) == ["off", "on call"]
