"""Which operator of the engine answers a question: decided here, before anything is read.

Layer ``plan``. The fastest operator that fits the question is prepared first. If the question or
the engine declines it, the reason is kept for ``explain``, and what is left is ``cells``: a scan
whose cells the client decodes. The answer is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from lexigraph.plan.branches.scans import BranchScans, TableScan
from lexigraph.plan.logical.elements import Adjacent, Around, Elements
from lexigraph.plan.physical.execute import Branched, Way
from lexigraph.plan.records.branch import RecordBranch
from lexigraph.plan.records.following import prepare_references
from lexigraph.plan.records.lookup import VertexLookup, prepare_lookup
from lexigraph.plan.scope import Scope
from lexigraph.store.answers.frames import FrameColumn
from lexigraph.store.operators import (
    CELLS,
    Declined,
    EdgeReader,
    FollowEdges,
    FollowReferences,
    FrameReader,
    ReadFrames,
    ReadRecords,
)

R = TypeVar("R")
RECORDS = "records are assembled in the client"


@dataclass(frozen=True, slots=True)
class ChosenOperator(Generic[R]):
    """The operator that runs, and why the one that is faster does not."""

    operator: str = CELLS
    reader: R | None = None
    """What runs it; ``None`` if the client decodes cells."""
    declined: tuple[tuple[str, str], ...] = ()
    """Operators that would be faster, each with the reason why it was declined."""


def choose_edges(edges: Elements, scope: Scope) -> ChosenOperator[EdgeReader]:
    """Choose how edges are followed, whatever the source of the question; mistakes raise."""
    view = {n: one for n, one in edges.view.items() if scope.schema.group(n).kind == "edge"}
    edges = replace(edges, source=Around(()), view=view, limit=None)
    # Which labels and properties merge changes no neighbour; only filters after that do.
    unmerged = frozenset(name for name, steps in view.items() if not steps.after)
    branched = Branched(edges, scope, unmerged)
    if branched.records is not None and branched.records.edge_groups and not branched.ways:
        return _choose_references(branched.records, scope)
    reason = _keeps_from_edges(branched, unmerged)
    if reason is not None:
        return ChosenOperator(declined=((FollowEdges.name, reason),))
    scans = branched.ways[0][0]
    operator = FollowEdges(
        scope.tables[scans.branch.table],
        scans.plan_name,
        edges.direction,
        list(scans.branch.groups),
        scans.edge_spec(),
    )
    prepared = scope.engine.prepare(operator, snapshot=scope.snapshot)
    if isinstance(prepared, Declined):
        return ChosenOperator(declined=((FollowEdges.name, prepared.reason),))
    return ChosenOperator(FollowEdges.name, prepared)


def _choose_references(records: RecordBranch, scope: Scope) -> ChosenOperator[EdgeReader]:
    if scope.record is not None:
        return _without(FollowReferences.name, "a transaction notes every range that it reads")
    prepared = prepare_references(records, scope)
    if isinstance(prepared, Declined):
        return _without(FollowReferences.name, prepared.reason)
    return ChosenOperator(FollowReferences.name, prepared)


def choose_vertices(asked: Elements, scope: Scope) -> ChosenOperator[VertexLookup]:
    """Choose how vertices of records are read by ids that are given later."""
    branched = Branched(replace(asked, source=Around(())), scope)
    records, reason = branched.records, None
    if records is None or branched.ways:
        reason = "not all groups are records"
    elif scope.record is not None:
        reason = "a transaction notes every range that it reads"
    elif asked.limit is not None:
        reason = "the question has a limit"
    if records is None or reason is not None:
        return ChosenOperator(declined=((ReadRecords.name, reason or ""),))
    prepared = prepare_lookup(records, scope)
    if isinstance(prepared, Declined):
        return ChosenOperator(declined=((ReadRecords.name, prepared.reason),))
    return ChosenOperator(ReadRecords.name, prepared)


def _without(operator: str, reason: str) -> ChosenOperator[EdgeReader]:
    return ChosenOperator(declined=((operator, reason),))


def choose_adjacent(asked: Adjacent, scope: Scope) -> ChosenOperator[EdgeReader]:
    """Choose how the other ends of the edges of a question are found."""
    source, reason = asked.of.source, None
    if not asked.distinct:
        reason = "a vertex comes as often as edges lead to it"
    elif not isinstance(source, Around) or source.edges:
        reason = "the question does not start from vertices alone"
    elif asked.of.limit is not None:
        reason = "the question has a limit of edges"
    if reason is not None:
        return ChosenOperator(declined=((FollowEdges.name, reason),))
    return choose_edges(asked.of, scope)


def _keeps_from_edges(branched: Branched, unmerged: frozenset[str]) -> str | None:
    view = branched.asked.view
    if branched.records is not None:
        return RECORDS
    if branched.scope.record is not None:
        return "a transaction notes every range that it reads"
    for name, steps in view.items():
        if steps.transforms:
            return f"transforms of {name!r} run in the client"
        if name not in unmerged:
            return f"a filter of {name!r} needs merged elements"
    reason = next((why for _, client in branched.ways if (why := client.left_to_do)), None)
    if reason is None and len(branched.ways) != 1:
        return f"the groups are read by {len(branched.ways)} scans"
    return reason


def choose_frames(
    branched: Branched, ways: Iterable[Way], columns: Sequence[FrameColumn] = ()
) -> ChosenOperator[list[FrameReader | None]]:
    """Choose how elements become columns; the readers are those of the first scan of each branch.

    ``columns`` name fields of the plan.
    """
    reason = _keeps_from_frames(branched)
    readers: list[FrameReader | None] = []
    for way in ways if reason is None else ():
        if way.first is None:
            readers.append(None)
            continue
        prepared = prepare_frames(branched, way.scans, way.first, columns, branched.scope)
        if isinstance(prepared, Declined):
            reason = prepared.reason
            break
        readers.append(None if way.finder.reads else prepared)
    if reason is not None:
        return ChosenOperator(declined=((ReadFrames.name, reason),))
    return ChosenOperator(ReadFrames.name, readers)


def prepare_frames(
    branched: Branched,
    scans: BranchScans,
    scan: TableScan,
    columns: Sequence[FrameColumn],
    scope: Scope,
) -> FrameReader | Declined:
    """Prepare one scan of a branch whose elements become columns."""
    groups = scans.branch.groups
    wanted = [
        replace(one, fields={name: one.fields[name] for name in groups if name in one.fields})
        for one in columns
    ]
    operator = ReadFrames(scan.table, scan.spec, scans.output_name, wanted, branched.ends)
    return scope.engine.prepare(operator, snapshot=scope.snapshot)


def _keeps_from_frames(branched: Branched) -> str | None:
    if branched.records is not None:
        return RECORDS
    for name, steps in branched.asked.view.items():
        if steps.transforms:
            return f"transforms of {name!r} run in the client"
    for _, client in branched.ways:
        if client.left_to_do is not None:
            return client.left_to_do
    if branched.check is not None and branched.ends is None:
        return "the client checks both ends of every edge"
    return None
