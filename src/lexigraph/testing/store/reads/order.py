"""The one order of cells, over every byte and every timestamp.

Layer ``testing``. What is written in a bad order must come out in the good one.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from lexigraph.store import (
    MAX_TIMESTAMP,
    MIN_TIMESTAMP,
    Cell,
    CellBatch,
    Engine,
    Range,
    ScanSpec,
    Table,
    TableSettings,
)
from lexigraph.testing.store.base import StoreTests, read, times, values

PARTS = ("row", "family", "qualifier", "visibility")
# Labels are checked by default; the order of bytes is the same for those that cannot be parsed.
UNCHECKED = TableSettings(max_versions=None, constraints=())


def with_part(part: str, data: bytes) -> Cell:
    """Return a cell whose named part is ``data``."""
    changed: dict[str, Any] = {part: data}
    return Cell(b"r", timestamp=1)._replace(**changed)


class Order(StoreTests):
    """The order of cells."""

    @pytest.fixture
    def raw(self, engine: Engine) -> Table:
        """Return a table that keeps every version and takes any label."""
        return engine.create_table("raw", UNCHECKED)

    @pytest.mark.parametrize("part", PARTS)
    def test_every_byte_value_sorts_as_an_unsigned_number(self, raw: Table, part: str) -> None:
        """In each part of a key, for all 256 values."""
        cells = [with_part(part, bytes([byte])) for byte in range(256)]
        shuffled = random.Random(part).sample(cells, len(cells))
        raw.write(CellBatch.from_cells(shuffled))
        assert read(raw) == cells

    @pytest.mark.parametrize("part", PARTS)
    def test_a_prefix_comes_before_what_it_is_a_prefix_of(self, raw: Table, part: str) -> None:
        """Also when the next byte is 00."""
        names = [b"", b"\0", b"\0\0", b"a", b"a\0", b"a\0b", b"aa", b"\xff", b"\xff\0", b"\xff\xff"]
        cells = [with_part(part, name) for name in names]
        raw.write(CellBatch.from_cells(cells[::-1]))
        assert read(raw) == cells

    def test_the_end_of_a_part_counts_before_the_next_part(self, raw: Table) -> None:
        """Parts are compared one after another, never joined."""
        cells = [
            Cell(b"a", b"\xff", timestamp=1),
            Cell(b"a\0", b"", timestamp=1),
            Cell(b"ab", b"", b"z", timestamp=1),
            Cell(b"ab", b"a", b"", timestamp=1),
        ]
        raw.write(CellBatch.from_cells(cells[::-1]))
        assert read(raw) == cells

    def test_timestamps_descend_as_signed_numbers(self, raw: Table) -> None:
        """From the largest to the smallest of 64 bits."""
        expected = [MAX_TIMESTAMP, MAX_TIMESTAMP - 1, 2**32, 1, 0, -1, -(2**32), MIN_TIMESTAMP]
        for time in sorted(expected):
            raw.put("r", timestamp=time)
        assert times(read(raw)) == expected

    def test_the_label_counts_before_the_timestamp(self, raw: Table) -> None:
        """An old cell of a smaller label comes before a new one of a larger label."""
        raw.put("r", value="new", visibility="B", timestamp=9)
        raw.put("r", value="old", visibility="A", timestamp=1)
        assert values(read(raw)) == ["old", "new"]

    def test_fully_equal_keys_are_all_kept_with_the_later_first(self, raw: Table) -> None:
        """In one batch and over several."""
        same = [Cell(b"r", timestamp=5, value=value) for value in (b"1", b"2")]
        raw.write(CellBatch.from_cells(same))
        raw.put("r", value="3", timestamp=5)
        assert values(read(raw)) == ["3", "2", "1"]

    def test_order_holds_over_many_commits(self, raw: Table) -> None:
        """Cells of one scan come from anywhere."""
        cells = [Cell(f"{number:03}".encode(), timestamp=1) for number in range(100)]
        for cell in random.Random(0).sample(cells, len(cells)):
            raw.write(CellBatch.from_cells([cell]))
        assert read(raw) == cells

    def test_every_byte_value_comes_back_in_a_value(self, raw: Table) -> None:
        """Values are opaque."""
        value = bytes(range(256)) * 3
        raw.put("r", value=value)
        assert read(raw)[0].value == value

    def test_a_row_is_found_by_any_bytes_it_may_have(self, raw: Table) -> None:
        """Look-ups of each of 256 one-byte rows."""
        for byte in range(256):
            raw.put(bytes([byte]), timestamp=1)
        for byte in range(256):
            found = read(raw, ScanSpec(ranges=[Range.row(bytes([byte]))]))
            assert [cell.row for cell in found] == [bytes([byte])]
