"""The suite notices: engines with one defect each fail the test that names it."""

from __future__ import annotations

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from lexigraph.store import MemoryEngine
from lexigraph.testing.machine import store_machine

from . import broken
from .broken import NOTICED_BY, KeepsRuns

pytest_plugins = ["pytester"]

FILE = """
from lexigraph.testing import store_suite
from {module} import {engine} as Broken
globals().update(store_suite(Broken, name="broken", make_runs=Broken))
"""


def run_one(pytester: pytest.Pytester, engine: type[MemoryEngine], test: str) -> pytest.RunResult:
    source = FILE.format(module=broken.__name__, engine=engine.__name__)
    pytester.makepyfile(test_engine=source)
    return pytester.runpytest_inprocess("-p", "no:cacheprovider", "-q", "-k", test)


GRAPHS = {
    broken.LabelsIgnored: "test_a_reader_sees_what_its_authorizations_satisfy",
    broken.DeletesIgnored: "test_every_question_honours_a_delete",
    broken.EqualKeysLost: "test_groups_that_keep_duplicates_keep_them",
}


@pytest.mark.parametrize("engine", [*GRAPHS, KeepsRuns], ids=lambda engine: engine.__name__)
def test_the_graph_suite_notices_too(pytester: pytest.Pytester, engine: type[MemoryEngine]) -> None:
    source = FILE.replace("store_suite", "graph_suite").replace(", make_runs=Broken", "")
    names = broken.__name__, engine.__name__
    pytester.makepyfile(test_engine=source.format(module=names[0], engine=names[1]))
    test = GRAPHS.get(engine, " or ".join(GRAPHS.values()))
    run = pytester.runpytest_inprocess("-p", "no:cacheprovider", "-q", "-k", test)
    outcomes = run.parseoutcomes()
    assert "errors" not in outcomes
    assert ("failed" in outcomes) == (engine in GRAPHS)


@pytest.mark.parametrize("engine", NOTICED_BY, ids=lambda engine: engine.__name__)
def test_a_defect_fails_the_test_that_names_it(
    pytester: pytest.Pytester, engine: type[MemoryEngine]
) -> None:
    outcomes = run_one(pytester, engine, NOTICED_BY[engine]).parseoutcomes()
    assert outcomes.get("failed", 0) > 0
    assert "errors" not in outcomes


def test_the_engine_that_the_broken_ones_change_passes_those_tests(
    pytester: pytest.Pytester,
) -> None:
    run = run_one(pytester, KeepsRuns, " or ".join(NOTICED_BY.values()))
    assert set(run.parseoutcomes()) == {"passed", "deselected"}


@pytest.mark.parametrize(
    "engine",
    [
        broken.LabelsIgnored,
        broken.DeletesIgnored,
        broken.EqualKeysLost,
        broken.ResumeLosesEqualKeys,
        broken.SnapshotNotIsolated,
        broken.PartialMergesLoseMarkers,
        broken.ConflictsIgnored,
        broken.ConditionsIgnored,
        broken.ClonesShare,
    ],
    ids=lambda engine: engine.__name__,
)
def test_the_state_machine_finds_a_defect(engine: type[MemoryEngine]) -> None:
    machine = store_machine(engine)
    unshrunk = settings(machine.TestCase.settings, phases=[Phase.generate], max_examples=400)
    with pytest.raises(AssertionError):
        run_state_machine_as_test(machine, settings=unshrunk)
