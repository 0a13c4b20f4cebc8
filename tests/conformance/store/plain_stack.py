"""The plainest way to run a stage vector: sorted cells in a list, and the stack above them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from lexigraph.cells.cell import Cell, Key, order
from lexigraph.cells.jsonbytes import bytes_from_json, key_from_json
from lexigraph.cells.key_sets import KeySet
from lexigraph.cells.ranges import Range
from lexigraph.security import ALL, Authorizations
from lexigraph.store.stages.base import CellSource, Families, StageContext, StageScope
from lexigraph.store.stages.registry import stage_class
from lexigraph.store.stages.spec import StageSpec
from lexigraph.store.stages.stack import build_stack, priority_of
from lexigraph.testing.vectors import StageCase

SCOPES = {"scan": StageScope.SCAN, "merge": StageScope.MERGE, "full": StageScope.FULL}


class SortedCells:
    """Cells in key order; of equal keys the one written later comes first."""

    def __init__(self, written: Sequence[Cell]) -> None:
        newest_first = list(reversed(written))
        self.cells = sorted(newest_first, key=order)
        self.keys = [order(cell) for cell in self.cells]

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        first = 0
        if range.start is not None:
            find = bisect_left if range.start_inclusive else bisect_right
            first = find(self.keys, order(range.start))
        for cell in self.cells[first:]:
            if range.beyond(cell):
                return
            yield cell


class Joined:
    """Several ranges as one, for stages that see the whole scan."""

    def __init__(self, source: CellSource, ranges: Sequence[Range]) -> None:
        self.source, self.ranges = source, ranges

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        for item in self.ranges:
            yield from self.source.scan(item, families)


def run_on_stack(case: StageCase) -> Iterable[Cell]:
    """Run a case as ``spec/scan.md`` says, without any engine."""
    spec = case.spec
    stages = sorted(map(StageSpec.from_json, spec.get("stages", [])), key=priority_of)
    whole = [place for place, stage in enumerate(stages) if stage_class(stage.name).whole_scan]
    split = whole[0] if whole else len(stages)
    context = StageContext(
        SCOPES[case.scope],
        now=spec.get("now", 0),
        authorizations=_authorizations(spec.get("authorizations", [])),
        plans=dict(spec.get("plans", {})),
        sets={name: KeySet.from_json(one) for name, one in spec.get("sets", {}).items()},
    )
    columns = [column_of(entry) for entry in spec.get("columns", [])]
    families = Families(frozenset(family for family, _ in columns), bool(columns))
    stack = build_stack(
        SortedCells(case.cells),
        stages[:split],
        context,
        columns=columns,
        default_visibility=bytes_from_json(spec.get("default_visibility", "")),
    )
    ranges = Range.merge(map(range_of, spec.get("ranges", [{}])))
    after = spec.get("after")
    if whole:
        stack = Joined(stack, ranges)
        for stage in stages[split:]:
            stack = stage_class(stage.name)(stack, stage.options, context)
        cells = stack.scan(Range(), families)
        return cells if after is None else _behind(cells, after)
    if after is None:
        return (cell for item in ranges for cell in stack.scan(item, families))
    key = key_from_json(after["key"])
    rest = [item.starting(key) if not item.before(key) else item for item in ranges]
    left = (item for item in rest if not item.empty)
    return _behind((cell for item in left for cell in stack.scan(item, families)), after)


def _behind(cells: Iterable[Cell], after: dict[str, Any]) -> Iterator[Cell]:
    key, left = key_from_json(after["key"]), after["seen"]
    for cell in cells:
        if order(cell) < order(key):
            continue
        if cell.key == key and left:
            left -= 1
            continue
        yield cell


def _authorizations(value: Any) -> Any:
    return ALL if value == "ALL" else Authorizations(map(bytes_from_json, value))


def column_of(entry: list[Any]) -> tuple[bytes, bytes | None]:
    parts = [*map(bytes_from_json, entry), None]
    return parts[0] or b"", parts[1]


def range_of(value: dict[str, Any]) -> Range:
    return Range(
        _key(value.get("start")),
        value.get("start_inclusive", True),
        _key(value.get("end")),
        value.get("end_inclusive", True),
    )


def _key(value: Any) -> Key | None:
    return None if value is None else key_from_json(value)
