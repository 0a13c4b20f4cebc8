"""Real Vertexium as oracle for records on a real cluster: a spread of its scenarios.

The deviations are those of the other engines. Scenarios are chosen by rule: first those that have
kinds of steps which no chosen one has, short ones before long ones.
"""

from __future__ import annotations

from typing import Any

import pytest

from lexigraph.store.clock import ManualClock
from tests.accumulo.engines import fresh_engine
from tests.conformance.outside import count
from tests.conformance.vertexium.comparison import Comparison
from tests.conformance.vertexium.given import START
from tests.conformance.vertexium.left_out import left_out, left_out_scenario
from tests.conformance.vertexium.records_driver import RecordsDriver
from tests.conformance.vertexium.test_vertexium import SCENARIOS, scenario

pytestmark = pytest.mark.accumulo
WANTED = 20


def kinds(about: dict[str, Any]) -> set[str]:
    """Return the kinds of steps of a scenario that are compared, with how they end."""
    found = set()
    for step in about["steps"]:
        if step.get("do") == "dump" or left_out(step) is not None:
            continue
        ends = sorted(name for name in step if name.startswith("expected"))
        for one in [step, *(step.get("ops") or ())]:
            what = one.get("ask") or one.get("do") or one.get("op")
            found.add(f"{what} {ends} {'endTime' in step} {'timestamp' in one}")
    return found


def spread() -> list[str]:
    """Return the names of the scenarios that run here."""
    known = {name: scenario(name) for name in SCENARIOS}
    left = {name: kinds(about) for name, about in known.items() if left_out_scenario(about) is None}
    chosen: list[str] = []
    seen: set[str] = set()
    while left and len(chosen) < WANTED:
        best = max(
            left, key=lambda name: (len(left[name] - seen), -len(known[name]["steps"]), name)
        )
        seen |= left.pop(best)
        chosen.append(best)
    return chosen


@pytest.mark.parametrize("name", spread())
def test_a_cluster_answers_as_vertexium_does(name: str) -> None:
    about, clock = scenario(name), ManualClock(START * 1000)
    with fresh_engine(clock=clock, tokens=about["auths"]) as engine:
        comparison = Comparison(about, RecordsDriver(engine, clock), names_reasons=False)
        comparison.run()
    assert not comparison.problems, "\n".join(comparison.problems)
    count("vertexium.accumulo", comparison.checked)
