"""Which cells a scan reads: ranges with every kind of bound, and columns.

Layer ``testing``. Expected answers are written out, not computed with the range's own algebra.
"""

from __future__ import annotations

import pytest

from lexigraph.store import Key, Mutations, Range, ScanSpec, Table
from lexigraph.testing.store.base import StoreTests, read, rows, stage, times, values

ROWS = [b"", b"\0", b"a", b"a\0", b"ab", b"b", b"b\xff", b"c", b"\xff", b"\xff\xff", b"\xff\xff\0"]

CASES = {
    "everything": (Range(), ROWS),
    "one row": (Range.row(b"a"), [b"a"]),
    "the empty row": (Range.row(b""), [b""]),
    "a row that is not there": (Range.row(b"aa"), []),
    "rows, both inclusive": (Range.rows(b"a", b"b"), [b"a", b"a\0", b"ab", b"b"]),
    "rows, exclusive start": (
        Range.rows(b"a", b"b", start_inclusive=False),
        [b"a\0", b"ab", b"b"],
    ),
    "rows, exclusive end": (Range.rows(b"a", b"b", end_inclusive=False), [b"a", b"a\0", b"ab"]),
    "rows, both exclusive": (
        Range.rows(b"a", b"b", start_inclusive=False, end_inclusive=False),
        [b"a\0", b"ab"],
    ),
    "from a row on": (Range.rows(b"c"), [b"c", b"\xff", b"\xff\xff", b"\xff\xff\0"]),
    "up to a row": (Range.rows(end=b"a"), [b"", b"\0", b"a"]),
    "before the empty row": (Range.rows(end=b"", end_inclusive=False), []),
    "a prefix": (Range.prefix(b"a"), [b"a", b"a\0", b"ab"]),
    "a prefix that ends in ff": (Range.prefix(b"b\xff"), [b"b\xff"]),
    "a prefix of ff only": (Range.prefix(b"\xff"), [b"\xff", b"\xff\xff", b"\xff\xff\0"]),
    "a prefix of several ff": (Range.prefix(b"\xff\xff"), [b"\xff\xff", b"\xff\xff\0"]),
    "the empty prefix": (Range.prefix(b""), ROWS),
    "an exclusive start key": (Range(Key(b"b", timestamp=5), False, Key(b"c", timestamp=5)), [
        b"b\xff",
        b"c",
    ]),
    "an exclusive end key": (Range(Key(b"b", timestamp=5), True, Key(b"c", timestamp=5), False), [
        b"b",
        b"b\xff",
    ]),
    "one key, both inclusive": (Range(Key(b"b", timestamp=5), True, Key(b"b", timestamp=5)), [
        b"b"
    ]),
    "one key, exclusive": (Range(Key(b"b", timestamp=5), False, Key(b"b", timestamp=5)), []),
}  # fmt: skip


class Ranges(StoreTests):
    """Ranges and columns: which cells a scan reads."""

    @pytest.fixture
    def filled(self, raw: Table) -> Table:
        """Return a table with one cell in each of some awkward rows."""
        mutations = Mutations()
        for row in reversed(ROWS):
            mutations.put(row, timestamp=5)
        raw.write(mutations)
        return raw

    @pytest.fixture
    def wide(self, raw: Table) -> Table:
        """Return a table of two rows with several columns and versions."""
        mutations = Mutations()
        for row in ("r", "s"):
            for family in ("", "f", "f\0", "g"):
                for qualifier in ("", "q", "qq"):
                    for time in (1, 2):
                        value = f"{row}|{family}|{qualifier}|{time}"
                        mutations.put(row, family, qualifier, value, timestamp=time)
        raw.write(mutations)
        return raw

    @pytest.mark.parametrize("case", CASES)
    def test_a_range_gives_exactly_the_rows_inside(self, filled: Table, case: str) -> None:
        """Every kind of bound, over rows that share prefixes and end in 00 and ff."""
        item, expected = CASES[case]
        assert rows(read(filled, ScanSpec(ranges=[item]))) == expected

    def test_no_range_at_all_gives_nothing(self, filled: Table) -> None:
        """An empty list is not the same as no list."""
        assert read(filled, ScanSpec(ranges=[])) == []

    def test_overlapping_ranges_give_each_cell_once(self, filled: Table) -> None:
        """Ranges are merged before use."""
        ranges = [Range.rows(b"a", b"b"), Range.rows(b"ab", b"c"), Range.row(b"ab")]
        found = rows(read(filled, ScanSpec(ranges=ranges)))
        assert found == [b"a", b"a\0", b"ab", b"b", b"b\xff", b"c"]

    def test_ranges_in_any_order_give_sorted_cells(self, filled: Table) -> None:
        """Ranges are sorted before use."""
        ranges = [Range.row(b"c"), Range.row(b""), Range.row(b"ab")]
        assert rows(read(filled, ScanSpec(ranges=ranges))) == [b"", b"ab", b"c"]

    def test_many_ranges_are_each_read(self, raw: Table) -> None:
        """A batch look-up of hundreds of rows, half of which are not there."""
        mutations = Mutations()
        for number in range(0, 600, 2):
            mutations.put(f"{number:04}")
        raw.write(mutations)
        wanted = [Range.row(f"{number:04}".encode()) for number in range(600)]
        found = rows(read(raw, ScanSpec(ranges=wanted)))
        assert found == [f"{number:04}".encode() for number in range(0, 600, 2)]

    def test_a_range_may_start_and_end_inside_a_row(self, wide: Table) -> None:
        """Bounds are keys, not rows."""
        item = Range(Key(b"r", b"f", b"q", b"", 1), True, Key(b"r", b"f", b"qq", b"", 2), True)
        assert values(read(wide, ScanSpec(ranges=[item]))) == ["r|f|q|1", "r|f|qq|2"]

    @pytest.mark.parametrize(
        ("item", "expected"),
        [
            (Range.exact(b"r", b"f"), [f"r|f|{q}|{t}" for q in ("", "q", "qq") for t in (2, 1)]),
            (Range.exact(b"r", b"f", b"q"), ["r|f|q|2", "r|f|q|1"]),
            (Range.exact(b"r", b"f", b"q", b""), ["r|f|q|2", "r|f|q|1"]),
            (Range.exact(b"r", b"f", b"q", b"", 1), ["r|f|q|1"]),
            (Range.exact(b"r", b"f", b"q", b"", 3), []),
            (Range.prefix(b"r", b"f", b"q"), ["r|f|q|2", "r|f|q|1", "r|f|qq|2", "r|f|qq|1"]),
        ],
    )  # fmt: skip
    def test_an_exact_or_prefix_range_reads_parts_of_a_row(
        self, wide: Table, item: Range, expected: list[str]
    ) -> None:
        """Down to one timestamp."""
        assert values(read(wide, ScanSpec(ranges=[item]))) == expected

    @pytest.mark.parametrize(
        ("columns", "expected"),
        [
            ([(b"g", b"q")], ["r|g|q|2", "s|g|q|2"]),
            ([(b"", b"")], ["r|||2", "s|||2"]),
            ([(b"f", b"q"), (b"g", b"qq")], ["r|f|q|2", "r|g|qq|2", "s|f|q|2", "s|g|qq|2"]),
            ([(b"f", None), (b"f", b"q")], [f"{r}|f|{q}|2" for r in "rs" for q in ("", "q", "qq")]),
            ([(b"g", None)], [f"{r}|g|{q}|2" for r in "rs" for q in ("", "q", "qq")]),
            ([(b"h", None)], []),
            ([(b"f", b"x")], []),
        ],
    )  # fmt: skip
    def test_columns_choose_families_and_qualifiers(
        self, wide: Table, columns: list[tuple[bytes, bytes | None]], expected: list[str]
    ) -> None:
        """A cell is wanted when any entry matches; names are compared whole."""
        newest = [cell for cell in read(wide, ScanSpec(columns=columns)) if cell.timestamp == 2]
        assert values(newest) == expected

    def test_columns_and_ranges_are_both_kept(self, wide: Table) -> None:
        """Columns narrow what ranges give."""
        spec = ScanSpec(ranges=[Range.row(b"s")], columns=[(b"g", b"q")])
        assert values(read(wide, spec)) == ["s|g|q|2", "s|g|q|1"]

    def test_the_last_row_of_a_range_gives_all_of_a_family_of_which_a_column_is_named(
        self, wide: Table
    ) -> None:
        """The larger wish counts, to the end of the range."""
        spec = ScanSpec(ranges=[Range.row(b"s")], columns=[(b"g", None), (b"g", b"q")])
        newest = [cell for cell in read(wide, spec) if cell.timestamp == 2]
        assert values(newest) == ["s|g||2", "s|g|q|2", "s|g|qq|2"]

    def test_a_range_among_the_versions_of_a_column_gives_only_those_inside(
        self, raw: Table
    ) -> None:
        """Timestamps descend within a column."""
        for time in (1, 2, 3, 4):
            raw.put("r", "f", "q", timestamp=time)
        item = Range(Key(b"r", b"f", b"q", b"", 3), True, Key(b"r", b"f", b"q", b"", 2), True)
        assert times(read(raw, ScanSpec(ranges=[item]))) == [3, 2]

    @pytest.mark.parametrize(("count", "size"), [(1100, 1), (60, 400_000)])
    def test_all_cells_of_one_key_are_read_however_many_and_large(
        self, raw: Table, count: int, size: int
    ) -> None:
        """More than one answer of a server holds: in a scan of all, and of several ranges."""
        equal = Mutations()
        for number in range(count):
            equal.put("r", "f", "q", b"%05d" % number + bytes(size), timestamp=5)
        raw.write(equal)
        raw.write(Mutations().put("a", timestamp=5).put("r", "f", "q", timestamp=4).put("s"))
        whole, several = ScanSpec(), ScanSpec(ranges=[Range.row(b"a"), Range.row(b"r")])
        for spec, others in ((whole, 3), (several, 2)):
            found = read(raw, spec)
            assert len(found) == count + others
            assert len({cell.value[:5] for cell in found if cell.timestamp == 5}) == count + 1

    def test_a_scan_that_stops_among_equal_cells_takes_none_from_the_next(self, raw: Table) -> None:
        """They are the first of a file, which may be read on where the other scan stood."""
        equal = Mutations()
        for _ in range(6):
            equal.put("a")
        raw.write(equal.put("b"))
        raw.compact()
        for most in range(1, 6):
            assert len(read(raw, ScanSpec(stages=[stage("limit", cells=most)]))) == most
            assert rows(read(raw)) == [b"a"] * 6 + [b"b"]

    @pytest.mark.parametrize("deleted", [True, False])
    @pytest.mark.parametrize("inclusive", [(True, False), (False, True), (False, False)])
    def test_a_range_from_a_key_to_itself_gives_nothing(
        self, raw: Table, inclusive: tuple[bool, bool], *, deleted: bool
    ) -> None:
        """Also where the key is that of a delete marker, alone and beside other ranges."""
        raw.put("r", "f", "q", timestamp=3)
        raw.put("s", timestamp=3)
        key = Key(b"r", b"f", b"q", b"", 3, deleted=deleted)
        nothing = Range(key, inclusive[0], key, inclusive[1])
        assert read(raw, ScanSpec(ranges=[nothing])) == []
        assert rows(read(raw, ScanSpec(ranges=[nothing, Range.row(b"s")]))) == [b"s"]

    def test_a_range_of_the_key_of_a_marker_alone_gives_nothing(self, raw: Table) -> None:
        """Markers are never given, and the cell of that time lies behind."""
        raw.put("r", "f", "q", timestamp=3)
        key = Key(b"r", b"f", b"q", b"", 3, deleted=True)
        assert read(raw, ScanSpec(ranges=[Range(key, True, key, True)])) == []

    @pytest.mark.parametrize(
        ("columns", "shown"),
        [
            ([(b"f", None)], False),
            ([(b"f", b"q")], True),
            ([(b"f", None), (b"f", b"q")], True),
            ([(b"e", None), (b"f", None), (b"e", b"q"), (b"f", b"q")], True),
            ([(b"", None), (b"f", None), (b"f", b"q")], False),
        ],
    )
    def test_a_column_with_a_qualifier_hides_the_marker_of_a_row_from_its_stage(
        self, raw: Table, columns: list[tuple[bytes, bytes | None]], *, shown: bool
    ) -> None:
        """As Accumulo has it: the marker lies in a column that was not asked for."""
        raw.put("r", value="DEL_ROW", timestamp=5)
        for qualifier in "pqz":
            raw.put("r", "f", qualifier, qualifier, timestamp=3)
        for ranges in ([Range()], [Range.row(b"r")]):
            spec = ScanSpec(ranges=ranges, columns=columns, stages=[stage("row-delete")])
            expected = "q" if columns == [(b"f", b"q")] else "pqz"
            assert values(read(raw, spec)) == (list(expected) if shown else [])

    @pytest.mark.parametrize("inclusive", [True, False])
    def test_the_key_of_a_marker_comes_before_the_cell_of_its_time(
        self, raw: Table, *, inclusive: bool
    ) -> None:
        """A range from one to the next has the first cell and not the second, there or not."""
        for time in (1, 2, 3, 4):
            raw.put("r", "f", "q", timestamp=time)
        start, end = (Key(b"r", b"f", b"q", b"", time, deleted=True) for time in (3, 2))
        assert times(read(raw, ScanSpec(ranges=[Range(start, inclusive, end, inclusive)]))) == [3]
        nothing = Range(start, inclusive, start._replace(deleted=False), False)
        assert read(raw, ScanSpec(ranges=[nothing])) == []
