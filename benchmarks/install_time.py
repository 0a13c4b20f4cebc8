"""Workload ``install-time``: from ``pip install`` of a wheel to the answer of a first question.

An empty environment gets the wheel and what it depends on, nothing else; then a fresh interpreter
makes a graph in a directory, adds to it and asks it. Building the wheel and making the environment
do not count: who installs a wheel has neither to do.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from email import message_from_bytes
from pathlib import Path

ROOT = Path(__file__).parents[1]
BAR_S = 10

FIRST_QUESTION = """
import sys
import lexigraph as lg

class Knows(lg.Edge, summary=True):
    source: str
    destination: str
    times: int = lg.sum(default=1)

with lg.open(sys.argv[1], [Knows]) as graph:
    graph.add([Knows("ann", "bob"), Knows("ann", "bob"), Knows("bob", "eve")])
    print([(one.destination, one.times) for one in graph.get("ann").edges(Knows)])
"""
ANSWER = "[('bob', 2)]"


def measure(profile: str = "release") -> dict[str, float | int]:
    with tempfile.TemporaryDirectory() as temporary:
        where = Path(temporary)
        wheel = build_wheel(where, profile)
        size_bytes = wheel.stat().st_size
        python = make_environment(where / "empty")
        start = time.perf_counter()
        install(python, str(wheel))
        installed = time.perf_counter()
        ask(python, where / "first.lexi")
        asked = time.perf_counter()
    return {
        "wheel_mb": round(size_bytes / 1e6, 1),
        "install_s": round(installed - start, 2),
        "first_question_s": round(asked - installed, 2),
        "both_s": round(asked - start, 2),
        "bar_s": BAR_S,
    }


def build_wheel(where: Path, profile: str) -> Path:
    """Build a wheel of this clone into a directory."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    target = Path(os.environ.get("CARGO_TARGET_DIR") or cache / "lexigraph" / "target")
    target.mkdir(parents=True, exist_ok=True)
    maturin = Path(sys.executable).with_name("maturin")
    options = ["--quiet", "--locked", "--profile", profile, "--out", str(where)]
    # One build at a time, as in the Makefile: clones share the target.
    _run(
        ["flock", str(target / ".building"), str(maturin), "build", *options],
        env={**os.environ, "CARGO_TARGET_DIR": str(target)},
    )
    [wheel] = where.glob("*.whl")
    return wheel


def requirements(wheel: Path) -> list[str]:
    """Tell what a wheel needs besides itself, extras left out."""
    with zipfile.ZipFile(wheel) as files:
        [name] = [one for one in files.namelist() if one.endswith(".dist-info/METADATA")]
        needs = message_from_bytes(files.read(name)).get_all("Requires-Dist") or []
    return [one for one in needs if "extra ==" not in one]


def make_environment(where: Path) -> Path:
    """Make an environment with nothing in it; return its interpreter."""
    _run([sys.executable, "-m", "venv", "--without-pip", str(where)])
    return where / "bin" / "python"


def install(python: Path, *what: str) -> None:
    """Install into an environment, as ``pip install`` does."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    _run([*pip, "--python", str(python), "install", *what])


def packages(python: Path) -> list[str]:
    """Name the packages of an environment."""
    pip = [sys.executable, "-m", "pip", "--python", str(python), "list", "--format", "json"]
    return sorted(one["name"].lower() for one in json.loads(_run(pip)))


def ask(python: Path, graph: Path) -> None:
    """Make a graph and ask it, away from this clone and its sources."""
    command = [str(python), "-I", "-c", FIRST_QUESTION, str(graph)]
    told = _run(command, cwd=graph.parent)
    if told.strip() != ANSWER:
        raise AssertionError(f"the first question was answered {told!r}, not {ANSWER!r}")


def _run(command: list[str], *, cwd: Path = ROOT, env: dict[str, str] | None = None) -> str:
    ran = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise RuntimeError(f"{' '.join(command[:4])} ... failed:\n{ran.stderr[-2000:]}")
    return ran.stdout
