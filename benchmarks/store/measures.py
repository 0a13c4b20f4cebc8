"""What is measured of a loaded store, through the public API alone."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.store.data import DAYS, FIRST_DAY, READER, Edges, edge_batches

from lexigraph.codec import codec_for
from lexigraph.store import Mutations, Range, ScanSpec
from lexigraph.store.embedded.engine import EmbeddedEngine

RUNS = 9


def timed(work: Callable[[], Any]) -> float:
    """Return the seconds that one call takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def typical(work: Callable[[], Any], runs: int = RUNS) -> float:
    """Return the median seconds of some calls, after one that warms up."""
    work()
    return median(timed(work) for _ in range(runs))


def disk_mb(path: Path) -> float:
    """Return the space that a directory takes on disk."""
    return sum(file.stat().st_blocks * 512 for file in path.iterdir()) / 1e6


def sum_spec() -> ScanSpec:
    """Return the scan: each edge once, weights summed by day."""
    measure = {"name": "weight", "aggregate": "sum", "field": "weight"}
    return ScanSpec(
        authorizations=READER,
        stages=[
            ("filter", {"plan": "calls", "where": None, "once": True}),
            ("summarise", {"plan": "calls", "by": ["day"], "measures": [measure]}),
        ],
    )


def sums(engine: EmbeddedEngine, table: str) -> dict[int, int]:
    """Return the sum of weights by day, as the engine finds it."""
    found = {}
    days = {
        codec_for("any").encode(FIRST_DAY.fromordinal(FIRST_DAY.toordinal() + day)): day
        for day in range(DAYS)
    }
    for batch in engine.scan(table, sum_spec()):
        for cell in batch:
            found[days[cell.row]] = codec_for("int").decode_value(cell.value[2:])
    return found


def rows_seconds(engine: EmbeddedEngine, table: str, rows: Sequence[bytes]) -> tuple[float, float]:
    """Return the seconds that one call for these rows takes, and the cells of a row."""
    spec = ScanSpec(ranges=[Range.row(row) for row in rows], authorizations=READER)
    cells = sum(map(len, engine.scan(table, spec)))
    return typical(lambda: _drain(engine.scan(table, spec))), cells / len(rows)


def prefixes_seconds(engine: EmbeddedEngine, table: str, ids: Sequence[bytes]) -> float:
    """Return the seconds that one call for the outgoing edges of these vertices takes."""
    ranges = [Range.prefix(name + b"\0\2\0") for name in ids]
    spec = ScanSpec(ranges=ranges, authorizations=READER)
    return typical(lambda: _drain(engine.scan(table, spec)))


def row_seconds(engine: EmbeddedEngine, table: str, rows: Sequence[bytes]) -> float:
    """Return the median seconds of one row, now."""
    reader = engine.row_reader(table, authorizations=READER)
    for row in rows[:200]:
        reader.row(row)
    taken = []
    for row in rows:
        start = time.perf_counter()
        reader.row(row)
        taken.append(time.perf_counter() - start)
    return median(taken)


def batches_rate(engine: EmbeddedEngine, table: str, edges: Edges) -> float:
    """Return cells a second of durable batches of 200k cells, merges that become due included."""
    batches = list(edge_batches(edges, size=100_000))
    seconds = timed(lambda: [engine.write({table: batch}) for batch in batches])
    return 2 * len(edges) / seconds


def commits_rate(engine: EmbeddedEngine, table: str, count: int = 20_000) -> float:
    """Return buffered commits of one cell a second, with the flush at the end."""
    chosen = random.Random(5)
    batches = [
        Mutations().put(f"u{chosen.randrange(1 << 18)}", "calls", "q", "1").batch()
        for _ in range(count)
    ]

    def commit() -> None:
        for batch in batches:
            engine.write({table: batch}, durability="buffered")
        engine.flush()

    return count / timed(commit)


def anonymous_mb(work: Callable[[], Any]) -> float:
    """Return how much memory of its own the process takes on while working."""
    before, peak, done = anonymous_now_mb(), 0.0, threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.is_set():
            peak = max(peak, anonymous_now_mb())
            time.sleep(0.002)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        work()
    finally:
        done.set()
        watcher.join()
    return peak - before


def anonymous_now_mb(process: int | None = None) -> float:
    """Return the memory of its own that a process has, this one by default; 0 where it ended."""
    status = Path(f"/proc/{process or 'self'}/status")
    lines = status.read_text(encoding="utf-8").splitlines()
    found = [line.split()[1] for line in lines if line.startswith("RssAnon:")]
    if not found and process is None:
        raise OSError("this system does not tell a process its anonymous memory")
    return int(found[0]) * 1024 / 1e6 if found else 0.0


def _drain(batches: Iterator[Any]) -> int:
    return sum(map(len, batches))
