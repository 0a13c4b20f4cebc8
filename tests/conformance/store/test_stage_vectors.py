"""The stage vectors over the plain stack, and proof that they would notice a missing stage."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lexigraph.cells.cell import Cell
from lexigraph.cells.ranges import Range
from lexigraph.store.stages.base import Families, Stage
from lexigraph.store.stages.builtin import BUILT_IN
from lexigraph.testing.vectors import StageCase, check_case, load_cases

from .plain_stack import run_on_stack

FOLDER = Path(__file__).parents[3] / "spec" / "stages"


def cases_of(name: str) -> list[StageCase]:
    return load_cases(FOLDER / f"{name}.json")


@pytest.mark.parametrize("cls", BUILT_IN, ids=lambda cls: cls.name)
def test_every_vector_of_a_stage_holds_whole_and_cut(cls: type[Stage]) -> None:
    problems = {str(case): check_case(case, run_on_stack) for case in cases_of(cls.name)}
    assert {name: texts for name, texts in problems.items() if texts} == {}


@pytest.mark.parametrize("cls", BUILT_IN, ids=lambda cls: cls.name)
def test_every_stage_has_a_dozen_vectors_of_its_own(cls: type[Stage]) -> None:
    cases = cases_of(cls.name)
    own = [c for c in cases if cls.name in [s["name"] for s in c.spec.get("stages", [])]]
    assert len(own) == len(cases) >= 12
    assert len({case.name for case in cases}) == len(cases)


def pass_through(self: Stage, range: Range, families: Families) -> Iterator[Cell]:
    return self.source.scan(range, families)


def give_nothing(self: Stage, range: Range, families: Families) -> Iterator[Cell]:
    return iter(())


@pytest.mark.parametrize("body", [pass_through, give_nothing])
@pytest.mark.parametrize("cls", BUILT_IN, ids=lambda cls: cls.name)
def test_a_stage_without_its_body_fails_its_vectors(
    cls: type[Stage], body: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cls, "scan", body)
    assert any(check_case(case, run_on_stack) for case in cases_of(cls.name))
