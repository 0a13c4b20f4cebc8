"""A graph to ask, and a layout of a third party's own: rows with a letter for their kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any

from lexigraph.codec.escape import escape
from lexigraph.keyplan import KeyPlan, StoredElement
from lexigraph.layout import BoundLayout, Layout, Place, Wanted
from lexigraph.layout.spi import ELEMENTS, MERGED
from lexigraph.layout.wanted import BOTH, IN, OUT
from lexigraph.plan import (
    ELEMENT,
    Adjacent,
    Element,
    Elements,
    FieldValue,
    Figure,
    GroupRows,
    Hops,
    Keys,
    Path,
    Scope,
    Walk,
    count,
    run,
)
from lexigraph.plan.logical.rows import PATH, VERTEX
from lexigraph.schema import Aggregate, Group, Property, Schema, ValueType, plan_field
from lexigraph.security import ALL, All, Authorizations
from lexigraph.store import Engine, MemoryEngine, Mutations, Range, TableSettings

TEXT, INT, DATE = ValueType("str"), ValueType("int"), ValueType("date")


def _property(name: str, kind: ValueType, number: int, merge: str | None = None) -> Property:
    return Property(name, kind, number, None if merge is None else Aggregate(merge))


ACTIVITY = Group(
    "activity",
    "vertex",
    {"vertex": TEXT},
    (
        _property("day", DATE, 1),
        _property("count", INT, 2, "sum"),
        _property("label", TEXT, 3),
    ),
    group_by=("day",),
    visibility="label",
)
CALLS = Group(
    "calls",
    "edge",
    {"source": TEXT, "destination": TEXT},
    (
        _property("day", DATE, 1, "min"),
        _property("device", ValueType("str", optional=True), 2),
        _property("count", INT, 3, "sum"),
        _property("longest", INT, 4, "max"),
        _property("label", TEXT, 5),
    ),
    group_by=("day", "device"),
    visibility="label",
    directed=True,
)
KNOWS = Group("knows", "edge", {"source": TEXT, "destination": TEXT}, directed=False)
SEEN = Group(
    "seen",
    "edge",
    {"source": TEXT, "destination": TEXT},
    (_property("note", TEXT, 1),),
    aggregates=False,
)
SCHEMA = Schema({group.name: group for group in (ACTIVITY, CALLS, KNOWS, SEEN)})


class Lettered(Layout):
    """Rows are the vertex, 00, a letter, and for edges 00 and the other vertex."""

    name = "lettered"

    def bind(self, schema: Schema) -> BoundLettered:
        return BoundLettered(schema)


class BoundLettered(BoundLayout):
    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.plan = {
            "version": 1,
            "rows": [
                {"kind": "vertex", "parts": [_end("vertex"), {"const": {"hex": "0076"}}]},
                _edge("o", "source", "always", directed=True),
                _edge("i", "destination", "never", directed=True),
                _edge("u", "either", "ordered", directed=False),
            ],
            "family": [{"field": "group", "codec": "str", "form": "rest"}],
            "groups": {name: _group(group) for name, group in schema.groups.items()},
        }

    def tables(self) -> dict[str, TableSettings]:
        merged = [name for name, group in self.schema.groups.items() if group.aggregates]
        plan = {**self.plan, "groups": {name: self.plan["groups"][name] for name in merged}}
        plans = {ELEMENTS: self.plan, MERGED: plan}
        stage = ("aggregate", {"plan": MERGED})
        return {"cells": TableSettings.with_stages(stage, plans=plans, max_versions=None)}

    def table_of(self, group: str) -> str:
        return "cells"

    def field(self, group: str, name: str) -> str:
        return plan_field(self.schema.group(group), name)

    def around(self, vertices: Iterable[Any], wanted: Wanted) -> list[Place]:
        ranges = [
            Range.prefix(escape(vertex.encode()) + b"\0" + letter)
            for vertex in vertices
            for letter in _letters(wanted)
        ]
        return [Place("cells", ranges)]

    def edges_between(self, pairs: Iterable[tuple[Any, Any]], wanted: Wanted) -> list[Place]:
        kinds = {True: b"o", False: b"u"}
        letters = [kinds[kind] for kind in (True, False) if wanted.directed in (None, kind)]
        return [
            Place(
                "cells",
                [
                    Range.row(escape(a.encode()) + b"\0" + letter + b"\0" + b.encode())
                    for a, b in pairs
                    for letter in letters
                ],
            )
        ]

    def within(self, start: Any, end: Any, wanted: Wanted) -> list[Place]:
        first, last = escape(start.encode()), escape(end.encode()) + b"\1"
        return [Place("cells", [Range.rows(first, last, end_inclusive=False)], _where(wanted))]

    def everything(self, wanted: Wanted) -> list[Place]:
        return [Place("cells", [Range()], _where(wanted))]


def _end(name: str) -> dict[str, Any]:
    return {"field": name, "codec": "str", "form": "escaped"}


def _edge(letter: str, matched: str, once: str, *, directed: bool) -> dict[str, Any]:
    first, second = ("destination", "source") if letter == "i" else ("source", "destination")
    const = {"const": {"hex": f"00{ord(letter):02x}00"}}
    parts = [_end(first), const, {**_end(second), "form": "rest"}]
    return {
        "kind": "edge",
        "directed": directed,
        "matched": matched,
        "once": once,
        "parts": parts,
    }


def _group(group: Group) -> dict[str, Any]:
    qualifier = []
    for name in group.group_by:
        one = group.property(name)
        part = {"field": name, "codec": one.type.codec, "form": "part"}
        qualifier.append({**part, "nulls": "last"} if one.type.optional else part)
    properties = [
        {"id": one.number, "field": one.name, "codec": one.type.codec}
        | ({"aggregate": {"name": one.aggregate.name}} if one.aggregate else {})
        for one in group.values
    ]
    value = {"form": "tagged", "properties": properties} if properties else {"form": "none"}
    return {"kind": group.kind, "qualifier": qualifier, "value": value}


def _letters(wanted: Wanted) -> list[bytes]:
    letters = [b"v"] if wanted.vertices else []
    if wanted.edges:
        if wanted.directed in (None, True):
            letters += [b"o"] if wanted.direction in (OUT, BOTH) else []
            letters += [b"i"] if wanted.direction in (IN, BOTH) else []
        letters += [b"u"] if wanted.directed in (None, False) else []
    return letters


def _where(wanted: Wanted) -> dict[str, Any] | None:
    if wanted.directed is None and wanted.direction == BOTH:
        return None
    is_vertex = {"op": "eq", "field": "kind", "value": b"vertex"}
    no = {"op": "eq", "field": "directed", "value": b"\0"}
    ends = {OUT: [b"source"], IN: [b"destination"], BOTH: [b"source", b"destination"]}
    way = {"op": "in", "field": "matched", "values": ends[wanted.direction]}
    directed = {"op": "and", "of": [{"op": "not", "of": no}, way]}
    kinds = {None: [no, directed], True: [directed], False: [no]}[wanted.directed]
    return {"op": "or", "of": [is_vertex, *kinds]}


def vertex(group: str, name: str, label: str = "", **properties: Any) -> StoredElement:
    return StoredElement("vertex", group, properties, vertex=name, visibility=label.encode())


def edge(
    group: str,
    source: str,
    destination: str,
    label: str = "",
    *,
    directed: bool = True,
    **more: Any,
) -> StoredElement:
    return StoredElement(
        "edge",
        group,
        more,
        source=source,
        destination=destination,
        directed=directed,
        visibility=label.encode(),
    )


def scope_of(
    elements: Iterable[StoredElement],
    authorizations: Iterable[str] | All = ALL,
    *,
    schema: Schema = SCHEMA,
    engine: Engine | None = None,
) -> Scope:
    """Store elements, each in a batch of its own, and give them to a reader."""
    engine = MemoryEngine() if engine is None else engine
    layout = Lettered().bind(schema)
    for name, settings in layout.tables().items():
        engine.create_table(f"g.{name}", settings)
    plan = KeyPlan.parse(layout.plan)
    for element in elements:
        mutations = Mutations()
        for cell in plan.encode(element):
            mutations.put(
                cell.row, cell.family, cell.qualifier, cell.value, visibility=cell.visibility
            )
        engine.write({"g.cells": mutations}, authorizations=ALL)
    return scope_on(engine, layout, authorizations)


def scope_on(engine: Engine, layout: BoundLayout, authorizations: Iterable[str] | All) -> Scope:
    """Read a stored graph as somebody."""
    seen = authorizations if isinstance(authorizations, All) else Authorizations(authorizations)
    return Scope(engine, Keys(layout), {name: f"g.{name}" for name in layout.tables()}, seen)


def day(number: int) -> date:
    return date(2026, 1, number)


def iter_elements(asked: Elements, scope: Scope) -> Iterator[Element]:
    """Read elements through the one entry."""
    return run(asked, scope).values(ELEMENT)


def count_elements(asked: Elements, scope: Scope) -> int:
    return count(asked, scope)


def iter_adjacent(asked: Adjacent, scope: Scope) -> Iterator[Any]:
    return run(asked, scope).values(VERTEX)


def find_hops(asked: Hops, scope: Scope) -> Any:
    return run(asked, scope).packed()


def iter_walks(asked: Walk, scope: Scope) -> Iterator[Path]:
    return run(asked, scope).values(PATH)


def figure(name: str, aggregate: str, field: str | None = None) -> Figure:
    """Return a figure of a field of elements, or of elements themselves."""
    return Figure(name, Aggregate(aggregate), None if field is None else FieldValue(ELEMENT, field))


def summary(asked: Elements, by: Iterable[str], *figures: Figure) -> GroupRows:
    """Return the plan of figures by some fields."""
    return GroupRows(asked, {name: FieldValue(ELEMENT, name) for name in by}, figures)


def iter_summary(asked: GroupRows, scope: Scope) -> Iterator[dict[str, Any]]:
    return iter(run(asked, scope))
