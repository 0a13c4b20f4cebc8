"""The tables of a graph with its rules: what breaks one is not seen, and may go when tables merge.

Layer ``layout``. The filter stands right above the layout's ``aggregate``, so rules judge what
merged elements hold, label by label. Which rules scans and merges ask is decided by
``schema.rule_effects``; which groups merges take, by ``layout.merges``. Neither changes an answer,
but for rules that say ``remove=True``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from lexigraph.errors import Conflict, GraphNotFound, InvalidName
from lexigraph.layout import BoundLayout
from lexigraph.layout.merges import ANYTHING, fit_merges
from lexigraph.layout.spi import ELEMENTS
from lexigraph.layout.stored.catalogue import Catalogue
from lexigraph.schema import effect_of
from lexigraph.store import Engine, StageSpec, TableSettings

RULES_PRIORITY = 45
_TRIES = 20


def graph_tables(layout: BoundLayout, *, validates: bool) -> dict[str, TableSettings]:
    """Return the tables of a layout, by its own names for them, with the rules of the schema.

    An engine that does not validate leaves the rules to those who add elements.
    """
    if not validates:
        return dict(layout.tables())
    groups = groups_by_table(layout)
    return {
        table: _with_rules(settings, layout, groups.get(table, []))
        for table, settings in layout.tables().items()
    }


def groups_by_table(layout: BoundLayout) -> dict[str, list[str]]:
    """Return the names of the groups in each table of a layout."""
    groups: dict[str, list[str]] = {}
    for name in layout.schema.groups:
        groups.setdefault(layout.table_of(name), []).append(name)
    return groups


def make_table(engine: Engine, name: str, settings: TableSettings) -> None:
    """Make a table, whose merges take the groups that the engine can merge."""
    engine.create_table(name, fit_merges(engine, settings))


def add_table(engine: Engine, graph: str, suffix: str, table: str, settings: TableSettings) -> None:
    """Make a table that a graph needs from now on, if it is not there; the catalogue names it."""
    catalogue = Catalogue(engine)
    for tries_left in reversed(range(_TRIES)):
        entry = catalogue.get(graph)
        if entry.suffix != suffix:
            raise GraphNotFound(
                f"graph {graph!r} was dropped, and there is a new one of its name",
                hint="Open the graph again.",
            )
        if table in entry.tables:
            break
        try:
            catalogue.change(graph, entry, replace(entry, tables=(*entry.tables, table)))
            break
        except Conflict:
            if not tries_left:
                raise
    if table not in engine.tables():
        with suppress(InvalidName):
            # If it is there now, another process was faster.
            make_table(engine, table, settings)


def fit_table(engine: Engine, name: str, settings: TableSettings) -> None:
    """Give a table its settings, if it has others."""
    now = replace(engine.settings(name), splits=settings.splits)
    if now == settings:
        return
    fitted = fit_merges(engine, settings)
    if now != fitted:
        engine.configure_table(name, fitted)


def _with_rules(settings: TableSettings, layout: BoundLayout, groups: list[str]) -> TableSettings:
    read, merged = [], []
    for name in groups:
        group = layout.schema.groups[name]
        for rule in group.rules:
            effect = effect_of(rule, group)
            where = layout.predicate(name, rule.where)
            read += [(name, where)] if effect.on_read else []
            merged += [(name, where)] if effect.at_merge else []
    return replace(
        settings,
        scan_stages=[*settings.scan_stages, *_filter(groups, read)],
        merge_stages=[*settings.merge_stages, *_filter(groups, merged)],
    )


def _filter(groups: list[str], rules: Iterable[tuple[str, Mapping[str, Any]]]) -> list[StageSpec]:
    where: dict[str, Any] = dict.fromkeys(groups, ANYTHING)
    for name, rule in rules:
        where[name] = {"op": "and", "of": [*where[name]["of"], rule]}
    if all(one is ANYTHING for one in where.values()):
        return []
    return [StageSpec("filter", {"plan": ELEMENTS, "where": where}, RULES_PRIORITY)]
