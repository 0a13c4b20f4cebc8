"""Measures the bridge to Accumulo beside a Java program that does the same, in turns, in one run.

``python -m benchmarks.accumulo [--cells N] [--rounds N] [--graph] [--out FILE]``. It starts a local
cluster of one tablet server in a temporary directory, or uses the one of ``--properties``.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

from benchmarks.accumulo.baseline import Baseline
from benchmarks.accumulo.data import make_cells
from benchmarks.accumulo.graph import measure_graph
from benchmarks.accumulo.pushing import measure_pushing
from benchmarks.run import commit, machine

from lexigraph.cli.cluster.local import LocalCluster
from lexigraph.store import AccumuloEngine, ScanSpec, TableSettings

BAR = 0.8
_KEPT_ALL = TableSettings(max_versions=None)


class Run:
    """One run: its cluster, its cells, and the figures it has found."""

    def __init__(self, engine: AccumuloEngine, java: Baseline, cells: int, rounds: int) -> None:
        self.engine, self.java, self.rounds = engine, java, rounds
        self.cells = make_cells(cells)
        self.figures: dict[str, Any] = {}

    def remote(self, table: str) -> str:
        return self.engine._remote(table)

    def turns(self, name: str, what: str, table: Callable[[int], str], ours: Any) -> None:
        """Let Java and us do the same in turns; the first turn warms up and does not count."""
        rounds = []
        for number in range(self.rounds + 1):
            theirs = self.java.run(what, self.remote(table(2 * number)), len(self.cells))
            start, used = time.perf_counter(), time.process_time()
            ours(table(2 * number + 1))
            rounds.append((theirs, (time.perf_counter() - start, time.process_time() - used)))
        counted = rounds[1:]
        figure = median(theirs[0] / mine[0] for theirs, mine in counted)
        self.figures[name] = {
            "of_javas_speed": round(figure, 2),
            "bar": BAR,
            "java_s": [round(theirs[0], 2) for theirs, _ in counted],
            "ours_s": [round(mine[0], 2) for _, mine in counted],
            "java_client_cpu_s": [round(theirs[1], 2) for theirs, _ in counted],
            "our_client_cpu_s": [round(mine[1], 2) for _, mine in counted],
        }
        short = "" if figure >= BAR else "  FALLS SHORT"
        print(f"  {name:<12} {figure:.2f} of Java's speed, bar: at least {BAR}{short}", flush=True)

    def scans(self) -> None:
        self.engine.create_table("read", _KEPT_ALL)
        self.engine.load("read", self.cells)
        for what in ("scan", "batch"):
            self.turns(what, what, lambda number: "read", self._scan)

    def writes(self) -> None:
        def table(number: int) -> str:
            self.engine.create_table(f"write{number}", _KEPT_ALL)
            return f"write{number}"

        self.turns("write", "write", table, lambda name: self.engine.write({name: self.cells}))

    def _scan(self, table: str) -> None:
        found = sum(len(batch) for batch in self.engine.scan(table, ScanSpec()))
        if found != len(self.cells):
            raise AssertionError(f"{found} cells instead of {len(self.cells)}")


@contextmanager
def some_cluster(properties: Path | None) -> Iterator[Path]:
    """Give the properties of a cluster: those that were named, or of one that is made and ended."""
    if properties is not None:
        yield properties
        return
    with TemporaryDirectory(prefix="lexigraph-bench-") as where:
        cluster = LocalCluster(Path(where) / "cluster")
        try:
            yield cluster.start().properties
        finally:
            cluster.stop(delete=True)


def load_elsewhere(properties: Path, edges: int) -> Any:
    """Return the figures of a bulk load by another process."""
    command = [sys.executable, "-m", "benchmarks.accumulo.loading", str(properties), str(edges)]
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    # Java may say something besides.
    found = json.loads(next(line for line in ran.stdout.splitlines() if line.startswith("{")))
    told = f"{found['edges']:,} edges in {found['seconds']} s, peak {found['peak_mb']} MB"
    print(f"  load         {told}", flush=True)
    return found


def as_java(properties: Path) -> dict[str, str]:
    """Return properties with which our writers gather as much as Accumulo's do by themselves."""
    lines = (line.partition("=") for line in properties.read_text(encoding="utf-8").splitlines())
    given = {name.strip(): value.strip() for name, _, value in lines if value}
    return given | {
        "accumulo.maxBufferSizeForBatchWriterInBytes": str(50 << 20),
        "accumulo.maxTimeOutForBatchWriterInMilliseconds": "120000",
        "accumulo.numThreadsForBatchWriter": "3",
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cells", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--properties", type=Path, help="a cluster that runs")
    parser.add_argument("--graph", action="store_true", help="only the graph")
    parser.add_argument("--out", type=Path, help="write the figures as JSON")
    given = parser.parse_args()
    start = time.perf_counter()
    print(f"bench-cluster: {given.cells:,} cells, one tablet server", flush=True)
    with (
        some_cluster(given.properties) as properties,
        AccumuloEngine(as_java(properties), namespace=f"b{uuid4().hex[:8]}") as engine,
        Baseline(properties, given.cells) as java,
    ):
        run = Run(engine, java, given.cells, given.rounds)
        if not given.graph:
            run.scans()
            run.writes()
            run.figures["push-down"] = measure_pushing(engine, given.cells // 4)
            run.figures["load"] = load_elsewhere(properties, given.cells)
        run.figures["graph"] = measure_graph(properties, java, given.rounds)
        for table in engine.tables():
            engine.drop_table(table)
    result = {
        "workload": "cluster",
        "cells": given.cells,
        "result": run.figures,
        "seconds": round(time.perf_counter() - start, 1),
        "machine": machine(),
        "commit": commit(),
    }
    print(json.dumps(result))
    if given.out is not None:
        given.out.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
