"""The tables of a graph with its rules: what breaks one is not seen, and goes when tables merge.

Layer ``graph``. The filter stands right above the layout's ``aggregate``, so rules judge what
merged elements say. An engine whose merges cannot run all of it leaves merging to scans: the
answers are the same.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from lexigraph.errors import UnsupportedError
from lexigraph.layout import BoundLayout
from lexigraph.layout.spi import ELEMENTS
from lexigraph.store import Engine, StageSpec, TableSettings

RULES_PRIORITY = 45

_LOG = logging.getLogger("lexigraph.graph")
_ANYTHING: Mapping[str, Any] = {"op": "and", "of": []}


def graph_tables(layout: BoundLayout, *, validates: bool) -> dict[str, TableSettings]:
    """Give the tables of a layout, by its own names for them, with the rules of the schema.

    An engine that does not validate leaves the rules to those who add elements.
    """
    if not validates:
        return dict(layout.tables())
    groups: dict[str, list[str]] = {}
    for name in layout.schema.groups:
        groups.setdefault(layout.table_of(name), []).append(name)
    return {
        table: _with_rules(settings, rules_stage(layout, groups.get(table, [])))
        for table, settings in layout.tables().items()
    }


def rules_stage(layout: BoundLayout, groups: Iterable[str]) -> StageSpec | None:
    """Give the filter that keeps the rules of some groups; ``None`` where there are none."""
    where = {name: _rules(layout, name) for name in groups}
    if all(one is _ANYTHING for one in where.values()):
        return None
    return StageSpec("filter", {"plan": ELEMENTS, "where": where}, RULES_PRIORITY)


def make_table(engine: Engine, name: str, settings: TableSettings) -> None:
    """Make a table; where merges cannot run its stages, only scans do."""
    try:
        engine.create_table(name, settings)
    except UnsupportedError as error:
        _LOG.info("table %s is merged by scans only: %s", name, error)
        engine.create_table(name, replace(settings, merge_stages=()))


def fit_table(engine: Engine, name: str, settings: TableSettings) -> None:
    """Give a table its settings, if it has others."""
    plain = replace(settings, merge_stages=())
    now = replace(engine.settings(name), splits=settings.splits)
    if now in (settings, plain):
        return
    try:
        engine.configure_table(name, settings)
    except UnsupportedError as error:
        _LOG.info("table %s is merged by scans only: %s", name, error)
        engine.configure_table(name, plain)


def _rules(layout: BoundLayout, name: str) -> Mapping[str, Any]:
    rules = layout.schema.groups[name].rules
    if not rules:
        return _ANYTHING
    return {"op": "and", "of": [layout.predicate(name, rule.where) for rule in rules]}


def _with_rules(settings: TableSettings, stage: StageSpec | None) -> TableSettings:
    if stage is None:
        return settings
    return replace(
        settings,
        scan_stages=[*settings.scan_stages, stage],
        merge_stages=[*settings.merge_stages, stage],
    )
