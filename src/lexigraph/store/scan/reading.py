"""Running a scan: ranges, stages and resuming over any sorted source of cells.

Layer ``store``. The one execution of ``spec/scan.md`` sections 3 and 5 in Python: an engine gives
the merged raw cells, a client gives what its server sent. Any cut gives the same cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

from lexigraph.cells.cell import MAX_TIMESTAMP, Cell, leading_key, order
from lexigraph.cells.ranges import Range, following_key
from lexigraph.errors import InvalidOption, UnsupportedError
from lexigraph.keyplan.derived.summary import Summary
from lexigraph.security import Visibility, conjunction
from lexigraph.store.scan.priorities import first_whole_scan, resolve_priorities
from lexigraph.store.scan.spec import Resume, ScanSpec
from lexigraph.store.settings import TableSettings
from lexigraph.store.stages.base import CellSource, Families, StageContext, StageScope
from lexigraph.store.stages.elements import SummariseStage
from lexigraph.store.stages.registry import stage_class
from lexigraph.store.stages.spec import StageSpec
from lexigraph.store.stages.stack import build_stack

_NEEDS_TIMES = frozenset({"as-of", "time-range", "age-off", "column-age-off"})


class ScanPlan:
    """A scan made ready: stages in place, options read, everything checked but no cell read."""

    def __init__(self, spec: ScanSpec, settings: TableSettings) -> None:
        self.spec = spec
        self.settings = settings
        self.stages = resolve_priorities((*settings.stages("scan"), *spec.stages))
        self.split = first_whole_scan(self.stages)
        self.ranges = self._ranges()
        _check_times(settings, self.stages)
        _check_plans(settings, spec)
        self.stack(EmptySource(), 0, [])

    def read(
        self,
        source: CellSource,
        *,
        now: int,
        done: int | None = None,
        cut_every: int | None = None,
    ) -> Iterator[Cell]:
        """Give the cells of the scan.

        The source gives raw cells; or, with ``done``, what the system steps and that many stages
        made of them, as ``EngineCells`` does. With ``cut_every`` the stack is dropped and built
        anew after that many cells, which must not change what is given.
        """
        after = self.spec.after
        while True:
            last = after
            cells = self._read_once(source, now, after, done)
            for cell in islice(cells, cut_every):
                same = last is not None and last.key == cell.key
                last = Resume(cell.key, last.seen + 1 if last is not None and same else 1)
                yield cell
            if cut_every is None or last is after:
                return
            after = last

    def _read_once(
        self, source: CellSource, now: int, after: Resume | None, done: int | None
    ) -> Iterator[Cell]:
        ranges = self.ranges
        if done is None:
            stack = self.stack(source, now, ranges)
        else:
            stack = self._rest(source, now, ranges, done)
        families = families_of(self.spec)
        if self.split < len(self.stages):
            # What such a stage gives at some key depends on everything before it.
            cells = stack.scan(Range(), families)
        else:
            rest = ranges if after is None else [_behind(item, after) for item in ranges]
            cells = chain.from_iterable(
                stack.scan(item, families) for item in rest if item is not None
            )
        return cells if after is None else _skip(cells, after)

    def _ranges(self) -> list[Range]:
        ranges: Iterable[Range] = map(from_marker, self.spec.ranges)
        if any(stage_class(stage.name).ends_with_row for stage in self.stages[: self.split]):
            # Keys of its results may lie behind the end. A scan that goes on there would find
            # nothing left of the range, and two ranges of one row would give its results twice.
            ranges = [ending_with_row(item) for item in ranges]
        return Range.merge(ranges)

    def stack(
        self, source: CellSource, now: int, ranges: Sequence[Range], *, upto: int | None = None
    ) -> CellSource:
        """Put the system steps and the stages, or the first ``upto`` of them, on raw cells."""
        context = self._context(now)
        stages = self.stages[:upto]
        stack = build_stack(
            source,
            stages[: self.split],
            context,
            columns=self.spec.columns,
            default_visibility=default_label(self.settings.default_visibility, self.spec),
        )
        return self._upper(stack, stages[self.split :], ranges, context)

    def made_plans(self) -> dict[str, Any]:
        """Return the key plans by name, with those of what roll-ups give: for stages elsewhere."""
        context = self._context(0)
        _add_stages(EmptySource(), self.stages, context)
        return {
            name: plan.to_json() if hasattr(plan, "to_json") else plan
            for name, plan in context.plans.items()
        }

    def summary(self) -> Summary | None:
        """Return the summary of the first stage that sees the whole scan, where it makes one."""
        context = self._context(0)
        _add_stages(EmptySource(), self.stages[: self.split], context)
        top = _add_stages(EmptySource(), self.stages[self.split : self.split + 1], context)
        return top.summary if isinstance(top, SummariseStage) else None

    def _rest(self, source: CellSource, now: int, ranges: Sequence[Range], done: int) -> CellSource:
        context = self._context(now)
        # Stages that ran elsewhere are made too: a roll-up adds the plan of its output.
        _add_stages(EmptySource(), self.stages[:done], context)
        if done > self.split:
            return _add_stages(source, self.stages[done:], context)
        stack = _add_stages(source, self.stages[done : self.split], context)
        return self._upper(stack, self.stages[self.split :], ranges, context)

    def _upper(
        self,
        stack: CellSource,
        stages: Sequence[StageSpec],
        ranges: Sequence[Range],
        context: StageContext,
    ) -> CellSource:
        if not stages:
            return stack
        # Above here all ranges are one table, so the system steps must not come again.
        return _add_stages(JoinedRanges(stack, ranges), stages, context)

    def _context(self, now: int) -> StageContext:
        # A dictionary of its own: a roll-up adds the plan of its output.
        plans = {**self.settings.plans, **self.spec.plans}
        now = _or(self.spec.now, now)
        return StageContext(
            StageScope.SCAN, now, self.spec.authorizations, plans=plans, sets=self.spec.sets
        )


class EmptySource:
    """A source without cells, to try out stages on."""

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Give nothing."""
        return iter(())


class JoinedRanges:
    """Some sorted, separate ranges of a source as one table, for stages that see them all."""

    def __init__(self, source: CellSource, ranges: Sequence[Range]) -> None:
        self.source, self.ranges = source, ranges

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Give what lies in ``range`` and in one of the ranges."""
        for item in self.ranges:
            clipped = item.clip(range)
            if clipped is not None:
                yield from self.source.scan(clipped, families)


def from_marker(item: Range) -> Range:
    """Return a range that starts at a key of the largest timestamp from a marker there on.

    The marker sorts before the key; a scan that missed it would bring back what it hides.
    """
    start = item.start
    if start is None or start.deleted or start.timestamp != MAX_TIMESTAMP:
        return item
    if not item.start_inclusive:
        return item
    return item.starting(start._replace(deleted=True))


def ending_with_row(item: Range) -> Range:
    """Return the range up to the end of its last row, or before that row if it is left out."""
    if item.end is None:
        return item
    row = (item.end.row,)
    end = following_key(row) if item.end_inclusive else leading_key(*row)
    start = item.start
    if start is not None and order(start) > order(end):
        return Range(end, True, end, False)
    return Range(start, item.start_inclusive, end, False)


def _behind(item: Range, after: Resume) -> Range | None:
    if item.beyond(after.key):
        return None
    return item if item.before(after.key) else from_marker(item.starting(after.key))


def _skip(cells: Iterator[Cell], after: Resume) -> Iterator[Cell]:
    # A stage may give keys before the start of its range, so earlier ones may come again as well.
    first, seen = order(after.key), 0
    for cell in cells:
        place = order(cell)
        if place > first:
            yield cell
            break
        if place == first:
            seen += 1
            if seen > after.seen:
                yield cell
    yield from cells


def _add_stages(
    source: CellSource, stages: Sequence[StageSpec], context: StageContext
) -> CellSource:
    for stage in stages:
        source = stage_class(stage.name)(source, stage.options, context)
    return source


def families_of(spec: ScanSpec) -> Families:
    """Return the families that a scan reads, by its columns."""
    if not spec.columns:
        return Families()
    return Families(frozenset(family for family, _ in spec.columns), inclusive=True)


def _or(value: int | None, default: int) -> int:
    return default if value is None else value


def default_label(own: bytes, spec: ScanSpec) -> bytes:
    """Return the label of cells without one, from a table's own and the scan's.

    A scan may ask for more than its table does, never for less.
    """
    asked = spec.default_visibility
    if not asked or not own:
        return own or asked or b""
    return conjunction([own, asked]).expression if Visibility.is_valid(asked) else asked


def _check_plans(settings: TableSettings, spec: ScanSpec) -> None:
    for name in settings.plans.keys() & spec.plans.keys():
        if settings.plans[name] != spec.plans[name]:
            raise InvalidOption(
                f"the table has another key plan {name!r}, which its own stages use",
                hint="Rename the plan of the scan.",
            )


def _check_times(settings: TableSettings, stages: Sequence[StageSpec]) -> None:
    if not settings.combines_elements:
        return
    for stage in stages:
        if stage.name in _NEEDS_TIMES:
            raise UnsupportedError(
                f"stage {stage.name!r} cannot be used on a table whose merges combine elements: "
                "combined elements no longer have the timestamps of their parts",
                hint="Filter on a time property instead, or keep a table that does not combine.",
            )
