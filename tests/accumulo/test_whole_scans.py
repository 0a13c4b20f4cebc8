"""Stages that see a whole scan: servers do what they can of them, the client the rest."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.store import (
    AccumuloEngine,
    Cell,
    CellBatch,
    Engine,
    MemoryEngine,
    Range,
    Resume,
    ScanSpec,
    StageSpec,
    TableSettings,
)
from lexigraph.testing.vectors import load_cases
from tests.accumulo.engines import fresh_engine
from tests.unit.keyplan.plans import SPEC

pytestmark = pytest.mark.accumulo

[CASE] = [
    case
    for case in load_cases(SPEC / "stages" / "summarise.json")
    if case.spec["stages"][0]["options"].get("by") == ["day", "source"]
]
PLANS = CASE.spec["plans"]
PLAN = CASE.spec["stages"][0]["options"]["plan"]
BY_SOURCE = {
    "plan": PLAN,
    "by": ["source"],
    "measures": [{"name": "cells", "aggregate": "count"}],
}


@pytest.fixture(scope="module")
def engine() -> Iterator[AccumuloEngine]:
    with fresh_engine() as made:
        made.counted = []
        yield made


def calls(count: int) -> list[Cell]:
    """Many copies of a call, from ten vertices to many."""
    [model, *_] = [cell for cell in CASE.cells if cell.family == b"calls"]
    _, rest = model.row.split(b"\0", 1)
    _, tail = rest[2:].split(b"\0", 1)
    return [
        model._replace(
            row=b"s%d\0" % (number % 10) + rest[:2] + b"d%06d\0" % number + tail, timestamp=number
        )
        for number in range(count)
    ]


def fill(engine: Engine, name: str, cells: list[Cell], splits: list[bytes]) -> None:
    table = engine.create_table(name, TableSettings(max_versions=None, splits=splits))
    table.write(CellBatch.from_cells(cells))


def read(engine: Engine, name: str, spec: ScanSpec) -> list[Cell]:
    return [cell for batch in engine.scan(name, spec) for cell in batch]


def given(told: list[dict[str, Any]]) -> int:
    """How many cells the topmost stage gave on all servers."""
    return sum(one["stages"][-1]["given"] for one in told)


def test_a_summary_crosses_as_one_cell_for_each_tablet_that_has_any(engine: AccumuloEngine) -> None:
    cells = calls(3000)
    spec = ScanSpec(stages=[StageSpec("summarise", BY_SOURCE)], plans=PLANS)
    with MemoryEngine() as memory:
        for one in (engine, memory):
            fill(one, "tablets", cells, [b"s3", b"s5", b"s5\0", b"s7\0\2"])
        engine.counted = []
        assert read(engine, "tablets", spec) == read(memory, "tablets", spec)
        assert [place.in_engine for place in engine.placement("tablets", spec)] == [True]
    read_there = sum(one["stages"][-1]["read"] for one in engine.counted)
    assert (read_there, given(engine.counted)) == (3000, 4)


def test_summaries_of_ranges_are_one_wherever_they_are_cut(engine: AccumuloEngine) -> None:
    cells = calls(400)
    random.Random(6).shuffle(cells)
    some = [Range.prefix(b"s%d\0" % number) for number in (7, 1, 2, 5)]
    top = [StageSpec("summarise", BY_SOURCE, 90), StageSpec("limit", {"cells": 3}, 100)]
    with MemoryEngine() as memory:
        for one in (engine, memory):
            fill(one, "ranges", cells, [b"s2\0\2\0d000200", b"s5"])
        for stages in (top[:1], top):
            spec = ScanSpec(stages=stages, plans=PLANS, ranges=some)
            whole = read(memory, "ranges", spec)
            assert len(whole) == 5 - len(stages)
            assert read(engine, "ranges", spec) == whole
            for place, cell in enumerate(whole, 1):
                after = spec.resumed(Resume(cell.key))
                assert read(engine, "ranges", after) == whole[place:]


def test_a_limit_bounds_what_each_tablet_gives(engine: AccumuloEngine) -> None:
    fill(engine, "limited", calls(3000), [b"s3", b"s5"])
    spec = ScanSpec(stages=[StageSpec("limit", {"cells": 7})])
    every = read(engine, "limited", ScanSpec())
    assert read(engine, "limited", spec) == every[:7]
    rows = [Range.prefix(b"s%d\0" % number) for number in (1, 4, 8)]
    engine.counted = []
    assert (
        read(engine, "limited", ScanSpec(stages=spec.stages, ranges=rows))
        == [cell for cell in every if cell.row.startswith(b"s1\0")][:7]
    )
    assert 7 <= given(engine.counted) <= 3 * 7


@pytest.mark.parametrize("asked", [(), ("A",)])
def test_no_stage_sees_cells_without_a_label_that_the_reader_may_not_see(
    engine: AccumuloEngine, asked: tuple[str, ...]
) -> None:
    name = f"unlabelled{len(asked)}"
    cells = [cell._replace(visibility=b"B" if cell.timestamp % 3 else b"") for cell in calls(90)]
    tokens = ("B", *asked)
    settings = TableSettings(max_versions=None, default_visibility=b"A")
    specs = [
        ScanSpec(authorizations=tokens),
        ScanSpec(stages=[StageSpec("limit", {"cells": 70})], authorizations=tokens),
        ScanSpec(stages=[StageSpec("summarise", BY_SOURCE)], plans=PLANS, authorizations=tokens),
    ]
    with MemoryEngine() as memory:
        for one in (engine, memory):
            one.create_table(name, settings).write(CellBatch.from_cells(cells))
        for spec in specs:
            assert read(engine, name, spec) == read(memory, name, spec)


class Met(lg.Edge, summary=True):
    source: str
    destination: str
    day: int = lg.group_by()
    count: int = lg.sum()


def test_counts_and_summaries_of_a_graph_are_made_on_the_servers(engine: AccumuloEngine) -> None:
    met = [Met(f"p{n % 40}", f"p{n % 7}", day=n % 5, count=1) for n in range(1500)]
    with lg.open(engine, [Met], name="met") as ours, lg.open(":memory:", [Met]) as memory:
        for graph in (ours, memory):
            graph.add(met)
        stored = sum(one.cells for one in ours.admin.stats().values())
        for ask in (
            lambda graph: graph.all(Met).count(),
            lambda graph: graph.all(Met).summarise(by=["day"], met=lg.sum("count")).to_list(),
            lambda graph: graph.get("p1").summarise(met=lg.sum("count")).to_list(),
            lambda graph: graph.all(Met).limit(3).to_list(),
        ):
            engine.counted = []
            assert ask(ours) == ask(memory)
            assert given(engine.counted) <= 6 < stored
