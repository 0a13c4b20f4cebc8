"""A wheel works in an empty environment, with its own dependencies and nothing else.

How long that takes is the workload ``install-time`` of the benchmarks.
"""

from __future__ import annotations

import shutil
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
    try:
        install_time.install(python, *install_time.requirements(wheel))
    except RuntimeError as error:
        pytest.skip(f"no package index to install what a wheel depends on: {error}")
    # Without an index: what the wheel needs must be there by now.
    install_time.install(python, "--no-index", str(wheel))
    return python


def test_a_wheel_depends_on_little(python: Path) -> None:
    # Installers spell some names with an underscore, some with a hyphen.
    assert sorted(name.replace("_", "-") for name in install_time.packages(python)) == [
        *("annotated-doc", "annotated-types", "lexigraph", "markdown-it-py", "mdurl", "pydantic"),
        *("pydantic-core", "pygments", "rich", "shellingham", "typer", "typing-extensions"),
        "typing-inspection",
    ]


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
