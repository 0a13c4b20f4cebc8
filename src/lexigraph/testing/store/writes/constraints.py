"""Constraints and limits: what no write may hold, and that a refused write leaves nothing.

Layer ``testing``.
"""

from __future__ import annotations

import pytest

from lexigraph.errors import ConstraintError, InvalidKey
from lexigraph.store import (
    MAX_TIMESTAMP,
    MIN_TIMESTAMP,
    Cell,
    CellBatch,
    ConditionalMutation,
    Engine,
    Mutations,
    Outcome,
    Range,
    ScanSpec,
    Table,
    TableSettings,
)
from lexigraph.testing.store.base import StoreTests, read, rows, times

LIMIT = 1 << 20
PARTS = ("row", "family", "qualifier", "visibility")
UNCHECKED_LABELS = TableSettings(max_versions=None, constraints=("key-size",))


class Constraints(StoreTests):
    """Constraints and limits."""

    @pytest.fixture
    def any_label(self, engine: Engine) -> Table:
        """Return a table that checks key sizes but no labels."""
        return engine.create_table("any", UNCHECKED_LABELS)

    @pytest.mark.parametrize("part", PARTS)
    def test_a_key_of_one_mebibyte_is_stored_and_found(self, any_label: Table, part: str) -> None:
        """In whatever part its bytes are."""
        key = {"row": b"", part: b"k" * LIMIT}
        cell = Cell(timestamp=1, value=b"v", **key)  # type: ignore[arg-type]
        any_label.write(CellBatch.from_cells([cell]))
        assert read(any_label) == [cell]
        assert rows(read(any_label, ScanSpec(ranges=[Range.row(b"x")]))) == []

    def test_rows_of_nearly_a_mebibyte_are_merged(self, any_label: Table) -> None:
        """As all others are, and found then."""
        cells = [Cell(bytes([97 + one]) * (LIMIT - 9), timestamp=1) for one in range(3)]
        for cell in cells:
            any_label.write(CellBatch.from_cells([cell]))
        any_label.compact()
        assert read(any_label) == cells

    @pytest.mark.parametrize("part", PARTS)
    def test_one_byte_more_is_refused_with_its_whole_batch(
        self, any_label: Table, part: str
    ) -> None:
        """Also the cells that would fit."""
        key = {"row": b"", part: b"k" * (LIMIT + 1)}
        cells = [Cell(b"a", timestamp=1), Cell(timestamp=1, **key)]  # type: ignore[arg-type]
        with pytest.raises(ConstraintError):
            any_label.write(CellBatch.from_cells(cells))
        assert read(any_label) == []

    def test_all_parts_of_a_key_count_together(self, any_label: Table) -> None:
        """Four quarters fit, one byte more does not."""
        quarter = b"k" * (LIMIT // 4)
        fits = Cell(quarter, quarter, quarter, quarter, 1)
        any_label.write(CellBatch.from_cells([fits]))
        with pytest.raises(ConstraintError):
            any_label.write(CellBatch.from_cells([fits._replace(qualifier=quarter + b"k")]))
        assert read(any_label) == [fits]

    def test_long_keys_that_share_all_but_their_last_byte_are_told_apart(
        self, any_label: Table
    ) -> None:
        """However an engine shortens them."""
        long = b"k" * (LIMIT - 1)
        cells = [Cell(long + bytes([byte]), timestamp=1) for byte in (0, 1, 254, 255)]
        any_label.write(CellBatch.from_cells(cells[::-1]))
        assert read(any_label) == cells
        wanted = ScanSpec(ranges=[Range.row(cells[2].row)])
        assert read(any_label, wanted) == [cells[2]]

    def test_a_value_is_not_part_of_the_key(self, any_label: Table) -> None:
        """It may be longer than any key."""
        any_label.put("r", value=b"v" * (LIMIT + 1))
        assert len(read(any_label)[0].value) == LIMIT + 1

    @pytest.mark.parametrize("label", ["A&", "A&B|C", "(A", '"', "A B"])
    def test_a_label_that_cannot_be_parsed_refuses_the_whole_batch(
        self, table: Table, label: str
    ) -> None:
        """The error says which cell it was."""
        with pytest.raises(ConstraintError) as caught:
            table.write(Mutations().put("a").put("b", visibility=label).put("c"))
        assert caught.value.context["cell"] == 1
        assert read(table) == []

    def test_a_table_may_leave_out_the_check_of_labels(self, any_label: Table) -> None:
        """Then its owner sees them."""
        any_label.put("r", visibility="A&")
        assert [cell.visibility for cell in read(any_label)] == [b"A&"]

    def test_a_table_may_refuse_what_its_writer_cannot_read(self, engine: Engine) -> None:
        """By the authorizations of the write."""
        settings = TableSettings(constraints=("visibility", "readable-visibility"))
        table = engine.create_table("t", settings)
        batch = {"t": Mutations().put("a").put("b", visibility="B")}
        with pytest.raises(ConstraintError):
            engine.write(batch, authorizations=["A"])
        assert read(table) == []
        engine.write(batch, authorizations=["A", "B"])
        assert rows(read(table)) == [b"a", b"b"]

    def test_a_writer_has_the_authorizations_it_names_and_no_others(self, engine: Engine) -> None:
        """By every way to write: none named are none, whatever the engine grants."""
        settings = TableSettings(constraints=("readable-visibility",))
        table = engine.create_table("t", settings)
        labelled = CellBatch.from_cells([Cell(b"a", visibility=b"A", timestamp=1)])
        guarded = ConditionalMutation("a").put(visibility="A")
        for call in (
            lambda: engine.write({"t": labelled}),
            lambda: table.put("a", visibility="A"),
            lambda: table.delete("a", visibility="A"),
            lambda: engine.import_sorted("t", labelled),
            lambda: engine.load("t", labelled),
        ):
            with pytest.raises(ConstraintError):
                call()
        assert engine.conditional_write("t", guarded) == [Outcome.VIOLATED]
        assert read(table) == []
        engine.import_sorted("t", labelled, authorizations=["A"])
        engine.load("t", labelled, authorizations=["A"])
        assert table.put("b", visibility="A", authorizations=["A"])
        assert rows(read(table)) == [b"a", b"b"]

    def test_an_append_only_table_refuses_delete_markers(self, engine: Engine) -> None:
        """With the rest of their batch."""
        table = engine.create_table("t", TableSettings(append_only=True))
        with pytest.raises(ConstraintError):
            table.write(Mutations().put("a").delete("b"))
        assert read(table) == []

    def test_every_signed_64_bit_timestamp_can_be_written(self, raw: Table) -> None:
        """Both ends and around zero."""
        for time in (MIN_TIMESTAMP, -1, 0, MAX_TIMESTAMP):
            raw.put("r", timestamp=time)
        assert times(read(raw)) == [MAX_TIMESTAMP, 0, -1, MIN_TIMESTAMP]

    @pytest.mark.parametrize("timestamp", [MIN_TIMESTAMP - 1, MAX_TIMESTAMP + 1])
    def test_a_timestamp_beyond_64_bits_is_refused(self, raw: Table, timestamp: int) -> None:
        """It would become another one."""
        with pytest.raises(InvalidKey):
            raw.put("r", timestamp=timestamp)

    def test_deletes_obey_the_limits_too(self, table: Table) -> None:
        """A marker has a key like any cell."""
        with pytest.raises(ConstraintError):
            table.delete(b"k" * (LIMIT + 1))
        with pytest.raises(ConstraintError):
            table.delete("r", visibility="A&")
