"""Levels of the suite: a sample is the same every time, and every test runs at some level."""

from __future__ import annotations

from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexigraph.store import MemoryEngine
from lexigraph.testing.machine import store_machine
from tests.levels import (
    FEW_CASES,
    LEVELS,
    Level,
    examples,
    give_examples,
    is_ignored,
    level,
    runs,
    sample_cases,
    some,
)

NAMES = [f"tests/accumulo/test_store_suite.py::test_x[{n}]" for n in range(300)]


def test_a_sample_is_about_the_share_that_its_level_says() -> None:
    kept = [name for name in NAMES if runs(name, LEVELS["test"])]
    assert 120 < len(kept) < 180
    assert kept == [name for name in NAMES if runs(name, LEVELS["test"])]


def test_a_check_needs_no_cluster() -> None:
    assert not any(runs(name, LEVELS["check"]) for name in NAMES)
    assert not runs("tests/compat/test_any.py::test_x", LEVELS["check"], on_cluster=True)
    assert runs("tests/unit/test_any.py::test_x", LEVELS["check"])


def test_a_soak_leaves_nothing_out() -> None:
    assert LEVELS["soak"].one_of == LEVELS["soak"].cases == {}
    assert LEVELS["soak"].examples > LEVELS["test"].examples > LEVELS["check"].examples


def test_every_test_keeps_some_of_its_cases() -> None:
    names = [f"tests/unit/graph/t.py::test_{n}[{c}]" for n in range(20) for c in range(8)]
    kept = sample_cases(names, LEVELS["check"])
    assert {name.partition("[")[0] for name in kept} == {name.partition("[")[0] for name in names}
    assert len(kept) < len(names) // 2
    assert kept == sample_cases(names, LEVELS["check"])
    assert sample_cases(names, LEVELS["soak"]) == set(names)
    none = Level(1, {}, {"tests/": 2**32})
    assert len(sample_cases(names, none)) == 20


def test_few_cases_and_those_of_pure_code_run_whole() -> None:
    few = [f"tests/unit/graph/t.py::test_x[{c}]" for c in range(FEW_CASES)]
    pure = [f"tests/unit/codec/t.py::test_x[{c}]" for c in range(50)]
    alone = ["tests/unit/graph/t.py::test_y"]
    assert sample_cases([*few, *pure, *alone], LEVELS["check"]) == {*few, *pure, *alone}


def test_a_test_that_runs_through_very_many_cases_looks_at_a_few_in_a_check() -> None:
    assert some(range(100), LEVELS["check"]) == range(0, 100, 10)
    assert some(range(100), LEVELS["test"]) == some(range(100), LEVELS["soak"]) == range(100)


def test_few_examples_stay_as_they_are() -> None:
    assert examples(3, LEVELS["check"]) == 3
    assert examples(30, LEVELS["check"]) == 5
    assert examples(400, LEVELS["check"]) == 40
    assert examples(400, LEVELS["soak"]) == 4000


def test_an_unknown_level_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEXIGRAPH_TESTS", "quick")
    with pytest.raises(pytest.UsageError, match="check, test, soak"):
        level()


class FakeItem:
    """As much of an item of pytest as is looked at."""

    cls: ClassVar[type | None] = None


def test_a_property_is_given_the_examples_of_the_level_once() -> None:
    calls = []

    @settings(max_examples=100, database=None)
    @given(st.integers())
    def holds(number: int) -> None:
        calls.append(number)

    item, seen = FakeItem(), set[int]()
    item.obj = holds  # type: ignore[attr-defined]
    give_examples(item, LEVELS["check"], seen)  # type: ignore[arg-type]
    give_examples(item, LEVELS["check"], seen)  # type: ignore[arg-type]
    holds()
    assert 1 <= len(calls) <= 10


def test_a_property_that_asks_for_no_number_is_scaled_too() -> None:
    calls = []

    @given(st.integers())
    def holds(number: int) -> None:
        calls.append(number)

    item = FakeItem()
    item.obj = holds  # type: ignore[attr-defined]
    give_examples(item, LEVELS["check"], set())  # type: ignore[arg-type]
    holds()
    assert 1 <= len(calls) <= 10


def test_a_state_machine_is_given_the_examples_of_the_level() -> None:
    item = FakeItem()
    item.cls = store_machine(MemoryEngine, examples=100).TestCase  # type: ignore[misc]
    give_examples(item, LEVELS["check"], set())  # type: ignore[arg-type]
    assert item.cls.settings.max_examples == 10


def test_a_folder_that_a_level_leaves_out_is_not_collected(
    pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pytestconfig, "args", ["tests"])
    folder = pytestconfig.rootpath / "tests"
    monkeypatch.setenv("LEXIGRAPH_TESTS", "check")
    assert is_ignored(folder / "durability", pytestconfig)
    assert not is_ignored(folder / "unit", pytestconfig)
    assert not is_ignored(pytestconfig.rootpath.parent, pytestconfig)
    monkeypatch.setenv("LEXIGRAPH_TESTS", "soak")
    assert not is_ignored(folder / "durability", pytestconfig)
