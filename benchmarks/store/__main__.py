"""Measures the embedded engine beside its bars; DuckDB answers the same sum in the same run.

``python -m benchmarks.store [--edges N] [--only part ...] [--out FILE]``. Data and stores live in a
temporary directory that goes at the end. The last line names what falls short, or says that nothing
does.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.run import commit, machine
from benchmarks.store import bars, data, hops, measures
from benchmarks.store.peer import DuckDb

from lexigraph.store import MutationBatch
from lexigraph.store.embedded.engine import EmbeddedEngine

PARTS = ("main", "writes", "churn", "unique", "url", "labels")
_EDGES = 4_000_000


class Run:
    """One run: its data, its directory, and the figures it has found."""

    def __init__(self, where: Path, edges: int) -> None:
        self.where = where
        self.figures: dict[str, float] = {}
        self.details: dict[str, Any] = {"edges": edges, "cells": 2 * edges}
        print(f"bench-store: {edges:,} edges, {2 * edges:,} cells, labels on", flush=True)
        self.edges = data.make_edges(edges)
        self.peer = DuckDb(where / "peer.duckdb", self.edges)

    def note(self, name: str, figure: float) -> None:
        self.figures[name] = figure
        print(bars.table_line(name, figure), flush=True)

    def load(
        self, name: str, batches: list[MutationBatch], settings: Any = None
    ) -> tuple[EmbeddedEngine, float]:
        """Load a fresh store of this name and return it with the rate, in M cells/s."""
        engine = EmbeddedEngine(self.where / f"{name}.lexi", merge_cells=None)
        engine.create_table("edges", settings or data.edge_settings())
        seconds = measures.timed(lambda: engine.load("edges", batches))
        return engine, sum(map(len, batches)) / seconds / 1e6

    def ratio(self, engine: EmbeddedEngine) -> float:
        """Return our time for the group sum over DuckDB's, both taken now."""
        if measures.sums(engine, "edges") != self.peer.sums():
            raise AssertionError("the two systems do not find the same sums")
        ours = measures.typical(lambda: measures.sums(engine, "edges"))
        peer = self.peer.sum_seconds()
        self.details.setdefault("sum_ms", []).append([round(ours * 1000, 1), round(peer * 1000, 1)])
        return ours / peer


def main_part(run: Run) -> None:
    """Load, size, sums, look-ups, hops and memory of one store."""
    engine, rate = run.load("main", list(data.edge_batches(run.edges)))
    run.note("load", rate)
    run.note("disk", measures.disk_mb(run.where / "main.lexi"))
    run.note("sum", run.ratio(engine))
    run.note("memory", measures.anonymous_mb(lambda: measures.sums(engine, "edges")))
    chosen = random.Random(3).sample(range(1 << run.edges.scale), 1000)
    ids = [b"u%d" % number for number in chosen]
    run.note("prefixes", measures.prefixes_seconds(engine, "edges", ids) * 1000)
    seeds = hops.seeds(run.edges, 20)
    for steps in (2, 3):
        run.note(f"hops-{steps}", hops.seconds(engine, "edges", seeds, steps) * 1000)
    engine.close()
    wide_rows(run)


def wide_rows(run: Run) -> None:
    """Rows of about 15 cells each: a vertex with its outgoing edges."""
    engine = EmbeddedEngine(run.where / "wide.lexi", merge_cells=None)
    engine.create_table("wide")
    engine.load("wide", list(data.wide_batches(run.edges)))
    chosen = random.Random(4).choices(run.edges.source.tolist(), k=20_000)
    near = typical_rows(engine, [b"u%d" % number for number in chosen])
    seconds, cells = measures.rows_seconds(engine, "wide", near[:1000])
    run.details["cells_in_a_row"] = round(cells, 1)
    run.note("rows", seconds * 1000)
    run.note("row", measures.row_seconds(engine, "wide", near) * 1e6)
    engine.close()


def typical_rows(engine: EmbeddedEngine, rows: list[bytes]) -> list[bytes]:
    """Return some rows of 12 to 18 cells."""
    reader = engine.row_reader("wide", authorizations=data.READER)
    near = [row for row in dict.fromkeys(rows) if 12 <= len(reader.row(row)) <= 18]
    return near[:2000]


def writes_part(run: Run) -> None:
    """Batches and commits onto a loaded store, and the sum over a full delta."""
    engine, _ = run.load("writes", list(data.edge_batches(run.edges)))
    more = data.make_edges(450_000, seed=12)
    for batch in data.edge_batches(more, size=100_000):
        engine.write({"edges": batch})
    both = DuckDb(run.where / "both.duckdb", _joined(run.edges, more))
    peer, run.peer = run.peer, both
    run.note("sum-delta", run.ratio(engine))
    run.peer = peer
    engine.close()
    engine = EmbeddedEngine(run.where / "writes.lexi")
    events = data.make_events(run.edges, 5 * len(run.edges) // 4, keys=len(run.edges) // 4)
    run.note("batches", measures.batches_rate(engine, "edges", events) / 1e3)
    engine.create_table("small")
    run.note("commits", measures.commits_rate(engine, "small") / 1e3)
    engine.close()


def churn_part(run: Run) -> None:
    """Everything overwritten ten times in batches of 100,000 rows, with the default settings."""
    path = run.where / "churn.lexi"
    with EmbeddedEngine(path) as engine:
        engine.create_table("rows")
        rows = 3 * len(run.edges) // 8
        engine.load("rows", list(data.row_batches(rows, 0)))
        fresh = measures.disk_mb(path)
        for number in range(1, 11):
            for batch in data.row_batches(rows, number):
                engine.write({"rows": batch})
    run.details["churn_mb"] = [round(fresh, 1), round(measures.disk_mb(path), 1)]
    run.note("churn", measures.disk_mb(path) / fresh)


def unique_part(run: Run) -> None:
    """The same cells with a microsecond of their own each."""
    engine, _ = run.load("unique", list(data.edge_batches(run.edges, unique_times=True)))
    run.note("disk-unique", measures.disk_mb(run.where / "unique.lexi"))
    engine.close()


def url_part(run: Run) -> None:
    """Ids of 60 bytes."""
    ids = data.url_ids(run.edges.scale)
    engine, rate = run.load("url", list(data.edge_batches(run.edges, ids=ids)))
    run.note("load-url", rate)
    run.note("disk-url", measures.disk_mb(run.where / "url.lexi"))
    run.note("sum-url", run.ratio(engine))
    engine.close()


def labels_part(run: Run) -> None:
    """200 distinct labels."""
    engine, _ = run.load("labels", list(data.edge_batches(run.edges, labels=data.many_labels())))
    run.note("disk-labels", measures.disk_mb(run.where / "labels.lexi"))
    run.note("sum-labels", run.ratio(engine))
    engine.close()


_WORK: dict[str, tuple[Callable[[Run], None], tuple[str, ...]]] = {
    "main": (
        main_part,
        ("load", "disk", "sum", "memory", "prefixes", "hops-2", "hops-3", "rows", "row"),
    ),
    "writes": (writes_part, ("sum-delta", "batches", "commits")),
    "churn": (churn_part, ("churn",)),
    "unique": (unique_part, ("disk-unique",)),
    "url": (url_part, ("load-url", "disk-url", "sum-url")),
    "labels": (labels_part, ("disk-labels", "sum-labels")),
}


def _joined(left: data.Edges, right: data.Edges) -> data.Edges:
    import numpy as np

    names = ("source", "destination", "day", "weight")
    columns = (np.concatenate([getattr(left, name), getattr(right, name)]) for name in names)
    return data.Edges(*columns, left.scale)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edges", type=int, default=_EDGES, help="two cells each")
    parser.add_argument("--only", nargs="*", choices=PARTS, default=PARTS)
    parser.add_argument("--out", type=Path, help="write the figures as JSON")
    parser.add_argument("--scratch", type=Path, help="where the stores are made")
    given = parser.parse_args()
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(dir=given.scratch) as where:
        run = Run(Path(where), given.edges)
        wanted: list[str] = []
        for part in given.only:
            work, names = _WORK[part]
            wanted.extend(names)
            work(run)
    missing = [name for name in wanted if name not in run.figures]
    result = {
        "workload": "store",
        "result": bars.as_json(run.figures),
        "details": run.details,
        "seconds": round(time.perf_counter() - start, 1),
        "machine": machine(),
        "commit": commit(),
    }
    print(json.dumps(result))
    if given.out is not None:
        given.out.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(bars.summary(run.figures, missing))
    return 0


if __name__ == "__main__":
    sys.exit(main())
