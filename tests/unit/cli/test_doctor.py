"""``lexigraph doctor`` of a directory, ``--version``, and a command without its packages."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import lexigraph as lg
from lexigraph.cli.doctor import show_report
from lexigraph.cli.main import app
from lexigraph.store.checks import CheckReport


class Person(lg.Vertex, summary=True):
    id: str
    seen: int = lg.sum(check=[lg.this <= 10])


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A directory with two graphs."""
    for name in ("family", "work"):
        with lg.open(tmp_path / "store", [Person], name=name) as graph:
            graph.add([Person("ann", seen=1)])
    return tmp_path / "store"


def test_the_doctor_looks_at_a_directory_and_all_its_graphs(store: Path) -> None:
    result = CliRunner().invoke(app, ["doctor", str(store), "--json"])
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert report["ok"]
    steps = [one["step"] for one in report["steps"]]
    assert steps[:7] == ["format", "counts", "delta", "readers", "clock", "space", "pages"]
    schemas = [one["what"] for one in report["steps"] if one["step"] == "schema"]
    assert [what.partition(":")[0] for what in schemas] == ["graph 'family'", "graph 'work'"]


def test_the_doctor_prints_every_step_of_one_graph(store: Path) -> None:
    result = CliRunner().invoke(app, ["doctor", str(store), "--graph", "work", "--verify"])
    assert result.exit_code == 0, result.output
    for word in ("format", "counts", "rules", "graph 'work'", "blocks", "nothing is wrong"):
        assert word in result.stdout
    assert "family" not in result.stdout


def test_the_doctor_of_a_damaged_directory_ends_with_an_error(store: Path) -> None:
    (store / "data.mdb").write_bytes(b"")
    command = [sys.executable, "-m", "lexigraph", "doctor", str(store)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "data.mdb is empty" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_report_without_steps_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    show_report(CheckReport(()), as_json=False)
    assert "nothing is wrong" in capsys.readouterr().out


@pytest.mark.parametrize("module", ["lexigraph", "lexigraph.cli"])
def test_the_version_is_printed(module: str) -> None:
    command = [sys.executable, "-m", module, "--version"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stdout == f"lexigraph {lg.__version__}\n"
    assert CliRunner().invoke(app, ["--version"]).stdout == ran.stdout


WITHOUT = """
import sys
sys.modules["typer"] = None
sys.argv = ["lexigraph", "doctor", "x"]
from lexigraph.cli.start import run
run()
"""


def test_a_command_without_its_packages_says_how_to_get_them() -> None:
    command = [sys.executable, "-c", WITHOUT]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "pip install 'rich>=" in ran.stderr
    assert "Traceback" not in ran.stderr
