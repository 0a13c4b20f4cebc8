"""Scans of a branch: places become specs, with every step as a stage that can be one.

Layer ``plan``. The stages of a branch, from the data upwards: those of the table, filters before
merging, roll-up, filters after it, then a limit or a summary. Only the families of the branch's
groups are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from lexigraph.codec import codec_for
from lexigraph.functions.predicates.base import PredicateJson
from lexigraph.keyplan import KeyPlan
from lexigraph.keyplan.model import AggregatePlan
from lexigraph.layout import Place, Wanted
from lexigraph.plan.branches.branch import Branch
from lexigraph.plan.keys import ASKED, Keys
from lexigraph.plan.logical.elements import Elements, Where
from lexigraph.plan.scope import Scope
from lexigraph.plan.sources.finder import Finder
from lexigraph.schema.model import EDGE, VERTEX
from lexigraph.store import Range, ScanSpec, StageSpec

AS_OF, BEFORE, ROLL_UP, AFTER, FIRST, LIMIT, SUMMARY = 10, 50, 60, 70, 80, 85, 90
ROLLED = "rolled"
OTHER = "other"
"""The name of the set that the other end of an edge has to be in."""

_TRUE: PredicateJson = {"op": "and", "of": []}
_FALSE: PredicateJson = {"op": "or", "of": []}


def _in_other(matched: str, end: str) -> PredicateJson:
    found = {"op": "eq", "field": "matched", "value": matched.encode()}
    return {"op": "and", "of": [found, {"op": "in", "field": end, "set": OTHER}]}


_OTHER_END: PredicateJson = {
    "op": "or",
    "of": [_in_other("source", "destination"), _in_other("destination", "source")],
}


@dataclass(frozen=True, slots=True)
class TableScan:
    """One scan that a plan makes: the engine's table and the spec."""

    table: str
    spec: ScanSpec

    __hash__ = None  # type: ignore[assignment]


class BranchScans:
    """Makes the scans of one branch."""

    def __init__(self, asked: Elements, branch: Branch, finder: Finder, scope: Scope) -> None:
        self.asked, self.branch, self.finder, self.scope = asked, branch, finder, scope
        self.keys: Keys = scope.keys
        for name in branch.groups:
            scope.check_times(self.keys.group(name))
        self.plan_name, self.plan = self.keys.part(branch.groups)
        self.output: KeyPlan = self.plan
        if branch.by is not None:
            self.output = self.plan.rolled(branch.by, _aggregates(branch))
        self.output_name = self.plan_name if branch.by is None else ROLLED
        self.wanted = Wanted(
            frozenset(branch.groups),
            vertices=any(self._kind(name) == VERTEX for name in branch.groups),
            edges=any(self._kind(name) == EDGE for name in branch.groups),
            direction=asked.direction,
            directed=asked.directed,
        )
        self._columns = self.keys.columns(branch.groups)
        other = self.finder.other_in(scope.engine.preferences)
        self.sets = {} if other is None else {OTHER: other}
        self.top: list[StageSpec] = []
        """Stages above all others: a limit or a summary."""

    def sample(self) -> TableScan:
        """Give a scan with the stages that all have, of everything."""
        [place, *_] = self.keys.layout.everything(self.wanted)
        return TableScan(self.scope.tables[place.table], self.spec(place))

    def scans(self, finder: Finder | None = None) -> Iterator[TableScan]:
        """Give the scans, lazily: there are as many as batches of seeds."""
        if self.scope.sees_nothing:
            return
        for places in (finder or self.finder).places(self.wanted):
            for place in _joined(places):
                yield TableScan(self.scope.tables[place.table], self.spec(place))

    def spec(self, place: Place) -> ScanSpec:
        """Make the scan of a place."""
        plans = {ASKED: self.plan.to_json()} if self.plan_name == ASKED else {}
        return ScanSpec(
            ranges=place.ranges,
            columns=place.columns or self._columns,
            authorizations=self.scope.authorizations,
            now=self.scope.now,
            stages=[*self._stages(place.where), *self.top],
            plans=plans,
            sets=self.sets,
        )

    def edge_spec(self) -> ScanSpec:
        """Make the spec by which an engine follows edges itself: filters, and no ranges."""
        directed = self.asked.directed
        kind = None
        if directed is not None:
            value = codec_for("bool").encode(directed)
            kind = {"op": "eq", "field": "directed", "value": value}
        return self.spec(Place(self.branch.table, [Range()], kind))

    def _stages(self, place: PredicateJson | None) -> Iterator[StageSpec]:
        if self.scope.as_of is not None:
            yield StageSpec("as-of", {"timestamp": self.scope.as_of}, AS_OF)
        before = {name: self._before(name, place) for name in self.branch.groups}
        if any(one != _TRUE for one in before.values()) or self.finder.once:
            where = None if all(one == _TRUE for one in before.values()) else before
            options: dict[str, Any] = {
                "plan": self.plan_name,
                "where": where,
                "once": self.finder.once,
            }
            yield StageSpec("filter", options, BEFORE)
        if self.branch.by is not None:
            labels = "keep" if self.asked.by_visibility else "merge"
            options = {"plan": self.plan_name, "by": list(self.branch.by), "visibility": labels}
            if self.branch.aggregators:
                options["aggregates"] = {
                    group: {field: one.to_json() for field, one in fields.items()}
                    for group, fields in _aggregates(self.branch).items()
                }
            yield StageSpec("roll-up", {**options, "as": ROLLED}, ROLL_UP)
        if self.branch.pushes_after:
            after = {
                name: self._where(name, self.asked.view[name].after) for name in self.branch.groups
            }
            if any(one != _TRUE for one in after.values()):
                yield StageSpec("filter", {"plan": self.output_name, "where": after}, AFTER)

    def _before(self, name: str, place: PredicateJson | None) -> PredicateJson:
        if self.scope.sees_nothing:
            return _FALSE
        parts = [] if place is None else [place]
        if self.sets and self._kind(name) == EDGE:
            parts.append(_OTHER_END)
        return self._where(name, self.asked.view[name].before, parts)

    def _where(
        self, name: str, filters: Iterable[Where], parts: Iterable[PredicateJson] = ()
    ) -> PredicateJson:
        asked = (one.where for one in filters if one.where is not None)
        found = [*parts, *(self.keys.predicate(name, one, self.scope.time) for one in asked)]
        if not found:
            return _TRUE
        return found[0] if len(found) == 1 else {"op": "and", "of": found}

    def _kind(self, name: str) -> str:
        return self.keys.group(name).kind


def _aggregates(branch: Branch) -> dict[str, dict[str, AggregatePlan]]:
    return {
        group: {field: AggregatePlan(one.name, one.given) for field, one in fields.items()}
        for group, fields in branch.aggregators.items()
    }


def _joined(places: Iterable[Place]) -> list[Place]:
    """Join places that one scan can read."""
    found: dict[tuple[str, str], list[Place]] = {}
    for place in places:
        if place.ranges:
            found.setdefault((place.table, repr((place.where, place.columns))), []).append(place)
    return [
        replace(same[0], ranges=[one for place in same for one in place.ranges])
        for same in found.values()
    ]
