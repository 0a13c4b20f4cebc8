"""A process that used a cluster ends as it was told to, whatever the JVM in it still does."""

from __future__ import annotations

import subprocess
import sys

import pytest

from lexigraph.cli.cluster.local import LocalCluster

pytestmark = pytest.mark.accumulo

# Java lets go of many objects of Python while the interpreter ends: first registered, last called.
LETTING_GO = """
import atexit, sys
atexit.register(lambda: jpype.JClass("java.lang.System").gc())
import jpype
from lexigraph.store import AccumuloEngine
with AccumuloEngine(sys.argv[1]) as engine:
    engine.tables()
for _ in range(50_000):
    jpype.nio.convertToDirectBuffer(bytearray(8))
"""


def test_java_may_let_go_of_objects_while_the_process_ends(cluster: LocalCluster) -> None:
    command = [sys.executable, "-c", LETTING_GO, str(cluster.status().properties)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert ran.returncode == 0, ran.stderr
