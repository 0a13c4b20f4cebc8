"""A wheel works in an empty environment, without any other package.

How long that takes is the workload ``install-time`` of the benchmarks.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import install_time

pytestmark = [
    pytest.mark.skipif(shutil.which("cargo") is None, reason="no cargo to build a wheel with"),
    pytest.mark.skipif(shutil.which("flock") is None, reason="no flock: builds take turns by it"),
    pytest.mark.skipif(
        not Path(sys.executable).with_name("maturin").exists(),
        reason="no maturin beside this Python to build a wheel with",
    ),
]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install_time.build_wheel(tmp_path_factory.mktemp("wheel"), "clone")


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    python = install_time.make_environment(tmp_path_factory.mktemp("empty") / "venv")
    # Without an index: the wheel needs nothing else.
    install_time.install(python, "--no-index", str(wheel))
    return python


def test_a_wheel_depends_on_nothing(wheel: Path, python: Path) -> None:
    assert install_time.requirements(wheel) == []
    assert install_time.packages(python) == ["lexigraph"]


def test_the_command_of_a_bare_wheel_says_what_it_needs(python: Path) -> None:
    for command in ([python.with_name("lexigraph")], [python, "-I", "-m", "lexigraph"]):
        ran = subprocess.run([*command, "doctor", "x"], capture_output=True, text=True, check=False)
        assert ran.returncode == 1
        assert "pip install 'rich>=" in ran.stderr
        shown = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
        assert shown.stdout.startswith("lexigraph ")


def test_a_wheel_answers_a_first_question(python: Path, tmp_path: Path) -> None:
    install_time.ask(python, tmp_path / "first.lexi")
    assert (tmp_path / "first.lexi" / "data.mdb").exists()


def test_a_wheel_brings_no_tests_and_its_types(wheel: Path) -> None:
    import zipfile

    with zipfile.ZipFile(wheel) as files:
        names = files.namelist()
    assert "lexigraph/py.typed" in names
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"lexigraph"}
    assert len([name for name in names if name.endswith((".so", ".pyd"))]) == 1
