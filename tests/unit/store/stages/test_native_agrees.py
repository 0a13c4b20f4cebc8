"""Python and the native core run the same stacks to the same cells, or fail alike.

Every vector of the cell stages, every stack of the outside cases as its settings translate, and
random stacks over random tables. An error must be of the same class and come after the same cells.
The native core may leave a regular expression to Python, and says so with UnsupportedError.
"""

from __future__ import annotations

import importlib
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexigraph.cells.cell import Cell
from lexigraph.cells.jsonbytes import bytes_to_json, cell_from_json, cell_to_json, key_to_json
from lexigraph.cells.ranges import Range
from lexigraph.errors import LexigraphError, UnsupportedError
from lexigraph.security import ALL, All, Authorizations
from lexigraph.store.stages.base import Families, StageContext, StageScope
from lexigraph.store.stages.builtin import CELL_STAGES
from lexigraph.store.stages.spec import StageSpec
from lexigraph.store.stages.stack import build_stack
from lexigraph.testing.vectors import load_cases
from tests.conformance.outside import count, outside
from tests.conformance.store.plain_stack import SCOPES, SortedCells, column_of, range_of
from tests.levels import some
from tests.unit.store.stages import test_cutting as random_stacks

native = pytest.importorskip(
    "lexigraph._native", reason="the native core is not built: run maturin develop"
)

SPEC = Path(__file__).parents[4] / "spec" / "stages"
NAMES = [cls.name for cls in CELL_STAGES]


class Request(NamedTuple):
    """One stack over one range, for both."""

    cells: tuple[Cell, ...]
    stages: tuple[StageSpec, ...]
    context: StageContext
    range: Range = Range()
    families: Families = Families()
    columns: tuple[tuple[bytes, bytes | None], ...] = ()
    default_visibility: bytes = b""

    def to_json(self) -> str:
        bounds = (self.range.start, self.range.end)
        start, end = (None if bound is None else key_to_json(bound) for bound in bounds)
        held = self.context.authorizations
        return json.dumps(
            {
                "cells": list(map(cell_to_json, self.cells)),
                "stages": [stage.to_json() for stage in self.stages],
                "scope": self.context.scope.value,
                "now": self.context.now,
                "plans": self.context.plans,
                "sets": {name: one.to_json() for name, one in self.context.sets.items()},
                "authorizations": "ALL" if isinstance(held, All) else [*map(bytes_to_json, held)],
                "range": {
                    "start": start,
                    "start_inclusive": self.range.start_inclusive,
                    "end": end,
                    "end_inclusive": self.range.end_inclusive,
                },
                "families": list(map(bytes_to_json, self.families.names)),
                "inclusive": self.families.inclusive,
                "columns": [
                    [bytes_to_json(part) for part in column if part is not None]
                    for column in self.columns
                ],
                "default_visibility": bytes_to_json(self.default_visibility),
            }
        )


class Answer(NamedTuple):
    cells: list[Cell]
    error: str | None


def run_python(request: Request) -> Answer:
    found: list[Cell] = []
    # A stack leaves its plans compiled, which JSON cannot hold.
    context = replace(request.context, plans=dict(request.context.plans))
    try:
        stack = build_stack(
            SortedCells(request.cells),
            request.stages,
            context,
            columns=request.columns,
            default_visibility=request.default_visibility,
        )
        for cell in stack.scan(request.range, request.families):
            found.append(cell)  # noqa: PERF402 - what came before an error counts
    except LexigraphError as error:
        return Answer(found, type(error).__name__)
    return Answer(found, None)


def run_native(request: Request) -> Answer:
    cells, error = native.run_stack(request.to_json())
    return Answer(
        [cell_from_json(cell) for cell in json.loads(cells)],
        None if error is None else type(error).__name__,
    )


def compare(request: Request) -> bool:
    """Compare whole, and from every result on; give whether the native core did it at all."""
    theirs = run_native(request)
    if theirs.error == UnsupportedError.__name__ and any(s.name == "regex" for s in request.stages):
        return False
    ours = run_python(request)
    assert theirs == ours, request.to_json()
    for last in {cell.key for cell in ours.cells}:
        rest = request._replace(range=request.range.starting(last))
        assert run_native(rest) == run_python(rest), rest.to_json()
    return True


def test_the_core_has_every_cell_stage() -> None:
    assert set(NAMES) <= set(native.stage_names())


@pytest.mark.parametrize("name", NAMES)
def test_the_vectors_of_a_stage_give_the_same_cells(name: str) -> None:
    cases = load_cases(SPEC / f"{name}.json")
    for case in cases:
        spec = case.spec
        held = spec.get("authorizations", [])
        columns = tuple(map(column_of, spec.get("columns", [])))
        request = Request(
            case.cells,
            tuple(map(StageSpec.from_json, spec.get("stages", []))),
            StageContext(
                SCOPES[case.scope],
                now=spec.get("now", 0),
                authorizations=ALL if held == "ALL" else Authorizations(held),
            ),
            families=Families(frozenset(family for family, _ in columns), bool(columns)),
            columns=columns,
        )
        for item in map(range_of, spec.get("ranges", [{}])):
            assert compare(request._replace(range=item)), case.name


def test_stacks_of_accumulo_give_the_same_cells() -> None:
    outside("accumulo", "stages.json")
    accumulo = importlib.import_module("tests.conformance.test_accumulo_stages")
    done: Counter[bool] = Counter()
    cases = some(accumulo.CASES)
    for case in cases:
        try:
            stages, context, columns, default = accumulo.stack_of(case)
        except LexigraphError:
            continue
        request = Request(
            tuple(cell_from_json(cell) for cell in accumulo.FILE["datasets"][case["cells_in"]]),
            tuple(stages),
            context,
            accumulo.range_of(case),
            accumulo.families_of(case),
            tuple(columns),
            default,
        )
        done[compare(request)] += 1
    count("accumulo.stages.native", done[True])
    assert done[False] <= done[True] / 100
    assert done[True] > len(cases) / 2


contexts = st.builds(
    StageContext,
    st.sampled_from(StageScope),
    now=st.sampled_from([0, 3]),
    authorizations=random_stacks.readers,
)
columns = st.sampled_from([(), ((b"f", None), (b"g", b"q")), ((b"", b""), (b"i", None))])


@settings(max_examples=400, deadline=None)
@given(
    st.lists(random_stacks.cells, max_size=12),
    random_stacks.specs,
    contexts,
    random_stacks.ranges,
    random_stacks.families,
    columns,
    st.sampled_from([b"", b"A"]),
)
def test_random_stacks_over_random_tables_give_the_same_cells(
    table: list[Cell],
    chosen: list[tuple[str, dict[str, Any]]],
    context: StageContext,
    scanned: Range,
    wanted: Families,
    only: tuple[tuple[bytes, bytes | None], ...],
    default: bytes,
) -> None:
    stages = tuple(StageSpec(name, options, place) for place, (name, options) in enumerate(chosen))
    compare(Request(tuple(table), stages, context, scanned, wanted, only, default))
