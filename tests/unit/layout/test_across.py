"""Edges between two sets, looked up pair by pair: as the rows around the first set hold them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import product
from typing import Any

import pytest

from lexigraph.keyplan import StoredElement
from lexigraph.layout import ByteEntity, Classic, Layout, Wanted
from lexigraph.store import Engine
from tests.unit.layout.engines import Make, embedded, memory
from tests.unit.layout.graphs import NAMES, cells, elements, make, questions, read, schema

LAYOUTS = [
    kind(**options)
    for kind, options in product(
        (ByteEntity, Classic),
        (
            {},
            {"shards": 3},
            {"shards": 2, "shard_by": "duplicates"},
            {"short_columns": True},
            {"table_per_group": True},
        ),
    )
]
SETS = [(["a", "b"], ["a\x00", "b", ""]), (["", "nobody"], NAMES)]


def rows(found: Iterable[StoredElement]) -> Counter[Any]:
    """Count elements by what they are and by which end they were found."""
    return Counter(
        (one.group, one.vertex, one.source, one.destination, one.directed, one.matched)
        for one in found
    )


def far_end(edge: StoredElement) -> Any:
    return edge.source if edge.matched == "destination" else edge.destination


@pytest.mark.parametrize(
    ("layout", "engine_of"),
    [*((one, memory) for one in LAYOUTS), (ByteEntity(), embedded), (Classic(), embedded)],
)
def test_pairs_give_what_the_rows_around_a_vertex_hold(layout: Layout, engine_of: Make) -> None:
    of = schema()
    with engine_of() as engine:
        bound = make(engine, layout, of, elements())
        for (first, second), wanted in product(SETS, questions(of)):
            places = bound.across(first, second, wanted)
            assert places is not None
            around = read(engine, bound, bound.around(first, wanted))
            expected = [e for e in around if e.kind == "vertex" or far_end(e) in second]
            assert rows(read(engine, bound, places)) == rows(expected), (first, second, wanted)


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda one: f"{one.name} {dict(one.options)}")
def test_a_pair_is_read_without_the_other_edges_of_its_vertices(layout: Layout) -> None:
    of = schema()
    hub = [
        StoredElement(
            "edge", "links", {"count": 1}, source="hub", destination=f"v{at}", directed=way
        )
        for at, way in product(range(100), (True, False))
    ]
    with memory() as engine:
        bound = make(engine, layout, of, hub)
        places = bound.across(["hub"], ["v7", "nobody"], Wanted(frozenset({"links"})))
        assert places is not None
        assert count(engine, places) == 2


def count(engine: Engine, places: Iterable[Any]) -> int:
    return sum(1 for place in places for _ in cells(engine, place))
