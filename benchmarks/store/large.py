"""100 million cells in less memory than their file takes: ``python -m benchmarks.store.large``.

Loads the cells, then asks for the group sum and for random rows in a process that a control group
holds below the size of the file. Needs Linux and the right to make a control group; without it only
the process's own memory is told.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.run import commit, machine
from benchmarks.store import data, measures

from lexigraph.store import MutationBatch
from lexigraph.store.embedded.engine import EmbeddedEngine

_PART = 2_000_000
_SCALE = 21
_GROUPS = (Path("/sys/fs/cgroup/memory"), Path("/sys/fs/cgroup"))


def parts(edges: int) -> Iterator[MutationBatch]:
    """Give the cells of so many edges, drawn anew for each part."""
    ids = data.short_ids(_SCALE)
    for number, start in enumerate(range(0, edges, _PART)):
        drawn = data.make_edges(min(_PART, edges - start), scale=_SCALE, seed=100 + number)
        yield from data.edge_batches(drawn, ids=ids)


def load(path: Path, edges: int) -> dict[str, Any]:
    """Load everything and say how it went."""
    with EmbeddedEngine(path, merge_cells=None) as engine:
        engine.create_table("edges", data.edge_settings())
        start = time.perf_counter()
        anonymous = measures.anonymous_mb(lambda: engine.load("edges", parts(edges)))
        seconds = time.perf_counter() - start
    return {
        "load_s_with_making_the_data": round(seconds, 1),
        "load_own_memory_mb": round(anonymous),
        "file_mb": round((path / "data.mdb").stat().st_size / 1e6),
    }


def read(path: Path) -> dict[str, Any]:
    """Ask the questions, and measure this process."""
    found: dict[str, Any] = {}
    with EmbeddedEngine(path, read_only=True) as engine:
        start = time.perf_counter()
        totals: dict[int, int] = {}
        own = measures.anonymous_mb(lambda: totals.update(measures.sums(engine, "edges")))
        found["sum_s"] = round(time.perf_counter() - start, 2)
        found["sum_of_weights"] = sum(totals.values())
        found["own_memory_mb"] = round(own, 1)
        names = [b"u%d" % number for number in random.Random(1).sample(range(1 << _SCALE), 1000)]
        found["1000_vertices_ms"] = round(
            measures.prefixes_seconds(engine, "edges", names) * 1000, 1
        )
    return found


def held(limit: int) -> Path | None:
    """Make a control group of so many bytes; ``None`` where that is not allowed."""
    for parent, name in zip(_GROUPS, ("memory.limit_in_bytes", "memory.max"), strict=True):
        group = parent / f"lexigraph-{os.getpid()}"
        try:
            group.mkdir()
            (group / name).write_text(str(limit), encoding="ascii")
        except OSError:
            continue
        return group
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edges", type=int, default=50_000_000, help="two cells each")
    parser.add_argument("--limit-mb", type=int, default=600, help="of the reading process")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--scratch", type=Path)
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--group", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.read is not None:
        if given.group is not None:
            (given.group / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")
        print(json.dumps(read(given.read)))
        return
    with tempfile.TemporaryDirectory(dir=given.scratch) as where:
        path = Path(where) / "large.lexi"
        result = {"cells": 2 * given.edges, **load(path, given.edges)}
        group = held(given.limit_mb << 20)
        command = [sys.executable, "-m", "benchmarks.store.large", "--read", str(path)]
        command += [] if group is None else ["--group", str(group)]
        try:
            asked = subprocess.run(command, check=True, capture_output=True, text=True)
        finally:
            if group is not None:
                group.rmdir()
        result["memory_limit_mb"] = None if group is None else given.limit_mb
        result.update(json.loads(asked.stdout))
    report = {"workload": "store-100m", "result": result, "machine": machine(), "commit": commit()}
    print(json.dumps(report))
    if given.out is not None:
        given.out.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
