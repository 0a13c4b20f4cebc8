"""What a plan does: a readable tree, and the same as JSON.

Layer ``plan``. Built from the very objects that run, so it cannot tell another story. After a run
it says how many cells were read: a reader's explain counts what that reader may read, nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from lexigraph.keyplan.derived.summary import Summary
from lexigraph.layout.merges import unmerged_groups
from lexigraph.layout.spi import ELEMENTS
from lexigraph.plan.branches.cells import read_cells
from lexigraph.plan.branches.scans import AFTER, BEFORE, OTHER, BranchScans, TableScan
from lexigraph.plan.explaining.records import explain_records
from lexigraph.plan.explaining.tree import Explanation
from lexigraph.plan.keys import ASKED
from lexigraph.plan.logical.elements import Adjacent, Elements, Steps, Where
from lexigraph.plan.physical.choose import ChosenOperator, choose_adjacent, choose_frames
from lexigraph.plan.physical.execute import Branched, Way
from lexigraph.plan.physical.rows.columns import element_columns
from lexigraph.plan.scope import Scope
from lexigraph.schema import effect_of
from lexigraph.schema.describe import describe
from lexigraph.store import StageSpec

_COUNT = [{"name": "cells", "aggregate": "count"}]


def explain(asked: Elements | Adjacent, scope: Scope, *, run: bool = False) -> Explanation:
    """Explain a plan; with ``run`` its scans are run and counted too."""
    if isinstance(asked, Adjacent):
        chosen = choose_adjacent(asked, scope)
        inner = explain_branched(Branched(asked.of, scope), run=run)
        what = "distinct vertices at the other ends" if asked.distinct else "vertices at other ends"
        return Explanation(what, {"operator": chosen.operator}, (*_declined(chosen), inner))
    return explain_branched(Branched(asked, scope), run=run, by_columns=True)


def explain_branched(branched: Branched, *, run: bool, by_columns: bool = False) -> Explanation:
    """Explain the scans of elements; ``by_columns`` also how they become a table."""
    asked, scope = branched.asked, branched.scope
    facts: dict[str, Any] = {
        "of": branched.finder.describe(),
        "layout": scope.name,
        "engine": scope.engine.capabilities.engine,
    }
    if branched.finder.has_ranges and asked.direction != "both":
        facts["direction"] = asked.direction
    if asked.directed is not None:
        facts["directed"] = asked.directed
    facts["limit"] = asked.limit
    ways = branched.plan_scans()
    declined: list[Explanation] = []
    by_engine = False
    if by_columns:
        chosen = _choose_columns(branched, ways)
        facts["operator"], declined = chosen.operator, _declined(chosen)
        by_engine = chosen.reader is not None
    with branched.scanning(ways) as fixed:
        parts = tuple(
            _explain_branch(branched, way, fixed, run=run, by_engine=by_engine) for way in ways
        )
        if branched.records is not None:
            parts = (*parts, explain_records(branched.records, fixed, run=run))
    # Only now is it known whether an index was of use.
    facts["of"] = ways[0].finder.describe() if ways else facts["of"]
    return Explanation("elements", facts, (*declined, *_unused_indexes(ways), *parts))


def _unused_indexes(ways: list[Way]) -> Iterator[Explanation]:
    """Say which indexes of the groups are not used, and why."""
    told = [one for way in ways for one in getattr(way.finder, "unused_indexes", ())]
    for name, reason in dict.fromkeys(told):
        yield Explanation(f"declined index {name}", {"because": reason})


def _choose_columns(branched: Branched, ways: list[Way]) -> ChosenOperator[Any]:
    """Choose how the answer becomes a table of all that its elements have."""
    shows = branched.finder.shows_matched
    read = element_columns(branched.asked, branched.scope, shows_matched=shows)
    chosen = choose_frames(branched, ways, [one.frame for one in read or ()])
    if read is None and chosen.reader is not None:
        reason = "the answer has values that only the client packs"
        return ChosenOperator(declined=((chosen.operator, reason),))
    return chosen


def _declined(chosen: ChosenOperator[Any]) -> list[Explanation]:
    return [
        Explanation(f"declined {name}", {"because": reason}) for name, reason in chosen.declined
    ]


def _explain_branch(
    branched: Branched, way: Way, scope: Scope, *, run: bool, by_engine: bool
) -> Explanation:
    scans = way.scans
    tables: dict[str, int] = {}
    ranges = number = 0
    first: TableScan | None = None
    counted = {"cells_read": 0, "cells_given": 0}
    for scan in way.planned:
        first = first or scan
        number += 1
        ranges += len(scan.spec.ranges)
        tables[scan.table] = tables.get(scan.table, 0) + 1
        if run:
            counted["cells_read"] += _count_cells(scan, scans, scope)
            counted["cells_given"] += sum(1 for _ in read_cells(scan, scope))
    facts: dict[str, Any] = {
        "groups": list(scans.branch.groups),
        "table": ", ".join(tables) or scans.branch.table,
        "scans": number,
        "ranges": ranges,
    }
    if first is not None and first.spec.columns:
        facts["families"] = len(first.spec.columns)
    if run:
        facts.update(counted)
    first = first or way.first
    parts = [] if first is None else _stages(first, branched, scans, scope)
    told = (*_rules(scans, scope), *_unmerged(scans, scope))
    return Explanation(
        "scan", facts, (*parts, *told, *_client(branched, scans, by_engine=by_engine))
    )


def _rules(scans: BranchScans, scope: Scope) -> Iterator[Explanation]:
    """Say for each rule whether it is asked when elements are read, and why."""
    for name in scans.branch.groups:
        group = scope.schema.groups[name]
        for rule in group.rules:
            effect, because = effect_of(rule, group), "this engine leaves rules to those who add"
            asked = effect.on_read and scope.engine.preferences.validates
            if asked == effect.on_read:
                because = effect.because
            facts = {
                "group": name,
                "is": rule.doc or describe(rule.where, group),
                "checked": "on read" if asked else "when added",
                "because": because,
            }
            yield Explanation("rule", facts)


def _unmerged(scans: BranchScans, scope: Scope) -> Iterator[Explanation]:
    """Say which groups the engine does not merge, so that every scan does."""
    settings = scope.engine.settings(scope.tables[scans.branch.table])
    for name, reason in unmerged_groups(scope.engine, settings, scans.branch.groups).items():
        yield Explanation("merges", {"group": name, "where": "scans only", "because": reason})


def _stages(
    scan: TableScan, branched: Branched, scans: BranchScans, scope: Scope
) -> list[Explanation]:
    found = []
    for placed in scope.engine.placement(scan.table, scan.spec):
        stage = placed.stage
        facts: dict[str, Any] = {"where": _where(placed.in_engine), "priority": stage.priority}
        for name in ("by", "visibility", "once", "cells"):
            if stage.options.get(name):
                facts[name] = stage.options[name]
        if stage.name == "filter" and stage.priority == BEFORE and scan.spec.sets:
            facts["other_end_in"] = str(scan.spec.sets[OTHER])
        if stage.options.get("aggregates"):
            facts["aggregates"] = _merged_by(stage.options["aggregates"])
        parts = tuple(_conditions(stage, branched, scans))
        found.append(Explanation(f"stage {stage.name}", facts, parts))
    return found


def _conditions(stage: StageSpec, branched: Branched, scans: BranchScans) -> Iterator[Explanation]:
    """Yield the conditions of the question that a stage checks."""
    if stage.name != "filter" or stage.priority not in (BEFORE, AFTER):
        return
    for name in scans.branch.groups:
        steps, group = branched.asked.view[name], branched.scope.schema.groups[name]
        for one in steps.before if stage.priority == BEFORE else steps.after:
            if one.where is not None:
                text = one.text or describe(one.where, group)
                yield Explanation("condition", {"group": name, "is": text})


def _merged_by(aggregates: Mapping[str, Mapping[str, Any]]) -> list[str]:
    found = [
        f"{field}={aggregate['name']}"
        for fields in aggregates.values()
        for field, aggregate in fields.items()
    ]
    return list(dict.fromkeys(found))


def _client(branched: Branched, scans: BranchScans, *, by_engine: bool) -> Iterator[Explanation]:
    if branched.check is not None:
        yield Explanation("check of both ends", {"where": _where(by_engine)})
    for name in scans.branch.groups:
        steps: Steps = branched.asked.view[name]
        reason = scans.branch.merged.get(name)
        for one in steps.before:
            if one.call is not None:
                yield _step("filter before merging", name, one)
        if reason:
            yield Explanation("merge", {"where": "client", "group": name, "because": reason})
        for one in steps.after:
            if one.call is not None or not scans.branch.pushes_after:
                yield _step("filter after merging", name, one)
        for transform in steps.transforms:
            facts = {"where": "client", "group": name, "into": list(transform.into)}
            yield Explanation(f"transform {transform.text}".strip(), facts)
        for one in steps.last:
            yield _step("filter after transforms", name, one)
        if steps.keep is not None or steps.drop:
            facts = {"where": "client", "group": name}
            facts["properties"] = list(steps.keep or ()) or [f"-{one}" for one in steps.drop]
            yield Explanation("select", facts)


def _step(what: str, group: str, one: Where) -> Explanation:
    return Explanation(what, {"where": "client", "group": group, "is": one.text or None})


def _count_cells(scan: TableScan, scans: BranchScans, scope: Scope) -> int:
    """Count the readable cells of a scan's ranges, behind the table's own stages."""
    stage = StageSpec("summarise", {"plan": scans.plan_name, "measures": _COUNT}, 90)
    assert scans.plan_name in (ELEMENTS, ASKED)
    summary = Summary(scans.plan, (), _COUNT)
    counting = replace(scan, spec=replace(scan.spec, stages=[stage]))
    states = [summary.read(cell.value, cell.timestamp) for cell in read_cells(counting, scope)]
    return sum(int(summary.finish(b"", state)["cells"]) for state in states)


def _where(in_engine: bool) -> str:  # noqa: FBT001
    return "engine" if in_engine else "client"
