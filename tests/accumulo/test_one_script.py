"""From one machine to a cluster: the script of that page gives equal output on both."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lexigraph.cli.cluster.local import LocalCluster
from lexigraph.store import AccumuloEngine

pytestmark = pytest.mark.accumulo
PAGE = Path(__file__).parents[2] / "docs/how-to/graphs/cluster.md"


def run(path: Path) -> list[str]:
    """Run the page's script in a process of its own; return the lines that it prints."""
    script = PAGE.read_text().split("```python\n")[1].split("```")[0]
    command = [sys.executable, "-c", f"{script}\nimport sys\nmain(sys.argv[1])", str(path)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


def test_one_script_gives_equal_output_on_a_directory_and_on_a_cluster(
    cluster: LocalCluster, tmp_path: Path
) -> None:
    properties = cluster.status().properties
    with AccumuloEngine(properties) as engine:
        engine.grant("root", ["secret"])
        for table in [one for one in engine.tables() if one.startswith("calls.")]:
            engine.drop_table(table)
    on_directory = run(tmp_path / "calls.lexi")
    assert len(on_directory) == 5
    assert all(line != "[]" for line in on_directory)
    assert run(properties) == on_directory
