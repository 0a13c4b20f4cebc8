"""Constraints of edges: how many of a label there may be at a vertex, or from one to another.

Layer ``layout``. Judged over what the caller can read at present: what is hidden counts, what is
deleted does not. Edges that the caller cannot read neither count nor are named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from lexigraph.errors import MultiplicityViolation, show
from lexigraph.layout.records.elements import RecordReference
from lexigraph.layout.records.fact_reader import AskedReferences
from lexigraph.layout.records.facts import EdgeShape
from lexigraph.layout.records.groups import (
    MANY_TO_ONE,
    MULTI,
    ONE_TO_MANY,
    ONE_TO_ONE,
    SIMPLE,
)
from lexigraph.layout.records.subjects import EITHER, IN, OUT, EdgeSubject, VertexSubject
from lexigraph.layout.records.write.pending import PendingRecords

_OUTS, _INS = (OUT, EITHER), (IN, EITHER)


def check_multiplicity(records: PendingRecords, edge: EdgeSubject, shape: EdgeShape) -> None:
    """Refuse an edge of this shape if its label does not allow it beside those that are there."""
    multiplicity = records.groups.edge(shape.label).multiplicity
    if multiplicity == MULTI:
        return
    for at, directions, message in _rules(multiplicity, shape):
        for one in _others(records, edge, at, directions, shape.label):
            if multiplicity == SIMPLE and not _is_between(one, shape):
                continue
            raise MultiplicityViolation(
                f"{message}: {show(one.subject.edge)} is there, so {show(edge.id)} cannot be "
                f"({shape.label!r} is {multiplicity})",
                hint="Delete the other edge first, or add it again with its own id to change it.",
                label=shape.label,
                multiplicity=multiplicity,
                edge=one.subject.edge,
            )


def judged_references(records: PendingRecords, shape: EdgeShape) -> Iterator[AskedReferences]:
    """Yield the references that an edge of this shape is judged by, or more than those."""
    multiplicity = records.groups.edge(shape.label).multiplicity
    if multiplicity == MULTI:
        return
    turned = replace(shape, source=shape.destination, destination=shape.source)
    for one in (shape,) if shape.directed else (shape, turned):
        for at, directions, _ in _rules(multiplicity, one):
            yield from ((at, direction, one.label) for direction in directions)


def _rules(multiplicity: str, shape: EdgeShape) -> Iterator[tuple[Any, tuple[str, ...], str]]:
    """Yield where to look, in which directions, and what is wrong if there is an edge."""
    source, destination, label = shape.source, shape.destination, shape.label
    if multiplicity == SIMPLE:
        directions = _OUTS if shape.directed else (OUT, IN, EITHER)
        between = f"from {show(source)} to {show(destination)} there is one edge {label!r} at most"
        yield source, directions, between
    both = () if shape.directed else (source, destination)
    if multiplicity in (MANY_TO_ONE, ONE_TO_ONE):
        for end in both or (source,):
            yield end, _OUTS, f"one edge {label!r} at most goes out of {show(end)}"
    if multiplicity in (ONE_TO_MANY, ONE_TO_ONE):
        for end in both or (destination,):
            yield end, _INS, f"one edge {label!r} at most goes into {show(end)}"


def _others(
    records: PendingRecords,
    edge: EdgeSubject,
    vertex: Any,
    directions: tuple[str, ...],
    label: str,
) -> Iterator[RecordReference]:
    for direction in directions:
        for one in records.seen_references(vertex, direction, label):
            if EdgeSubject(one.subject.edge) != edge:
                yield one


def _is_between(reference: RecordReference, shape: EdgeShape) -> bool:
    return VertexSubject(reference.subject.other) == VertexSubject(shape.destination)
