"""A summary of a graph that the servers make, beside the same made by the client of all cells."""

from __future__ import annotations

import time
from typing import Any

import lexigraph as lg
from lexigraph.store import AccumuloEngine
from lexigraph.store.scan.reading import ScanPlan


class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    day: int = lg.group_by()
    count: int = lg.sum()


def columns(numbers: range, edges: int) -> dict[str, list[Any]]:
    """Return some of so many calls by column."""
    return {
        "source": [f"u{number % 5000}" for number in numbers],
        "destination": [f"u{number * 7919 % edges}" for number in numbers],
        "day": [number % 30 for number in numbers],
        "count": [1] * len(numbers),
    }


def measure_pushing(engine: AccumuloEngine, edges: int) -> dict[str, Any]:
    """Return how long either takes, how many cells servers send, and how many are stored."""
    import pyarrow as pa

    with lg.open(engine, [Calls], name="calls") as graph:
        graph.load(pa.table(columns(range(edges), edges)), group=Calls)
        out: dict[str, Any] = {"edges": edges}
        for where in ("servers", "client"):
            engine.counted = []
            if where == "client":
                # As if the servers knew no stage at all.
                engine.count_run = _none  # type: ignore[method-assign]
            start = time.perf_counter()
            rows = graph.all(Calls).summarise(by=["day"], calls=lg.sum("count")).to_list()
            seconds = time.perf_counter() - start
            crossed = sum(one["stages"][-1]["given"] for one in engine.counted)
            if sum(row["calls"] for row in rows) != edges:
                raise AssertionError("not all calls are in the summary")
            out[where] = {"seconds": round(seconds, 2)}
            if where == "servers":
                out[where]["cells_crossed"] = crossed
        del engine.count_run
        engine.counted = None
        # Not counted as they cross: without a stage on a server nothing is.
        out["cells_stored"] = sum(one.cells for one in graph.admin.stats().values())
    times = f"{out['servers']['seconds']} s instead of {out['client']['seconds']} s"
    cells = f"{out['servers']['cells_crossed']} cells cross of {out['cells_stored']} stored"
    print(f"  push-down    {times}; {cells}")
    return out


def _none(plan: ScanPlan) -> int:
    return 0
