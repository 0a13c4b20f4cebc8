"""The jar on servers: missing, of an older version, or loaded by a context."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import lexigraph as lg
from lexigraph.cli.cluster.local import LocalCluster
from lexigraph.errors import ClusterError
from lexigraph.store import AccumuloEngine, CheckReport, ScanSpec, StageSpec
from lexigraph.store.accumulo.bridge.java import accumulo_jars, own_jar
from lexigraph.store.accumulo.checks.doctor import check_connection

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
    steps, engine = check_connection(home / "client.properties", timeout_s=120)
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


PAGE = Path(__file__).parents[2] / "docs/how-to/graphs/own-functions.md"
STAGE = """
from lexigraph.store import AccumuloEngine, ScanSpec, StageSpec
from lexigraph.store.stages.cells.cell_stage import FilterStage
from lexigraph.store.stages.options import NEGATE, StageOption, integer
from lexigraph.store.stages.registry import register_stage

@register_stage
class ShortValues(FilterStage):
    name = "short-values"
    options = (StageOption("bytes", integer(minimum=0), required=True), NEGATE)

    def accepts(self, cell):
        return len(cell.value) <= self.settings["bytes"]

import sys
main(sys.argv[1])
with AccumuloEngine(sys.argv[1], counts=True) as engine:
    table = engine.create_table("notes")
    table.put("ann", "note", "", "hello")
    table.put("bob", "note", "", "a long text")
    spec = ScanSpec(stages=[StageSpec("short-values", {"bytes": 5})])
    print([cell.row for batch in engine.scan("notes", spec) for cell in batch])
    print([stage["name"] for one in engine.counted for stage in one["stages"]])
"""


def block(language: str) -> str:
    """Return a block of the page about functions of one's own."""
    return PAGE.read_text().split(f"```{language}\n")[1].split("```")[0]


def users_jar(where: Path) -> Path:
    """Compile the page's class and pack it as the page says."""
    source = where / "example" / "OwnFunctions.java"
    source.parent.mkdir(parents=True)
    source.write_text(block("java"))
    path = f"{own_jar()}:{accumulo_jars()}/*"
    command = ["javac", "--release", "11", "-cp", path, "-d", str(where / "out"), str(source)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    with zipfile.ZipFile(where / "own.jar", "w") as out:
        for made in sorted((where / "out").rglob("*.class")):
            out.write(made, made.relative_to(where / "out"))
        out.writestr("META-INF/services/org.lexigraph.Extension", "example.OwnFunctions\n")
    return where / "own.jar"


def test_a_users_own_functions_run_on_the_servers(home: Path, tmp_path: Path) -> None:
    jar = users_jar(tmp_path)
    LocalCluster(home).stop()
    LocalCluster(home, jars=[own_jar(), jar]).start()
    command = [sys.executable, "-c", block("python") + STAGE, str(home / "client.properties")]
    environment = {**os.environ, "LEXIGRAPH_JARS": str(jar)}
    ran = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=120, env=environment
    )
    edges, *explained, rows, counted = ran.stdout.splitlines() or [ran.stderr]
    assert edges == "[Calls('ann', 'bob', count=3)]"
    assert "stage filter: where engine" in "\n".join(explained), ran.stdout
    assert (rows, counted) == ("[b'ann']", "['versions', 'short-values']"), ran.stdout


def test_a_stopped_cluster_is_told_by_its_zookeeper(home: Path) -> None:
    LocalCluster(home).start()
    LocalCluster(home).stop()
    [*_, zookeeper, _java], engine = check_connection(home / "client.properties", timeout_s=5)
    assert engine is None
    assert (zookeeper.step, zookeeper.state) == ("zookeeper", "problem")
