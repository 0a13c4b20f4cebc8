"""The jar for Accumulo in a wheel: there where Java is, left out and said so where it is not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from lexigraph.store.accumulo.bridge.java import forget_old_jars

ROOT = Path(__file__).parents[2]
JAR = "lexigraph/store/accumulo/lexigraph-accumulo.jar"


def needs(*programs: str) -> pytest.MarkDecorator:
    missing = [one for one in programs if shutil.which(one) is None]
    return pytest.mark.skipif(bool(missing), reason=f"there is no {', '.join(missing)} here")


def make_wheel(where: Path, path: str) -> tuple[Path, str]:
    """Build a wheel as people do; return it and what was said."""
    environment = {**os.environ, "PATH": path}
    environment.pop("CI", None)
    ran = subprocess.run(
        ["make", "wheel", f"DIST={where}", "WHEEL_PROFILE=clone"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    [wheel] = where.glob("*.whl")
    return wheel, ran.stdout


@needs("make", "cargo", "mvn", "javac")
def test_a_wheel_that_is_built_with_java_has_the_jar_and_finds_it(tmp_path: Path) -> None:
    wheel, _ = make_wheel(tmp_path / "dist", os.environ["PATH"])
    with zipfile.ZipFile(wheel) as files:
        assert JAR in files.namelist()
        files.extractall(tmp_path / "installed")
    code = "from lexigraph.store.accumulo.bridge.java import own_jar; print(own_jar())"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "installed")}
    environment.pop("LEXIGRAPH_JAR", None)
    command = [sys.executable, "-c", code]
    ran = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == str(tmp_path / "installed" / JAR)
    assert not (ROOT / "src" / JAR).exists()


@needs("make", "cargo")
def test_a_wheel_that_is_built_without_java_says_what_it_lacks(tmp_path: Path) -> None:
    # All programs but those of Java.
    programs = tmp_path / "bin"
    programs.mkdir()
    for directory in reversed(os.environ["PATH"].split(os.pathsep)):
        for program in Path(directory).glob("*"):
            if program.name not in ("mvn", "java", "javac"):
                (programs / program.name).unlink(missing_ok=True)
                (programs / program.name).symlink_to(program)
    wheel, said = make_wheel(tmp_path / "dist", str(programs))
    assert "the wheel will have no jar for Accumulo" in said
    with zipfile.ZipFile(wheel) as files:
        assert JAR not in files.namelist()


def test_jars_that_nobody_used_for_a_month_are_forgotten_with_their_locks(tmp_path: Path) -> None:
    old, new, used = (f"lexigraph-accumulo-{number}.jar" for number in range(3))
    gone = ".lexigraph-accumulo-3.jar.lock"
    names = [old, new, used, "mine.jar", gone, *(f".{name}.lock" for name in (old, new, used))]
    days = dict.fromkeys(names, 31) | {new: 1, used: 29}
    for name in names:
        path = tmp_path / name
        path.write_bytes(b"")
        then = time.time() - days[name] * 86_400
        os.utime(path, (then, then))
    forget_old_jars(tmp_path)
    kept = [new, used, f".{new}.lock", f".{used}.lock", "mine.jar"]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(kept)


@needs("mvn", "javac")
def test_make_java_says_where_the_jar_is() -> None:
    ran = subprocess.run(
        ["make", "java"], cwd=ROOT, capture_output=True, text=True, timeout=600, check=False
    )
    *_, last = ran.stdout.splitlines()
    assert last.startswith("java: built ")
    assert Path(last.removeprefix("java: built ").partition(" (")[0]).is_file()
