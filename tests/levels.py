"""How much of the suite runs: a quick check, a whole test, or the long versions of properties.

``LEXIGRAPH_TESTS`` is ``check``, ``test`` (unless set) or ``soak``. A level decides two things: how
many examples a property is given, as a factor of what the test asks for, and of which files only a
sample runs: a sample of the tests, or a sample of the cases of each test that has many. A sample
goes by the name of a test, so that every run takes the same ones; ``soak`` runs them all, and no
test is left out of every level.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import pytest
from hypothesis import settings

VARIABLE = "LEXIGRAPH_TESTS"
LEAST_EXAMPLES = 5
FEW_CASES = 4
"""A test with so many cases always runs whole."""


class Level(NamedTuple):
    """What one level runs."""

    examples: float
    """The factor of how many examples a property is given."""
    one_of: Mapping[str, int]
    """For tests whose names start so: one of how many runs; 0 for none."""
    cases: Mapping[str, int]
    """For tests whose names start so: one of how many of each test's cases runs, at least one."""


LONG = (
    "tests/unit/examples/test_traffic.py::test_the_council_sees_all_vehicles",
    "tests/unit/graph/test_encoding.py::test_large_tables_are_divided",
    "tests/unit/graph/test_erase.py::test_an_erasure_that_is_killed",
    "tests/unit/graph/test_every_aggregator.py::test_half_a_million_events",
    "tests/unit/graph/test_every_aggregator.py::test_no_key_of_many_is_lost",
    "tests/unit/plan/test_seeds.py::test_many_seeds_are_looked_up_in_batches",
    "tests/unit/plan/test_walks.py::test_a_walk_may_have_more_hops",
    "tests/unit/security/test_visibility.py::test_a_deep_chain_of_one_operator",
    "tests/unit/security/test_visibility.py::test_groups_nest_as_deep",
    "tests/unit/store/embedded/test_interrupts.py",
    "tests/unit/store/embedded/test_lost_data.py::test_a_process_that_is_killed",
    "tests/unit/testing/test_without_vectors.py",
)
"""Tests that a quick check leaves out: each takes several seconds."""

LEVELS = {
    "check": Level(
        0.1,
        {
            "tests/accumulo/": 0,
            "tests/benchmarks/": 0,
            "tests/durability/": 0,
            "tests/packaging/": 0,
            "tests/compat/": 4,
            "tests/conformance/graph/test_embedded.py": 4,
            "tests/conformance/graph/test_memory.py": 2,
            "tests/conformance/store/test_embedded.py": 2,
            "tests/conformance/store/test_embedded_cut.py": 8,
            "tests/conformance/store/test_memory_cut.py": 8,
            "tests/conformance/test_accumulo_stages.py::test_an_engine_scans": 0,
            "tests/conformance/test_outside.py": 12,
            "tests/unit/graph/test_created_at_once.py": 3,
            "tests/unit/graph/test_decoded.py": 3,
            "tests/unit/graph/test_edge_ranges.py": 9,
            "tests/unit/graph/test_short_columns.py": 3,
            "tests/unit/testing/test_broken.py": 8,
            # Single tests that take many seconds each: large inputs, and processes that are killed.
            **dict.fromkeys(LONG, 0),
        },
        # What asks engines, for every layout and value. Tests of pure code are quick and run whole.
        {
            "tests/conformance/": 4,
            "tests/unit/examples/": 4,
            "tests/unit/graph/": 4,
            "tests/unit/layout/records/": 1,
            "tests/unit/layout/": 4,
            "tests/unit/plan/": 4,
            "tests/unit/store/": 4,
        },
    ),
    "test": Level(
        0.5,
        {
            "tests/accumulo/test_graph_suite.py": 2,
            "tests/accumulo/test_store_suite.py": 2,
        },
        {},
    ),
    "soak": Level(10, {}, {}),
}


def level() -> Level:
    """Return the level of this run."""
    name = os.environ.get(VARIABLE, "test")
    if name not in LEVELS:
        raise pytest.UsageError(f"{VARIABLE} is one of {', '.join(LEVELS)}, not {name!r}")
    return LEVELS[name]


def runs(nodeid: str, at: Level, *, on_cluster: bool = False) -> bool:
    """Say whether a test runs at a level; ``check`` has no cluster."""
    if on_cluster and at is LEVELS["check"]:
        return False
    for start, one_of in at.one_of.items():
        if nodeid.startswith(start):
            return one_of > 0 and crc32(nodeid.encode()) % one_of == 0
    return True


def sample_cases(nodeids: Sequence[str], at: Level) -> set[str]:
    """Return those that run of the cases of each test; every test keeps at least one."""
    tests: dict[str, list[str]] = {}
    for nodeid in nodeids:
        tests.setdefault(nodeid.partition("[")[0], []).append(nodeid)
    kept: set[str] = set()
    for test, cases in tests.items():
        one_of = next((n for start, n in at.cases.items() if test.startswith(start)), 1)
        if len(cases) <= FEW_CASES:
            one_of = 1
        drawn = [case for case in cases if crc32(case.encode()) % one_of == 0]
        kept.update(drawn or [min(cases, key=lambda case: crc32(case.encode()))])
    return kept


def some(cases: Sequence[Any], at: Level | None = None) -> Sequence[Any]:
    """Return what one test looks at that runs through very many cases; ``check`` looks at a few."""
    return cases[::10] if (at or level()) is LEVELS["check"] else cases


def examples(asked: int, at: Level) -> int:
    """Return how many examples a property is given for those that its test asks for."""
    return max(min(asked, LEAST_EXAMPLES), round(asked * at.examples))


def give_examples(item: pytest.Item, at: Level, seen: set[int]) -> None:
    """Set the number of examples of a property or a state machine, once for all its cases."""
    for holder, name in (
        (getattr(item, "obj", None), "_hypothesis_internal_use_settings"),
        (getattr(item, "cls", None), "settings"),
    ):
        holder = getattr(holder, "__func__", holder)
        found: Any = getattr(holder, name, None)
        if isinstance(found, settings) and id(holder) not in seen:
            seen.add(id(holder))
            setattr(holder, name, settings(found, max_examples=examples(found.max_examples, at)))


def choose(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what does not run at this level; a test that is named on its own always runs."""
    at, seen = level(), set[int]()
    named = any("::" in str(one) for one in config.args)
    run: set[str] = set()
    for item in items:
        give_examples(item, at, seen)
        on_cluster = item.get_closest_marker("accumulo") is not None
        if named or runs(item.nodeid, at, on_cluster=on_cluster):
            run.add(item.nodeid)
    if not named:
        run = sample_cases([item.nodeid for item in items if item.nodeid in run], at)
    left = [item for item in items if item.nodeid not in run]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item.nodeid in run]


def is_ignored(path: Path, config: pytest.Config) -> bool:
    """Say whether a whole folder is left out: it need not even be collected."""
    named = any("::" in str(one) for one in config.args)
    if named or not path.is_dir() or not path.is_relative_to(config.rootpath):
        return False
    return level().one_of.get(f"{path.relative_to(config.rootpath).as_posix()}/") == 0
