"""``lexigraph testing``: some of the suites on a cluster, as a user who may just do that."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lexigraph.cli.cluster.local import LocalCluster
from lexigraph.store import AccumuloEngine
from lexigraph.testing.cluster import LABELS
from lexigraph.testing.vectors import SPEC
from tests.accumulo.users import make_user

pytestmark = pytest.mark.accumulo


def run(*arguments: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "lexigraph.cli", "testing", *arguments]
    # As in an installed package, which has no vectors.
    environment = {**os.environ, SPEC: "/nowhere"}
    ran = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=400, env=environment
    )
    return ran.returncode, ran.stdout + ran.stderr


def namespaces(cluster: LocalCluster) -> list[str]:
    with AccumuloEngine(cluster.status().properties) as engine:
        tables = [str(one) for one in engine.bridge.admin().tables()]
    return [one for one in tables if one.startswith("lexigraph_testing_")]


def test_some_tests_run_and_nothing_is_left(cluster: LocalCluster, tmp_path: Path) -> None:
    _, where = make_user(cluster, tmp_path, labels=list(LABELS), system=["CREATE_NAMESPACE"])
    some = "newest_version_by_default or (TestGraphIds and edges_come_back and uuid)"
    code, said = run("--properties", str(where), "--graphs", "-k", some)
    assert code == 0, said
    assert " passed" in said
    assert "removed the namespaces lexigraph_testing_" in said
    assert namespaces(cluster) == []


def test_a_user_who_may_not_make_tables_or_read_the_labels_is_told_before_anything_runs(
    cluster: LocalCluster, tmp_path: Path
) -> None:
    name, where = make_user(cluster, tmp_path, labels=["A"])
    code, said = run("--properties", str(where), "--namespace", "mine")
    assert code == 1
    assert f"grant System.CREATE_NAMESPACE -s -u {name}" in said
    assert "was not granted 'B', 'C'" in said
    assert "passed" not in said
