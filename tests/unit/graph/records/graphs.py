"""Graphs of records for the tests beside: their classes, and what is stored, as anybody sees it."""

from __future__ import annotations

from datetime import date
from typing import Any

import lexigraph as lg
from lexigraph.layout.records.assembling.assembler import assemble
from lexigraph.layout.records.elements import RecordEdge, RecordVertex
from lexigraph.layout.records.fact_reader import EngineFacts
from lexigraph.layout.records.reading import EVERYTHING, RecordReading
from lexigraph.layout.records.subjects import EdgeSubject, ReferenceSubject, VertexSubject
from lexigraph.security import ALL, Authorizations


class Person(lg.Vertex):
    id: str
    name: str
    age: int = 18
    tags: set[str] | None = None
    mails: lg.Many[str] | None = None


class Worker(lg.Vertex):
    id: str
    firm: str | None = None


class Knows(lg.Edge):
    id: str | None
    source: str
    destination: str
    since: date = lg.sort_key(descending=True)
    weight: float | None = lg.signature(default=None)
    note: str | None = None


class Meets(lg.Edge, directed=False):
    source: str
    destination: str


class Owns(lg.Edge, multiplicity="one2one"):
    source: str
    destination: str


class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    count: int = lg.sum()


class Seen(lg.Vertex, summary=True):
    id: str
    times: int = lg.sum()
    label: str | None = lg.visibility(default=None)


CLASSES: list[Any] = [Person, Worker, Knows, Meets, Owns, Calls, Seen]


def seen_vertex(graph: lg.Session, vertex: Any, *tokens: str, **how: Any) -> RecordVertex | None:
    """Return a vertex as somebody sees it; without tokens as the owner."""
    found = _seen(graph, VertexSubject(vertex), tokens, how)
    assert found is None or isinstance(found, RecordVertex)
    return found


def seen_edge(graph: lg.Session, edge: Any, *tokens: str, **how: Any) -> RecordEdge | None:
    """Return an edge as somebody sees it; without tokens as the owner."""
    found = _seen(graph, EdgeSubject(edge), tokens, how)
    assert found is None or isinstance(found, RecordEdge)
    return found


def _seen(graph: lg.Session, subject: Any, tokens: tuple[str, ...], how: dict[str, Any]) -> Any:
    who = Authorizations(tokens) if tokens else ALL
    # The assembler is given what can be read, as a scan would.
    reading = RecordReading(who, hints=how.pop("hints", EVERYTHING), **how)
    facts = [one for one in _facts(graph).facts(subject) if _reads(who, one.visibility)]
    found = list(assemble(facts, reading))
    return found[0] if found else None


def _reads(who: Any, label: bytes) -> bool:
    return who is ALL or lg.Visibility(label).evaluate(who)


def _facts(graph: lg.Session) -> EngineFacts:
    stored = graph._access.stored
    assert stored.records is not None
    return EngineFacts(stored.engine, stored.records.tables, stored.records.rows)


def references(graph: lg.Session, vertex: Any) -> list[tuple[str, str, Any]]:
    """Return the references of a vertex: direction, label, neighbour."""
    found = assemble(_facts(graph).references(vertex), RecordReading(ALL))
    subjects = [one.subject for one in found]  # type: ignore[union-attr]
    return [
        (one.direction, one.label, one.other)
        for one in subjects
        if isinstance(one, ReferenceSubject)
    ]


def values(element: RecordVertex | RecordEdge | None) -> dict[str, list[Any]]:
    """Return the values of an element by name."""
    assert element is not None
    found: dict[str, list[Any]] = {}
    for one in element.properties or ():
        found.setdefault(one.name, []).append(one.value)
    return found
