"""How many stored elements the rules of a graph hide: counted next to the data, for its owner.

Layer ``plan``. A scan of a table goes through its rules, so this one takes the place of the
table's stages. Memory holds one row for each group.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lexigraph.keyplan import KeyPlan
from lexigraph.keyplan.derived.summary import Summary
from lexigraph.layout.merges import ANYTHING
from lexigraph.layout.spi import ELEMENTS
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.stored.table_settings import RULES_PRIORITY, groups_by_table
from lexigraph.schema import effect_of
from lexigraph.store import Range, StageSpec

_BY = ["group"]
_MEASURES = [{"name": "count", "aggregate": "count"}]
_COUNT = StageSpec(
    "summarise", {"plan": ELEMENTS, "by": _BY, "measures": _MEASURES}, RULES_PRIORITY + 1
)


def count_hidden(stored: StoredGraph) -> dict[str, int]:
    """Return how many stored elements each group has that break one of its rules now.

    Those under different labels count each, as rules judge them. Groups without rules are not
    there. UnsupportedError if the engine cannot read what rules hide.
    """
    counts = dict.fromkeys(_ruled(stored, list(stored.layout.schema.groups)), 0)
    for table, names in groups_by_table(stored.layout).items():
        asked = _ruled(stored, names)
        if any(one != ANYTHING for one in asked.values()):
            counts.update(_count(stored, table, names, asked))
    return counts


def _ruled(stored: StoredGraph, names: list[str]) -> dict[str, Any]:
    """Return what scans ask of the elements of each group that has rules."""
    found = {}
    for name in names:
        group = stored.schema.groups[name]
        rules = [one for one in group.rules if effect_of(one, group).on_read]
        if group.rules:
            asked = [stored.layout.predicate(name, one.where) for one in rules]
            found[name] = {"op": "and", "of": asked}
    return found


def _count(
    stored: StoredGraph, table: str, names: list[str], asked: dict[str, Any]
) -> dict[str, int]:
    settings = stored.layout.tables()[table]
    broken = {name: {"op": "not", "of": asked.get(name, ANYTHING)} for name in names}
    options = {"plan": ELEMENTS, "where": broken, "once": True}
    stages = [*settings.scan_stages, StageSpec("filter", options, RULES_PRIORITY), _COUNT]
    through = replace(settings, scan_stages=stages).stages("scan")
    summary = Summary(KeyPlan.parse(settings.plans[ELEMENTS]), _BY, _MEASURES)
    found = {}
    for batch in stored.engine.read_raw(stored.tables[table], [Range()], through):
        for cell in batch:
            row = summary.finish(cell.row, summary.read(cell.value, cell.timestamp))
            found[row["group"]] = row["count"]
    return found
