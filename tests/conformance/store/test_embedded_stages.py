"""Every stage vector through the embedded engine, with every stage of it run by the core."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lexigraph.store import ManualClock
from lexigraph.store.stages.builtin import BUILT_IN
from lexigraph.testing.store.reads.vectors import all_cases, merge, scan
from lexigraph.testing.vectors import check_case

from .embedded_engines import Temporary, ran


@pytest.fixture
def engine() -> Iterator[Temporary]:
    with Temporary(clock=ManualClock(-(2**62)), durability="buffered") as engine:
        yield engine


@pytest.mark.parametrize("name", [cls.name for cls in BUILT_IN])
def test_every_vector_holds_and_its_stages_run_in_the_core(name: str, engine: Temporary) -> None:
    before = ran[name]
    cases = [case for case in all_cases()[name] if case.scope != "merge"]
    runs = {"scan": scan, "full": merge}
    problems = {
        str(case): check_case(case, lambda given, run=runs[case.scope]: run(engine, given))  # type: ignore[misc]
        for case in cases
    }
    assert {case: texts for case, texts in problems.items() if texts} == {}
    # At merge scope nothing is counted: a merge has no stage but the core's.
    assert ran[name] > before or all(case.scope == "full" for case in cases)
