"""A check of one graph, beside the check of its engine: what its schema says about its data.

Layer ``graph``. Each step is a function that looks at one thing and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from lexigraph.errors import UnsupportedError
from lexigraph.graph.admin.merge_checks import check_merges
from lexigraph.graph.admin.record_checks import check_records
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.stored.indexes import BUILDING, USABLE
from lexigraph.plan.targets.hidden import count_hidden
from lexigraph.store.checks import OK, Checked


def check_graph(stored: StoredGraph, *, sees_all: bool = True) -> list[Checked]:
    """Take all steps; only with ``sees_all`` does a step count what readers cannot see."""
    return [
        *_schema(stored),
        *_rules(stored, sees_all=sees_all),
        *check_records(stored, sees_all=sees_all),
        *_indexes(stored),
        *check_merges(stored),
    ]


def _schema(stored: StoredGraph) -> Iterable[Checked]:
    groups = len(stored.schema.groups)
    yield Checked(
        "schema",
        OK,
        f"graph {stored.name!r}: {groups} group{'' if groups == 1 else 's'}, "
        f"layout {stored.layout_name}",
    )


def _indexes(stored: StoredGraph) -> Iterable[Checked]:
    found = stored.indexes.now(stored).indexes
    if not found:
        yield Checked("indexes", OK, "there are none")
    for one in found:
        what = f"{one.name} on {one.group}.{one.field}: {one.state}"
        if one.state == USABLE:
            yield Checked("indexes", OK, what)
            continue
        call = "create" if one.state == BUILDING else "drop"
        again = f"unless that is going on, call graph.index.{call} again"
        yield Checked("indexes", OK, f"{what}, so questions do not use it; {again}")


def _rules(stored: StoredGraph, *, sees_all: bool) -> Iterable[Checked]:
    ruled = {name: group.rules for name, group in stored.schema.groups.items() if group.rules}
    if not ruled:
        yield Checked("rules", OK, "no group has rules")
        return
    if not stored.engine.preferences.validates:
        yield Checked("rules", OK, f"checked when elements are added: {', '.join(ruled)}")
        return
    hidden, why = _hidden(stored, sees_all=sees_all)
    for name, rules in ruled.items():
        later = sum(1 for rule in rules if not rule.checked)
        what = f"{name}: {len(rules)} rule{'' if len(rules) == 1 else 's'}"
        if later:
            what += f", {later} newer than its data"
        yield Checked("rules", OK, f"{what}; {why or _said(hidden[name])}")


def _hidden(stored: StoredGraph, *, sees_all: bool) -> tuple[dict[str, int], str]:
    """Return how many elements each group hides, or why they are not counted."""
    if not sees_all:
        return {}, "what it hides is not counted: the graph was opened with limited grants"
    try:
        return count_hidden(stored), ""
    except UnsupportedError as error:
        return {}, f"what it hides is not counted: {error}"


def _said(hidden: int) -> str:
    if not hidden:
        return "no stored element is hidden"
    one = hidden == 1
    return (
        f"{hidden:,} stored element{' breaks' if one else 's break'} a rule and "
        f"{'is' if one else 'are'} hidden from every reader (each label counts)"
    )
