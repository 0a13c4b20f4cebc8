"""References follow their edge: what the rows at its ends must say, of what its own row says.

Layer ``layout``; a rule of section 6 of ``spec/facts.md``. A reference has the versions of the
edge's existences from the first one with its shape on, and all hides and additional visibilities.
They are made of all facts of the edge: otherwise one that is hidden or protected would be found
from its ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from lexigraph.codec.selfdescribing import ANY
from lexigraph.layout.records.assembling.assembler import column_of
from lexigraph.layout.records.assembling.versions import ordered_versions, version_order
from lexigraph.layout.records.facts import (
    AnyFact,
    EdgeShape,
    ExistenceFact,
    FactState,
    HideFact,
    NamedValues,
    RequiredFact,
)
from lexigraph.layout.records.groups import RecordGroups
from lexigraph.layout.records.rows import RecordRows
from lexigraph.layout.records.subjects import EITHER, IN, OUT, ReferenceSubject
from lexigraph.layout.records.write.rows import FactMarker

ReferenceFacts = dict[ReferenceSubject, list[AnyFact]]


class EdgeReferences:
    """Finds the references of edges, by what their labels declare."""

    def __init__(self, rows: RecordRows, groups: RecordGroups) -> None:
        self._rows, self._groups = rows, groups

    def normalised(self, shape: EdgeShape) -> EdgeShape:
        """Return a shape as it is stored; refuse what its label does not have.

        The source of an undirected edge is the end with the smaller key form. Properties are
        ordered by name, and those that are ``None`` are left out.
        """
        held = [pair for pair in shape.properties if pair[1] is not None]
        pairs = tuple(sorted(held, key=lambda pair: pair[0].encode()))
        shape = replace(shape, properties=pairs)
        self._groups.edge(shape.label).check_shape(shape)
        key = self._rows.vertex_key
        if key(shape.source) > key(shape.destination) and not shape.directed:
            shape = replace(shape, source=shape.destination, destination=shape.source)
        if pairs:
            # What cannot be stored is refused now and not in the commit.
            ANY.encode_value(pairs)
            for subject in self.of_shape(None, shape):
                self._rows.row_of(subject)
        return shape

    def of_shape(self, edge: Any, shape: EdgeShape) -> dict[ReferenceSubject, NamedValues]:
        """Return the references of an edge with this shape, and what they say."""
        group = self._groups.edge(shape.label)
        ends = [(shape.source, shape.destination), (shape.destination, shape.source)]
        directions = [OUT, IN] if shape.directed else [EITHER, EITHER]
        if group.unidirected and shape.directed:
            directions.pop()
        values, signature = group.sort_values(shape), group.signature_of(shape)
        return {
            ReferenceSubject(one, direction, shape.label, values, other, edge): signature
            for direction, (one, other) in zip(directions, ends, strict=False)
        }

    def of_facts(self, edge: Any, facts: Iterable[AnyFact]) -> ReferenceFacts:
        """Return the facts of all references of an edge that has these facts."""
        found: ReferenceFacts = {}
        columns: dict[bytes, list[ExistenceFact]] = {}
        beside: list[AnyFact] = []
        for fact in facts:
            if isinstance(fact, ExistenceFact):
                columns.setdefault(fact.visibility, []).append(fact)
            elif isinstance(fact, HideFact | RequiredFact):
                beside.append(fact)
        for versions in columns.values():
            # Comparing versions encodes them: most edges have one.
            ordered = versions if len(versions) == 1 else ordered_versions(versions)[::-1]
            for subject, fact in self._of_column(edge, ordered):
                found.setdefault(subject, []).append(fact)
        for subject, held in found.items():
            held += [replace(one, subject=subject) for one in beside]
        return found

    def _of_column(
        self, edge: Any, versions: list[ExistenceFact]
    ) -> Iterator[tuple[ReferenceSubject, ExistenceFact]]:
        """Yield the references of the versions of one existence, oldest first."""
        begun: dict[ReferenceSubject, None] = {}
        removed: ExistenceFact | None = None
        for version in versions:
            subjects = {} if version.shape is None else self.of_shape(edge, version.shape)
            for subject in subjects:
                # Only the newest removal counts; what comes later comes anyway.
                if subject not in begun and removed is not None:
                    yield subject, replace(removed, subject=subject)
                begun[subject] = None
            for subject in begun:
                yield subject, _seen_from(version, subject, subjects)
            removed = version if version.state is FactState.REMOVED else removed

    def changed(
        self,
        edge: Any,
        stored: list[AnyFact],
        written: list[AnyFact],
        markers: Iterable[FactMarker] = (),
    ) -> tuple[ReferenceFacts, list[FactMarker]]:
        """Return what the references of an edge get, if these facts are written to its row."""
        after = self.of_facts(edge, [*stored, *written])
        if not stored:
            return after, []
        before = self.of_facts(edge, stored)
        found: ReferenceFacts = {}
        marked: list[FactMarker] = []
        for subject, held in after.items():
            known = before.get(subject, ())
            versions = set(map(_version, known))
            found[subject] = [one for one in held if _version(one) not in versions]
            columns = {column_of(one): one for one in known}
            for fact, time in markers:
                if column_of(fact) in columns:
                    marked.append(FactMarker(columns[column_of(fact)], time))
        return found, marked


def _seen_from(
    version: ExistenceFact,
    subject: ReferenceSubject,
    subjects: dict[ReferenceSubject, NamedValues],
) -> ExistenceFact:
    if version.state is not FactState.SAID:
        return replace(version, subject=subject, shape=None)
    if subject in subjects:
        return replace(version, subject=subject, shape=None, signature=subjects[subject])
    # What ends with another shape begins again when that expires, unless it also ended for good.
    ttl = version.ttl if version.ended is None else None
    ended = replace(version, subject=subject, shape=None, state=FactState.DELETED, ended=None)
    return replace(ended, ttl=ttl)


def _version(fact: AnyFact) -> tuple[Any, ...]:
    return column_of(fact), version_order(fact)
