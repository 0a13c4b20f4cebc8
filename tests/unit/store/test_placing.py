"""Where the line between engine and client is drawn changes no answer: all vectors, every line."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from lexigraph.store import Cell, ScanSpec, TableSettings
from lexigraph.store.scan.placing import EngineCells
from lexigraph.store.scan.reading import ScanPlan
from lexigraph.store.scan.runs import Run
from lexigraph.store.stages.builtin import BUILT_IN
from lexigraph.testing.vectors import StageCase, check_case, load_cases

FOLDER = Path(__file__).parents[3] / "spec" / "stages"
KEEP_ALL = TableSettings(max_versions=None, constraints=())


def run_split(case: StageCase, from_top: int) -> Iterator[Cell]:
    """Run all but some stages from the top as an engine would, and those above it."""
    spec = ScanSpec.from_json({"version": 1, **case.spec})
    plan = ScanPlan(spec, KEEP_ALL)
    written = Run.written(case.cells)

    def engine(below: ScanSpec) -> Iterator[Cell]:
        settings = TableSettings(max_versions=None, plans=spec.plans)
        return ScanPlan(below, settings).read(written, now=0)

    done = max(0, len(plan.stages) - from_top)
    # A scan's own clock value wins over the engine's.
    clock = 0 if spec.now is None else spec.now + 1000
    source = EngineCells(plan, done, clock, engine)
    return plan.read(source, now=clock, done=done)


@pytest.mark.parametrize("from_top", [0, 1, 2, 9])
@pytest.mark.parametrize("name", [cls.name for cls in BUILT_IN])
def test_every_vector_holds_wherever_the_client_takes_over(name: str, from_top: int) -> None:
    cases = [case for case in load_cases(FOLDER / f"{name}.json") if case.scope == "scan"]
    run = partial(run_split, from_top=from_top)
    problems = {str(case): check_case(case, run) for case in cases}
    assert {case: texts for case, texts in problems.items() if texts} == {}


def test_some_vectors_have_a_stage_above_one_that_sees_the_whole_scan() -> None:
    splits = []
    for path in FOLDER.glob("*.json"):
        for case in load_cases(path):
            if case.scope == "scan" and case.error is None:
                plan = ScanPlan(ScanSpec.from_json({"version": 1, **case.spec}), KEEP_ALL)
                splits.append(len(plan.stages) - plan.split)
    assert max(splits) > 1
