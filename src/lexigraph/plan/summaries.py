"""Figures over elements: summaries and counts, next to the data wherever a stage can make them.

Layer ``plan``. Elements count as the reader sees them, merged over labels; where that cannot change
a figure, they are summarised as they are stored. Memory holds a row for each combination.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from lexigraph.errors import SemanticProblem
from lexigraph.functions import traits_of
from lexigraph.keyplan.derived.summary import States, Summary
from lexigraph.plan.aggregators import kept_by
from lexigraph.plan.algebra import Elements, Measure, Steps, Summarise
from lexigraph.plan.execute import Branched, read_cells
from lexigraph.plan.frames import count_rows
from lexigraph.plan.present import shown_label, shown_time
from lexigraph.plan.scans import SUMMARY, BranchScans
from lexigraph.plan.scope import Scope
from lexigraph.plan.steps import ClientSteps
from lexigraph.schema.keys import type_of
from lexigraph.schema.model import Aggregate, Group
from lexigraph.store import StageSpec

COUNT = Measure("count", Aggregate("count"))


class Summed:
    """A summary, ready to run."""

    def __init__(self, asked: Summarise, scope: Scope) -> None:
        self.asked, self.scope = asked, scope
        names = [*asked.by, *(one.field for one in asked.measures if one.field is not None)]
        for name, steps in asked.of.view.items():
            _check(scope.schema.group(name), steps, names)
        unmerged = frozenset(
            name
            for name, steps in asked.of.view.items()
            if _needs_no_merging(scope.schema.group(name), steps, asked) and not self._fills(name)
        )
        self.branched = Branched(asked.of, scope, unmerged)
        self._summaries = [self._summary(scans) for scans, _ in self.branched.ways]
        for scans, client in self.branched.ways:
            if self.pushes(scans, client):
                scans.top = [self._stage(scans)]

    def pushes(self, scans: BranchScans, steps: ClientSteps) -> bool:
        """Tell whether a stage makes the figures of a branch."""
        if any(map(self._fills, scans.branch.groups)):
            return False
        return self.branched.check is None and steps.is_plain and self.asked.of.limit is None

    def _fills(self, group: str) -> bool:
        """Tell whether figures of a group look at defaults, which no stage knows."""
        asked = self.asked
        names = {*asked.by, *(one.field for one in asked.measures)}
        return not self.scope.keys.defaults(group).names.isdisjoint(names)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Give a row of values and figures for each combination, in the order of the values."""
        results: dict[bytes, States] = {}
        with self.branched.scanning() as (scope, ways):
            for (scans, steps, planned), summary in zip(ways, self._summaries, strict=True):
                if self.pushes(scans, steps):
                    for scan in planned:
                        for cell in read_cells(scan, scope):
                            states = summary.read(cell.value, cell.timestamp)
                            _add(results, summary, cell.row, states)
                    continue
                for found in self.branched.stored(scans, steps, planned, scope):
                    element = self.scope.keys.defaults(found.group).fill(found)
                    _add(results, summary, summary.row(element), summary.states(element))
        for row in sorted(results):
            yield self._shown(self._summaries[0].finish(row, results[row]))

    def _summary(self, scans: BranchScans) -> Summary:
        return Summary(scans.output, self._by(scans), self._measures(scans))

    def _stage(self, scans: BranchScans) -> StageSpec:
        options = {
            "plan": scans.output_name,
            "by": self._by(scans),
            "measures": self._measures(scans),
        }
        return StageSpec("summarise", options, SUMMARY)

    def _by(self, scans: BranchScans) -> list[str]:
        return [self._field(scans, name) for name in self.asked.by]

    def _measures(self, scans: BranchScans) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        for one in self.asked.measures:
            aggregate: Any = one.aggregate.name
            if one.aggregate.options:
                aggregate = {"name": one.aggregate.name, **one.aggregate.options}
            measure = {"name": one.name, "aggregate": aggregate}
            field = {} if one.field is None else {"field": self._field(scans, one.field)}
            found.append({**measure, **field})
        return found

    def _field(self, scans: BranchScans, name: str) -> str:
        fields = {self.scope.keys.field(group, name) for group in scans.branch.groups}
        if len(fields) > 1:
            raise SemanticProblem(
                f"{name!r} is not the same in all of the groups {', '.join(scans.branch.groups)}",
                hint="Summarise one group at a time.",
            )
        return fields.pop()

    def _shown(self, row: dict[str, Any]) -> dict[str, Any]:
        group = self.scope.schema.group(next(iter(self.asked.of.view)))
        values = iter(row.values())
        shown: dict[str, Any] = {}
        for name in self.asked.by:
            value = next(values)
            if name == group.visibility:
                value = shown_label(value)
            elif name == group.timestamp:
                value = shown_time(group, value)
            shown[name] = value
        for one in self.asked.measures:
            value = next(values)
            counts_none = value is None and one.field is None
            shown[one.name] = 0 if counts_none else value
        return shown


def iter_summary(asked: Summarise, scope: Scope) -> Iterator[dict[str, Any]]:
    """Give the rows of a summary; mistakes raise here, before anything is read."""
    return Summed(asked, scope).rows()


def count_elements(asked: Elements, scope: Scope) -> int:
    """Count the elements that a plan asks for, as the reader sees them."""
    if not asked.view:
        return 0
    if asked.limit is not None or any(one.last for one in asked.view.values()):
        return sum(1 for _ in Branched(asked, scope).elements())
    plain = {name: replace(one, transforms=()) for name, one in asked.view.items()}
    asked = replace(asked, view=plain)
    summed = Summed(Summarise(asked, (), (COUNT,)), scope)
    if summed.branched.check is not None:
        # No stage counts what the client has to check; an engine that checks it itself may.
        counted = count_rows(asked, scope)
        if counted is not None:
            return counted
    return sum(int(row["count"]) for row in summed.rows())


def _check(group: Group, steps: Steps, names: list[str]) -> None:
    if steps.transforms or steps.last:
        raise SemanticProblem(
            f"group {group.name!r} has transforms, and a summary is computed before them",
            hint="Summarise first, or use the elements themselves.",
        )
    gone = set(group.group_by) - set(kept_by(group, steps))
    for name in names:
        type_of(group, name)
        if name in gone and not group.property(name).aggregate:
            raise SemanticProblem(
                f"{name!r} of group {group.name!r} was rolled up and no longer exists",
                hint="Roll up by it too, or leave the roll-up out: a summary merges anyway.",
            )
        if name in steps.aggregators:
            raise SemanticProblem(
                f"{name!r} of group {group.name!r} has an aggregator of the view",
                hint="Leave the roll-up out: a summary takes any aggregator.",
            )


def _needs_no_merging(group: Group, steps: Steps, asked: Summarise) -> bool:
    if steps.after or steps.aggregators:
        return False
    kept = {*kept_by(group, steps), *group.ids}
    values = {one.name: one.aggregate for one in group.values}
    for measure in asked.measures:
        name, aggregate = measure.field, measure.aggregate
        own = name in values and values[name] == aggregate
        if not own and not (name in kept and traits_of(aggregate.name).idempotent):
            return False
    return all(name in kept for name in asked.by)


def _add(results: dict[bytes, States], summary: Summary, row: bytes, states: States) -> None:
    earlier = results.get(row)
    results[row] = states if earlier is None else summary.merge(earlier, states)
