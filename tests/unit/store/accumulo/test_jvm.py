"""Starting a JVM: what is missing is named, and Java is not blamed for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("jpype")

OPEN = """
from lexigraph.errors import UnsupportedError
from lexigraph.store.accumulo.bridge.jvm import java_bridge
try:
    java_bridge()
except UnsupportedError as error:
    print(error, error.hint)
"""


def test_a_jar_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A program that stands for Java, and jars of Accumulo, so that nothing else is missing.
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("LEXIGRAPH_JAR", str(tmp_path / "none.jar"))
    (tmp_path / "java").touch(mode=0o700)
    from lexigraph.store.accumulo.bridge import java

    jars = f"accumulo-{java.ACCUMULO_VERSION}-{java._digest_of_dependencies()}"
    (tmp_path / "lexigraph" / jars).mkdir(parents=True)
    ran = subprocess.run(
        [sys.executable, "-c", OPEN], capture_output=True, text=True, check=False, timeout=60
    )
    assert "LEXIGRAPH_JAR names" in ran.stdout, ran.stderr
    assert "lexigraph-accumulo.jar" in ran.stdout
    assert "JAVA_HOME" not in ran.stdout
