"""Bulk loads: much at once, in any order, all of it or nothing.

Layer ``testing``. A load is a write of many batches; what it leaves is what one write would leave.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lexigraph.errors import ConstraintError, InvalidKey, InvalidValue
from lexigraph.store import Cell, CellBatch, Engine, Mutations, Table, TableSettings
from lexigraph.testing.store.base import START, StoreTests, read, rows, times, values


def batch(*found: Cell) -> CellBatch:
    """Return cells as a batch."""
    return CellBatch.from_cells(found)


class Loads(StoreTests):
    """Bulk loads."""

    def test_batches_are_loaded_in_any_order(self, engine: Engine, raw: Table) -> None:
        """Those of cells, of mutations, and an iterator of both."""
        batches = [batch(Cell(b"c", timestamp=1), Cell(b"a", timestamp=2)), Mutations().put("b")]
        report = engine.load("raw", iter(batches))
        assert (report.table, report.cells, report.timestamp) == ("raw", 3, START)
        assert (rows(read(raw)), times(read(raw))) == ([b"a", b"b", b"c"], [2, START, 1])

    def test_one_batch_alone_is_loaded_too(self, engine: Engine, raw: Table) -> None:
        """And none at all."""
        assert engine.load("raw", batch(Cell(b"a", timestamp=1))).cells == 1
        assert engine.load("raw", []).cells == 0
        assert rows(read(raw)) == [b"a"]

    def test_a_load_is_added_to_what_is_there(self, engine: Engine, table: Table) -> None:
        """Newer versions win, markers hide what is older."""
        for row in "abc":
            table.put(row, value="old")
        loaded = [Mutations().put("b", value="new"), Mutations().delete("c").put("d", value="new")]
        engine.load("plain", loaded)
        assert list(zip(rows(read(table)), values(read(table)), strict=True)) == [
            (b"a", "old"),
            (b"b", "new"),
            (b"d", "new"),
        ]

    def test_of_equal_keys_the_later_comes_first(self, engine: Engine, raw: Table) -> None:
        """Within a batch, between batches, and before what was there."""
        cells = [Cell(b"r", timestamp=1, value=str(number).encode()) for number in range(5)]
        engine.load("raw", batch(cells[0]))
        engine.load("raw", [batch(cells[1], cells[2]), batch(cells[3], cells[4])])
        assert values(read(raw)) == ["4", "3", "2", "1", "0"]

    def test_arrow_batches_are_loaded(self, engine: Engine, raw: Table) -> None:
        """A record batch, a table or a stream; a time that is null is the commit's."""
        arrow = pytest.importorskip("pyarrow")
        one = Mutations().put("a").put("b", timestamp=7).batch().to_arrow()
        table = arrow.Table.from_batches([one])
        for loadable in (one, table, [one], iter([one, table]), table.to_reader()):
            engine.load("raw", loadable)
        assert times(read(raw))[6:] == [7] * 6
        assert rows(read(raw)) == [b"a"] * 6 + [b"b"] * 6

    def test_progress_counts_the_cells_that_were_read(self, engine: Engine, raw: Table) -> None:
        """It ends with all of them; what was written is never more."""
        seen: list[tuple[int, int]] = []
        batches = (batch(Cell(bytes([number]), timestamp=1)) for number in range(5))
        engine.load("raw", batches, progress=lambda *counts: seen.append(counts))
        assert [found for found, _ in seen[:5]] == [1, 2, 3, 4, 5]
        assert all(read >= written for read, written in seen)

    def test_progress_that_fails_ends_the_load(self, engine: Engine, raw: Table) -> None:
        """With its own error, and nothing is stored."""

        def stop(*counts: int) -> None:
            raise KeyError(counts)

        with pytest.raises(KeyError):
            engine.load("raw", batch(Cell(b"a", timestamp=1)), progress=stop)
        assert read(raw) == []

    @pytest.mark.parametrize("sorted_already", [False, True])
    def test_more_than_fits_in_its_memory_is_loaded(
        self, engine: Engine, raw: Table, *, sorted_already: bool
    ) -> None:
        """In many parts, to the same end."""
        names = [f"{number:05}".encode() for number in range(3000)]
        given = names if sorted_already else names[::-1]
        batches = (
            batch(*(Cell(n, timestamp=1) for n in given[at : at + 100]))
            for at in range(0, 3000, 100)
        )
        report = engine.load("raw", batches, sorted=sorted_already, memory_limit_bytes=1 << 16)
        assert report.cells == 3000
        assert rows(read(raw)) == names

    def test_cells_out_of_order_refuse_a_sorted_load(self, engine: Engine, raw: Table) -> None:
        """Also between batches; nothing is stored."""
        first, second = batch(Cell(b"b", timestamp=1)), batch(Cell(b"a", timestamp=1))
        with pytest.raises(InvalidKey):
            engine.load("raw", [first, second], sorted=True)
        assert read(raw) == []

    def test_a_load_that_breaks_a_rule_leaves_nothing(self, engine: Engine, table: Table) -> None:
        """Not even the batches before."""
        batches = [Mutations().put("a"), Mutations().put("b", visibility="A&")]
        with pytest.raises(ConstraintError):
            engine.load("plain", batches)
        assert read(table) == []

    def test_a_load_whose_source_fails_leaves_nothing(self, engine: Engine, table: Table) -> None:
        """Its error is the caller's."""

        def failing() -> Iterator[Mutations]:
            yield Mutations().put("a")
            raise KeyError("b")

        with pytest.raises(KeyError):
            engine.load("plain", failing())
        with pytest.raises(InvalidValue):
            engine.load("plain", [Mutations().put("a"), 5])
        assert read(table) == []

    def test_a_load_obeys_the_constraints_of_its_table(self, engine: Engine) -> None:
        """Delete markers too."""
        table = engine.create_table("t", TableSettings(append_only=True))
        with pytest.raises(ConstraintError):
            engine.load("t", Mutations().put("a").delete("b"))
        assert read(table) == []
