"""Ranges from edge to edge in every variant of a layout."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import lexigraph as lg
from lexigraph.layout import ByteEntity, Classic, Layout

LAST = 2**63 - 1
IDS = [lg.Int64(number) for number in (-(2**63), -1, 0, 7, LAST)]


class Seen(lg.Vertex, summary=True):
    id: lg.Int64
    count: int = lg.sum(default=1)


class Link(lg.Edge, summary=True):
    source: lg.Int64
    destination: lg.Int64
    directed: bool
    count: int = lg.sum(default=1)


PAIRS = [(at, *pair) for at, pair in enumerate(product(IDS, repeat=2))]
EDGES = [Link(a, b, directed=way) for at, a, b in PAIRS for way in (True, False) if (at + way) % 3]
BOUNDS = list(product(EDGES[::5], EDGES[::7]))
VARIANTS: list[dict[str, Any]] = [
    *({"shards": 3}, {"fixed_length": True}, {"fixed_length": True, "shards": 2}),
    {"table_per_group": True},
]


def answers(path: Any, layout: Layout) -> list[list[str]]:
    """Give the elements in each of many ranges, each element once."""
    found = []
    with lg.open(path, [Seen, Link], layout=layout) as graph:
        graph.add([*map(Seen, IDS), *EDGES])
        for bounds in BOUNDS:
            asked = graph.ranges(bounds)
            questions = (
                *(asked, asked.edges(directed=True), asked.edges(direction="in")),
                *(asked.vertices(), graph.ranges(bounds, (IDS[2], IDS[2]))),
            )
            for question in questions:
                shown = sorted(map(repr, question))
                assert len(set(shown)) == len(shown)
                found.append(shown)
    return found


@pytest.mark.parametrize("made", [ByteEntity, Classic])
@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_variants_find_what_the_plain_layout_finds(made: Any, options: dict[str, Any]) -> None:
    assert answers(":memory:", made(**options)) == answers(":memory:", made())


@pytest.mark.parametrize("layout", [ByteEntity(short_columns=True), Classic(short_columns=True)])
def test_a_range_that_ends_where_it_begins_has_its_edge(layout: Layout) -> None:
    with lg.open(":memory:", [Seen, Link], layout=layout) as graph:
        graph.add([*map(Seen, IDS), *EDGES])
        for edge in EDGES:
            found = graph.ranges((edge, edge)).edges(directed=edge.directed)
            ends = {frozenset((one.source, one.destination)) for one in found}
            assert ends == {frozenset((edge.source, edge.destination))}


def test_engines_agree_by_element_and_by_column(tmp_path: Path) -> None:
    for at, layout in enumerate((ByteEntity(shards=2), Classic(fixed_length=True))):
        assert answers(tmp_path / f"{at}", layout) == answers(":memory:", layout)
    with lg.open(tmp_path / "0") as graph:
        for bounds in BOUNDS[::7]:
            asked = graph.ranges(bounds)
            table: pa.Table = asked.to_arrow()
            assert table.num_rows == asked.count() == len(asked.to_list())
            assert "vertices and edges" in str(asked.explain())
