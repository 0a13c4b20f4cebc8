"""Writing: forms, commits over several tables, sorted imports, nothing at all.

Layer ``testing``.
"""

from __future__ import annotations

import pytest

from lexigraph.cells.mutations import Writable
from lexigraph.errors import ConstraintError, InvalidKey, LexigraphError, TableNotFound
from lexigraph.store import Cell, CellBatch, Engine, ManualClock, Mutations, Table
from lexigraph.testing.store.base import START, StoreTests, read, rows, times, values

LABEL_OF_NOTHING = "A&"


class Writes(StoreTests):
    """Writes, commits and imports."""

    def test_a_put_is_read_back_whole(self, table: Table) -> None:
        """Every part of it."""
        table.put("r", "f", "q", "v", visibility="A&B", timestamp=7)
        assert read(table) == [Cell(b"r", b"f", b"q", b"A&B", 7, False, b"v")]

    def test_text_is_taken_as_utf8(self, table: Table) -> None:
        """In keys and values."""
        table.put("é", "ü", "日", "ß")
        cell = read(table)[0]
        expected = [text.encode() for text in "éü日ß"]
        assert [cell.row, cell.family, cell.qualifier, cell.value] == expected

    @pytest.mark.parametrize("form", ["mutations", "batch", "cells"])
    def test_each_form_of_a_write_gives_the_same_cells(self, table: Table, form: str) -> None:
        """A builder, its batch, or cells in columns."""
        mutations = Mutations().put("a", timestamp=3).put("b", value="v", timestamp=4)
        batch = mutations.batch()
        forms: dict[str, Writable] = {
            "mutations": mutations,
            "batch": batch,
            "cells": batch.cells,
        }
        table.write(forms[form])
        expected = [Cell(b"a", timestamp=3), Cell(b"b", timestamp=4, value=b"v")]
        assert read(table) == expected

    def test_all_cells_of_a_commit_share_one_timestamp(self, engine: Engine, table: Table) -> None:
        """Over all its tables; it is what the write returns."""
        other = engine.create_table("other")
        commit = engine.write(
            {"plain": Mutations().put("a").put("b"), "other": Mutations().put("c")}
        )
        assert times([*read(table), *read(other)]) == [commit] * 3

    def test_a_cell_with_a_timestamp_keeps_it_beside_one_without(self, table: Table) -> None:
        """Given and not given may stand in one batch."""
        commit = table.write(Mutations().put("a", timestamp=-5).put("b"))
        assert times(read(table)) == [-5, commit]

    def test_commits_are_strictly_later_than_each_other(self, table: Table) -> None:
        """Even while the clock stands still."""
        assert [table.put("a"), table.put("a"), table.put("b")] == [START, START + 1, START + 2]

    def test_a_write_to_several_tables_is_refused_whole(self, engine: Engine, table: Table) -> None:
        """A bad cell in the second table keeps the first one as it was."""
        other = engine.create_table("other")
        bad = Mutations().put("b").put("c", visibility=LABEL_OF_NOTHING)
        with pytest.raises(ConstraintError):
            engine.write({"plain": Mutations().put("a"), "other": bad})
        assert (read(table), read(other)) == ([], [])

    def test_a_write_that_names_a_missing_table_writes_nothing(
        self, engine: Engine, table: Table
    ) -> None:
        """Wherever it stands among the tables."""
        for names in (("plain", "gone"), ("gone", "plain")):
            with pytest.raises(TableNotFound):
                engine.write({name: Mutations().put("a") for name in names})
        assert read(table) == []

    def test_an_empty_write_changes_nothing(self, engine: Engine, table: Table) -> None:
        """No table, or no cell."""
        table.put("a")
        before = read(table)
        engine.write({})
        table.write(Mutations())
        table.write(CellBatch.from_cells([]))
        assert read(table) == before

    def test_an_empty_table_gives_nothing(self, engine: Engine, table: Table) -> None:
        """And can be merged and counted."""
        assert read(table) == []
        assert table.compact().cells_out == 0
        assert engine.stats("plain").cells == 0

    def test_a_cell_of_nothing_but_empty_parts_is_a_cell(self, table: Table) -> None:
        """Row, family, qualifier, label and value all empty."""
        table.put(b"", timestamp=0)
        assert read(table) == [Cell(b"", timestamp=0)]

    def test_a_large_batch_comes_back_whole(self, table: Table) -> None:
        """More cells than any one block or batch holds."""
        cells = [Cell(f"{number:06}".encode(), timestamp=1) for number in range(10_000)]
        table.write(CellBatch.from_cells(cells))
        assert read(table) == cells

    def test_a_large_value_comes_back_whole(self, table: Table) -> None:
        """Values have no limit of their own."""
        value = bytes(range(256)) * 4096 * 3
        table.put("r", value=value)
        assert read(table)[0].value == value

    def test_statistics_count_what_is_stored(self, engine: Engine, raw: Table) -> None:
        """Markers and old versions too."""
        raw.put("a", timestamp=1)
        raw.put("a", timestamp=2)
        raw.delete("b", timestamp=1)
        stats = engine.stats("raw")
        assert (stats.table, stats.cells, stats.delete_markers) == ("raw", 3, 1)


class Imports(StoreTests):
    """Imports of cells that are sorted already."""

    def test_sorted_cells_are_read_back(self, engine: Engine, raw: Table) -> None:
        """From several batches, with their own timestamps and markers."""
        cells = [Cell(b"a", timestamp=2), Cell(b"a", timestamp=1), Cell(b"b", timestamp=3)]
        parts = [CellBatch.from_cells(cells[:2]), CellBatch.from_cells(cells[2:])]
        engine.import_sorted("raw", parts)
        assert read(raw) == cells

    @pytest.mark.parametrize(
        "cells",
        [
            [Cell(b"b", timestamp=1), Cell(b"a", timestamp=1)],
            [Cell(b"a", timestamp=1), Cell(b"a", timestamp=2)],
            [Cell(b"a", timestamp=1), Cell(b"a", timestamp=1, deleted=True)],
            [Cell(b"a", b"", b"", b"B", 1), Cell(b"a", b"", b"", b"A", 1)],
        ],
    )
    @pytest.mark.parametrize("split", [False, True])
    def test_a_cell_out_of_order_refuses_the_import(
        self, engine: Engine, raw: Table, cells: list[Cell], *, split: bool
    ) -> None:
        """Within a batch and from one batch to the next; nothing is stored."""
        parts = [[cell] for cell in cells] if split else [cells]
        with pytest.raises(InvalidKey):
            engine.import_sorted("raw", [CellBatch.from_cells(part) for part in parts])
        assert read(raw) == []

    def test_equal_keys_are_in_order(self, engine: Engine, raw: Table) -> None:
        """Both are kept."""
        cells = [Cell(b"a", timestamp=1, value=value) for value in (b"x", b"y")]
        engine.import_sorted("raw", [CellBatch.from_cells(cells)])
        assert sorted(values(read(raw))) == ["x", "y"]

    def test_an_import_keeps_the_rules_of_the_table(self, engine: Engine, raw: Table) -> None:
        """A label that cannot be parsed refuses it whole."""
        cells = [Cell(b"a", timestamp=1), Cell(b"b", b"", b"", b"A&", 1)]
        with pytest.raises(ConstraintError):
            engine.import_sorted("raw", [CellBatch.from_cells(cells)])
        assert read(raw) == []

    def test_imported_markers_hide_cells_that_are_there(self, engine: Engine, raw: Table) -> None:
        """As any marker does."""
        raw.put("a", timestamp=1)
        raw.put("b", timestamp=1)
        marker = Cell(b"a", timestamp=1, deleted=True)
        engine.import_sorted("raw", [CellBatch.from_cells([marker])])
        assert rows(read(raw)) == [b"b"]

    def test_an_import_is_merged_with_what_is_there(self, engine: Engine, raw: Table) -> None:
        """In one order."""
        raw.put("b", timestamp=1)
        cells = [Cell(b"a", timestamp=1), Cell(b"c", timestamp=1)]
        engine.import_sorted("raw", [CellBatch.from_cells(cells)])
        raw.put("bb", timestamp=1)
        assert rows(read(raw)) == [b"a", b"b", b"bb", b"c"]

    def test_an_import_of_nothing_is_fine(self, engine: Engine, raw: Table) -> None:
        """No batches, or batches without cells."""
        engine.import_sorted("raw", [])
        engine.import_sorted("raw", [CellBatch.from_cells([])])
        assert read(raw) == []

    def test_an_import_is_a_commit(self, engine: Engine, raw: Table, clock: ManualClock) -> None:
        """It returns a later commit timestamp than the last, and the next one is later still."""
        first = raw.put("a")
        second = engine.import_sorted("raw", [CellBatch.from_cells([Cell(b"b", timestamp=1)])])
        assert first < second < raw.put("c")

    def test_a_missing_table_is_an_error(self, engine: Engine) -> None:
        """As everywhere."""
        with pytest.raises(LexigraphError):
            engine.import_sorted("gone", [])
