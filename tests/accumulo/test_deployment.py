"""The jar on servers: missing, of an older version, or loaded by a context."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import lexigraph as lg
from lexigraph.cli.cluster.local import LocalCluster
from lexigraph.errors import ClusterError
from lexigraph.store import AccumuloEngine, CheckReport, ScanSpec, StageSpec
from lexigraph.store.accumulo.doctor import check_connection
from lexigraph.store.accumulo.java import own_jar

pytestmark = pytest.mark.accumulo


class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    count: int = lg.sum()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    home = tmp_path_factory.mktemp("deployment") / "cluster"
    try:
        yield home
    finally:
        LocalCluster(home).stop(delete=True)


def check(home: Path) -> CheckReport:
    steps, engine = check_connection(home / "client.properties")
    assert engine is not None, steps
    with engine:
        return engine.check()


def test_servers_without_the_jar_are_found_and_nothing_is_made_that_needs_it(home: Path) -> None:
    LocalCluster(home, jars=[]).start()
    report = check(home)
    [problem] = report.problems
    assert problem.step == "jar"
    assert f"Copy {own_jar()} into lib/" in problem.remedy
    states = {one.step: one.state for one in report.steps}
    assert (states["scans"], states["merges"]) == ("skipped", "skipped")
    with AccumuloEngine(home / "client.properties") as engine:
        with pytest.raises(ClusterError, match="cannot load Lexigraph's jar"):
            lg.open(engine, [Calls])
        table = engine.create_table("plain")
        table.put("r", "f", "", "v")
        grep = ScanSpec(stages=[StageSpec("grep", {"term": "v"})])
        with pytest.raises(ClusterError, match="cannot load Lexigraph's jar"):
            list(engine.scan("plain", grep))


def test_a_jar_that_a_class_loader_context_names_is_enough(home: Path, tmp_path: Path) -> None:
    LocalCluster(home, jars=[]).start()
    with AccumuloEngine(home / "client.properties") as root:
        root.bridge.admin().changeSystem(
            "general.vfs.context.classpath.lexigraph", own_jar().as_uri()
        )
        root.bridge.admin().makeNamespace("contexts")
        root.bridge.admin().changeNamespace(
            "contexts", json.dumps({"table.class.loader.context": "lexigraph"})
        )
    with lg.open(home / "client.properties", [Calls], namespace="contexts") as graph:
        graph.add([Calls("ann", "bob", count=1)])
        graph.add([Calls("ann", "bob", count=2)])
        graph.admin.compact()
        assert [edge.count for edge in graph.get("ann").to_list()] == [3]
        assert graph.admin.check().ok, graph.admin.check()


def older(jar: Path, made: Path) -> Path:
    """Copy a jar with an earlier version in its manifest."""
    with zipfile.ZipFile(jar) as source, zipfile.ZipFile(made, "w") as out:
        for name in source.namelist():
            data = source.read(name)
            if name == "META-INF/MANIFEST.MF":
                assert b"Implementation-Version: 0.1.0" in data
                data = data.replace(
                    b"Implementation-Version: 0.1.0", b"Implementation-Version: 0.0.9"
                )
            out.writestr(name, data)
    return made


def test_an_older_jar_is_found_by_its_version(
    home: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    LocalCluster(home).stop()
    old = older(own_jar(), tmp_path_factory.mktemp("older") / "older.jar")
    LocalCluster(home, jars=[old]).start()
    [problem] = check(home).problems
    assert problem.step == "scans"
    assert problem.what.startswith("tablet servers run jar 0.0.9 (")
    assert "this client jar 0.1.0 (" in problem.what


def test_a_stopped_cluster_is_told_by_its_zookeeper(home: Path) -> None:
    LocalCluster(home).start()
    LocalCluster(home).stop()
    [*_, zookeeper, _java], engine = check_connection(home / "client.properties", timeout_s=5)
    assert engine is None
    assert (zookeeper.step, zookeeper.state) == ("zookeeper", "problem")
