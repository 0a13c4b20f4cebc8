"""Cutting and resuming: any batch size and any cut give the same cells.

Layer ``testing``. Section 5 of ``spec/scan.md``, over plain scans and over stages that group, with
fully equal keys in the table.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from lexigraph.cells.cell import order
from lexigraph.errors import InvalidValue
from lexigraph.security import Authorizations
from lexigraph.store import (
    Cell,
    CellBatch,
    Engine,
    Key,
    Mutations,
    Range,
    Resume,
    ScanSpec,
    StageSpec,
    Table,
)
from lexigraph.testing.store.base import (
    SUM,
    StoreTests,
    read,
    resume_points,
    rows,
    stage,
    values,
)

STACKS: dict[str, list[StageSpec]] = {
    "no stage": [],
    "versions": [stage("versions", max=2)],
    "sum": [SUM],
    "sum, then versions": [SUM, stage("versions", max=1)],
    "as-of, then newest": [stage("as-of", timestamp=3), stage("versions", max=1)],
    "whole-row": [stage("whole-row")],
    "first-in-row": [stage("first-in-row")],
    "limit": [stage("limit", cells=7)],
    "limit of nothing": [stage("limit", cells=0)],
    "sum, then limit": [SUM, stage("limit", cells=5)],
    "sample": [stage("sample", modulus=2, of="column")],
    "grep": [stage("grep", term="2")],
}
SEEKABLE = ["no stage", "versions", "sum", "sum, then versions", "as-of, then newest", "grep"]
RANGES = {
    "everything": [Range()],
    "some rows": [Range.row(b"c"), Range.row(b"a")],
    "parts of rows": [
        Range(Key(b"a", b"g", timestamp=3), False, Key(b"b", b"f", timestamp=2), True),
        Range.rows(b"c"),
    ],
}

INTERSECTIONS = {
    "intersect": stage("intersect", terms=["red"]),
    "intersect-documents": stage("intersect-documents", terms=["red"]),
}
INSIDE_ROWS = {
    "before the results of the last row": [Range(None, True, Key(b"b", b"a"), True)],
    "among the results of the last row": [Range(Key(b"a"), True, Key(b"b", b"", b"f"), True)],
    "before the last row": [Range(None, True, Key(b"c", b"z"), False)],
    "twice in a row": [
        Range(Key(b"a"), True, Key(b"b", b"a"), True),
        Range(Key(b"b", b"b"), True, Key(b"c", b"a"), True),
    ],
}


class Resuming(StoreTests):
    """Cutting and resuming, and batch sizes."""

    @pytest.fixture
    def filled(self, raw: Table) -> Table:
        """Return rows with several columns, labels and versions, some of fully equal keys."""
        for copy in range(2):
            mutations = Mutations()
            for row in "abcd":
                for family in "fgh":
                    for time in (1, 2, 3, 3):
                        label = "" if family == "f" else "A"
                        value = str(time + copy)
                        mutations.put(row, family, value=value, visibility=label, timestamp=time)
            raw.write(mutations)
        raw.delete("b", "f", timestamp=2)
        return raw

    @pytest.mark.parametrize("stack", STACKS)
    @pytest.mark.parametrize("ranges", RANGES)
    def test_every_batch_size_gives_the_same_cells(
        self, filled: Table, stack: str, ranges: str
    ) -> None:
        """One, two, and all at once."""
        spec = spec_of(stack, ranges)
        whole = read(filled, spec)
        assert [read(filled, spec, batch_cells=size) for size in (1, 2, 7)] == [whole] * 3

    @pytest.mark.parametrize("stack", STACKS)
    @pytest.mark.parametrize("ranges", RANGES)
    def test_a_scan_resumed_behind_any_cell_gives_the_rest(
        self, filled: Table, stack: str, ranges: str
    ) -> None:
        """Equal keys are neither lost nor repeated."""
        spec = spec_of(stack, ranges)
        whole = read(filled, spec)
        for place, point in enumerate(resume_points(whole)):
            assert read(filled, spec.resumed(point)) == whole[place + 1 :], point

    @pytest.mark.parametrize("stack", SEEKABLE)
    def test_a_range_that_starts_at_any_key_gives_the_rest_of_the_whole(
        self, filled: Table, stack: str
    ) -> None:
        """Before, at and behind every cell that is stored, also inside a group."""
        spec = spec_of(stack, "everything")
        whole = read(filled, spec)
        for key in {cell.key for cell in read(filled)}:
            for start in (key, key._replace(deleted=True), key._replace(timestamp=-1)):
                item = Range(start, True, None, True)
                expected = [cell for cell in whole if order(cell) >= order(start)]
                assert read(filled, replace(spec, ranges=[item])) == expected, start

    @pytest.mark.parametrize("ranges", INSIDE_ROWS)
    @pytest.mark.parametrize("intersection", INTERSECTIONS)
    def test_an_intersection_resumed_behind_any_cell_gives_the_rest(
        self, raw: Table, intersection: str, ranges: str
    ) -> None:
        """Also where the key of a result lies behind the end of the range it comes from."""
        mutations = Mutations()
        for row in "abc":
            for document in "dgk":
                mutations.put(row, "red", document, timestamp=1)
                mutations.put(row, "i", f"red\0t\0{document}\0", timestamp=1)
                mutations.put(row, "e\0t", document, value=f"body of {document}", timestamp=1)
        raw.write(mutations)
        spec = ScanSpec(ranges=INSIDE_ROWS[ranges], stages=[INTERSECTIONS[intersection]])
        whole = read(raw, spec)
        assert len(whole) > 3
        assert whole == sorted(whole, key=order)
        assert [read(raw, spec, batch_cells=size) for size in (1, 2)] == [whole] * 2
        for place, point in enumerate(resume_points(whole)):
            assert read(raw, spec.resumed(point)) == whole[place + 1 :], point

    def test_batches_are_as_large_as_asked_for(self, engine: Engine, raw: Table) -> None:
        """All but the last, and none is empty."""
        raw.write(CellBatch.from_cells([Cell(bytes([byte]), timestamp=1) for byte in range(7)]))
        for size, expected in ((1, [1] * 7), (3, [3, 3, 1]), (7, [7]), (100, [7])):
            assert [len(batch) for batch in engine.scan("raw", batch_cells=size)] == expected

    @pytest.mark.parametrize("size", [0, -1])
    def test_a_batch_of_no_cells_is_refused(self, engine: Engine, raw: Table, size: int) -> None:
        """When the scan is asked for."""
        with pytest.raises(InvalidValue):
            engine.scan("raw", batch_cells=size)

    def test_resuming_behind_more_equal_keys_than_there_are_gives_what_follows(
        self, raw: Table
    ) -> None:
        """Cells may be gone since."""
        raw.put("a", timestamp=1)
        raw.put("b", timestamp=1)
        after = Resume(Key(b"a", timestamp=1), 5)
        assert rows(read(raw, ScanSpec(after=after))) == [b"b"]

    def test_resuming_at_a_key_that_is_gone_gives_what_follows(self, raw: Table) -> None:
        """Nothing is passed over in its place."""
        raw.put("b", timestamp=1)
        after = Resume(Key(b"a", timestamp=1), 1)
        assert rows(read(raw, ScanSpec(after=after))) == [b"b"]

    def test_resuming_behind_the_last_cell_gives_nothing(self, raw: Table) -> None:
        """Also when the key lies behind every range."""
        raw.put("a", timestamp=1)
        for key in (Key(b"a", timestamp=1), Key(b"z", timestamp=1)):
            spec = ScanSpec(ranges=[Range.row(b"a")], after=Resume(key, 1))
            assert read(raw, spec) == []

    def test_a_limit_counts_over_all_ranges(self, filled: Table) -> None:
        """Not once for each."""
        spec = ScanSpec(
            ranges=[Range.row(row) for row in (b"a", b"b", b"c")],
            stages=[stage("versions", max=1), stage("limit", cells=2)],
        )
        assert rows(read(filled, spec)) == [b"a", b"b"]

    def test_a_sample_is_the_same_from_anywhere(self, raw: Table) -> None:
        """It depends on the key alone, so parts of a table give parts of the sample."""
        for number in range(64):
            raw.put(f"{number:02}", timestamp=1)
        chosen = [stage("sample", modulus=4)]
        whole = rows(read(raw, ScanSpec(stages=chosen)))
        ranges = [Range.rows(None, b"31"), Range.rows(b"32", None)]
        parts = [rows(read(raw, ScanSpec(ranges=[item], stages=chosen))) for item in ranges]
        assert 0 < len(whole) < 64
        assert parts[0] + parts[1] == whole

    def test_a_whole_row_is_one_cell(self, filled: Table) -> None:
        """However large the batches are."""
        spec = spec_of("whole-row", "everything")
        assert rows(read(filled, spec, batch_cells=1)) == [b"a", b"b", b"c", b"d"]

    def test_values_are_those_of_the_newest(self, filled: Table) -> None:
        """The table of this topic is what the others think it is."""
        newest = ScanSpec(stages=[stage("versions", max=1)], authorizations=Authorizations(["A"]))
        assert values(read(filled, newest))[:3] == ["4", "4", "4"]


def spec_of(stack: str, ranges: str) -> ScanSpec:
    """Return the scan of a named stack over named ranges."""
    return ScanSpec(
        ranges=RANGES[ranges], stages=STACKS[stack], authorizations=Authorizations(["A"])
    )
