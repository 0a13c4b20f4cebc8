"""Stacks that real Accumulo ran, run by our iterators on tablet servers: a spread of them, or all.

The answer to each is that of our stages in Python, which ``tests/conformance`` holds against what
Accumulo gave. Every table has the cells of one data set; scans of the same set share it.
"""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import replace

import pytest

from lexigraph.cells.cell import MAX_TIMESTAMP
from lexigraph.cells.jsonbytes import bytes_from_json, cell_from_json
from lexigraph.errors import LexigraphError
from lexigraph.security import ALL, Visibility
from lexigraph.store import AccumuloEngine, CellBatch, Range, TableSettings
from lexigraph.store.scan.reading import from_marker
from tests.accumulo.engines import fresh_engine
from tests.conformance.outside import count
from tests.conformance.test_accumulo_stages import (
    FILE,
    GROUPS,
    Answer,
    Case,
    merges_everything,
    range_of,
    read,
    runs_on_engines,
    same_kind,
    scan_by_engine,
    specs_of,
)

pytestmark = pytest.mark.accumulo

EVERY = "LEXIGRAPH_CLUSTER_CASES"
"""Set to anything, all cases are run, for half an hour."""
SCANS, MERGES = 5, 1
"""How many of each group are run otherwise."""
PARTS = 10


def is_scan(case: Case) -> bool:
    return bool(case["scope"] == "scan")


def has_equal_keys(name: str) -> bool:
    cells = [cell_from_json(cell)[:6] for cell in FILE["datasets"][name]]
    return len(set(cells)) < len(cells)


def usable(case: Case) -> bool:
    # The order of fully equal keys is not Accumulo's to keep: what a stage sees first is chance.
    # And no range of its client can start before a marker of the largest timestamp.
    possible = not has_equal_keys(case["cells_in"]) and not starts_at_largest_marker(case)
    return runs_on_engines(case) and possible


def starts_at_largest_marker(case: Case) -> bool:
    start = range_of(case).start
    cells = map(cell_from_json, FILE["datasets"][case["cells_in"]])
    marked = {cell[:4] for cell in cells if cell.deleted and cell.timestamp == MAX_TIMESTAMP}
    return start is not None and start.timestamp == MAX_TIMESTAMP and start[:4] in marked


def can_merge(case: Case) -> bool:
    # A flush that fails is tried again for ever, and its table is lost.
    return merges_everything(case) and usable(case) and not read(case, Range()).error


def spread(groups: list[list[Case]], each: int) -> list[Case]:
    """Choose some of each group, those first whose data set most cases have."""
    shared: dict[str, int] = defaultdict(int)
    for cases in groups:
        for case in cases:
            shared[case["cells_in"]] += 1
    if os.environ.get(EVERY):
        return [case for cases in groups for case in cases]
    return [
        case
        for cases in groups
        for case in sorted(cases, key=lambda case: -shared[case["cells_in"]])[:each]
    ]


SCANNED = spread(
    [[c for c in cases if is_scan(c) and usable(c)] for cases in GROUPS.values()], SCANS
)
MERGED = spread([[c for c in cases if can_merge(c)] for cases in GROUPS.values()], MERGES)


def test_every_group_that_a_cluster_can_run_is_run() -> None:
    run = {group_of(case) for case in (*SCANNED, *MERGED)}
    can = {group_of(c) for cases in GROUPS.values() for c in cases if usable(c) and is_scan(c)}
    assert run >= can
    assert run


def group_of(case: Case) -> str:
    return str(case["name"]).split("/")[0]


@pytest.mark.parametrize("part", range(PARTS))
def test_servers_scan_as_the_stack_does(part: int) -> None:
    by_data: dict[str, list[Case]] = defaultdict(list)
    for case in SCANNED:
        by_data[case["cells_in"]].append(case)
    wrong = []
    for name in sorted(by_data)[part::PARTS]:
        tokens = {bytes_from_json(one) for case in by_data[name] for one in case["auths"]}
        with fresh_engine(tokens=tokens) as engine:
            fill(engine, name, TableSettings(max_versions=None, constraints=()))
            for case in by_data[name]:
                stack = read(case, from_marker(range_of(case)))
                answer = scan_by_engine(engine, case)
                if not same_kind(*map(without_equal_keys, (answer, stack))):
                    wrong.append((case["name"], stack, answer))
                count("accumulo.stages.cluster")
    assert wrong == []


@pytest.mark.parametrize("part", range(PARTS))
def test_servers_merge_everything_as_the_stack_does(part: int) -> None:
    wrong = []
    for case in MERGED[part::PARTS]:
        stack = read(case, Range())
        # Accumulo shows nobody a cell whose label cannot be parsed.
        shown = [cell for cell in stack.cells if Visibility.is_valid(cell.visibility)]
        with fresh_engine() as engine:
            answer = merged(engine, case)
        if answer != Answer(shown, None):
            wrong.append((case["name"], shown, answer))
        count("accumulo.stages.cluster")
    assert wrong == []


def without_equal_keys(answer: Answer) -> Answer:
    # An intersection may give a key twice, of which Accumulo loses one where a scan is cut.
    return answer._replace(cells=list(dict.fromkeys(answer.cells)))


def fill(engine: AccumuloEngine, name: str, settings: TableSettings) -> None:
    engine.create_table("t", settings)
    cells = map(cell_from_json, FILE["datasets"][name])
    engine.write({"t": CellBatch.from_cells(cells)})


def merged(engine: AccumuloEngine, case: Case) -> Answer:
    """Give what a full compaction leaves, as a scan without any stage reads it."""
    kept = TableSettings(max_versions=None, constraints=())
    try:
        fill(engine, case["cells_in"], replace(kept, merge_stages=specs_of(case)))
        engine.compact("t")
    except LexigraphError as error:
        return Answer([], error)
    engine.configure_table("t", kept)
    return Answer(list(engine.table("t").scan(authorizations=ALL)), None)
