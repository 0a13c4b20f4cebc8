"""``lexigraph cluster`` without a cluster: what it says, makes and refuses."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lexigraph.cli.cluster.files import HOST, ClusterFiles
from lexigraph.cli.cluster.local import LocalCluster, default_home
from lexigraph.cli.cluster.processes import Process, start_detached
from lexigraph.cli.main import app
from lexigraph.errors import StoreError, UnsupportedError
from lexigraph.store.accumulo.bridge import java


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["cluster", *arguments])
    return result.exit_code, result.stdout


def test_status_of_no_cluster_makes_nothing(tmp_path: Path) -> None:
    home = tmp_path / "none"
    code, out = run("status", "--dir", str(home), "--json")
    assert code == 3
    assert json.loads(out)["state"] == "none"
    assert not home.exists()


def test_stop_of_no_cluster_is_fine(tmp_path: Path) -> None:
    home = tmp_path / "none"
    assert run("stop", "--dir", str(home))[0] == 0
    assert not home.exists()


def test_stop_leaves_a_directory_alone_that_is_no_cluster(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("data")
    assert run("stop", "--delete", "--dir", str(tmp_path))[0] == 0
    assert (tmp_path / "precious").read_text() == "data"


def test_a_stale_file_of_processes_ends_nobody(tmp_path: Path) -> None:
    files = ClusterFiles(tmp_path)
    other = start_detached(["sleep", "600"], tmp_path / "log")
    try:
        state = files.make()
        state.processes = {
            "tserver": Process(other.pid, other.started - 1),
            "manager": Process(2**22 + 1, 1),
        }
        files.write(state)
        cluster = LocalCluster(tmp_path)
        assert cluster.status().state == "stopped"
        cluster.stop()
        assert other.alive
    finally:
        other.kill()


def test_status_tells_a_cluster_that_runs_in_part(tmp_path: Path) -> None:
    files = ClusterFiles(tmp_path)
    state = files.make()
    state.processes["zookeeper"] = start_detached(["sleep", "600"], tmp_path / "log")
    files.write(state)
    code, out = run("status", "--dir", str(tmp_path), "--json")
    assert (code, json.loads(out)["state"]) == (3, "broken")
    assert "'lexigraph cluster start' restarts them" in run("status", "--dir", str(tmp_path))[1]
    assert json.loads(run("stop", "--dir", str(tmp_path), "--json")[1])["state"] == "stopped"
    assert not state.processes["zookeeper"].alive


def test_only_the_owner_can_read_secrets(tmp_path: Path) -> None:
    files = ClusterFiles(tmp_path / "cluster")
    files.make()
    password = files.properties.read_text().split("accumulo.password=")[1].strip()
    holding = [path for path in files.home.rglob("*") if path.is_file() and _holds(path, password)]
    assert len(holding) == 2
    for path in [*holding, files.conf / "accumulo.properties"]:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(files.home.stat().st_mode) == 0o700
    files.forget_initial_password()
    assert not (files.conf / "init.args").exists()


def test_each_cluster_has_secrets_and_ports_of_its_own(tmp_path: Path) -> None:
    first, second = (ClusterFiles(tmp_path / name) for name in "ab")
    ports = [*first.make().ports.values(), *second.make().ports.values()]
    assert len({*ports}) == 8
    assert first.properties.read_text() != second.properties.read_text()


def test_nothing_listens_beyond_the_loopback_device(tmp_path: Path) -> None:
    files = ClusterFiles(tmp_path)
    files.make()
    assert f"clientPortAddress={HOST}" in (files.conf / "zoo.cfg").read_text()
    assert HOST == "127.0.0.1"


def test_a_status_shows_no_password(tmp_path: Path) -> None:
    files = ClusterFiles(tmp_path)
    files.make()
    password = files.properties.read_text().split("accumulo.password=")[1].strip()
    for arguments in (["--json"], []):
        out = run("status", "--dir", str(tmp_path), *arguments)[1]
        assert str(files.properties) in out
        assert password not in out


@pytest.mark.parametrize(
    ("name", "words"), [("ann", "no cluster runs in"), ("../ann", "cannot be the name of a user")]
)
def test_a_user_of_no_cluster_is_refused_and_makes_nothing(
    name: str, words: str, tmp_path: Path
) -> None:
    result = CliRunner().invoke(app, ["cluster", "user", name, "--dir", str(tmp_path / "none")])
    assert words in str(result.exception)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_file_of_processes_is_an_error_of_ours(tmp_path: Path) -> None:
    ClusterFiles(tmp_path).make()
    (tmp_path / "cluster.json").write_text("{}")
    with pytest.raises(StoreError, match=r"cluster\.json.* cannot be read"):
        LocalCluster(tmp_path).status()


def test_without_java_start_says_so_and_makes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    command = [sys.executable, "-m", "lexigraph.cli", "cluster", "start"]
    ran = subprocess.run(
        [*command, "--dir", str(tmp_path / "c")], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1
    assert "Java was not found" in ran.stderr
    assert "Install a Java runtime" in ran.stderr
    assert "Traceback" not in ran.stderr
    assert not (tmp_path / "c").exists()


def test_without_maven_missing_jars_are_an_error_that_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv(java.CACHE_VARIABLE, str(tmp_path))
    monkeypatch.delenv(java.OWN_JAR_VARIABLE, raising=False)
    for missing in (java.accumulo_jars, java.own_jar):
        with pytest.raises(UnsupportedError, match="Maven, which downloads them, was not found"):
            missing()


def test_what_maven_says_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    maven = tmp_path / "mvn"
    maven.write_text("#!/bin/sh\necho '[ERROR] no repository'; exit 1\n")
    maven.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    monkeypatch.setenv(java.CACHE_VARIABLE, str(tmp_path))
    with pytest.raises(UnsupportedError, match="no repository"):
        java.accumulo_jars()


def test_a_jar_that_is_named_and_not_there_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(java.OWN_JAR_VARIABLE, str(tmp_path / "none.jar"))
    with pytest.raises(UnsupportedError, match="which does not exist"):
        java.own_jar()


def test_the_default_directory_is_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert default_home() == Path("/data/lexigraph/cluster")


def _holds(path: Path, secret: str) -> bool:
    return secret in path.read_text(errors="replace")
