"""Real Vertexium as oracle for records: its scenarios, on the engines of this repository."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lexigraph.store import Engine, MemoryEngine
from lexigraph.store.clock import ManualClock
from tests.conformance.outside import count, outside
from tests.conformance.store.embedded_engines import Temporary
from tests.conformance.vertexium.comparison import Comparison
from tests.conformance.vertexium.given import START
from tests.conformance.vertexium.left_out import left_out_scenario
from tests.conformance.vertexium.records_driver import RecordsDriver

FOLDER = outside("vertexium", "index.json").parent / "scenarios"
SCENARIOS = sorted(path.stem for path in FOLDER.glob("*.json"))


def scenario(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(FOLDER, f"{name}.json").read_bytes())
    return found


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(START * 1000)


@pytest.fixture(params=["memory", "embedded"])
def engine(request: pytest.FixtureRequest, clock: ManualClock) -> Iterator[Engine]:
    embedded = request.param == "embedded"
    made = Temporary(clock=clock, durability="buffered") if embedded else MemoryEngine(clock=clock)
    with made:
        yield made


@pytest.mark.parametrize("name", SCENARIOS)
def test_records_answer_as_vertexium_does(
    name: str, engine: Engine, clock: ManualClock, request: pytest.FixtureRequest
) -> None:
    about = scenario(name)
    reason = left_out_scenario(about)
    if reason is not None:
        pytest.skip(reason)
    # The reasons are the same on all engines.
    named = isinstance(engine, MemoryEngine)
    comparison = Comparison(about, RecordsDriver(engine, clock), names_reasons=named)
    comparison.run()
    assert not comparison.problems, "\n".join(comparison.problems)
    count(f"vertexium.{request.node.callspec.params['engine']}", comparison.checked)
    for reason, times in comparison.reasons.items():
        count(f"vertexium deviates ({reason})", times)
