"""Merging runs for ever: the table's merge-scope stages, counted and guarded.

Layer ``store``. Executes ``spec/cells.md`` sections 5 and 6: combining only where no unseen cell
can lie between, removing only with a clock that can be right, and saying what was removed.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lexigraph.cells.cell import Cell, order
from lexigraph.cells.ranges import Range
from lexigraph.errors import InvalidOption, UsageError
from lexigraph.store.reports import MergeReport, StageCount
from lexigraph.store.scan.priorities import resolve_priorities
from lexigraph.store.scan.reading import EmptySource
from lexigraph.store.scan.runs import MergedRuns, Run
from lexigraph.store.settings import TableSettings
from lexigraph.store.stages.base import CellSource, Families, StageContext, StageScope
from lexigraph.store.stages.registry import stage_class
from lexigraph.store.stages.spec import StageSpec
from lexigraph.store.stages.stack import build_stack

_LOG = logging.getLogger("lexigraph.store")


@dataclass(frozen=True, slots=True)
class Merge:
    """One merge to be done: which runs, what is known of the rest of their table."""

    table: str
    settings: TableSettings
    runs: Sequence[Run]
    full: bool
    engine_timed: bool
    """Whether the engine assigned every timestamp of the table."""
    now: int
    newest: int | None
    """The newest commit of the table, in its unit."""

    def run(self) -> tuple[Run, MergeReport]:
        """Merge, and return the new run with a report."""
        combine = self.full or self.engine_timed or self.settings.append_only
        settings = self.settings
        if settings.combines_elements and not combine:
            # What is left uncombined now must still be there for a later merge to combine.
            settings = replace(settings, max_versions=None)
        stages = merge_stages(settings)
        check_merge_clock(self.table, self.settings, stages, self.now, self.newest)
        scope = StageScope.FULL if self.full else StageScope.MERGE
        context = StageContext(scope, self.now, combine=combine, plans=dict(self.settings.plans))
        cells = scanned(build_stack(MergedRuns(self.runs), (), context))
        markers = [] if self.full else [cell for cell in cells if cell.deleted]
        counts = []
        for stage in stages:
            # Each stage reads from a list: one that seeks would not pass by what it leaves out.
            made = scanned(stage_class(stage.name)(Run(cells), stage.options, context))
            counts.append(StageCount(stage.name, len(cells), len(made)))
            cells = made
        merged = Run(with_markers(cells, markers))
        read = sum(map(len, self.runs))
        report = MergeReport(
            self.table,
            self.full,
            combine,
            self.now,
            len(self.runs),
            read,
            len(merged),
            tuple(counts),
        )
        log_removed(report)
        return merged, report


def check_merge_clock(
    table: str,
    settings: TableSettings,
    stages: Sequence[StageSpec],
    now: int,
    newest: int | None,
) -> None:
    """Refuse a merge that removes cells by a clock that cannot be right."""
    if newest is None or not any(removes(stage.name) for stage in stages):
        return
    if now < newest:
        raise UsageError(
            f"the merge of table {table!r} removes cells and its clock, {now}, is "
            f"older than the newest commit, {newest}",
            hint="Correct the clock, or pass the right time as now=.",
        )
    jump = settings.max_clock_jump
    if jump is not None and now - newest > jump:
        raise UsageError(
            f"the merge of table {table!r} removes cells and its clock, {now}, is "
            f"{now - newest} ahead of the newest commit; max_clock_jump is {jump}",
            hint="Correct the clock, pass the right time as now=, or raise max_clock_jump.",
        )


def scanned(source: CellSource) -> list[Cell]:
    """Return everything that a source gives."""
    return list(source.scan(Range(), Families()))


def with_markers(cells: list[Cell], markers: Sequence[Cell]) -> list[Cell]:
    """Put back the delete markers that stages have dropped.

    A stage may count a marker as a version, as Accumulo's does. A partial merge keeps it all the
    same, or what it hides in other runs would come back into a sum.
    """
    kept = {cell.key for cell in cells if cell.deleted}
    lost = [marker for marker in markers if marker.key not in kept]
    return sorted([*cells, *lost], key=order) if lost else cells


def removes(stage: str) -> bool:
    """Tell whether a stage at merge scope drops cells for reasons other than newer ones."""
    return stage != "versions" and not stage_class(stage).combines


def merge_stages(settings: TableSettings) -> tuple[StageSpec, ...]:
    """Return a table's merge-scope stages in their places, checked."""
    stages = resolve_priorities(settings.stages("merge"))
    context = StageContext(StageScope.MERGE, plans=dict(settings.plans))
    for stage in stages:
        if stage_class(stage.name).whole_scan:
            raise InvalidOption(f"stage {stage.name!r} sees a whole scan and cannot run in a merge")
        stage_class(stage.name)(EmptySource(), stage.options, context)
    return stages


def log_removed(report: MergeReport) -> None:
    """Log what stages of a merge removed for ever."""
    for count in report.stages:
        if removes(count.name) and count.cells_out < count.cells_in:
            _LOG.info(
                "merge of table %s: stage %s permanently removed %d of %d cells",
                report.table,
                count.name,
                count.cells_in - count.cells_out,
                count.cells_in,
            )
