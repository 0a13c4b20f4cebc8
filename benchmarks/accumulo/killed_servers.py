"""Kills a tablet server again and again while threads add to sums: what is lost, what counts twice.

``python -m benchmarks.accumulo.killed_servers [--kills N] [--rows N] [--timeout SECONDS] [--pause
SECONDS] [--out FILE]``. It starts a cluster of its own and removes it. Each batch has rows of its
own, each with a sum to which it adds one: so a row that says 0 was lost, and one that says 2 was
written twice. A batch that ends in an error is sent again, as an application would do it. With
``--pause`` the server is not killed but stands still for so long, as where memory is short.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.run import commit, machine

from lexigraph.cli.cluster.local import LocalCluster
from lexigraph.errors import StoreError
from lexigraph.store import AccumuloEngine, Mutations, TableSettings

TABLE = "sums"
PATIENCE_S = 120.0
SETTINGS = TableSettings.with_stages(
    ("sum", {"encoding": "text", "columns": [["n"]]}), max_versions=None
)


@dataclass(frozen=True, slots=True)
class Sent:
    """A batch that was acknowledged in the end."""

    number: int
    started: float
    ended: float
    errors: int


@dataclass(slots=True)
class Ledger:
    """What was sent and what became of it."""

    rows: int
    """Of each batch."""
    batches: list[Sent] = field(default_factory=list)
    kills: list[float] = field(default_factory=list)

    @property
    def in_flight(self) -> set[int]:
        """The batches that were under way when a server was killed."""
        return {
            one.number
            for one in self.batches
            for kill in self.kills
            if one.started < kill < one.ended
        }

    @property
    def usual_s(self) -> float:
        """How long a batch takes where nothing happens: the middle one."""
        taken = sorted(one.ended - one.started for one in self.batches)
        return taken[len(taken) // 2]


def batch(number: int, rows: int) -> Mutations:
    """Return what a batch adds: one to each of its rows, which lie all over the table."""
    cells = Mutations()
    for place in range(rows):
        cells.put(f"{place:05}-{number:07}", "n", "", "1")
    return cells


def write(
    engine: AccumuloEngine, numbers: Iterator[int], ledger: Ledger, until: threading.Event
) -> None:
    """Write batch after batch; one that failed is sent again until it is acknowledged."""
    while not until.is_set():
        number, started, errors = next(numbers), time.monotonic(), 0
        while True:
            try:
                engine.write({TABLE: batch(number, ledger.rows)})
            except StoreError:
                errors += 1
                continue
            break
        ledger.batches.append(Sent(number, started, time.monotonic(), errors))


def kill_while_writing(
    cluster: LocalCluster,
    engine: AccumuloEngine,
    ledger: Ledger,
    numbers: Iterator[int],
    *,
    threads: int,
    after: int,
    and_s: float,
    pause_s: float | None = None,
) -> None:
    """Kill the server after so many batches, bring it back, and wait until all could go on.

    With ``pause_s`` it stands still for so long instead.
    """
    until = threading.Event()
    writers = [
        threading.Thread(target=write, args=(engine, numbers, ledger, until), daemon=True)
        for _ in range(threads)
    ]
    before, last = len(ledger.batches), time.monotonic() + PATIENCE_S
    for one in writers:
        one.start()
    while len(ledger.batches) < before + after and time.monotonic() < last:
        time.sleep(0.001)
    # At any point of the batches that are under way now.
    time.sleep(and_s)
    server = cluster.process("tserver")
    assert server is not None
    ledger.kills.append(time.monotonic())
    if pause_s is None:
        server.kill()
        cluster.start()
    else:
        os.kill(server.pid, signal.SIGSTOP)
        try:
            time.sleep(pause_s)
        finally:
            # Also where somebody ends the benchmark: a server that stands still cannot be stopped.
            os.kill(server.pid, signal.SIGCONT)
    until.set()
    for one in writers:
        one.join()


def found(engine: AccumuloEngine) -> dict[int, Counter[int]]:
    """Return for each batch how many of its rows say what: 1 where all is well."""
    sums: dict[int, Counter[int]] = {}
    for cell in engine.table(TABLE).scan():
        number = int(cell.row.split(b"-")[1])
        sums.setdefault(number, Counter())[int(cell.value)] += 1
    return sums


def judge(ledger: Ledger, sums: dict[int, Counter[int]]) -> dict[str, Any]:
    """Return the figures of a run."""
    flying = ledger.in_flight
    twice = {number for number, rows in sums.items() if any(said > 1 for said in rows)}
    lost = [
        one.number
        for one in ledger.batches
        if sums.get(one.number, Counter()).total() != ledger.rows
    ]
    return {
        "kills": len(ledger.kills),
        "batches": len(ledger.batches),
        "rows_of_a_batch": ledger.rows,
        "usual_ms": round(ledger.usual_s * 1000, 2),
        "in_flight": len(flying),
        "sent_again_by_the_application": sum(1 for one in ledger.batches if one.errors),
        "lost": len(lost),
        "counted_twice": len(twice),
        "counted_twice_not_in_flight": len(twice - flying),
        "share_of_in_flight": round(len(twice) / max(1, len(flying)), 3),
        "window_ms": round(ledger.usual_s * 1000 * len(twice) / max(1, len(flying)), 2),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--rows", type=int, default=20)
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--timeout", type=float, default=120.0)
    parser.add_argument("--pause", type=float)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    # Whoever ends this must not leave a cluster behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    chosen, ledger, numbers = random.Random(1), Ledger(given.rows), count()
    with tempfile.TemporaryDirectory() as home:
        cluster = LocalCluster(Path(home) / "cluster")
        try:
            where = cluster.start().properties
            # The first connection starts a JVM, which may take longer than a write.
            with (
                AccumuloEngine(where, timeout_s=PATIENCE_S) as patient,
                AccumuloEngine(where, timeout_s=given.timeout) as engine,
            ):
                patient.create_table(TABLE, SETTINGS)
                for _ in range(given.kills):
                    kill_while_writing(
                        cluster,
                        engine,
                        ledger,
                        numbers,
                        threads=given.threads,
                        after=chosen.randrange(10, 50),
                        and_s=chosen.uniform(0, 0.1),
                        pause_s=given.pause,
                    )
                    print(json.dumps(judge(ledger, found(patient))), flush=True)
                result = judge(ledger, found(patient))
        finally:
            cluster.stop(delete=True)
    told = {
        "workload": "killed-servers",
        "result": {
            **result,
            "threads": given.threads,
            "timeout_s": given.timeout,
            "pause_s": given.pause,
        },
        "commit": commit(),
        "machine": machine(),
    }
    if given.out is not None:
        given.out.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(told))


if __name__ == "__main__":
    main()
