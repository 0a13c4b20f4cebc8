"""Rows by domain, month and shard; a date range reads its own months."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from lexigraph.codec.rowid import reverse_domain
from lexigraph.examples.rowids import (
    BY_SHARD,
    cells_in,
    key_ranges,
    months_of,
    sample_visits,
    visits_between,
    write_visits,
)
from lexigraph.store import Cell, MemoryEngine, Range, Table
from lexigraph.store.scan.runs import MergedRuns
from lexigraph.store.stages.base import Families


@pytest.fixture
def visits() -> Table:
    table = MemoryEngine().create_table("visits")
    write_visits(table, sample_visits())
    return table


@pytest.fixture
def cells_read(monkeypatch: pytest.MonkeyPatch) -> list[Cell]:
    """Every cell that the engine takes from its runs, before any stage sees it."""
    read: list[Cell] = []
    scan = MergedRuns.scan

    def watched(self: MergedRuns, wanted: Range, families: Families) -> Iterator[Cell]:
        for cell in scan(self, wanted, families):
            read.append(cell)
            yield cell

    monkeypatch.setattr(MergedRuns, "scan", watched)
    return read


def test_pages_of_one_domain_are_neighbours(visits: Table) -> None:
    rows = list(dict.fromkeys(cell.row for cell in visits.scan()))
    assert rows == [
        f"{page}_{month}".encode()
        for page in ("com.google.code", "com.google.labs", "com.yahoo.mail")
        for month in ("201003", "201004", "201005")
    ]


def test_a_date_range_gives_exactly_its_days(visits: Table) -> None:
    found = visits_between(visits, "labs.google.com", date(2010, 3, 30), date(2010, 4, 2))
    assert found == ["2010-03-30 v29", "2010-03-31 v30", "2010-04-01 v31", "2010-04-02 v32"]


def test_a_date_range_reads_only_the_cells_of_its_months(
    visits: Table, cells_read: list[Cell]
) -> None:
    first, last = date(2010, 4, 10), date(2010, 4, 12)
    assert len(visits_between(visits, "code.google.com", first, last)) == 3
    assert {cell.row for cell in cells_read} == {b"com.google.code_201004"}
    assert len(cells_read) == 30
    assert cells_in(visits, months_of("code.google.com", first, last)) == 30


def test_counting_cells_says_what_the_engine_reads(visits: Table, cells_read: list[Cell]) -> None:
    ranges = months_of("code.google.com", date(2010, 3, 1), date(2010, 5, 31))
    assert cells_in(visits, ranges) == len(cells_read) == 92


def test_dates_the_wrong_way_round_give_nothing(visits: Table) -> None:
    assert visits_between(visits, "code.google.com", date(2010, 5, 1), date(2010, 3, 1)) == []


def test_shards_spread_one_page_over_rows_and_lose_nothing() -> None:
    table = MemoryEngine().create_table("visits")
    write_visits(table, sample_visits(), BY_SHARD)
    page = reverse_domain("code.google.com").encode()
    found = list(table.scan(ranges=key_ranges(BY_SHARD.ranges_of(page))))
    assert {cell.row for cell in found} == {page + b"_00", page + b"_01", page + b"_02"}
    assert len(found) == 92
