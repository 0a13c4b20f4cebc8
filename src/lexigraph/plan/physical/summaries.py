"""Figures over elements: summaries and counts, next to the data wherever a stage can make them.

Layer ``plan``. Elements count as the reader sees them, merged over labels; where that cannot change
a figure, they are summarised as they are stored. Memory holds a row for each combination.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from lexigraph.errors import SemanticProblem
from lexigraph.functions import traits_of
from lexigraph.keyplan.derived.summary import FigureStates, Summary
from lexigraph.plan.branches.aggregators import kept_by
from lexigraph.plan.branches.cells import read_cells
from lexigraph.plan.branches.present import shown_label, shown_time
from lexigraph.plan.branches.scans import SUMMARY, BranchScans
from lexigraph.plan.branches.steps import ClientSteps
from lexigraph.plan.logical.elements import Elements, Steps
from lexigraph.plan.physical.execute import Branched
from lexigraph.plan.physical.frames import count_rows
from lexigraph.plan.records.views import split_view, without_properties
from lexigraph.plan.scope import Scope
from lexigraph.schema.model import Aggregate, Group
from lexigraph.store import StageSpec


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure that a stage makes: an aggregator of a stored field, or ``count`` of none."""

    name: str
    aggregate: Aggregate
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Summarise:
    """A row of figures for each combination of some stored fields."""

    of: Elements
    by: tuple[str, ...] = ()
    measures: tuple[Measure, ...] = ()

    __hash__ = None  # type: ignore[assignment]


COUNT = Measure("count", Aggregate("count"))


class Summed:
    """A summary, ready to run."""

    def __init__(self, asked: Summarise, scope: Scope) -> None:
        self.asked, self.scope = asked, scope
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

    def shown(self, row: bytes, states: FigureStates | None = None) -> dict[str, Any]:
        """Return the values and figures of a result; without ``states``, figures of nothing."""
        held = [None] * len(self.asked.measures) if states is None else states
        return self._shown(self._summaries[0].finish(row, held))

    def merge(self, one: FigureStates, other: FigureStates) -> FigureStates:
        """Return the states of two results together."""
        return self._summaries[0].merge(one, other)

    def merged(self) -> dict[bytes, FigureStates]:
        """Read all; return the states of each combination, by the key forms of its values."""
        results: dict[bytes, FigureStates] = {}
        ways = self.branched.plan_scans()
        with self.branched.scanning(ways) as scope:
            for way, summary in zip(ways, self._summaries, strict=True):
                if self.pushes(way.scans, way.steps):
                    for scan in way.planned:
                        for cell in read_cells(scan, scope):
                            states = summary.read(cell.value, cell.timestamp)
                            _add(results, summary, cell.row, states)
                    continue
                for found in self.branched.stored(way, scope):
                    element = self.scope.keys.defaults(found.group).fill(found)
                    _add(results, summary, summary.row(element), summary.states(element))
        return results

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


def count_elements(asked: Elements, scope: Scope) -> int:
    """Count the elements that a plan asks for, as the reader sees them."""
    if not asked.view:
        return 0
    merging, records = split_view(asked, scope)
    if records is not None:
        # Of records only their number is wanted, so that nothing else of them is read.
        alone = replace(records, view=without_properties(records.view))
        if asked.limit is not None:
            both = replace(asked, view={**merging.view, **alone.view})
            return sum(1 for _ in Branched(both, scope).elements())
        branched = Branched(alone, scope)
        assert branched.records is not None
        with branched.scanning([]) as moment:
            return count_elements(merging, scope) + branched.records.count(moment)
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
    results = summed.merged()
    return sum(int(summed.shown(key, states)["count"]) for key, states in results.items())


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


def _add(
    results: dict[bytes, FigureStates], summary: Summary, row: bytes, states: FigureStates
) -> None:
    earlier = results.get(row)
    results[row] = states if earlier is None else summary.merge(earlier, states)
