"""Which places the changes of a commit need for themselves.

Layer ``layout``. Edges of a label with a multiplicity need one at each end that the multiplicity is
about; what is added with ``new`` needs its id. Everything else needs none: values of one key
replace each other, and what only ends facts breaks no constraint.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from lexigraph.layout.records.claims.claim import Claim, place_of
from lexigraph.layout.records.facts import EdgeShape
from lexigraph.layout.records.groups import (
    MANY_TO_ONE,
    MULTI,
    ONE_TO_MANY,
    ONE_TO_ONE,
    SIMPLE,
    RecordGroups,
)
from lexigraph.layout.records.rows import RecordRows
from lexigraph.layout.records.subjects import EdgeSubject, VertexSubject
from lexigraph.layout.records.write.changes import AddEdge, AddVertex, RecordChange, Relabel
from lexigraph.layout.records.write.pending import PendingRecords


def claims_of(
    records: PendingRecords, rows: RecordRows, changes: Iterable[RecordChange]
) -> list[Claim]:
    """Return what changes have to claim, judged over what is stored now."""
    return [claim for change in changes for claim in _claims(records, rows, change)]


def _claims(records: PendingRecords, rows: RecordRows, change: RecordChange) -> Iterator[Claim]:
    if isinstance(change, AddVertex | AddEdge) and change.new and not change.generated:
        vertex = isinstance(change, AddVertex)
        subject = VertexSubject(change.id) if vertex else EdgeSubject(change.id)
        yield Claim(place_of("id", vertex, subject.key), subject, change.visibility)
    if isinstance(change, AddEdge):
        edge = EdgeSubject(change.id)
        for place in _places(records.groups, rows, change.shape):
            yield Claim(place, edge, change.visibility)
    if isinstance(change, Relabel) and records.groups.edge(change.label).multiplicity != MULTI:
        for old in records.view(change.edge).live:
            if old.shape is not None and old.shape.label != change.label:
                for place in _places(records.groups, rows, old.shape, change.label):
                    yield Claim(place, change.edge, old.visibility)


def _places(
    groups: RecordGroups, rows: RecordRows, shape: EdgeShape, label: str | None = None
) -> Iterator[bytes]:
    label = shape.label if label is None else label
    multiplicity = groups.edge(label).multiplicity
    if multiplicity == MULTI:
        return
    source, destination = rows.vertex_key(shape.source), rows.vertex_key(shape.destination)
    named: list[tuple[Any, ...]] = []
    if multiplicity == SIMPLE:
        # In no order: an undirected edge is one from either end.
        named.append(("between", *sorted((source, destination))))
    both = () if shape.directed else (source, destination)
    if multiplicity in (MANY_TO_ONE, ONE_TO_ONE):
        named += [("out", end) for end in both or (source,)]
    if multiplicity in (ONE_TO_MANY, ONE_TO_ONE):
        named += [("in", end) for end in both or (destination,)]
    for one in dict.fromkeys(named):
        yield place_of(label, *one)
