"""Combining stages: partial groups, labels, and merges placed anywhere.

Layer ``testing``. A combiner gives one cell for a column from wherever it is entered.
"""

from __future__ import annotations

from typing import Any

import pytest

from lexigraph.codec.accumulo.counters import counter_for
from lexigraph.errors import InvalidBytes
from lexigraph.store import Cell, CellBatch, Engine, Key, Range, ScanSpec, Table, TableSettings
from lexigraph.testing.marks import needs
from lexigraph.testing.store.base import (
    SUM,
    StoreTests,
    read,
    resume_points,
    stage,
    times,
    values,
)
from lexigraph.testing.store.reads.partitions import merge_orders, merge_runs

NUMBERS = [3, -7, 11, 2, 5]
COMBINERS = {"sum": "14", "min": "-7", "max": "11", "decimal-sum": "14", "decimal-min": "-7"}


def combining(name: str) -> TableSettings:
    """Return settings that combine at scan and at merge."""
    options: dict[str, Any] = {} if name.startswith("decimal") else {"encoding": "text"}
    combiner = stage(name, **options)
    return TableSettings(max_versions=None, scan_stages=[combiner], merge_stages=[combiner])


def fill(table: Table) -> None:
    """Write the numbers as versions of one column, and a neighbour on each side."""
    table.put("q", value="1", timestamp=1)
    for time, number in enumerate(NUMBERS):
        table.put("r", value=str(number), timestamp=time)
    table.put("s", value="2", timestamp=1)


class Combiners(StoreTests):
    """Combining stages."""

    @pytest.mark.parametrize("name", COMBINERS)
    def test_versions_become_one_cell_with_the_newest_timestamp(
        self, engine: Engine, name: str
    ) -> None:
        """Each column on its own."""
        table = engine.create_table("t", combining(name))
        fill(table)
        assert values(read(table)) == ["1", COMBINERS[name], "2"]
        assert times(read(table)) == [1, len(NUMBERS) - 1, 1]

    @pytest.mark.parametrize("encoding", ["VARLEN", "FIXEDLEN", "STRING"])
    def test_each_encoding_of_numbers_is_summed(self, engine: Engine, encoding: str) -> None:
        """The bytes are those of Accumulo's encoders."""
        names = {"VARLEN": "varlen", "FIXEDLEN": "fixed", "STRING": "text"}
        counter = counter_for(encoding)
        total = stage("sum", encoding=names[encoding])
        table = engine.create_table("t", TableSettings(max_versions=None, scan_stages=[total]))
        for number in (1, -300, 2**40):
            table.put("r", value=counter.encode(number))
        assert counter.decode(read(table)[0].value) == 2**40 - 299

    def test_a_sum_stops_at_the_ends_of_64_bits(self, engine: Engine) -> None:
        """It never wraps."""
        table = engine.create_table("t", combining("sum"))
        table.put("r", value=str(2**63 - 1))
        table.put("r", value="5")
        assert values(read(table)) == [str(2**63 - 1)]

    @needs("partial-merges")
    @pytest.mark.parametrize("name", COMBINERS)
    def test_merges_placed_anywhere_give_the_same(self, runs: Engine, name: str) -> None:
        """Every way to merge contiguous runs, then all of them."""
        for number, order in enumerate(merge_orders(len(NUMBERS))):
            table = runs.create_table(f"t{number}", combining(name))
            for time, item in enumerate(NUMBERS):
                table.put("r", value=str(item), timestamp=time)
            before = read(table)
            for first, last in order:
                merge_runs(runs, table.name, first, last)
                assert (read(table), values(before)) == (before, [COMBINERS[name]]), order
            table.compact()
            assert read(table) == before, order

    def test_writes_between_merges_are_added(self, engine: Engine) -> None:
        """What is combined is combined again."""
        table = engine.create_table("t", combining("sum"))
        for number in range(1, 6):
            table.put("r", value=str(number))
            table.compact()
        assert values(read(table)) == ["15"]
        assert engine.stats("t").cells == 1

    def test_only_the_named_columns_are_combined(self, engine: Engine) -> None:
        """A family, or a family and qualifier."""
        total = stage("sum", encoding="text", columns=[["f"], ["g", "q"]])
        table = engine.create_table("t", TableSettings(max_versions=None, scan_stages=[total]))
        for column in (("f", "x"), ("g", "p"), ("g", "q")):
            for number in "12":
                table.put("r", *column, number)
        assert values(read(table)) == ["3", "2", "1", "3"]

    def test_a_deleted_column_starts_again_from_nothing(self, engine: Engine) -> None:
        """Nothing is combined across a delete marker."""
        table = engine.create_table("t", combining("sum"))
        for number in ("1", "2"):
            table.put("r", value=number)
        table.delete("r")
        table.put("r", value="4")
        assert values(read(table)) == ["4"]

    def test_a_value_that_is_no_number_fails_the_scan(self, engine: Engine) -> None:
        """It is not passed over in silence."""
        table = engine.create_table("t", combining("sum"))
        table.put("r", value="one")
        with pytest.raises(InvalidBytes):
            read(table)

    def test_a_lossy_combiner_passes_over_what_is_no_number(self, engine: Engine) -> None:
        """Because it was asked to."""
        total = stage("sum", encoding="text", lossy=True)
        table = engine.create_table("t", TableSettings(max_versions=None, scan_stages=[total]))
        for value in ("1", "one", "2"):
            table.put("r", value=value)
        assert values(read(table)) == ["3"]

    def test_a_combined_cell_stands_at_its_newest_version(self, engine: Engine) -> None:
        """A range that starts behind that key does not have it, wherever it starts in the group."""
        table = engine.create_table("t", combining("sum"))
        fill(table)
        for time in range(-1, len(NUMBERS) - 1):
            item = Range(Key(b"r", timestamp=time), True, Key(b"s"), False)
            assert read(table, ScanSpec(ranges=[item])) == []
        at_newest = Range(Key(b"r", timestamp=len(NUMBERS) - 1), True, Key(b"s"), False)
        assert values(read(table, ScanSpec(ranges=[at_newest]))) == ["14"]

    def test_resuming_behind_a_combined_cell_does_not_give_a_part_of_it(
        self, engine: Engine
    ) -> None:
        """The rest of its group lies behind the cut."""
        table = engine.create_table("t", combining("sum"))
        fill(table)
        spec = ScanSpec(stages=[])
        whole = read(table, spec)
        for place, point in enumerate(resume_points(whole)):
            assert read(table, spec.resumed(point)) == whole[place + 1 :]

    def test_a_combiner_below_versions_sees_them_all(self, engine: Engine) -> None:
        """Its place is closer to the data by default."""
        table = engine.create_table("t", TableSettings.with_stages(SUM, max_versions=1))
        cells = [Cell(b"r", timestamp=time, value=b"1") for time in range(4)]
        table.write(CellBatch.from_cells(cells))
        assert values(read(table)) == ["4"]
