"""What a plan of rows does: each node, where it runs, and the scans of its leaves.

Layer ``plan``. Built from the operators that run, as the explanation of a leaf is.
"""

from __future__ import annotations

from dataclasses import replace

from lexigraph.plan.explaining.explain import explain as explain_leaf
from lexigraph.plan.explaining.explain import explain_branched
from lexigraph.plan.explaining.tree import Explanation
from lexigraph.plan.logical.elements import Adjacent, Around
from lexigraph.plan.logical.rows import Node
from lexigraph.plan.physical.execute import Branched
from lexigraph.plan.physical.rows.following import AdjacentRows, HopRows, PairRows, WalkRows
from lexigraph.plan.physical.rows.leaves import ReadElements, ReadFields
from lexigraph.plan.physical.rows.lower import lower
from lexigraph.plan.physical.rows.operator import Operator
from lexigraph.plan.physical.rows.sorting import SortElements
from lexigraph.plan.physical.rows.summing import CountElements, SumElements
from lexigraph.plan.scope import Scope


def explain(asked: Node, scope: Scope, *, run: bool = False) -> Explanation:
    """Explain a plan; with ``run`` its scans are run and counted too."""
    return _explain(lower(asked, scope), scope, run=run)


def _explain(operator: Operator, scope: Scope, *, run: bool) -> Explanation:
    facts = {**operator.facts(), "where": operator.where}
    if isinstance(operator, SumElements):
        inner = explain_branched(operator.summed.branched, run=run)
        return Explanation(operator.what, facts, (inner,))
    if isinstance(operator, SortElements):
        inner = explain_branched(operator.branched, run=run, by_columns=True)
        return Explanation(operator.what, facts, (inner,))
    if isinstance(operator, CountElements):
        return Explanation(operator.what, facts, (explain_leaf(operator.asked, scope, run=run),))
    if isinstance(operator, ReadElements):
        found = explain_leaf(operator.asked, scope, run=run)
        if not isinstance(operator, ReadFields):
            return found
        return replace(found, facts={**found.facts, **operator.facts()})
    if isinstance(operator, AdjacentRows | PairRows):
        return explain_leaf(Adjacent(operator.asked.of), scope, run=run)
    if isinstance(operator, HopRows | WalkRows):
        return Explanation(operator.what, facts, _along(operator, scope, run=run))
    parts = tuple(_explain(one, scope, run=run) for one in operator.parts)
    return Explanation(operator.what, facts, parts)


def _along(operator: HopRows | WalkRows, scope: Scope, *, run: bool) -> tuple[Explanation, ...]:
    """Explain the edges of hops: the scan of each begins where the one before it ended."""
    along = [operator.asked.edges] if isinstance(operator, HopRows) else operator.asked.hops
    return tuple(
        explain_branched(Branched(replace(one, source=Around(())), scope), run=run) for one in along
    )
