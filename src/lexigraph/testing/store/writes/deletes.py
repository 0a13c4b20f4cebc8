"""Delete markers: what they hide, from wherever they and the cells were written.

Layer ``testing``. A marker hides what is not newer, for its own column and label, for ever.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from lexigraph.store import (
    MAX_TIMESTAMP,
    MIN_TIMESTAMP,
    Cell,
    CellBatch,
    Engine,
    Key,
    Mutations,
    Range,
    ScanSpec,
    Table,
)
from lexigraph.testing.store.base import StoreTests, read, rows, times, values

PUT = Cell(b"r", b"f", b"q", b"", 5, False, b"v")
MARKER = Cell(b"r", b"f", b"q", b"", 5, True)


def write_each(table: Table, *cells: Cell) -> None:
    """Write cells in commits of their own."""
    for cell in cells:
        table.write(CellBatch.from_cells([cell]))


class Deletes(StoreTests):
    """Deletes."""

    def test_a_delete_hides_what_was_written_before(self, table: Table) -> None:
        """The plain case, with the engine's timestamps."""
        table.put("r", "f", "q", "v")
        table.delete("r", "f", "q")
        assert read(table) == []

    def test_a_put_after_a_delete_is_visible(self, table: Table) -> None:
        """Even when the clock stands still, as commits are strictly later."""
        table.put("r", "f", "q", "1")
        table.delete("r", "f", "q")
        table.put("r", "f", "q", "2")
        assert values(read(table)) == ["2"]

    @pytest.mark.parametrize("order", list(permutations(range(3))))
    def test_at_equal_timestamps_the_delete_wins_in_every_order_of_writing(
        self, raw: Table, order: tuple[int, ...]
    ) -> None:
        """Put, delete and put of one timestamp: nothing."""
        cells = [PUT, MARKER, PUT._replace(value=b"again")]
        write_each(raw, *(cells[place] for place in order))
        assert read(raw) == []

    def test_a_newer_put_is_visible_beside_a_tie(self, raw: Table) -> None:
        """Put, delete, put at 5, then a put at 6."""
        write_each(raw, PUT, MARKER, PUT, PUT._replace(timestamp=6, value=b"6"))
        assert values(read(raw)) == ["6"]

    @pytest.mark.parametrize("delete_first", [True, False])
    def test_a_delete_and_a_put_in_one_batch_without_timestamps_give_nothing(
        self, table: Table, *, delete_first: bool
    ) -> None:
        """They share the commit's timestamp, and the delete wins."""
        mutations = Mutations()
        if delete_first:
            mutations.delete("r").put("r", value="v")
        else:
            mutations.put("r", value="v").delete("r")
        table.write(mutations)
        assert read(table) == []

    def test_a_delete_hides_older_puts_that_are_written_later(self, raw: Table) -> None:
        """Time decides, not the order of writing."""
        write_each(raw, MARKER, PUT._replace(timestamp=4), PUT._replace(timestamp=6))
        assert times(read(raw)) == [6]

    def test_a_delete_hides_every_older_version(self, raw: Table) -> None:
        """And none that is newer."""
        write_each(raw, *(PUT._replace(timestamp=time) for time in range(1, 10)), MARKER)
        assert times(read(raw)) == [9, 8, 7, 6]

    def test_versions_below_a_delete_do_not_come_up(self, table: Table) -> None:
        """Hidden cells are no versions: nothing is left when the newest is deleted."""
        write_each(table, PUT._replace(timestamp=3), PUT, MARKER)
        assert read(table) == []

    @pytest.mark.parametrize(
        "other",
        [
            {"row": b"r\0"},
            {"family": b"g"},
            {"qualifier": b""},
            {"visibility": b"A"},
        ],
    )
    def test_a_delete_touches_its_own_column_alone(self, raw: Table, other: dict[str, Any]) -> None:
        """Row, family, qualifier and label must all be equal."""
        neighbour = PUT._replace(timestamp=1, **other)
        write_each(raw, PUT, neighbour, MARKER)
        assert read(raw) == [neighbour]

    def test_deletes_of_the_extreme_timestamps_hide_what_they_should(self, raw: Table) -> None:
        """The largest hides everything, the smallest only its like."""
        for time in (MIN_TIMESTAMP, 0, MAX_TIMESTAMP):
            raw.put("a", timestamp=time)
            raw.put("b", timestamp=time)
        raw.delete("a", timestamp=MAX_TIMESTAMP)
        raw.delete("b", timestamp=MIN_TIMESTAMP)
        assert [(c.row, c.timestamp) for c in read(raw)] == [(b"b", MAX_TIMESTAMP), (b"b", 0)]

    def test_a_range_that_starts_behind_the_marker_still_sees_nothing(self, raw: Table) -> None:
        """The marker lies outside the range, what it hides inside."""
        write_each(raw, PUT._replace(timestamp=3), MARKER)
        item = Range(Key(b"r", b"f", b"q", b"", 4), True, None, True)
        assert read(raw, ScanSpec(ranges=[item])) == []

    def test_a_marker_of_the_largest_timestamp_is_seen_from_wherever_a_range_starts(
        self, raw: Table
    ) -> None:
        """It stands before the key that has a row and nothing else."""
        write_each(raw, PUT, MARKER._replace(timestamp=MAX_TIMESTAMP))
        for time in (MAX_TIMESTAMP, MAX_TIMESTAMP - 1, 5):
            item = Range(Key(b"r", b"f", b"q", b"", time), True, None, True)
            assert read(raw, ScanSpec(ranges=[item])) == []

    def test_a_column_choice_does_not_lose_markers(self, raw: Table) -> None:
        """Deletes come before families and qualifiers."""
        write_each(raw, PUT, MARKER)
        assert read(raw, ScanSpec(columns=[(b"f", b"q")])) == []

    def test_a_reader_cannot_bring_back_what_a_labelled_marker_hides(self, raw: Table) -> None:
        """Markers work below labels: who cannot read the label sees neither."""
        raw.put("r", visibility="A", timestamp=1)
        raw.delete("r", visibility="A", timestamp=2)
        assert list(raw.scan()) == list(raw.scan(authorizations=["A"])) == []

    def test_deleting_what_is_not_there_is_fine(self, table: Table) -> None:
        """And hides nothing that comes later."""
        table.delete("r")
        table.put("r", value="v")
        assert values(read(table)) == ["v"]

    def test_a_full_merge_drops_markers_and_what_they_hide(
        self, engine: Engine, raw: Table
    ) -> None:
        """For ever: an old put written afterwards is visible."""
        write_each(raw, PUT, MARKER)
        raw.put("s", timestamp=1)
        report = raw.compact()
        assert (report.full, report.cells_in, report.cells_out) == (True, 3, 1)
        assert engine.stats("raw").delete_markers == 0
        write_each(raw, PUT)
        assert rows(read(raw)) == [b"r", b"s"]
