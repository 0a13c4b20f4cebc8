"""What every test relies on: a scan whose stages no server counted is found out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lexigraph.store import AccumuloEngine, ScanSpec, StageSpec
from lexigraph.store.reading import ScanPlan
from lexigraph.store.results import Watch
from tests.accumulo.counting import CountedScan
from tests.accumulo.engines import Fresh

pytestmark = pytest.mark.accumulo

GREP = ScanSpec(stages=[StageSpec("grep", {"term": "v"}), StageSpec("limit", {"cells": 5})])


@pytest.fixture
def engine() -> Iterator[Fresh]:
    with Fresh() as made:
        made.create_table("t").put("r", "f", "", "v")
        yield made


def finish(engine: Fresh, spec: ScanSpec, claimed: list[str]) -> int:
    """Read a scan to its end as if these stages had been said to run on the servers."""
    plan = ScanPlan(spec, engine.settings("t"))
    batches = AccumuloEngine._batches(engine, "t", plan, 10, Watch("t", None))
    return sum(len(batch) for batch in engine._bridge.checked(batches, claimed))


def test_a_scan_that_servers_counted_passes(engine: Fresh) -> None:
    assert finish(engine, GREP, ["versions", "grep"]) == 1


@pytest.mark.parametrize("claimed", [["sum"], ["versions", "grep", "sum"]])
def test_stages_that_no_server_was_asked_for_are_found_out(
    engine: Fresh, claimed: list[str]
) -> None:
    with pytest.raises(AssertionError, match="are said to run on the servers"):
        finish(engine, GREP, claimed)


def test_stages_that_no_server_counted_are_found_out(engine: Fresh) -> None:
    scans: list[CountedScan] = []
    with engine._bridge._noting(scans):
        assert list(AccumuloEngine._batches(engine, "t", plan_of(engine), 10, Watch("t", None)))
    [scan] = scans
    scan.check()
    scan.asked = ["sum", *scan.asked]
    with pytest.raises(AssertionError):
        scan.check()


def plan_of(engine: Fresh) -> ScanPlan:
    return ScanPlan(ScanSpec(), engine.settings("t"))
