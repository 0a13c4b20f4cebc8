"""A small graph with every kind of edge, written by a layout and read back through its places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from lexigraph.keyplan import KeyPlan, StoredElement
from lexigraph.layout import BoundLayout, Layout, Place, Wanted
from lexigraph.layout.spi import ELEMENTS
from lexigraph.layout.wanted import BOTH, IN, OUT
from lexigraph.schema import Aggregate, Group, Property, Schema, ValueType
from lexigraph.store import CellBatch, Engine, Mutations, ScanSpec, StageSpec

TEXT, INT = ValueType("str"), ValueType("int")
COUNT = Property("count", INT, 1, Aggregate("sum"))
ENDS = {"source": TEXT, "destination": TEXT}
NAMES = ("a", "a\x00", "b", "")


def schema(vertex: ValueType = TEXT) -> Schema:
    """Give groups of vertices, directed, undirected, of both, and one that keeps duplicates."""
    ends = {"source": vertex, "destination": vertex}
    groups = [
        Group("person", "vertex", {"vertex": vertex}, (COUNT,)),
        Group("calls", "edge", ends, (COUNT,), directed=True),
        Group("knows", "edge", ends, (COUNT,), directed=False),
        Group("links", "edge", ends, (COUNT,)),
        Group("events", "edge", ends, (COUNT,), directed=True, aggregates=False),
    ]
    return Schema({group.name: group for group in groups})


def elements(ids: Iterable[Any] = NAMES) -> list[StoredElement]:
    """Give one element of every group for every vertex and pair."""
    ids = list(ids)
    found = [StoredElement("vertex", "person", {"count": 1}, vertex=one) for one in ids]
    for group, directed in (
        ("calls", True),
        ("knows", False),
        ("links", True),
        ("links", False),
        ("events", True),
    ):
        pairs = product(ids, ids)
        for source, destination in pairs:
            if not directed and source > destination:
                continue  # from the other end it is the same edge
            found.append(
                StoredElement(
                    "edge",
                    group,
                    {"count": 1},
                    source=source,
                    destination=destination,
                    directed=directed,
                )
            )
    return found


def make(engine: Engine, layout: Layout, of: Schema, given: Iterable[StoredElement]) -> BoundLayout:
    """Make the tables of a layout and write elements."""
    bound = layout.bind(of)
    for name, settings in bound.tables().items():
        engine.create_table(name, settings)
    write(engine, bound, given)
    return bound


def write(engine: Engine, bound: BoundLayout, given: Iterable[StoredElement]) -> None:
    plan = KeyPlan.parse(bound.plan)
    batches: dict[str, Mutations] = {}
    for one in given:
        batch = batches.setdefault(bound.table_of(one.group), Mutations())
        for cell in plan.encode(bound.derive(one)):
            batch.put(cell.row, cell.family, cell.qualifier, cell.value, visibility=cell.visibility)
    engine.write(batches)


def cells(engine: Engine, place: Place) -> Iterator[Any]:
    """Scan a place, without looking for each edge once."""
    stages = []
    if place.where is not None:
        stages.append(StageSpec("filter", {"plan": ELEMENTS, "where": place.where}, 50))
    spec = ScanSpec(ranges=place.ranges, columns=place.columns, stages=stages)
    for batch in engine.scan(place.table, spec):
        assert isinstance(batch, CellBatch)
        yield from batch


def read(engine: Engine, bound: BoundLayout, places: Iterable[Place]) -> list[StoredElement]:
    """Give the elements at some places."""
    plan = KeyPlan.parse(bound.plan)
    found = [plan.decode(cell) for place in places for cell in cells(engine, place)]
    assert None not in found
    return [one for one in found if one is not None]


def name_of(one: StoredElement) -> tuple[Any, ...]:
    """Give what tells elements apart, whatever row they were read from."""
    return (one.group, one.vertex, one.source, one.destination, one.directed)


def names_of(found: Iterable[StoredElement]) -> set[tuple[Any, ...]]:
    return {name_of(one) for one in found}


def matches(one: StoredElement, vertex: Any, wanted: Wanted) -> bool:
    """Say by the seed's table whether an element is asked for: the oracle."""
    if one.group not in wanted.groups:
        return False
    if one.kind == "vertex":
        return wanted.vertices and one.vertex == vertex
    if not wanted.edges or wanted.directed not in (None, one.directed):
        return False
    if not one.directed:
        return vertex in (one.source, one.destination)
    # An edge from a vertex to itself has only the row of its source.
    out = one.source == vertex
    into = one.destination == vertex and one.source != one.destination
    return (out and wanted.direction != IN) or (into and wanted.direction != OUT)


def questions(of: Schema) -> list[Wanted]:
    """Give every combination of kinds, direction and directed for all groups, and some for two."""
    ways = list(product((BOTH, OUT, IN), (None, True, False)))
    kinds = ((True, True), (True, False), (False, True))
    every = frozenset(of.groups)
    return [Wanted(every, *both, *way) for both in kinds for way in ways] + [
        Wanted(frozenset({"person", "links"}), True, True, *way) for way in ways
    ]
