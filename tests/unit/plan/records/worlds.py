"""Small graphs of records, as facts: put into an engine, and judged by reading all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import lexigraph as lg
from lexigraph.layout import ByteEntity
from lexigraph.layout.records.assembling.assembler import assemble
from lexigraph.layout.records.cells import read_facts, write_cell
from lexigraph.layout.records.elements import RecordElement
from lexigraph.layout.records.facts import (
    AnyFact,
    EdgeShape,
    ExistenceFact,
    FactState,
    HideFact,
    LabelFact,
    MetadataFact,
    RequiredFact,
    ValueFact,
)
from lexigraph.layout.records.groups import RecordGroups
from lexigraph.layout.records.reading import EVERYTHING, FetchHints, RecordReading
from lexigraph.layout.records.rows import EDGES, VERTICES
from lexigraph.layout.records.settings import record_tables, table_name
from lexigraph.layout.records.subjects import (
    EITHER,
    IN,
    OUT,
    EdgeSubject,
    ReferenceSubject,
    Subject,
    VertexSubject,
)
from lexigraph.layout.records.tables import RecordTables
from lexigraph.plan import ELEMENT, Element, Elements, Keys, Scope, run
from lexigraph.schema import Schema, declare, schema_of
from lexigraph.security import ALL, All, Authorizations
from lexigraph.store import Engine, Mutations
from lexigraph.store.operators import Declined, FollowReferences


class Person(lg.Vertex):
    id: str
    name: str | None = None
    tags: set[str] | None = None
    age: int = 7


class Knows(lg.Edge):
    source: str
    destination: str
    since: int | None = declare.sort_key(descending=True)
    how: str | None = declare.signature()
    weight: float | None = None


class Meets(lg.Edge, directed=False):
    source: str
    destination: str
    place: str | None = None


SCHEMA = schema_of([Person, Knows, Meets])
GROUPS = RecordGroups.of(SCHEMA)
ROWS = GROUPS.rows()
NAMES = {VERTICES: "records.vertices", EDGES: "records.edges"}
TABLES = RecordTables(ROWS, NAMES, frozenset(SCHEMA.groups))
DEFAULTS = {"Person": {"age": 7}}


def keys_of(tables: RecordTables = TABLES, schema: Schema = SCHEMA) -> Keys:
    """Return keys of a graph that has records only."""
    return Keys(ByteEntity().bind(schema.part([])), DEFAULTS, records=tables, schema=schema)


KEYS = keys_of()


@dataclass
class World:
    """Facts about records, written as a writer would: those of an edge to its references too."""

    facts: list[AnyFact] = field(default_factory=list)

    def vertex(
        self, vertex: Any, *labels: str, visibility: str = "", time: int = 1, **values: Any
    ) -> World:
        """Add a vertex with values that everybody may see."""
        subject = VertexSubject(vertex)
        self.say(ExistenceFact(subject=subject, time=time, visibility=visibility.encode()))
        for label in labels or ("Person",):
            self.say(LabelFact(subject=subject, time=time, label=label))
        for name, value in values.items():
            self.value(subject, name, value, time=time)
        return self

    def edge(
        self,
        edge: Any,
        source: Any,
        destination: Any,
        *,
        label: str = "Knows",
        directed: bool = True,
        shape: dict[str, Any] | None = None,
        visibility: str = "",
        time: int = 1,
        **values: Any,
    ) -> World:
        """Add an edge and its references."""
        if not directed:
            source, destination = sorted((source, destination))
        pairs = tuple(sorted((shape or {}).items()))
        made = EdgeShape(label, source, destination, directed, pairs)
        common: dict[str, Any] = {"time": time, "visibility": visibility.encode()}
        self.say(ExistenceFact(subject=EdgeSubject(edge), shape=made, **common))
        signature = GROUPS.edge(label).signature_of(made)
        for one in references_of(edge, made):
            self.say(ExistenceFact(subject=one, signature=signature, **common))
        for name, value in values.items():
            self.value(EdgeSubject(edge), name, value, time=time)
        return self

    def value(
        self,
        subject: Subject,
        name: str,
        value: Any,
        *,
        visibility: str = "",
        time: int = 1,
        key: str = "",
        metadata: dict[str, Any] | None = None,
    ) -> World:
        """Set a value."""
        common: dict[str, Any] = {"subject": subject, "name": name, "key": key.encode()}
        common |= {"visibility": visibility.encode(), "time": time}
        self.say(ValueFact(value=value, **common))
        held = {"value_visibility": visibility.encode(), "value_time": time}
        for entry, one in (metadata or {}).items():
            self.say(MetadataFact(entry=entry, value=one, **held, **common))
        return self

    def all_of(self, subject: Subject) -> list[Subject]:
        """Return a subject and, of an edge, its references."""
        found: list[Subject] = [subject]
        if isinstance(subject, EdgeSubject):
            for one in self.facts:
                if one.subject == subject and isinstance(one, ExistenceFact) and one.shape:
                    found += references_of(subject.id, one.shape)
        return found

    def hide(self, subject: Subject, *, visibility: str = "", time: int = 2) -> World:
        """Hide a vertex or an edge."""
        for one in self.all_of(subject):
            self.say(HideFact(subject=one, time=time, visibility=visibility.encode()))
        return self

    def require(self, subject: Subject, expression: str, *, time: int = 2) -> World:
        """Ask readers for one more expression."""
        for one in self.all_of(subject):
            self.say(RequiredFact(subject=one, time=time, expression=expression.encode()))
        return self

    def delete(self, subject: Subject, *, visibility: str = "", time: int = 2) -> World:
        """Delete an existence."""
        common: dict[str, Any] = {"time": time, "visibility": visibility.encode()}
        for one in self.all_of(subject):
            self.say(ExistenceFact(subject=one, state=FactState.DELETED, **common))
        return self

    def say(self, fact: AnyFact) -> World:
        """Add a fact."""
        self.facts.append(fact)
        return self

    def write(self, engine: Engine) -> Engine:
        """Make the tables and write all facts to them."""
        for name, settings in record_tables().items():
            engine.create_table(name, settings)
        batches: dict[str, Mutations] = {}
        for fact in self.facts:
            cell = write_cell(ROWS, fact)
            table = table_name(ROWS.table_of(fact.subject))
            batches.setdefault(table, Mutations()).put(
                cell.row,
                cell.family,
                cell.qualifier,
                cell.value,
                visibility=cell.visibility,
                timestamp=cell.timestamp,
            )
        if batches:
            engine.write(batches)
        return engine

    def assembled(self, reading: RecordReading) -> list[RecordElement]:
        """Return what a reader sees of all facts, without any question."""
        found: list[RecordElement] = []
        for table in (VERTICES, EDGES):
            own = (one for one in self.facts if ROWS.table_of(one.subject) == table)
            cells = {write_cell(ROWS, one) for one in own}
            ordered = sorted(cells, key=lambda one: (*one[:4], -one.timestamp))
            found += assemble(read_facts(ROWS, table, ordered), reading)
        return found


def references_of(edge: Any, shape: EdgeShape) -> list[ReferenceSubject]:
    """Return the references of an edge."""
    values = GROUPS.edge(shape.label).sort_values(shape)
    ends = (shape.source, shape.destination)
    near, far = (OUT, IN) if shape.directed else (EITHER, EITHER)
    found = [
        ReferenceSubject(ends[0], near, shape.label, values, ends[1], edge),
        ReferenceSubject(ends[1], far, shape.label, values, ends[0], edge),
    ]
    return found if found[0] != found[1] else found[:1]


class Cut:
    """An engine whose scans return few cells at a time, and which counts those that it returned.

    It follows no references itself: the client does, whose cells are counted.
    """

    def __init__(self, engine: Engine, batch_cells: int | None = None) -> None:
        self._engine, self._batch_cells = engine, batch_cells
        self.cells: dict[str, int] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def prepare(self, operator: Any, **given: Any) -> Any:
        if isinstance(operator, FollowReferences):
            return Declined("cells are counted")
        return self._engine.prepare(operator, **given)

    def scan(self, table: str, spec: Any, *, batch_cells: int, **given: Any) -> Any:
        size = self._batch_cells or batch_cells
        return _Counted(self, table, self._engine.scan(table, spec, batch_cells=size, **given))


class _Counted:
    def __init__(self, cut: Cut, table: str, scan: Any) -> None:
        self._cut, self._table, self._scan = cut, table, scan

    def __enter__(self) -> Iterator[Any]:
        return self._count(self._scan.__enter__())

    def __exit__(self, *error: Any) -> None:
        self._scan.__exit__(*error)

    def _count(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            self._cut.cells[self._table] = self._cut.cells.get(self._table, 0) + len(batch)
            yield batch


def scope_over(
    engine: Any,
    authorizations: Iterable[str] | All = ALL,
    *,
    as_of: int | None = None,
    fetch: FetchHints = EVERYTHING,
    keys: Keys = KEYS,
) -> Scope:
    """Return an engine of a world as somebody sees it."""
    held = authorizations if isinstance(authorizations, All) else Authorizations(authorizations)
    return Scope(engine, keys, {}, held, as_of=as_of, fetch=fetch)


def ask(asked: Elements, scope: Scope) -> list[Element]:
    """Return the elements of a question."""
    return list(run(asked, scope).values(ELEMENT))


def plain(element: Element) -> tuple[Any, ...]:
    """Return an element as something to compare and sort."""
    held = {
        name: tuple(sorted(value)) if isinstance(value, frozenset) else value
        for name, value in element.properties.items()
    }
    ids = (element.vertex, element.source, element.destination, element.directed)
    edge = getattr(element, "edge", None)
    return element.kind, element.group, repr(ids), repr(edge), repr(sorted(held.items()))
