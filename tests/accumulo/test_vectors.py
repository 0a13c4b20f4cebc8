"""Stage vectors on tablet servers: some of each stage, whole and resumed behind every cell."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lexigraph.store import AccumuloEngine, CellBatch, ManualClock, ScanSpec
from lexigraph.testing.store.base import read, resume_points
from lexigraph.testing.store.reads.vectors import UNCHECKED, all_cases
from lexigraph.testing.vectors import StageCase
from tests.accumulo.engines import fresh_engine

pytestmark = pytest.mark.accumulo

EACH = 3


def chosen(stage: str) -> list[StageCase]:
    """Return the cases of a stage with most cells, which can be cut in most places."""
    cases = [case for case in all_cases()[stage] if case.scope == "scan" and case.error is None]
    distinct = [case for case in cases if len({cell[:6] for cell in case.cells}) == len(case.cells)]
    return sorted(distinct, key=lambda case: -len(case.cells))[:EACH]


STAGES = [stage for stage in all_cases() if chosen(stage)]


@pytest.fixture
def engine() -> Iterator[AccumuloEngine]:
    # Before every time in a vector, as where all of them are run.
    with fresh_engine(clock=ManualClock(-(2**62))) as made:
        yield made


def test_nearly_all_stages_are_here() -> None:
    assert len(STAGES) >= len(all_cases()) - 3


@pytest.mark.parametrize("stage", STAGES)
def test_a_scan_gives_the_cells_of_its_vector_wherever_it_is_cut(
    engine: AccumuloEngine, stage: str
) -> None:
    for number, case in enumerate(chosen(stage)):
        table = engine.create_table(f"{stage}-{number}", UNCHECKED)
        table.write(CellBatch.from_cells(case.cells))
        spec = ScanSpec.from_json({"version": 1, **case.spec})
        engine.counted = []
        whole = read(table, spec)
        assert whole == list(case.expected), case.name
        assert_on_server(engine, table.name, spec)
        for place, point in enumerate(resume_points(whole), 1):
            assert read(table, spec.resumed(point)) == whole[place:], case.name


def assert_on_server(engine: AccumuloEngine, table: str, spec: ScanSpec) -> None:
    """All stages run there, and counted there: up to a summary, and below a limit."""
    placed = [place.in_engine for place in engine.placement(table, spec)]
    names = [place.stage.name for place in engine.placement(table, spec)]
    whole = next(
        (at for at, name in enumerate(names) if name in ("limit", "summarise")), len(names)
    )
    whole += names[whole : whole + 1] == ["summarise"]
    assert placed == [True] * whole + [False] * (len(names) - whole)
    told = [[stage["name"] for stage in one["stages"]] for one in engine.counted or []]
    # A stage that hides cells may stand below them, and a limit above.
    assert not whole or any(holds(asked, names[:whole]) for asked in told), (told, names)


def holds(asked: list[str], claimed: list[str]) -> bool:
    """Return whether stages stand in this order, one above the other, among those asked for."""
    places = range(len(asked) - len(claimed) + 1)
    return any(asked[at : at + len(claimed)] == claimed for at in places)
