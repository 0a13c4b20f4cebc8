"""The suites where there are no vectors, as in an installed package."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from lexigraph.testing.vectors import SPEC

CLUSTER = "from lexigraph.testing.cluster import suites; print(len(suites(graphs=True)))"
SUITE = """
from lexigraph.store import MemoryEngine
from lexigraph.testing import store_suite
globals().update(store_suite(MemoryEngine, name="memory"))
"""


def run(tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, SPEC: str(tmp_path / "nowhere")}
    command = [sys.executable, *arguments]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=environment,
        cwd=tmp_path,
    )


def test_suites_of_a_cluster_which_leave_them_out_need_none(tmp_path: Path) -> None:
    ran = run(tmp_path, "-c", CLUSTER)
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout) > 30


def test_a_suite_that_has_them_does_not_pass_without(tmp_path: Path) -> None:
    (tmp_path / "test_memory.py").write_text(SUITE)
    pytest = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path))
    ran = run(tmp_path, *pytest, "-k", "TestVectors or newest_version_by_default", "test_memory.py")
    assert ran.returncode != 0
    assert "there are no stage vectors in" in ran.stdout
