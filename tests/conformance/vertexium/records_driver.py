"""Scenarios on records: the writer, the facts of an engine and the assembler."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from typing import Any

import lexigraph as lg
from lexigraph.errors import LexigraphError
from lexigraph.layout.records.assembling.assembler import assemble, column_of
from lexigraph.layout.records.assembling.versions import judge
from lexigraph.layout.records.cells import read_facts
from lexigraph.layout.records.elements import (
    RecordEdge,
    RecordReference,
    RecordValue,
    RecordVertex,
)
from lexigraph.layout.records.fact_reader import EngineFacts
from lexigraph.layout.records.facts import AnyFact, HideFact, ValueHideFact
from lexigraph.layout.records.groups import NO_GROUPS
from lexigraph.layout.records.reading import FetchHints, RecordReading
from lexigraph.layout.records.rows import EDGES, VERTICES
from lexigraph.layout.records.subjects import (
    DIRECTIONS,
    EdgeSubject,
    ReferenceSubject,
    Subject,
    VertexSubject,
)
from lexigraph.layout.records.write.writer import RecordWriter
from lexigraph.security import Authorizations
from lexigraph.store import Engine, Range, ScanSpec
from lexigraph.store.clock import ManualClock
from tests.conformance.vertexium.driver import VERTEX, Reader, Step
from tests.conformance.vertexium.given import Hints, read_hints, read_value, show_value, step_time
from tests.conformance.vertexium.loaded import Element, Entry, Reference, Refused, Value
from tests.conformance.vertexium.records_changes import StepChanges, micros
from tests.conformance.vertexium.records_history import events_of, past_values_of

_GRAPH = "records"
_TABLES = {table: f"{_GRAPH}.records.{table}" for table in (VERTICES, EDGES)}
_PARTS = {"ELEMENT": "element", "PROPERTY": "properties", "PROPERTY_METADATA": "metadata"}


class RecordsDriver:
    """A graph of records on an engine that has this clock."""

    def __init__(self, engine: Engine, clock: ManualClock) -> None:
        self._engine, self._clock = engine, clock
        self._rows = NO_GROUPS.rows()
        # Changes are written below the graph, which answers questions about paths and sets.
        self._graph = lg.open(engine, name=_GRAPH)

    # Changes

    def change(self, number: int, step: Step, *, dry: bool = False) -> None:
        """Do a step, in one commit at the time of the step; if ``dry``, only judge it."""
        self._clock.micros = micros(step_time(number))
        auths = tuple(step["auths"])
        if step["do"] == "setMetadata":
            if not dry:
                session = self._graph.session(auths, role="writer")
                session.metadata.set(step["key"], read_value(step["value"]))
            return

        def load(kind: str, id_: str, hints: Any) -> Element:
            found = self.load(kind, [id_], Reader(auths, read_hints(hints)))
            if not found:
                raise Refused("not found")
            return found[0]

        changes = StepChanges(number, step, load).changes()
        facts = EngineFacts(self._engine, _TABLES, self._rows)
        writer = RecordWriter(self._rows, facts, Authorizations(auths), NO_GROUPS)
        try:
            for change in changes:
                writer.take(change)
        except LexigraphError as error:
            raise Refused(type(error).__name__) from error

        def made(commit: int) -> Any:
            return {_TABLES[table]: batch for table, batch in writer.cells(commit).items()}

        if not dry:
            self._engine.write_made(_TABLES.values(), made)

    # Questions

    def load(self, kind: str, ids: Iterable[str] | None, reader: Reader) -> list[Element]:
        """Return elements, with the references of vertices."""
        subject = VertexSubject if kind == VERTEX else EdgeSubject
        subjects = None if ids is None else [subject(id_) for id_ in ids]
        table = VERTICES if kind == VERTEX else EDGES
        facts = list(self._facts(table, subjects, reader, references=kind == VERTEX))
        hides = _Hides(facts, _as_of(reader))
        held: dict[Any, list[Reference]] = {}
        found: list[RecordVertex | RecordEdge] = []
        for one in assemble(facts, self._reading(reader)):
            if isinstance(one, RecordReference):
                held.setdefault(one.subject.vertex, []).append(_reference(one))
            else:
                found.append(one)
        loaded = (_element(one, held.get(one.id, []), hides, reader.hints) for one in found)
        return sorted(loaded, key=lambda one: one.id)

    def paths(self, ends: tuple[str, str], hops: int, step: Step) -> list[list[str]]:
        """Return the paths that the graph finds."""
        labels, excluded = (step.get(one) or () for one in ("labels", "excludedLabels"))
        session = self._graph.session(step["auths"])
        return [list(one) for one in session.paths(*ends, *labels, hops=hops, exclude=excluded)]

    def related(self, ids: Iterable[str], reader: Reader) -> list[tuple[str, str, str, str]]:
        """Return the edges that the graph finds within a set."""
        found = self._session(reader).within(ids).edges()
        return [(one.id, one.labels[0], one.source, one.destination) for one in found]

    def metadata(self, step: Step) -> dict[str, Any]:
        """Return what the graph says of itself."""
        held = self._graph.session(step["auths"]).metadata
        return {key: show_value(value) for key, value in held.items()}

    def guarded(self, kind: str, ids: Iterable[str], step: Step) -> list[str]:
        """Return what the graph finds guarded."""
        session = self._graph.session(step["auths"])
        parts = [_PARTS[one] for one in step.get("filter", ())]
        found = session.all().vertices() if kind == VERTEX else session.all().edges()
        asked = found.guarded_by(step["authorization"], *parts)
        return sorted({one.id for one in asked} & set(ids))

    def _session(self, reader: Reader) -> Any:
        session = self._graph.session(reader.auths)
        return session if reader.end is None else session.as_of(_as_of(reader))

    def past_values(self, id_: str, reader: Reader, start: int | None) -> list[dict[str, Any]]:
        """Return the values that a vertex has had, newest first."""
        facts = self._facts(VERTICES, [VertexSubject(id_)], reader)
        return past_values_of(facts, self._reading(reader), start)

    def events(
        self, ids: list[list[str]], reader: Reader, start: int | None
    ) -> list[dict[str, Any]]:
        """Return what happened to elements, oldest first."""
        vertices = [VertexSubject(id_) for kind, id_ in ids if kind == VERTEX]
        edges = [EdgeSubject(id_) for kind, id_ in ids if kind != VERTEX]
        facts = chain(
            self._facts(VERTICES, vertices, reader, references=True),
            self._facts(EDGES, edges, reader),
        )
        return events_of(facts, self._reading(reader), start)

    def _reading(self, reader: Reader) -> RecordReading:
        hints = reader.hints
        fetched = FetchHints(
            properties=hints.properties,
            metadata=hints.metadata,
            out_edges=hints.out_edges or hints.counts,
            in_edges=hints.in_edges or hints.counts,
            hidden=hints.hidden,
        )
        return RecordReading(Authorizations(reader.auths), _as_of(reader), fetched)

    def _facts(
        self,
        table: str,
        subjects: list[Any] | None,
        reader: Reader,
        *,
        references: bool = False,
    ) -> Iterator[AnyFact]:
        """Yield the facts of subjects, or all, that a reader may see, in the order of cells."""
        if subjects is not None and not subjects:
            return iter(())
        spec = ScanSpec(authorizations=Authorizations(reader.auths))
        if subjects is not None:
            ranges = [Range.row(self._rows.row_of(one)) for one in subjects]
            if references:
                ranges += [
                    Range.prefix(self._rows.reference_prefix(one.id, direction))
                    for one in subjects
                    for direction in DIRECTIONS
                ]
            spec = ScanSpec(ranges=ranges, authorizations=Authorizations(reader.auths))
        batches = self._engine.scan(_TABLES[table], spec)
        return read_facts(self._rows, table, chain.from_iterable(batches))


def _as_of(reader: Reader) -> int | None:
    return None if reader.end is None else micros(reader.end) + 999


class _Hides:
    """The visibilities for which subjects and properties are hidden; elements only say whether."""

    def __init__(self, facts: Iterable[AnyFact], as_of: int | None) -> None:
        self.elements: dict[Subject, set[str]] = {}
        self.values: dict[tuple[Subject, str, bytes, bytes], set[str]] = {}
        hides = (one for one in facts if isinstance(one, HideFact | ValueHideFact))
        for _, versions in groupby(hides, key=lambda one: (one.subject, column_of(one))):
            said = judge(versions, as_of).said
            if isinstance(said, HideFact):
                self.elements.setdefault(said.subject, set()).add(said.visibility.decode())
            elif isinstance(said, ValueHideFact):
                key = (said.subject, said.name, said.key, said.value_visibility)
                self.values.setdefault(key, set()).add(said.visibility.decode())


def _reference(one: RecordReference) -> Reference:
    subject: ReferenceSubject = one.subject
    return Reference(subject.direction.upper(), subject.edge, subject.label, subject.other)


def _element(
    one: RecordVertex | RecordEdge, held: list[Reference], hides: _Hides, hints: Hints
) -> Element:
    subject: Subject = (
        VertexSubject(one.id) if isinstance(one, RecordVertex) else EdgeSubject(one.id)
    )
    shape = None
    if isinstance(one, RecordEdge):
        shape = (one.shape.label, one.shape.source, one.shape.destination)
    return Element(
        id=one.id,
        visibility=one.visibility.decode(),
        time=one.time // 1000,
        hints=hints,
        shape=shape,
        hides=tuple(sorted(hides.elements.get(subject, ()))) if hints.hidden else (),
        values=tuple(_value(subject, each, hides, hints) for each in one.properties or ()),
        held=tuple(held),
    )


def _value(subject: Subject, one: RecordValue, hides: _Hides, hints: Hints) -> Value:
    named = (subject, one.name, one.key, one.visibility)
    metadata = None
    if one.metadata is not None:
        metadata = tuple(
            Entry(entry.key, entry.visibility.decode(), show_value(entry.value))
            for entry in one.metadata
        )
    return Value(
        name=one.name,
        key=one.key.decode(),
        visibility=one.visibility.decode(),
        time=one.time // 1000,
        value=show_value(one.value),
        metadata=metadata,
        hides=tuple(sorted(hides.values.get(named, ()))) if hints.hidden else (),
    )
