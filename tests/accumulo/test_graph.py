"""A graph on a cluster gives the answers of one in memory, whatever Accumulo did meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

import lexigraph as lg
from lexigraph.cli.cluster.local import LocalCluster
from lexigraph.errors import UnsupportedError
from lexigraph.store import AccumuloEngine
from tests.accumulo.engines import fresh_engine

pytestmark = pytest.mark.accumulo


class Person(lg.Vertex, summary=True):
    id: str
    seen: int = lg.sum()


class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    day: int = lg.group_by()
    count: int = lg.sum()
    longest: int = lg.max()
    label: str = lg.visibility()


SCHEMA = [Person, Calls]
ELEMENTS = [
    *(Person(f"p{number % 7}", seen=number) for number in range(40)),
    *(
        Calls(
            f"p{number % 7}",
            f"p{number % 5}",
            day=number % 3,
            count=1,
            longest=number,
            label="A" if number % 2 else "",
        )
        for number in range(120)
    ),
]


@pytest.fixture(scope="module")
def engine() -> Iterator[AccumuloEngine]:
    with fresh_engine() as made:
        yield made


def answers(graph: lg.Graph) -> list[list[str]]:
    session = graph.session(authorizations=["A"])
    asked = [
        session.get("p1"),
        session.get("p2", "p3", "nobody"),
        session.all(),
        graph.all(),
        session.all(Calls).where(Calls.day >= 1),
        session.within(["p1", "p2", "p3"]),
    ]
    return [sorted(map(repr, one.to_list())) for one in asked]


@pytest.mark.parametrize("layout", ["byte-entity", "classic"])
def test_answers_are_those_of_memory_before_and_after_every_merge(
    engine: AccumuloEngine, layout: str
) -> None:
    name = f"g-{layout}"
    with (
        lg.open(engine, SCHEMA, name=name, layout=layout) as ours,
        lg.open(":memory:", SCHEMA, layout=layout) as memory,
    ):
        for graph in (ours, memory):
            graph.add(ELEMENTS[:90])
        assert answers(ours) == answers(memory)
        tables = [table for table in engine.tables() if table.startswith(name)]
        assert tables
        for table in tables:
            engine.compact(table)
            engine.add_splits(table, [b"p1", b"p1\x00", b"p3"])
        for graph in (ours, memory):
            graph.add(ELEMENTS[90:])
        assert answers(ours) == answers(memory)
        for table in tables:
            engine.compact(table)
        assert answers(ours) == answers(memory)


def test_a_transaction_is_refused_with_the_reason(engine: AccumuloEngine) -> None:
    with (
        lg.open(engine, SCHEMA, name="t") as graph,
        pytest.raises(UnsupportedError, match="no transactions"),
        graph.transaction(),
    ):
        pass


def test_a_graph_is_opened_by_the_properties_file(cluster: LocalCluster) -> None:
    where = cluster.status().properties
    with lg.open(where, SCHEMA, name="by-file", namespace="by_file") as graph:
        graph.add([Person("ann", seen=1), Person("ann", seen=2)])
    with lg.open(where, SCHEMA, name="by-file", namespace="by_file") as graph:
        [found] = graph.get("ann").to_list()
    assert found.seen == 3


def test_tables_of_a_graph_have_bloom_filters_by_vertex_and_older_ones_get_them(
    engine: AccumuloEngine,
) -> None:
    graph = lg.open(engine, SCHEMA, name="bloomed")
    graph.add(ELEMENTS)
    table = "bloomed.elements"
    properties = engine.properties_of(table)
    assert properties["table.bloom.enabled"] == "true"
    assert properties["table.bloom.key.functor"].endswith(".VertexFunctor")
    # As tables were made before: opening the graph for writing is enough.
    engine.configure_table(table, replace(engine.settings(table), bloom=None))
    assert engine.properties_of(table).get("table.bloom.enabled") != "true"
    opened = lg.open(engine, SCHEMA, name="bloomed")
    assert engine.properties_of(table)["table.bloom.enabled"] == "true"
    opened.admin.compact()
    assert opened.get("p1").count() > 0
    assert list(opened.get("nobody", "p", "p11")) == []
