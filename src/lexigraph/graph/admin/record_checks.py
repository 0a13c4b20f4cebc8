"""What a check of a graph says of its records: references, ends of edges, constraints.

Layer ``graph``, for the owner alone: the steps name records that sessions may not read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lexigraph.errors import show
from lexigraph.graph.admin.half_edges import HalfEdges
from lexigraph.graph.admin.streams import check_streams
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.plan.targets.record_faults import find_record_faults
from lexigraph.store.checks import OK, PROBLEM, SKIPPED, Checked

STEP = "records"
_SHOWN = 3


def check_records(stored: StoredGraph, *, sees_all: bool) -> Iterable[Checked]:
    """Yield a step for each thing that is looked at; none if the graph has no records."""
    if stored.records is None:
        return
    if not sees_all:
        yield Checked(STEP, SKIPPED, "not read: the graph was opened with limited grants")
        return
    half = [one.edge.id for found in HalfEdges(stored).find_records() for one in found]
    if half:
        what = f"edges whose references differ from their row: {_listed(half)}"
        yield Checked(STEP, PROBLEM, what, "Call graph.admin.repair_half_edges().")
    found = find_record_faults(stored.engine, stored.records)
    yield Checked(STEP, OK, f"{found.vertices:,} vertices, {found.edges:,} edges")
    yield from check_streams(stored)
    if found.rows:
        yield Checked(STEP, OK, f"{found.rows:,} rows of tables under {found.under:,} elements")
    if found.orphans:
        # A session deletes for good what it can read; the rest of the rows is left.
        named = [f"{kind} {show(one)}" for kind, one in found.orphans]
        what = f"rows under elements that are not there, which nobody sees: {_joined(named)}"
        yield Checked(STEP, OK, what, "To remove them, call graph.admin.erase with these ids.")
    if found.endless:
        # An edge is seen by its own visibility, whatever its ends are.
        what = f"edges with an end that is not there as a vertex: {_listed(found.endless)}"
        yield Checked(STEP, OK, f"{what}; questions about edges find them")
    if found.multiplicity:
        pairs = [f"{show(one)} and {show(other)}" for one, other in found.multiplicity]
        what = f"edges that their label does not allow together: {_joined(pairs)}"
        yield Checked(STEP, PROBLEM, what, "Delete one of each as the owner.")
    if found.cardinality:
        named = [f"{kind} {show(one)}: {name!r}" for kind, one, name in found.cardinality]
        what = f"several values of a property that has one: {_joined(named)}"
        yield Checked(STEP, PROBLEM, what, "Unset the property as the owner, and set it again.")


def _listed(ids: list[Any]) -> str:
    return _joined([show(one) for one in ids])


def _joined(texts: list[str]) -> str:
    more = f", and {len(texts) - _SHOWN:,} more" if len(texts) > _SHOWN else ""
    return ", ".join(texts[:_SHOWN]) + more
