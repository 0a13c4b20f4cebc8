"""Every aggregator through every stage that merges: Python, the core and any grouping agree."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexigraph.cells.cell import Cell
from lexigraph.functions import AGGREGATORS
from lexigraph.keyplan import StoredElement
from lexigraph.store.stages.base import StageContext, StageScope
from lexigraph.store.stages.spec import StageSpec
from tests.unit.store.stages.elements.every_aggregator import (
    FIELDS,
    KEY_PLAN,
    MEASURES,
    PLAN,
    PROPERTIES,
    elements,
)
from tests.unit.store.stages.elements.tables import run
from tests.unit.store.stages.test_native_agrees import Request, compare, run_native

STACKS: list[list[tuple[str, dict[str, Any]]]] = [
    [("aggregate", {})],
    [("roll-up", {})],
    [("roll-up", {"by": ["day"], "visibility": "keep"})],
    [("aggregate", {}), ("decode", {"fields": FIELDS})],
    [("summarise", {"by": ["day"], "measures": MEASURES})],
    [("aggregate", {}), ("summarise", {"by": FIELDS[10:12], "measures": MEASURES})],
]


def cells_of(found: list[StoredElement]) -> list[Cell]:
    return [cell for element in found for cell in KEY_PLAN.encode(element)]


def test_every_aggregator_is_tried() -> None:
    canonical = {name for name in AGGREGATORS.names if AGGREGATORS.find(name).canonical}
    assert {name for name, *_ in PROPERTIES} == canonical - {"count"}


@pytest.mark.parametrize("stack", STACKS, ids=lambda stack: "+".join(name for name, _ in stack))
@pytest.mark.parametrize("scope", [StageScope.SCAN, StageScope.MERGE], ids=str)
@settings(max_examples=30, deadline=None)
@given(found=st.lists(elements, max_size=6))
def test_the_core_gives_the_same_cells(
    stack: Any, scope: StageScope, found: list[StoredElement]
) -> None:
    stages = tuple(
        StageSpec(name, {"plan": "p", **options}, place)
        for place, (name, options) in enumerate(stack)
    )
    asked = Request(tuple(cells_of(found)), stages, StageContext(scope, plans={"p": PLAN}))
    assert compare(asked)
    assert scope is StageScope.MERGE or run_native(asked).error is None


@settings(max_examples=50, deadline=None)
@given(st.lists(elements, max_size=6), st.data())
def test_aggregating_parts_and_then_all_is_aggregating_at_once(
    found: list[StoredElement], data: st.DataObject
) -> None:
    def aggregated(cells: list[Cell]) -> list[Cell]:
        return run("aggregate", cells, {"plan": "p"}, StageContext(plans={"p": PLAN}))

    cells = cells_of(found)
    places = data.draw(st.lists(st.booleans(), min_size=len(cells), max_size=len(cells)))
    parts = [[c for c, at in zip(cells, places, strict=True) if at is n] for n in (True, False)]
    merged = [cell for part in parts for cell in aggregated(part)]
    assert aggregated(merged) == aggregated(cells)
