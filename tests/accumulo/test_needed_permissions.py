"""What each thing that is done to a graph takes: docs/how-to/graphs/cluster.md lists it.

A user with exactly that can do it; one who lacks any of it is told so.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pyarrow as pa
import pytest

import lexigraph as lg
from lexigraph.cli.cluster.local import LocalCluster
from lexigraph.errors import Authorization
from lexigraph.store import AccumuloEngine
from tests.accumulo.users import make_user

pytestmark = pytest.mark.accumulo

NAMESPACE = f"needed_{uuid4().hex[:8]}"


class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    count: int = lg.sum()


class Person(lg.Vertex, summary=True):
    id: str
    age: int = lg.max()


ROW = Calls("ann", "bob", count=1)
FRAME = pa.table({"source": ["eve"], "destination": ["bob"], "count": [1]})


def divide(graph: lg.Graph) -> None:
    engine = graph._access.engine
    engine.add_splits(graph.admin.tables()[1], [b"m"])


NEEDED: dict[str, tuple[Callable[[lg.Graph], object], list[str], list[str]]] = {
    "add": (lambda graph: graph.add([ROW]), ["READ", "WRITE"], []),
    "delete": (lambda graph: graph.delete([ROW]), ["READ", "WRITE", "ALTER_TABLE"], []),
    "compact": (lambda graph: graph.admin.compact(), ["READ", "WRITE", "GET_SUMMARIES"], []),
    "load": (
        lambda graph: graph.load(FRAME, group=Calls),
        ["READ", "BULK_IMPORT", "ALTER_TABLE"],
        [],
    ),
    "clear": (lambda graph: graph.admin.clear(), ["READ", "WRITE"], []),
    "divide": (divide, ["READ", "ALTER_TABLE"], []),
    "drop": (lambda graph: graph.admin.drop(), ["READ", "DROP_TABLE"], ["WRITE"]),
    "evolve": (
        lambda graph: graph.admin.evolve([Calls, Person]),
        ["READ", "ALTER_TABLE"],
        ["WRITE"],
    ),
}
"""What is done, what it takes on the graph's table, and what on the catalogue besides READ."""


@pytest.mark.parametrize("name", NEEDED)
def test_it_takes_what_is_listed_and_nothing_less(
    name: str, cluster: LocalCluster, tmp_path: Path
) -> None:
    do, needed, on_catalogue = NEEDED[name]
    graph_name = f"of_{name}"
    with lg.open(
        cluster.status().properties, [Calls], name=graph_name, namespace=NAMESPACE
    ) as graph:
        graph.add([ROW])
        engine = graph.admin._access.engine
        assert isinstance(engine, AccumuloEngine)
        catalogue, elements = (engine.remote(one) for one in graph.admin.tables())
    # The last first: a delete that lacks WRITE alone has marked the table, an evolve the catalogue.
    missing = [("catalogue", one) for one in on_catalogue]
    missing += [("elements", one) for one in reversed(needed) if one != "READ"]
    for at, lacking in (*missing, ("", "")):
        has = {
            elements: [one for one in needed if (at, lacking) != ("elements", one)],
            catalogue: ["READ", *(one for one in on_catalogue if at != "catalogue")],
        }
        _, where = make_user(cluster, tmp_path, permissions=has)
        with lg.open(where, name=graph_name, namespace=NAMESPACE) as graph:
            if lacking:
                with pytest.raises(Authorization, match=rf"it needs Table\.{lacking}\b"):
                    do(graph)
            else:
                do(graph)


def test_a_new_graph_takes_the_permission_to_make_tables(
    cluster: LocalCluster, tmp_path: Path
) -> None:
    with lg.open(
        cluster.status().properties, [Calls], name="of_root", namespace=NAMESPACE
    ) as graph:
        engine = graph.admin._access.engine
        assert isinstance(engine, AccumuloEngine)
        catalogue = engine.remote(graph.admin.tables()[0])
    both = {catalogue: ["READ", "WRITE"]}
    _, where = make_user(cluster, tmp_path, permissions=both, system=["CREATE_TABLE"])
    with lg.open(where, [Calls], name="of_another", namespace=NAMESPACE) as graph:
        graph.add([ROW])
        assert graph.count() == 1
    _, where = make_user(cluster, tmp_path, permissions=both)
    with pytest.raises(Authorization, match=r"CREATE_TABLE"):
        lg.open(where, [Calls], name="of_nobody", namespace=NAMESPACE)
