"""``lexigraph cluster user``: users of a local cluster, as they are made and as they are used."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from uuid import uuid4

import pytest
from typer.testing import CliRunner

import lexigraph as lg
from lexigraph.cli.cluster.local import LocalCluster
from lexigraph.cli.main import app
from lexigraph.errors import Authorization, GraphNotFound, InvalidName, NotGranted

pytestmark = pytest.mark.accumulo


class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    count: int = lg.sum()
    label: str = lg.visibility(default="")


NAMESPACE = f"command_{uuid4().hex[:8]}"


@pytest.fixture(scope="module", autouse=True)
def graphs(cluster: LocalCluster) -> None:
    """Two graphs of root's, each with an edge for everybody and one for readers of navy."""
    for name in ("calls", "other"):
        where = cluster.status().properties
        with lg.open(where, [Calls], name=name, namespace=NAMESPACE) as graph:
            graph.add([Calls("ann", "bob", count=1), Calls("ann", "eve", count=2, label="navy")])


def make(cluster: LocalCluster, user: str, *arguments: str) -> Path:
    """Make a user and return its file."""
    command = ["cluster", "user", user, "--dir", str(cluster.home), "--namespace", NAMESPACE]
    ran = CliRunner().invoke(app, [*command, *arguments])
    if ran.exception is not None and not isinstance(ran.exception, SystemExit):
        raise ran.exception
    [line] = [line for line in ran.stdout.splitlines() if line.startswith("properties: ")]
    assert ran.stdout.splitlines()[-1].endswith(
        f"lexigraph cluster grant {user} LABEL --dir {cluster.home}"
    )
    path = Path(line.removeprefix("properties: "))
    password = path.read_text().split("accumulo.password=")[1].strip()
    assert len(password) > 20
    assert password not in ran.stdout
    return path


def new_name() -> str:
    return f"bob_{uuid4().hex[:8]}"


def test_a_new_user_reads_one_graph_and_labels_once_they_are_granted(cluster: LocalCluster) -> None:
    user = new_name()
    path = make(cluster, user, "--graph", "calls")
    assert path == cluster.home / f"{user}.properties"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with lg.open(path, name="calls", namespace=NAMESPACE) as graph:
        assert [edge.destination for edge in graph.all()] == ["bob"]
        with pytest.raises(NotGranted):
            graph.session(["navy"])
        granted = ["cluster", "grant", user, "navy", "--dir", str(cluster.home)]
        assert CliRunner().invoke(app, granted).exit_code == 0
        assert len(graph.session(["navy"]).all().to_list()) == 2
        with pytest.raises(Authorization, match=r"it needs Table\.WRITE"):
            graph.add([Calls("ann", "bob", count=1)])
    with (
        lg.open(path, name="other", namespace=NAMESPACE, read_only=True) as graph,
        pytest.raises(Authorization, match=r"it needs Table\.READ"),
    ):
        graph.all().to_list()


def test_a_user_that_is_there_may_do_more_and_keeps_its_password(
    cluster: LocalCluster, tmp_path: Path
) -> None:
    user, out = new_name(), tmp_path / "mine.properties"
    for arguments in (["--graph", "other"], ["--graph", "calls", "--write"]):
        before = out.read_text() if out.exists() else None
        assert make(cluster, user, *arguments, "--out", str(out)) == out
        assert before in (None, out.read_text())
    with lg.open(out, name="other", namespace=NAMESPACE, read_only=True) as graph:
        assert graph.count() == 1
    with lg.open(out, name="calls", namespace=NAMESPACE) as graph:
        graph.add([Calls("ann", "fay", count=1)])
        assert graph.count() == 2


def test_what_cannot_be_made_leaves_nothing(cluster: LocalCluster, tmp_path: Path) -> None:
    out = tmp_path / "x.properties"
    with pytest.raises(InvalidName, match="has a user 'root' already"):
        make(cluster, "root", "--graph", "calls", "--out", str(out))
    with pytest.raises(InvalidName, match="belongs to another user"):
        make(cluster, "client", "--graph", "calls")
    with pytest.raises(GraphNotFound) as missing:
        make(cluster, new_name(), "--graph", "call", "--out", str(out))
    assert missing.value.hint.startswith("Available: calls, other.")
    assert not out.exists()


def test_it_is_told_as_json_too(cluster: LocalCluster, tmp_path: Path) -> None:
    user, out = new_name(), tmp_path / "x.properties"
    options = ["--namespace", NAMESPACE, "--graph", "calls", "--out", str(out), "--json"]
    ran = CliRunner().invoke(app, ["cluster", "user", user, "--dir", str(cluster.home), *options])
    assert json.loads(ran.stdout)["properties"] == str(out)
