"""Many writers at the same moment on a real cluster: of those who conflict, exactly one wins."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from uuid import uuid4

import pytest

import lexigraph as lg
from lexigraph.cli.cluster.local import LocalCluster
from lexigraph.errors import ConstraintError
from lexigraph.layout.records.claims import claiming
from lexigraph.layout.stored.id_blocks import IdBlocks
from lexigraph.layout.write.record_commit import bound_records
from lexigraph.store import AccumuloEngine, ManualClock
from tests.accumulo.engines import beside, fresh_engine
from tests.unit.graph.records.test_races import (
    CLASSES,
    RACES,
    Lives,
    Owns,
    claims_left,
    fill,
    winners,
)

pytestmark = pytest.mark.accumulo
WRITERS = 4
VERTICES = 8
_WRITE = """
import sys
import lexigraph as lg
from lexigraph.store import AccumuloEngine
from tests.accumulo.test_races import CLASSES, claim_all
with (
    AccumuloEngine(sys.argv[1], namespace=sys.argv[2]) as engine,
    lg.open(engine, CLASSES, authorizations=lg.ALL) as graph,
):
    print("ready", flush=True)
    sys.stdin.readline()
    print("won", claim_all(graph), flush=True)
"""


def claim_all(graph: lg.Graph) -> int:
    """Add an edge to each vertex, if it has none; return how many were added."""
    won = 0
    for number in range(VERTICES):
        with suppress(ConstraintError):
            graph.add_edge(f"v{number}", Lives, "home")
            won += 1
    return won


def race(name: str, graph: lg.Graph, writers: int) -> int:
    """Let many write at once; return how many were not refused."""

    def write(number: int) -> bool:
        try:
            RACES[name](graph, number)
        except ConstraintError:
            return False
        return True

    with ThreadPoolExecutor(writers) as pool:
        return sum(pool.map(write, range(writers)))


@pytest.mark.parametrize("name", ["one2one", "simple", "relabel", "new vertex", "new edge"])
def test_one_of_many_threads_wins(name: str) -> None:
    with fresh_engine() as engine:
        graph = lg.open(engine, CLASSES, authorizations=lg.ALL)
        fill(graph)
        writers = 3 if name == "relabel" else WRITERS
        assert race(name, graph, writers) == 1
        assert len(winners(graph, name)) == 1
        assert claims_left(graph) == []
        assert list(graph.admin.find_half_edges()) == []


def test_one_of_several_processes_wins(cluster: LocalCluster) -> None:
    properties, namespace = str(cluster.status().properties), f"r{uuid4().hex[:8]}"
    with AccumuloEngine(properties, namespace=namespace) as engine:
        graph = lg.open(engine, CLASSES, authorizations=lg.ALL)
        other = subprocess.Popen(
            [sys.executable, "-c", _WRITE, properties, namespace],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert other.stdin is not None
        assert other.stdout is not None
        while "ready" not in other.stdout.readline():
            assert other.poll() is None
        other.stdin.write("go\n")
        other.stdin.flush()
        here = claim_all(graph)
        there = other.communicate(timeout=60)[0].split()
        assert there[0] == "won"
        assert here + int(there[1]) == VERTICES
        assert sorted(edge.source for edge in graph.all(Lives)) == [
            f"v{at}" for at in range(VERTICES)
        ]
        assert claims_left(graph) == []
        for table in engine.tables():
            engine.drop_table(table)


def test_a_claim_of_a_clock_that_is_behind_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claiming, "PATIENCE_MS", 50)
    with fresh_engine() as engine:
        graph = lg.open(engine, CLASSES, authorizations=lg.ALL)
        fill(graph)
        with beside(engine, ManualClock(engine.now() - 30_000_000)) as behind:
            late = lg.open(behind, CLASSES, authorizations=lg.ALL)
            graph.add_edge("bob", Owns, "x")
            with pytest.raises(ConstraintError):
                late.add_edge("bob", Owns, "y")
            table = bound_records(graph._access.stored).names_table
            claimed = [IdBlocks(one, table).claim("vertex", 5) for one in (engine, behind, engine)]
            assert claimed == [range(1, 6), range(6, 11), range(11, 16)]
