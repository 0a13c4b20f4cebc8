"""Writes whose cells are made for the time of their commit.

Layer ``testing``. The time in their bytes is the time that they have.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from lexigraph.errors import Conflict, ConstraintError, InvalidValue, TableNotFound, UsageError
from lexigraph.store import Engine, Mutations, Range, Table
from lexigraph.testing.marks import needs
from lexigraph.testing.store.base import StoreTests, read, rows

NAMES = ("plain",)


def timed_row(timestamp: int) -> dict[str, Mutations]:
    """Return a row that is called like the time of its commit."""
    return {"plain": Mutations().put(f"{timestamp:020}")}


class MadeWrites(StoreTests):
    """Writes by a function of the time of their commit."""

    def test_the_function_gets_the_time_that_the_cells_have(
        self, engine: Engine, table: Table
    ) -> None:
        """And that the write returns; later commits are later."""
        table.put("first")
        commit = engine.write_made(NAMES, timed_row)
        [cell] = [one for one in read(table) if one.row != b"first"]
        assert int(cell.row) == cell.timestamp == commit
        assert engine.write_made(NAMES, timed_row) > commit

    def test_writers_at_once_have_times_of_their_own(self, engine: Engine, table: Table) -> None:
        """None is written with the time of another."""
        with ThreadPoolExecutor(4) as pool:
            commits = list(pool.map(lambda _: engine.write_made(NAMES, timed_row), range(20)))
        assert len(set(commits)) == 20
        cells = read(table)
        assert sorted(commits) == [int(cell.row) for cell in cells]
        assert all(int(cell.row) == cell.timestamp for cell in cells)

    def test_what_the_function_raises_is_raised(self, engine: Engine, table: Table) -> None:
        """Nothing is written, and the next write goes through."""

        def fails(timestamp: int) -> dict[str, Mutations]:
            raise KeyError(timestamp)

        with pytest.raises(KeyError):
            engine.write_made(NAMES, fails)
        engine.write_made(NAMES, timed_row)
        assert len(rows(read(table))) == 1

    def test_a_function_may_write_nothing(self, engine: Engine, table: Table) -> None:
        """Then there is nothing."""
        engine.write_made(NAMES, lambda _: {})
        engine.write_made(NAMES, lambda _: {"plain": Mutations()})
        assert rows(read(table)) == []

    def test_own_times_stay(self, engine: Engine, table: Table) -> None:
        """As in any write."""
        engine.write_made(NAMES, lambda _: {"plain": Mutations().put("a", timestamp=7)})
        assert [cell.timestamp for cell in read(table)] == [7]

    def test_other_tables_and_what_is_no_write_are_refused(
        self, engine: Engine, table: Table
    ) -> None:
        """The tables are named before."""
        engine.create_table("other")
        with pytest.raises(UsageError, match="other"):
            engine.write_made(NAMES, lambda _: {"other": Mutations().put("a")})
        with pytest.raises(TableNotFound, match="absent"):
            engine.write_made(["absent"], lambda _: {})
        with pytest.raises(InvalidValue):
            engine.write_made(NAMES, lambda _: [("plain", Mutations())])  # type: ignore[arg-type,return-value]
        assert rows(read(table)) == []

    def test_constraints_are_checked(self, engine: Engine, table: Table) -> None:
        """As in any write."""
        with pytest.raises(ConstraintError):
            engine.write_made(NAMES, lambda _: {"plain": Mutations().put("a", visibility="(")})
        assert rows(read(table)) == []

    @needs("transactions")
    def test_what_was_read_must_be_unchanged(self, engine: Engine, table: Table) -> None:
        """Otherwise the function is not called."""
        snapshot = engine.snapshot()
        called: list[int] = []

        def make(timestamp: int) -> dict[str, Mutations]:
            called.append(timestamp)
            return timed_row(timestamp)

        engine.write_made(NAMES, make, if_unchanged=(snapshot, [("plain", Range.row(b"a"))]))
        table.put("a")
        with pytest.raises(Conflict):
            engine.write_made(NAMES, make, if_unchanged=(snapshot, [("plain", Range.row(b"a"))]))
        assert len(called) == 1
