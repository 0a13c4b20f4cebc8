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


# What a fork would wait for stands still in it.
IN_A_FORK = """
import os, sys
import lexigraph as lg
from lexigraph.errors import UnsupportedError
class Seen(lg.Vertex, summary=True):
    id: str
    count: int = lg.sum()
graph = lg.open(sys.argv[1], [Seen], name="forked")
def child():
    for ask in ("graph.count()", "graph.add([Seen('a', count=1)])", "graph.get('a').to_list()"):
        try:
            eval(ask)
        except UnsupportedError:
            continue
        return 1
    graph.close()
    return 0
started = os.fork()
if started == 0:
    os._exit(child())
_, status = os.waitpid(started, 0)
graph.add([Seen("a", count=1)])
assert graph.count() == 1
graph.admin.drop()
graph.close()
sys.exit(status)
"""


def test_a_fork_is_told_that_it_cannot_use_the_cluster(cluster: LocalCluster) -> None:
    command = [sys.executable, "-c", IN_A_FORK, str(cluster.status().properties)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert ran.returncode == 0, ran.stderr
