"""Half-written edges: many at once, in every layout, and what only looks like one."""

from __future__ import annotations

from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import UnsupportedError
from lexigraph.graph.admin import half_edges
from lexigraph.layout import ByteEntity, Classic, Layout
from lexigraph.plan.targets import half_edges as finding
from lexigraph.store import CellBatch, Engine, MemoryEngine, ScanSpec
from lexigraph.testing.duplicates import open_keeping
from tests.unit.graph.random_graphs import layout_name


class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    directed: bool
    count: int = lg.sum()


class Trip(lg.Edge, summary=True, aggregates=False, directed=True):
    source: str
    destination: str
    length: float


class Weight(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    total: float = lg.sum()
    people: int = lg.hll()


class Small(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    total: int = lg.sum(check=[lg.this < 10])


class Lengths(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    seen: set[float] = lg.set_of()


LAYOUTS: list[Layout] = [
    ByteEntity(short_columns=True),
    ByteEntity(shards=4, shard_by="duplicates"),
    ByteEntity(table_per_group=True),
    Classic(shards=3),
    Classic(short_columns=True, shards=2),
]


def cells_of(engine: Engine) -> dict[str, list[Any]]:
    everything = ScanSpec(authorizations=lg.ALL)
    tables = [table for table in engine.tables() if table.startswith("graph.")]
    return {
        table: [cell for batch in engine.scan(table, everything) for cell in batch]
        for table in tables
    }


def put(engine: Engine, table: str, cells: list[Any]) -> None:
    engine.table(table).write(CellBatch.from_cells(cells), authorizations=lg.ALL)


def shown(elements: Any) -> list[str]:
    return sorted(map(repr, elements))


@pytest.mark.parametrize("layout", LAYOUTS, ids=layout_name)
def test_many_are_found_and_mended_a_few_at_a_time(
    monkeypatch: pytest.MonkeyPatch, layout: Layout
) -> None:
    monkeypatch.setattr(finding, "MAX_HELD", 10)
    monkeypatch.setattr(half_edges, "BATCH", 7)
    edges: list[Any] = [
        *(Calls(f"s{n % 9}", f"d{n}", directed=bool(n % 2), count=n) for n in range(60)),
        *(Trip(f"s{n % 9}", f"d{n % 20}", length=n / 7) for n in range(60)),
    ]
    whole, broken = MemoryEngine(), MemoryEngine()
    with (
        open_keeping(whole, [Calls, Trip], layout=layout) as expected,
        open_keeping(broken, [Calls, Trip], layout=layout) as graph,
    ):
        expected.add(edges)
        for table, cells in cells_of(whole).items():
            put(broken, table, [cell for place, cell in enumerate(cells) if place % 3])
        found = [repr(one.element) for one in graph.admin.find_half_edges()]
        assert len(found) > 30
        assert graph.admin.repair_half_edges() == len(found)
        assert list(graph.admin.find_half_edges()) == []
        # An edge that lost both of its rows is nowhere.
        left = shown(graph.all())
        assert set(left) <= set(shown(expected.all()))
        by_vertex = [f"{end}{n}" for end, many in (("s", 9), ("d", 60)) for n in range(many)]
        assert {repr(one) for name in by_vertex for one in graph.get(name)} == set(left)


def test_what_depends_on_the_order_of_merges_is_not_compared() -> None:
    engine = MemoryEngine()
    with lg.open(engine, [Weight]) as graph:
        for number in range(50):
            graph.add([Weight("a", "b", total=0.1 * number, people=number)])
        cells = cells_of(engine)["graph.elements"]
        other = MemoryEngine()
        with lg.open(other, [Weight]) as merged:
            # One row as a server has it that merged all parts, the other part by part.
            put(other, "graph.elements", cells[:1])
            for number in reversed(range(50)):
                with lg.open(MemoryEngine(), [Weight]) as part:
                    part.add([Weight("a", "b", total=0.1 * number, people=number)])
                    [_, second] = cells_of(part._access.engine)["graph.elements"]
                    time = cells[0].timestamp - number
                    put(other, "graph.elements", [second._replace(timestamp=time)])
            assert list(merged.admin.find_half_edges()) == []


def test_collections_of_floats_are_compared() -> None:
    engine, other = MemoryEngine(), MemoryEngine()
    with lg.open(engine, [Lengths]) as graph, lg.open(other, [Lengths]) as more:
        graph.add([Lengths("a", "b", seen=[0.1])])
        assert list(graph.admin.find_half_edges()) == []
        more.add([Lengths("a", "b", seen=[0.2])])
        [_, second] = cells_of(other)["graph.elements"]
        # Of an earlier time, so that nothing but the members tells the rows apart.
        time = cells_of(engine)["graph.elements"][1].timestamp - 1
        put(engine, "graph.elements", [second._replace(timestamp=time)])
        assert list(graph.admin.find_half_edges()) != []


def test_a_row_that_a_rule_hides_is_replaced_and_not_added_to() -> None:
    engine = MemoryEngine()
    with lg.open(engine, [Small]) as graph:
        graph.add([Small("a", "b", total=6)])
        first = cells_of(engine)["graph.elements"][0]
        put(engine, "graph.elements", [first])
        assert (graph.get("a").count(), graph.get("b").count()) == (0, 1)
        assert [half.missing for half in graph.admin.find_half_edges()] == [True]
        assert graph.admin.repair_half_edges() == 1
        graph.admin.compact()
        for vertex in "ab":
            assert graph.get(vertex).to_list() == [Small("a", "b", total=6)]


def test_an_edge_of_the_future_is_not_replaced() -> None:
    class At(lg.Edge, summary=True, directed=True):
        source: str
        destination: str
        at: int = lg.timestamp()
        count: int = lg.sum()

    engine = MemoryEngine()
    with lg.open(engine, [At]) as graph:
        graph.add([At("a", "b", at=2**60, count=1)])
        put(engine, "graph.elements", cells_of(engine)["graph.elements"][:1])
        with pytest.raises(UnsupportedError, match="a time in the future"):
            graph.admin.repair_half_edges()
        assert graph.get("b").count() == 1
