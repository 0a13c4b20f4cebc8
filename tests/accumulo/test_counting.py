"""What every test relies on: a scan whose stages no server counted is found out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from lexigraph.store import AccumuloEngine, ScanSpec, StageSpec
from tests.accumulo.counting import CountedScan
from tests.accumulo.engines import fresh_engine

pytestmark = pytest.mark.accumulo

GREP = ScanSpec(stages=[StageSpec("grep", {"term": "v"})])


@pytest.fixture
def engine() -> Iterator[AccumuloEngine]:
    with fresh_engine() as made:
        made.create_table("t").put("r", "f", "", "v")
        yield made


def test_the_engine_under_test_is_the_shipped_one(engine: AccumuloEngine) -> None:
    assert type(engine) is AccumuloEngine


def test_a_scan_that_servers_counted_passes(engine: AccumuloEngine) -> None:
    assert sum(map(len, engine.scan("t", GREP))) == 1
    assert [stage["name"] for stage in (engine.counted or [])[-1]["stages"]] == ["versions", "grep"]


@pytest.mark.parametrize("more", [["sum"], ["versions", "sum"]])
def test_stages_that_no_server_counted_are_found_out(
    engine: AccumuloEngine, monkeypatch: pytest.MonkeyPatch, more: list[str]
) -> None:
    start = CountedScan.start

    def started(*arguments: Any) -> CountedScan:
        made = start(*arguments)
        made.asked = [*made.asked, *more]
        return made

    monkeypatch.setattr(CountedScan, "start", staticmethod(started))
    with pytest.raises(AssertionError, match="sum"):
        list(engine.scan("t", GREP))
