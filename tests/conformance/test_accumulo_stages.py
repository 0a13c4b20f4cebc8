"""Every iterator stack that real Accumulo ran, run by our stages.

Each case must give the same cells in the same order, or fail after the same number of cells. Ours
must also be sorted, the same when scanned again, and the same wherever a scan is cut and resumed.
A case may differ only by a rule: its iterator has no stage, Accumulo failed by accident, or one of
the models of ``accumulo_models`` gives exactly what Accumulo gave.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

import pytest

from lexigraph.cells.cell import Cell, Key, order
from lexigraph.cells.jsonbytes import bytes_from_json, cell_from_json, key_from_json
from lexigraph.cells.ranges import Range
from lexigraph.errors import InvalidKey, LexigraphError, UnsupportedError
from lexigraph.security import ALL, Authorizations
from lexigraph.store import (
    CellBatch,
    Engine,
    MemoryEngine,
    ScanSpec,
    StageSpec,
    Table,
    TableSettings,
)
from lexigraph.store.scan.reading import from_marker
from lexigraph.store.stages import stack as stack_module
from lexigraph.store.stages.accumulo import WITHOUT_STAGE, from_accumulo
from lexigraph.store.stages.base import CellSource, Families, Stage, StageContext, StageScope
from lexigraph.store.stages.registry import stage_class

from .accumulo_models import MODELS, EnteredRowDelete
from .outside import count, outside
from .store.embedded_engines import Temporary
from .store.plain_stack import SortedCells

FILE = json.loads(outside("accumulo", "stages.json").read_text(encoding="utf-8"))
CASES = FILE["cases"]
GROUPS = {
    group: list(cases)
    for group, cases in groupby(
        sorted(CASES, key=lambda case: case["name"]), key=lambda case: case["name"].split("/")[0]
    )
}
SCOPES = {
    "scan": StageScope.SCAN,
    "minc": StageScope.FLUSH,
    "majc": StageScope.MERGE,
    "majc_full": StageScope.FULL,
}
NO_STAGE, ACCIDENT = "iterator without a stage", "error by accident, answered"
# Shares of all cases that a rule may excuse: about twice what was found when the stages were
# written, so that other cases of the same kind fit and a stage that stops working does not.
LIMITS = {
    NO_STAGE: 0.08,
    ACCIDENT: 0.02,
    "seeking slice jumps over cells": 0.03,
    "missing document has another's body": 0.01,
    "copied regex forgets its options": 0.01,
    "row marker behind a newer cell is missed": 0.01,
}

Case = dict[str, Any]
Column = tuple[bytes, bytes | None]


class Answer(NamedTuple):
    cells: list[Cell]
    error: LexigraphError | None


class Verdict(NamedTuple):
    problems: list[str]
    rule: str | None = None


@cache
def data(name: str) -> SortedCells:
    return SortedCells([cell_from_json(cell) for cell in FILE["datasets"][name]])


def stack_of(case: Case) -> tuple[list[StageSpec], StageContext, list[Column], bytes]:
    """Return what the settings of a case translate to."""
    context = StageContext(
        SCOPES[case["scope"]],
        now=case.get("now", 0),
        authorizations=Authorizations(map(bytes_from_json, case.get("auths", []))),
    )
    default = bytes_from_json(case.get("default_visibility", ""))
    return specs_of(case), context, columns_of(case), default


def build(case: Case) -> CellSource:
    specs, context, columns, default = stack_of(case)
    return stack_module.build_stack(
        data(case["cells_in"]), specs, context, columns=columns, default_visibility=default
    )


def columns_of(case: Case) -> list[Column]:
    return [
        (bytes_from_json(column[0]), bytes_from_json(column[1]) if len(column) > 1 else None)
        for column in case.get("columns", [])
    ]


def range_of(case: Case) -> Range:
    given = case["range"]
    if given is None:
        return Range()
    start, end = (None if given[name] is None else key_from_json(given[name]) for name in RANGE)
    return Range(start, given["si"], end, given["ei"])


RANGE = ("start", "end")


def families_of(case: Case) -> Families:
    return Families(frozenset(map(bytes_from_json, case["families"])), case["inclusive"])


def read(case: Case, scanned: Range, source: CellSource | None = None) -> Answer:
    cells: list[Cell] = []
    try:
        stack = build(case) if source is None else source
        for cell in stack.scan(scanned, families_of(case)):
            cells.append(cell)  # noqa: PERF402 - what came before an error counts
    except LexigraphError as error:
        return Answer(cells, error)
    return Answer(cells, None)


def agrees(case: Case, answer: Answer) -> bool:
    if "error" in case:
        accident = case["error"].get("accident", False)
        enough = accident or len(answer.cells) == case["error"]["before"]
        return answer.error is not None and enough
    return answer.error is None and answer.cells == cells_of(case, case["expected"])


def cells_of(case: Case, listed: list[Any]) -> list[Cell]:
    written = FILE["datasets"][case["cells_in"]]
    return [cell_from_json(written[c] if isinstance(c, int) else c) for c in listed]


def judge(case: Case) -> Verdict:
    for item in case["stack"]:
        if item["class"] in WITHOUT_STAGE:
            return Verdict(list(acceptance(item)), NO_STAGE)
    answer = read(case, range_of(case))
    problems = list(inconsistencies(case, answer))
    if agrees(case, answer):
        return Verdict(problems)
    if case.get("error", {}).get("accident"):
        return Verdict(problems, ACCIDENT)
    for rule, model in MODELS.items():
        if agrees(case, modelled(case, model)):
            return Verdict(problems, rule)
    return Verdict(
        [*problems, f"gave {answer}, expected {case.get('expected', case.get('error'))}"]
    )


def acceptance(item: dict[str, Any]) -> Iterator[str]:
    with suppress(UnsupportedError):
        yield f"not refused: {from_accumulo(FILE['class_prefix'] + item['class'], item['opts'])}"


def modelled(case: Case, model: type[Stage], scanned: Range | None = None) -> Answer:
    def chosen(name: str) -> type[Stage]:
        return model if name == model.name else stage_class(name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stack_module, "stage_class", chosen)
        return read(case, scanned or range_of(case))


def inconsistencies(case: Case, answer: Answer) -> Iterator[str]:
    places = [order(cell) for cell in answer.cells]
    if places != sorted(places):
        yield "cells are out of order"
    scanned = range_of(case)
    if not case.get("outside_range") and not all(map(scanned.contains, answer.cells)):
        yield "cells lie outside of the range"
    if not answer.cells:
        return
    source = build(case)
    if read(case, scanned, source).cells != answer.cells:
        yield "a second scan of the same stack differs"
    for place, last in enumerate(answer.cells):
        seen = sum(cell.key == last.key for cell in answer.cells[: place + 1])
        rest = read(case, scanned.starting(last.key), source)
        if skip(rest.cells, last.key, seen) != answer.cells[place + 1 :]:
            yield f"resumed behind {last.key} differs"
        if (rest.error is None) != (answer.error is None):
            yield f"resumed behind {last.key} fails otherwise"


def skip(cells: list[Cell], key: Key, seen: int) -> list[Cell]:
    rest = []
    for cell in cells:
        if cell.key == key and seen:
            seen -= 1
        else:
            rest.append(cell)
    return rest


@cache
def verdicts() -> dict[str, Verdict]:
    return {case["name"]: judge(case) for case in CASES}


@pytest.mark.parametrize("group", GROUPS)
def test_every_stack_answers_as_accumulo_or_differs_by_a_rule(group: str) -> None:
    names = [case["name"] for case in GROUPS[group]]
    count("accumulo.stages", len(names))
    wrong = {name: verdicts()[name].problems for name in names if verdicts()[name].problems}
    assert wrong == {}


def test_the_rules_excuse_no_more_cases_than_when_they_were_written() -> None:
    rules = Counter(verdict.rule for verdict in verdicts().values() if verdict.rule)
    print(f"{len(CASES)} cases, excused: {dict(rules)}")
    shares = {rule: number / len(CASES) for rule, number in rules.items()}
    assert {rule: share for rule, share in shares.items() if share > LIMITS[rule]} == {}


def test_what_row_deletion_shows_on_resuming_is_what_its_model_shows() -> None:
    # No case enters such a row by its range; those that resume inside one prove the model right.
    tried = 0
    for case in CASES:
        classes = {item["class"] for item in case["stack"]}
        changed = case.get("resume", "same")
        if changed == "same" or classes != {"user.RowDeletingIterator"}:
            continue
        whole = read(case, range_of(case)).cells
        for place, cells in changed["diff"].items():
            rest = range_of(case).starting(whole[int(place)].key, inclusive=False)
            shown = modelled(case, EnteredRowDelete, rest)
            assert shown.cells == cells_of(case, cells), case["name"]
            tried += 1
    assert tried or len(CASES) < 100


def specs_of(case: Case) -> list[StageSpec]:
    prefix = FILE["class_prefix"]
    return [from_accumulo(prefix + i["class"], i["opts"], i["priority"]) for i in case["stack"]]


def engine_table(engine: Engine, case: Case, stages: Sequence[StageSpec]) -> Table:
    if "t" in engine.tables():
        engine.drop_table("t")
    settings = TableSettings(merge_stages=stages, max_versions=None, constraints=())
    table = engine.create_table("t", settings)
    cells = map(cell_from_json, FILE["datasets"][case["cells_in"]])
    engine.write({"t": CellBatch.from_cells(cells)})
    return table


def scanned_by_engine(engine: Engine, case: Case) -> Answer:
    engine_table(engine, case, ())
    return scan_by_engine(engine, case)


def scan_by_engine(engine: Engine, case: Case) -> Answer:
    """Give what a scan of table ``t`` gives, which holds the cells of the case."""
    cells: list[Cell] = []
    try:
        spec = ScanSpec(
            ranges=[range_of(case)],
            columns=columns_of(case),
            authorizations=Authorizations(map(bytes_from_json, case["auths"])),
            default_visibility=bytes_from_json(case.get("default_visibility", "")),
            now=case.get("now", 0),
            stages=specs_of(case),
        )
        for batch in engine.scan("t", spec, batch_cells=1):
            cells.extend(batch)
    except LexigraphError as error:
        return Answer(cells, error)
    return Answer(cells, None)


def merged_by_engine(engine: Engine, case: Case) -> Answer:
    try:
        table = engine_table(engine, case, specs_of(case))
        engine.compact("t", now=NEVER_LATE)
    except LexigraphError as error:
        return Answer([], error)
    # What a merge left is what a scan without any stage gives: no marker outlives a full merge.
    table.configure(TableSettings(max_versions=None, constraints=()))
    return Answer(list(table.scan(authorizations=ALL)), None)


NEVER_LATE = 2**62


def same_kind(ours: Answer, other: Answer) -> bool:
    if ours.error is not None or other.error is not None:
        return type(ours.error) is type(other.error)
    return ours.cells == other.cells


def runs_on_engines(case: Case) -> bool:
    places = [item["priority"] for item in case["stack"]]
    with_stage = not any(item["class"] in WITHOUT_STAGE for item in case["stack"])
    return with_stage and len(set(places)) == len(places)


def merges_everything(case: Case) -> bool:
    whole = case["range"] is None and not case["families"] and "now" not in case
    return whole and case["scope"] == "majc_full"


def memory(**options: Any) -> MemoryEngine:
    return MemoryEngine(join_runs=False, **options)


def embedded(**options: Any) -> Temporary:
    return Temporary(durability="buffered", **options)


both_engines = pytest.mark.parametrize("make", [memory, embedded])


@both_engines
def test_an_engine_scans_as_the_stack_does_whole_and_cut_behind_every_cell(make: Any) -> None:
    wrong, ran = [], 0
    with make() as whole, make(cut_every=1) as cut:
        for case in CASES:
            if case["scope"] != "scan" or not runs_on_engines(case):
                continue
            ran += 1
            stack = read(case, from_marker(range_of(case)))
            answers = [scanned_by_engine(engine, case) for engine in (whole, cut)]
            if not all(same_kind(answer, stack) for answer in answers):
                wrong.append((case["name"], stack, answers))
    assert wrong == []
    assert ran > len(CASES) / 2


@both_engines
def test_an_engine_merges_everything_as_the_stack_does(make: Any) -> None:
    wrong, ran = [], 0
    with make() as engine:
        for case in CASES:
            if not merges_everything(case) or not runs_on_engines(case):
                continue
            ran += 1
            stack, answer = read(case, Range()), merged_by_engine(engine, case)
            if not same_kind(answer, stack):
                wrong.append((case["name"], stack, answer))
    assert wrong == []
    assert ran > 0


def made_by(constructor: dict[str, Any]) -> Range:
    args = [bytes_from_json(arg) for arg in constructor.get("args", []) if not isinstance(arg, int)]
    match constructor["type"]:
        case "rows":
            bounds = (constructor["start"], constructor["end"])
            start, end = (None if row is None else bytes_from_json(row) for row in bounds)
            return Range.rows(
                start, end, start_inclusive=constructor["si"], end_inclusive=constructor["ei"]
            )
        case "row":
            return Range.row(*args)
        case "exact":
            times = [arg for arg in constructor["args"] if isinstance(arg, int)]
            return Range.exact(*args, **({"timestamp": times[0]} if times else {}))
        case _:
            return Range.prefix(*args)


def unmarked(bound: Key | None) -> Key | None:
    return None if bound is None else bound._replace(deleted=False)


def test_range_constructors_give_the_bounds_of_accumulo() -> None:
    # The delete flag of a bound is ours: a range of a row holds the row's first delete marker too.
    wrong = []
    for case in CASES:
        if "range_ctor" not in case:
            continue
        theirs = range_of(case)
        try:
            ours = made_by(case["range_ctor"])
        except InvalidKey as error:
            wrong.append((case["name"], str(error)))
            continue
        bounds = [(r.start_inclusive, unmarked(r.start), unmarked(r.end)) for r in (ours, theirs)]
        ends = [(r.end is None, r.end is not None and r.end_inclusive) for r in (ours, theirs)]
        if bounds[0] != bounds[1] or ends[0] != ends[1]:
            wrong.append((case["name"], f"{ours} is not {theirs}"))
    assert wrong == []
