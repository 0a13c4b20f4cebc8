"""A check of one graph, beside the check of its engine: what its schema says about its data.

Layer ``graph``. Each step is a function in ``STEPS`` that looks at one thing and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lexigraph.graph.merge_checks import check_merges
from lexigraph.graph.stored import StoredGraph
from lexigraph.store.checks import OK, Checked


def check_graph(stored: StoredGraph) -> list[Checked]:
    """Take all steps."""
    return [found for step in STEPS for found in step(stored)]


def _schema(stored: StoredGraph) -> Iterable[Checked]:
    groups = len(stored.schema.groups)
    yield Checked(
        "schema",
        OK,
        f"graph {stored.name!r}: {groups} group{'' if groups == 1 else 's'}, "
        f"layout {stored.layout_name}",
    )


def _rules(stored: StoredGraph) -> Iterable[Checked]:
    ruled = {name: group.rules for name, group in stored.schema.groups.items() if group.rules}
    if not ruled:
        yield Checked("rules", OK, "no group has rules")
        return
    if not stored.engine.preferences.validates:
        yield Checked("rules", OK, f"checked when elements are added: {', '.join(ruled)}")
        return
    for name, rules in ruled.items():
        later = sum(1 for rule in rules if not rule.checked)
        what = f"{name}: {len(rules)} rule{'' if len(rules) == 1 else 's'}"
        if later:
            what += f", {later} newer than its data: elements that break them are hidden"
        yield Checked("rules", OK, what)


STEPS: tuple[Callable[[StoredGraph], Iterable[Checked]], ...] = (_schema, _rules, check_merges)
"""The steps, in their order."""
