"""The stage vectors of ``spec/stages`` through an engine: written, scanned or merged, compared.

Layer ``testing``. Cells go in one commit at a time, with their own timestamps. What a merge made is
read by a plain scan, so delete markers that it kept show by what they hide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from typing import Any, TypeVar

import pytest

from lexigraph.security import ALL
from lexigraph.store import Cell, CellBatch, Engine, ManualClock, ScanSpec, StageSpec, TableSettings
from lexigraph.testing.marks import needs
from lexigraph.testing.store.base import StoreTests, read
from lexigraph.testing.store.reads.partitions import merge_runs, run_count
from lexigraph.testing.vectors import StageCase, check_case, load_cases, stage_files

_SCOPE = "scope_of_vectors"
UNCHECKED = TableSettings(max_versions=None, constraints=())
ELSEWHERE = Cell(b"\xff" * 9, timestamp=0)
"""A cell in a run of its own, so that a merge of all the others is not full."""


T = TypeVar("T", bound=Callable[..., None])


@cache
def all_cases() -> dict[str, list[StageCase]]:
    """Return the cases of all stages; read when they are asked for: a package has no vectors."""
    return {path.stem: load_cases(path) for path in sorted(stage_files())}


def each_stage(scope: str) -> Callable[[T], T]:
    """Run a test for every stage that has vectors of a scope, and for no other."""

    def mark(test: T) -> T:
        test.__dict__[_SCOPE] = scope
        return test

    return mark


class Vectors(StoreTests):
    """The vectors of all stages, run through the engine."""

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Name the stages when tests are collected: a suite without vectors ends there."""
        scope = metafunc.function.__dict__[_SCOPE]
        names = [
            name for name, cases in all_cases().items() if any(c.scope == scope for c in cases)
        ]
        metafunc.parametrize("stage", names)

    @pytest.fixture
    def clock(self) -> ManualClock:
        """Return a clock before every time in a vector: merges that remove need one not behind."""
        return ManualClock(-(2**62))

    @each_stage("scan")
    def test_every_scan_gives_the_cells_of_its_vector_wherever_it_is_cut(
        self, engine: Engine, stage: str
    ) -> None:
        """Whole, and resumed behind every cell."""
        check(stage, "scan", lambda case: scan(engine, case))

    @each_stage("full")
    def test_every_full_merge_leaves_the_cells_of_its_vector(
        self, engine: Engine, stage: str
    ) -> None:
        """The stages stand at merge scope, all runs take part."""
        check(stage, "full", lambda case: merge(engine, case))

    @needs("partial-merges")
    @each_stage("merge")
    def test_every_partial_merge_leaves_the_cells_of_its_vector(
        self, runs: Engine, stage: str
    ) -> None:
        """One run takes no part, so delete markers stay."""
        check(stage, "merge", lambda case: merge(runs, case))


def check(stage: str, scope: str, run: Any) -> None:
    """Check all cases of one stage and scope."""
    for case in all_cases()[stage]:
        if case.scope != scope:
            continue
        assert check_case(replace(case, expected=visible(case.expected)), run) == [], case.name


def scan(engine: Engine, case: StageCase) -> list[Cell]:
    """Scan a fresh table that holds the cells of a case."""
    spec = ScanSpec.from_json({"version": 1, **case.spec})
    fill(engine, case)
    return read(engine.table("t"), spec)


def merge(engine: Engine, case: StageCase) -> list[Cell]:
    """Merge a fresh table through the stages of a case, and read what is left."""
    fill(engine, case)
    partial = case.scope == "merge"
    if partial:
        engine.table("t").write(CellBatch.from_cells([ELSEWHERE]))
    engine.configure_table("t", merge_settings(case))
    now = case.spec.get("now", 0)
    last = run_count(engine, "t") - 1
    report = merge_runs(engine, "t", 0, last, now=now) if partial else engine.compact("t", now=now)
    engine.configure_table("t", UNCHECKED)
    # A merge that may not combine elements has left that to the scan.
    left_over = case.stage == "aggregate" and not report.combined
    stages = stages_of(case) if left_over else []
    plans = case.spec.get("plans", {})
    left = read(engine.table("t"), ScanSpec(authorizations=ALL, stages=stages, plans=plans))
    return [cell for cell in left if cell != ELSEWHERE]


def merge_settings(case: StageCase) -> TableSettings:
    """Return settings with the stages of a case at merge scope.

    Vectors say what a stage does where it may combine, so a table without markers is declared to
    only grow.
    """
    markers = any(cell.deleted for cell in case.cells)
    return TableSettings(
        max_versions=None,
        constraints=(),
        append_only=not markers,
        merge_stages=stages_of(case),
        plans=case.spec.get("plans", {}),
    )


def stages_of(case: StageCase) -> list[StageSpec]:
    """Return the stages of a case."""
    return [StageSpec.from_json(item) for item in case.spec.get("stages", [])]


def fill(engine: Engine, case: StageCase) -> None:
    """Make the table ``t`` anew, with a commit for each cell of a case."""
    if "t" in engine.tables():
        engine.drop_table("t")
    table = engine.create_table("t", UNCHECKED)
    for cell in case.cells:
        table.write(CellBatch.from_cells([cell]))


def visible(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """Return sorted cells without markers and without what these hide."""
    left: list[Cell] = []
    hidden = None
    for cell in cells:
        if cell.deleted:
            hidden = cell.column
        elif cell.column != hidden:
            left.append(cell)
    return tuple(left)
