"""A graph of 100,000 edges from Python, beside Java's own client doing the same with its cells.

Opening is told with the JVM, in a process of its own; each time with that of the processors.
Loading is beside a ``BatchWriter`` of the same cells, two hops beside ``BatchScanner`` by
``BatchScanner``, a data frame of all edges beside a scan of all their cells.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any
from uuid import uuid4

from benchmarks.accumulo.baseline import Baseline
from benchmarks.accumulo.pushing import Calls, columns

import lexigraph as lg
from lexigraph.store import AccumuloEngine, TableSettings

SEED = "u1"
EDGES = 100_000
OPEN_BAR_S, BAR = 5.0, 3.0
Taken = tuple[float, float]
"""Seconds, and seconds of processors in the client."""
_OPEN = """
import sys, time
start, used = time.perf_counter(), time.process_time()
import lexigraph as lg
from benchmarks.accumulo.pushing import Calls
from lexigraph.store import AccumuloEngine
with AccumuloEngine(sys.argv[1], namespace=sys.argv[2]) as e, lg.open(e, [Calls]) as graph:
    graph.get("u1").count()
    print("opened", time.perf_counter() - start, time.process_time() - used)
"""


def measure_graph(properties: Path, java: Baseline, rounds: int) -> dict[str, Any]:
    """Return how often Java's time each takes: the median of some rounds after one to warm up."""
    import pyarrow as pa

    table = pa.table(columns(range(EDGES), EDGES))
    namespace = f"g{uuid4().hex[:8]}"
    with AccumuloEngine(str(properties), namespace=namespace) as engine:
        found = _Rounds(engine, java)
        for number in range(rounds + 1):
            with lg.open(engine, [Calls], name=f"g{number}") as graph:
                found.one(graph, table, counts=number > 0)
        with lg.open(engine, [Calls]) as graph:
            graph.load(table, group=Calls)
        opened = [_open_elsewhere(properties, namespace) for _ in range(rounds)]
        seconds, cpu = [one for one, _ in opened], [one for _, one in opened]
        out = {"edges": EDGES, "open_s": seconds, "open_cpu_s": cpu, "open_bar_s": OPEN_BAR_S}
        out |= found.figures()
        for name in engine.tables():
            engine.drop_table(name)
    told = f"{median(seconds)} s with the JVM ({median(cpu)} s of processors)"
    print(f"  open         {told}, bar: {OPEN_BAR_S}", flush=True)
    return out


class _Rounds:
    """Both take turns, on tables of the same cells."""

    def __init__(self, engine: AccumuloEngine, java: Baseline) -> None:
        self.engine, self.java = engine, java
        self.taken: dict[str, list[tuple[Taken, Taken]]] = {}

    def one(self, graph: lg.Graph, table: Any, *, counts: bool) -> None:
        """Load a graph, ask it, and let Java do the same."""
        loaded, _ = _timed(lambda: graph.load(table, group=Calls))
        hopped, reached = _timed(lambda: graph.hops(SEED, Calls, direction="out", steps=2))
        shown, frame = _timed(lambda: graph.all(Calls).to_polars())
        if len(frame) != EDGES:
            raise AssertionError(f"{len(frame)} edges instead of {EDGES}")
        stored = f"{graph.name}.elements"
        there = self.engine._remote(stored)
        copy = f"{stored}-copy"
        self.engine.create_table(copy, TableSettings(max_versions=None))
        # Two for each edge, one where both ends are the same.
        self.java.run("keep", there, None)
        cells = self.java.seen
        theirs = {
            "load": self.java.run("copy", self.engine._remote(copy), cells),
            "2 hops": self.java.run("hops", f"{there} {SEED}", len(reached)),
            "to_polars": self.java.run("batch", there, cells),
        }
        ours = {"load": loaded, "2 hops": hopped, "to_polars": shown}
        if counts:
            for name, both in theirs.items():
                self.taken.setdefault(name, []).append((both, ours[name]))

    def figures(self) -> dict[str, Any]:
        """Return and print how often Java's time each takes."""
        out = {}
        for name, both in self.taken.items():
            figure = median(ours[0] / theirs[0] for theirs, ours in both)
            cpu = median(ours[1] / theirs[1] for theirs, ours in both)
            out[name] = {
                "of_javas_time": round(figure, 2),
                "of_javas_cpu": round(cpu, 2),
                "bar": BAR,
                "java_s": [round(theirs[0], 3) for theirs, _ in both],
                "ours_s": [round(ours[0], 3) for _, ours in both],
                "java_client_cpu_s": [round(theirs[1], 3) for theirs, _ in both],
                "our_client_cpu_s": [round(ours[1], 3) for _, ours in both],
            }
            short = "" if figure <= BAR else "  FALLS SHORT"
            told = f"{figure:.2f} times Java's time, {cpu:.2f} times its client's processors"
            print(f"  {name:<12} {told}, bar: {BAR}{short}", flush=True)
        return out


def _timed(work: Callable[[], Any]) -> tuple[Taken, Any]:
    start, used = time.perf_counter(), time.process_time()
    found = work()
    return (time.perf_counter() - start, time.process_time() - used), found


def _open_elsewhere(properties: Path, namespace: str) -> Taken:
    command = [sys.executable, "-c", _OPEN, str(properties), namespace]
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    told = next(line for line in ran.stdout.splitlines() if line.startswith("opened"))
    _, seconds, cpu = told.split()
    return round(float(seconds), 2), round(float(cpu), 2)
