"""What Accumulo grants its users: asked for when a session is made, named where it is missing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from typer.testing import CliRunner

import lexigraph as lg
from lexigraph.cli.cluster.local import LocalCluster
from lexigraph.cli.main import app
from lexigraph.errors import Authorization, NotGranted, ReadOnly
from lexigraph.store import AccumuloEngine
from tests.accumulo.users import make_user

pytestmark = pytest.mark.accumulo


class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    count: int = lg.sum()
    label: str = lg.visibility(default="")


NAMESPACE = f"grants_{uuid4().hex[:8]}"


@pytest.fixture(scope="module")
def tables(cluster: LocalCluster) -> Iterator[list[str]]:
    """A graph of root's with an edge that everybody may see and one for readers of A."""
    with lg.open(cluster.status().properties, [Calls], namespace=NAMESPACE) as graph:
        graph.add([Calls("ann", "bob", count=1), Calls("ann", "eve", count=2, label="A")])
        engine = graph.admin._access.engine
        assert isinstance(engine, AccumuloEngine)
        yield [engine.remote(one) for one in graph.admin.tables()]


def test_a_session_with_what_accumulo_did_not_grant_is_refused_when_it_is_made(
    cluster: LocalCluster, tables: list[str], tmp_path: Path
) -> None:
    readable = {table: ["READ"] for table in tables}
    name, where = make_user(cluster, tmp_path, permissions=readable, labels=["A", "C"])
    with lg.open(where, namespace=NAMESPACE, read_only=True) as graph:
        with pytest.raises(
            NotGranted, match=r"did not grant user .* B; it granted A, C"
        ) as refused:
            graph.session(authorizations=["A", "B"])
        assert f"setauths -u {name} -s A,B,C" in refused.value.hint
        assert f"lexigraph cluster grant {name} B" in refused.value.hint
        found = graph.session(authorizations=["A"]).all().to_list()
        assert sorted(edge.destination for edge in found) == ["bob", "eve"]
        assert [edge.destination for edge in graph.all().to_list()] == ["bob"]


def test_what_is_granted_meanwhile_can_be_asked_for(
    cluster: LocalCluster, tables: list[str], tmp_path: Path
) -> None:
    name, where = make_user(cluster, tmp_path, permissions={one: ["READ"] for one in tables})
    with lg.open(where, namespace=NAMESPACE, read_only=True) as graph:
        with pytest.raises(NotGranted, match="it granted none"):
            graph.session(authorizations=["A"])
        home = str(cluster.home)
        ran = CliRunner().invoke(app, ["cluster", "grant", name, "A", "--dir", home])
        assert ran.stdout == f"user {name} may read: A\n"
        assert len(graph.session(authorizations=["A"]).all().to_list()) == 2


def test_a_user_who_may_not_grant_is_told_what_it_takes(
    cluster: LocalCluster, tmp_path: Path
) -> None:
    name, where = make_user(cluster, tmp_path)
    with (
        AccumuloEngine(where) as engine,
        pytest.raises(Authorization, match=r"it takes System\.ALTER_USER") as refused,
    ):
        engine.grant(name, ["A"])
    assert f"grant System.ALTER_USER -s -u {name}" in refused.value.hint


def test_a_user_who_may_only_read_opens_a_graph_and_is_told_what_a_write_takes(
    cluster: LocalCluster, tables: list[str], tmp_path: Path
) -> None:
    name, where = make_user(cluster, tmp_path, permissions={one: ["READ"] for one in tables})
    with lg.open(where, [Calls], namespace=NAMESPACE, read_only=True) as graph:
        assert [edge.destination for edge in graph.get("ann").to_list()] == ["bob"]
        with pytest.raises(ReadOnly):
            graph.add([Calls("ann", "bob", count=1)])
    with lg.open(where, [Calls], namespace=NAMESPACE) as graph:
        assert [edge.destination for edge in graph.get("ann").to_list()] == ["bob"]
        with pytest.raises(Authorization, match=r"it takes Table\.WRITE") as refused:
            graph.add([Calls("ann", "bob", count=1)])
        assert f"grant Table.WRITE -t {tables[1]} -u {name}" in refused.value.hint
        [found] = graph.get("ann").to_list()
        assert found.count == 1


def test_a_user_who_may_not_read_a_table_does_not_find_its_graph(
    cluster: LocalCluster, tables: list[str], tmp_path: Path
) -> None:
    _, where = make_user(cluster, tmp_path)
    with AccumuloEngine(where, namespace=NAMESPACE) as engine:
        assert engine.tables() == []
