"""Which groups the merges of an engine can take: the others stay as they are, and scans merge them.

Layer ``layout``. An engine whose merges run outside of Python knows neither a codec nor an
aggregator nor a predicate of a user's own. A group with one is taken out of the plans of merge
stages: ``aggregate`` passes its cells on, and for ``filter``, which would leave them out, the plan
has the group with a key and a value that nobody reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from lexigraph.layout.spi import ELEMENTS
from lexigraph.store import Engine, StageSpec, TableSettings
from lexigraph.store.scan.overlay import Overlay
from lexigraph.store.stages.spec import read_stages

MERGING = "merging"
"""The name of the plan of the groups that merges combine, if these are not all that aggregate."""
REMOVING = "removing"
"""The name of the plan by which merges filter, if they cannot read all groups."""
ANYTHING: Mapping[str, Any] = {"op": "and", "of": []}
"""The predicate that all elements satisfy."""

_UNREAD = {"field": ".unread", "codec": "bytes", "form": "rest"}

Plan = Mapping[str, Any]


def fit_merges(engine: Engine, settings: TableSettings) -> TableSettings:
    """Return settings whose merges the engine can run, with as many groups as it can merge."""
    if _can_run(engine, settings):
        return settings
    plans, stages = dict(settings.plans), []
    for stage in read_stages(settings.merge_stages):
        plan = settings.plans.get(str(stage.options.get("plan")))
        if plan is not None and stage.name == "aggregate":
            stages += _fit_aggregate(engine, stage, plan, plans)
        elif plan is not None and stage.name == "filter":
            stages += _fit_filter(engine, stage, plan, plans)
        else:
            stages.append(stage)
    fitted = replace(settings, plans=plans, merge_stages=stages)
    return fitted if _can_run(engine, fitted) else replace(settings, merge_stages=())


def unmerged_groups(
    engine: Engine | Overlay, settings: TableSettings, groups: Iterable[str]
) -> dict[str, str]:
    """Return those groups of a table that only scans merge, each with the reason."""
    plan = _aggregated(settings, settings.scan_stages)
    merged = _aggregated(settings, settings.merge_stages).get("groups", {})
    return {
        name: _reason(engine, plan, name)
        for name in groups
        if name in plan.get("groups", {}) and name not in merged
    }


def _aggregated(settings: TableSettings, stages: Any) -> Plan:
    for stage in read_stages(stages):
        if stage.name == "aggregate":
            found: Plan = settings.plans[stage.options["plan"]]
            return found
    return {}


def _fit_aggregate(
    engine: Engine, stage: StageSpec, plan: Plan, plans: dict[str, Any]
) -> list[StageSpec]:
    groups = {name: one for name, one in plan["groups"].items() if _merges(engine, plan, name, one)}
    if not groups:
        return []
    plans[MERGING] = {**plan, "groups": groups}
    return [StageSpec(stage.name, {"plan": MERGING}, stage.priority)]


def _fit_filter(
    engine: Engine, stage: StageSpec, plan: Plan, plans: dict[str, Any]
) -> list[StageSpec]:
    where, groups = dict(stage.options["where"]), {}
    for name, asked in where.items():
        group = plan["groups"][name]
        unread = {**group, "qualifier": [_UNREAD], "value": {"form": "none"}}
        # What merges cannot ask they do not remove: scans hide it all the same.
        for one, rule in ((group, asked), (group, ANYTHING), (unread, ANYTHING)):
            groups[name], where[name] = one, rule
            if _runs(engine, {**plan, "groups": {name: one}}, "filter", where={name: rule}):
                break
    if all(one is ANYTHING for one in where.values()):
        return []
    plans[REMOVING] = {**plan, "groups": groups}
    return [StageSpec(stage.name, {"plan": REMOVING, "where": where}, stage.priority)]


def _reason(engine: Engine | Overlay, plan: Plan, name: str) -> str:
    group = plan["groups"][name]
    value = group["value"]
    alone: list[tuple[Any, dict[str, Any]]] = [
        *((one, {"value": {**value, "properties": [one]}}) for one in value.get("properties", ())),
        *((part, {"qualifier": [part]}) for part in group["qualifier"] if "field" in part),
    ]
    empty = {**group, "qualifier": [], "value": {"form": "none"}}
    found = [_named(one) for one, own in alone if not _merges(engine, plan, name, empty | own)]
    what = f"its {', its '.join(found)}" if found else "the codec of its ids"
    return f"{what}: known in Python only, and merges of this engine run outside of it"


def _named(one: Mapping[str, Any]) -> str:
    how = one.get("aggregate", {}).get("name")
    merged = f" and aggregator {how!r}" if how else ""
    return f"property {one['field'].lstrip('.')!r} of codec {one['codec']!r}{merged}"


def _merges(engine: Engine | Overlay, plan: Plan, name: str, group: Mapping[str, Any]) -> bool:
    return _runs(engine, {**plan, "groups": {name: group}}, "aggregate")


def _runs(engine: Engine | Overlay, plan: Plan, stage: str, **options: Any) -> bool:
    stages = [StageSpec(stage, {"plan": ELEMENTS, **options})]
    plans = {ELEMENTS: plan}
    return _can_run(engine, TableSettings(plans=plans, merge_stages=stages, max_versions=None))


def _can_run(engine: Engine | Overlay, settings: TableSettings) -> bool:
    return engine.merge_problem(settings) is None
