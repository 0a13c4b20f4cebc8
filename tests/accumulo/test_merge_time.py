"""The time of a merge: that of the servers, or one that is given."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lexigraph.errors import UsageError
from lexigraph.store import AccumuloEngine, Cell, CellBatch, StageSpec, TableSettings
from tests.accumulo.engines import fresh_engine

pytestmark = pytest.mark.accumulo

HOUR = 3_600_000_000


@pytest.fixture(scope="module")
def engine() -> Iterator[AccumuloEngine]:
    with fresh_engine() as made:
        yield made


def test_a_merge_takes_the_time_that_it_is_given(engine: AccumuloEngine) -> None:
    stages = [
        StageSpec("age-off", {"ttl": HOUR}, 10),
        StageSpec("grep", {"term": "v"}, 12),
        StageSpec("versions", {"max": 2}, 20),
    ]
    table = engine.create_table("t", TableSettings(max_versions=None, merge_stages=stages))
    commit = table.put("new", "f", "", "v")
    cells = [
        Cell(b"%d" % age, b"f", b"", b"", commit - age * HOUR // 4, False, b"v") for age in (1, 3)
    ]
    table.write(CellBatch.from_cells(cells))
    assert [cell.row for cell in table.scan()] == [b"1", b"3", b"new"]
    engine.compact("t")
    assert [cell.row for cell in table.scan()] == [b"1", b"3", b"new"]
    report = engine.compact("t", now=commit + HOUR // 2)
    assert (report.now, report.cells_out) == (commit + HOUR // 2, 2)
    assert [cell.row for cell in table.scan()] == [b"1", b"new"]
    engine.compact("t", now=commit + 2 * HOUR)
    assert list(table.scan()) == []


def test_a_time_before_the_newest_commit_is_refused(engine: AccumuloEngine) -> None:
    stages = [StageSpec("age-off", {"ttl": HOUR})]
    settings = TableSettings(max_versions=None, merge_stages=stages, max_clock_jump=HOUR)
    table = engine.create_table("u", settings)
    commit = table.put("r", "f", "", "v")
    for now in (commit - 1, commit + 2 * HOUR):
        with pytest.raises(UsageError, match="its clock"):
            engine.compact("u", now=now)
    assert len(list(table.scan())) == 1
