"""Checks of a cluster: each fault is made for real, found, and told with what mends it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from typer.testing import CliRunner

import lexigraph as lg
from lexigraph.cli.cluster.local import LocalCluster
from lexigraph.cli.main import app
from lexigraph.errors import Authorization
from lexigraph.store import AccumuloEngine
from tests.accumulo.users import make_user

pytestmark = pytest.mark.accumulo


class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    count: int = lg.sum()


@pytest.fixture(scope="module")
def namespace() -> str:
    return f"check_{uuid4().hex[:8]}"


@pytest.fixture(scope="module")
def graph(cluster: LocalCluster, namespace: str) -> Iterator[lg.Graph]:
    with lg.open(cluster.status().properties, [Calls], namespace=namespace) as made:
        made.add([Calls("ann", "bob", count=1)])
        yield made


def doctor(*arguments: str) -> tuple[int, dict[str, dict[str, str]]]:
    ran = CliRunner().invoke(app, ["doctor", "--timeout", "120", *arguments, "--json"])
    assert ran.stdout, ran
    told = json.loads(ran.stdout)
    return ran.exit_code, {one["step"]: one for one in told["steps"]}


def test_a_graph_with_all_it_needs_has_nothing_wrong(graph: lg.Graph) -> None:
    report = graph.admin.check()
    assert report.ok, report
    assert {one.state for one in report.steps} == {"ok"}
    assert repr(report).startswith(f"nothing is wrong: {len(report.steps)} steps checked")
    assert {"merges", "schema", "rules", "groups"} <= {one.step for one in report.steps}
    assert [one for one in graph.admin._access.engine.tables() if "check" in one] == []


def test_doctor_says_that_nothing_is_wrong(cluster: LocalCluster, graph: lg.Graph) -> None:
    namespace = graph.admin._access.engine.namespace
    code, steps = doctor(str(cluster.status().properties), "--namespace", namespace)
    assert code == 0, steps
    assert "may read and write 2 tables" in steps["permissions"]["what"]


def test_a_property_that_somebody_changed_is_found_and_mended(graph: lg.Graph) -> None:
    engine = graph.admin._access.engine
    remote = engine.remote(graph.admin.tables()[1])
    [lost] = [
        name
        for name in engine.properties_of("graph.elements")
        if name.startswith("table.iterator.majc.lexigraph-") and name.endswith(".opt.stage")
    ]
    engine._admin.changeProperties(remote, json.dumps({"table.bloom.enabled": "false"}), [lost])
    [problem] = graph.admin.check().problems
    assert problem.step == "tables"
    assert lost in problem.what
    assert "graph.admin.reconfigure()" in problem.remedy
    graph.admin.reconfigure()
    assert graph.admin.check().ok


def test_a_label_that_was_not_granted_is_found(
    cluster: LocalCluster, graph: lg.Graph, namespace: str
) -> None:
    where = str(cluster.status().properties)
    label = f"never-granted-{uuid4().hex[:6]}"
    code, steps = doctor(where, "--namespace", namespace, "--authorizations", label)
    assert code == 1
    assert f"was not granted {label!r}" in steps["grants"]["what"]
    assert steps["grants"]["remedy"].startswith("setauths -u root -s ")


def test_a_user_with_few_permissions_is_told_which_are_missing(
    cluster: LocalCluster, graph: lg.Graph, namespace: str, tmp_path: Path
) -> None:
    remotes = [graph.admin._access.engine.remote(one) for one in graph.admin.tables()]
    name, where = make_user(cluster, tmp_path, permissions={one: ["READ"] for one in remotes})
    code, steps = doctor(str(where), "--namespace", namespace)
    assert code == 1
    assert steps["permissions"]["what"] == f"user {name!r} lacks WRITE on table {remotes[1]}"
    assert steps["permissions"]["remedy"] == f"grant Table.WRITE -t {remotes[1]} -u {name}"
    assert steps["merges"]["state"] == "skipped"
    code, steps = doctor(str(where), "--namespace", namespace, "--read-only")
    assert code == 0, steps
    assert steps["scans"]["state"] == "ok"


def test_a_user_without_tables_is_told_how_to_make_some(
    cluster: LocalCluster, tmp_path: Path
) -> None:
    name, where = make_user(cluster, tmp_path)
    code, steps = doctor(str(where), "--namespace", "nowhere")
    assert code == 1
    assert steps["permissions"]["remedy"] == f"grant System.CREATE_NAMESPACE -s -u {name}"
    with (
        AccumuloEngine(where) as engine,
        pytest.raises(Authorization, match=r"it needs System\.CREATE_TABLE"),
    ):
        engine.create_table("mine")


def test_a_wrong_password_is_the_users_step(cluster: LocalCluster, tmp_path: Path) -> None:
    _, where = make_user(cluster, tmp_path)
    where.write_text(where.read_text().replace("of-a-test", "not-this"))
    code, steps = doctor(str(where))
    assert (code, list(steps)[-1], steps["user"]["state"]) == (1, "user", "problem")
    assert "not-this" not in json.dumps(steps)


def test_another_instance_is_the_instances_step(cluster: LocalCluster, tmp_path: Path) -> None:
    text = cluster.status().properties.read_text()
    where = tmp_path / "other.properties"
    where.write_text(text.replace("instance=lexigraph", "instance=another"))
    code, steps = doctor(str(where), "--timeout", "5")
    assert (code, steps["instance"]["state"]) == (1, "problem")


def test_a_zookeeper_that_is_away_is_its_step(cluster: LocalCluster, tmp_path: Path) -> None:
    where = tmp_path / "away.properties"
    lines = cluster.status().properties.read_text().splitlines()
    kept = [line for line in lines if "zookeepers" not in line]
    where.write_text("\n".join([*kept, "accumulo.zookeepers=127.0.0.1:1"]))
    code, steps = doctor(str(where), "--timeout", "5")
    assert (code, steps["zookeeper"]["state"]) == (1, "problem")
    assert "lexigraph cluster status" in steps["zookeeper"]["remedy"]
