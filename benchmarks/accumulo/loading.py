"""A bulk load of a graph in a process of its own, so that its memory can be told.

``python -m benchmarks.accumulo.loading PROPERTIES EDGES``: prints its figures as JSON.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

from benchmarks.accumulo.pushing import Calls, columns

import lexigraph as lg
from lexigraph.store import AccumuloEngine

_ROWS = 100_000


def frames(edges: int) -> Iterator[Any]:
    """Give the edges as frames, each made when it is asked for."""
    import pyarrow as pa

    for start in range(0, edges, _ROWS):
        yield pa.table(columns(range(start, min(edges, start + _ROWS)), edges))


def measure_load(properties: str, edges: int) -> dict[str, Any]:
    """Load edges in one call, and count them as soon as it returns."""
    with (
        AccumuloEngine(properties, namespace=f"b{uuid4().hex[:8]}") as engine,
        lg.open(engine, [Calls]) as graph,
    ):
        before = _peak_mb()
        start = time.perf_counter()
        graph.load(frames(edges), group=Calls)
        seconds = time.perf_counter() - start
        found = sum(row["calls"] for row in graph.all(Calls).summarise(calls=lg.sum("count")))
        graph.admin.drop()
    if found != edges:
        raise AssertionError(f"{found} edges instead of {edges}")
    return {
        "edges": edges,
        "seconds": round(seconds, 1),
        "edges_per_s": round(edges / seconds),
        "peak_mb": _peak_mb(),
        "peak_mb_before": before,
    }


def _peak_mb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    print(json.dumps(measure_load(sys.argv[1], int(sys.argv[2]))))
