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
from lexigraph.errors import Authorization, NotFoundError, NotGranted, ReadOnly
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
        assert f"lexigraph cluster grant {name} B --properties FILE" in refused.value.hint
        assert "--dir DIR" in refused.value.hint
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
        pytest.raises(Authorization, match=r"it needs System\.ALTER_USER") as refused,
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
        with pytest.raises(Authorization, match=r"it needs Table\.WRITE") as refused:
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


def test_a_user_who_may_not_read_the_tables_is_told_so_and_not_to_make_them(
    cluster: LocalCluster, tables: list[str], tmp_path: Path
) -> None:
    catalogue, elements = tables
    name, where = make_user(cluster, tmp_path)
    for schema in ([Calls], None):
        with pytest.raises(Authorization, match=r"it needs Table\.READ") as refused:
            lg.open(where, schema, namespace=NAMESPACE)
        assert f"grant Table.READ -t {catalogue} -u {name}" in refused.value.hint
    ran = CliRunner().invoke(app, ["doctor", str(where), "--namespace", NAMESPACE, "--json"])
    assert ran.exit_code == 1
    assert f"grant Table.READ -t {catalogue} -u {name}" in ran.stdout
    name, where = make_user(cluster, tmp_path, permissions={catalogue: ["READ"]})
    with pytest.raises(Authorization, match=r"it needs Table\.READ") as refused:
        lg.open(where, [Calls], namespace=NAMESPACE)
    assert f"grant Table.READ -t {elements} -u {name}" in refused.value.hint


def test_a_user_that_there_is_not_is_named(cluster: LocalCluster) -> None:
    with (
        AccumuloEngine(cluster.status().properties) as engine,
        pytest.raises(NotFoundError, match="Accumulo has no user 'nobody'"),
    ):
        engine.grant("nobody", ["A"])


def test_a_refusal_names_only_what_the_user_lacks(
    cluster: LocalCluster, tables: list[str], tmp_path: Path
) -> None:
    permissions = {one: ["READ", "WRITE"] for one in tables}
    name, where = make_user(cluster, tmp_path, permissions=permissions)
    with lg.open(where, [Calls], namespace=NAMESPACE) as graph:
        with pytest.raises(
            Authorization, match=r"DENIED; it needs Table\.GET_SUMMARIES"
        ) as refused:
            graph.admin.compact()
        assert refused.value.hint.endswith(f": grant Table.GET_SUMMARIES -t {tables[1]} -u {name}")


def test_a_label_that_was_taken_back_is_named(
    cluster: LocalCluster, tables: list[str], tmp_path: Path
) -> None:
    readable = {table: ["READ"] for table in tables}
    name, where = make_user(cluster, tmp_path, permissions=readable, labels=["A", "C"])
    with lg.open(where, namespace=NAMESPACE, read_only=True) as graph:
        session = graph.session(authorizations=["A"])
        assert len(session.all().to_list()) == 2
        with AccumuloEngine(cluster.status().properties) as root:
            root.bridge.admin().authorize(name, [b"C"])
        with pytest.raises(NotGranted, match=r"authorizations A; it granted C") as refused:
            session.all().to_list()
        assert f"setauths -u {name} -s A,C" in refused.value.hint
