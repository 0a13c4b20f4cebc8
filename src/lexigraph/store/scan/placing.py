"""Stages that an engine leaves to the client: what it made of those below, as their source.

Layer ``store``. Wherever the line is drawn, the answer is the same: ``ScanPlan`` runs the stages
above it on this source as it would on its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from lexigraph.cells.cell import Cell
from lexigraph.cells.ranges import Range
from lexigraph.security import ALL
from lexigraph.store.scan.reading import ScanPlan, families_of
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.stages.base import Families

RunInEngine = Callable[[ScanSpec], Iterator[Cell]]
"""Runs the stages of a scan in the engine, those of the table not among them."""


class EngineCells:
    """The cells behind the first ``done`` stages of a scan, made by an engine."""

    def __init__(self, plan: ScanPlan, done: int, now: int, run: RunInEngine) -> None:
        spec = plan.spec
        # A scan's own clock value comes before the engine's, on both sides of the line.
        now = now if spec.now is None else spec.now
        self.plan, self.done, self.now, self.run = plan, done, now, run
        self._spec = replace(spec, stages=plan.stages[:done], now=now, after=None)
        self._families = families_of(spec)

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Give the cells of a range; other families than the scan's are read without stages."""
        if families != self._families:
            return self._chosen(range, families)
        if self.done <= self.plan.split:
            return self.run(replace(self._spec, ranges=[range]))
        # A stage that sees the whole scan needs all of it, whichever of its cells are wanted.
        return (cell for cell in self.run(self._spec) if range.contains(cell))

    def _chosen(self, range: Range, families: Families) -> Iterator[Cell]:
        # A stage above chooses its families itself, below all the stages that are done.
        stack = self.plan.stack(_Raw(self.run), self.now, self.plan.ranges, upto=self.done)
        return stack.scan(range, families)


class _Raw:
    def __init__(self, run: RunInEngine) -> None:
        self.run = run

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        return self.run(ScanSpec(ranges=[range], authorizations=ALL))
