"""The vectors of the element stages through a whole scan, cut anywhere and resumed."""

from __future__ import annotations

import pytest

from lexigraph.cells.cell import Cell
from lexigraph.store.scan.reading import ScanPlan
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.settings import TableSettings
from lexigraph.store.stages.elements import ELEMENT_STAGES
from lexigraph.testing.vectors import StageCase, load_cases
from tests.unit.keyplan.plans import SPEC
from tests.unit.store.stages.elements.tables import Table

CASES = [
    case
    for cls in ELEMENT_STAGES
    for case in load_cases(SPEC / "stages" / f"{cls.name}.json")
    if case.scope == "scan" and case.error is None
]


def read(case: StageCase, cut_every: int | None) -> list[Cell]:
    plan = ScanPlan(ScanSpec.from_json(case.spec), TableSettings(max_versions=None))
    return list(plan.read(Table(reversed(case.cells)), now=0, cut_every=cut_every))


@pytest.mark.parametrize("cut_every", [None, 1, 2])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_scan_gives_the_same_cells_wherever_it_is_cut(
    case: StageCase, cut_every: int | None
) -> None:
    assert read(case, cut_every) == list(case.expected)
