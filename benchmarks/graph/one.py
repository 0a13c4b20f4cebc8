"""Measures one system, in a process of its own: ``python -m benchmarks.graph`` runs this.

Every answer is kept beside its time, so that whoever started this can compare systems.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from benchmarks.graph.data import Data
from benchmarks.graph.systems import System, system_named
from benchmarks.store.measures import timed

_LOADS, _LOADS_S = 3, 8.0
_RUNS, _RUNS_S = 9, 3.0
"""What is repeated is repeated so often, but no more once so many seconds are spent."""
_EXACT = 5
"""How many seeds all systems are compared by where peers are measured by an easier question."""


class Measuring:
    """One system under way: its figures by the name of their bar, and its answers."""

    def __init__(self, system: System, data: Data, loaded: Path | None = None) -> None:
        self.system, self.data = system, data
        self.loaded = loaded
        """A file that is made when loads are over, for who looks at this process."""
        self.figures: dict[str, float] = {}
        self.answers: dict[str, Any] = {}
        self.details: dict[str, Any] = {"version": system.version}

    def run(self) -> dict[str, Any]:
        self.load()
        self.system.open()
        self.single("neighbours", self.system.neighbours)
        self.single("neighbours-in-days", self.system.neighbours_in_days)
        self.pairs()
        self.hops()
        self.by_day()
        self.to_arrow()
        self.system.close()
        self.events()
        self.figures["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
        return {"figures": self.figures, "answers": self.answers, "details": self.details}

    def load(self) -> None:
        where, taken = self.system.where, []
        while len(taken) < _LOADS and sum(taken) < _LOADS_S:
            shutil.rmtree(where, ignore_errors=True)
            where.mkdir()
            taken.append(timed(lambda: self.system.load(self.data)))
        self.figures["load"] = median(taken)
        self.details["loads_s"] = [round(one, 2) for one in taken]
        self.figures["disk"] = _disk_mb(where)
        if self.loaded is not None:
            self.loaded.touch()

    def single(self, name: str, ask: Callable[[str], list[str]]) -> None:
        """Ask about one vertex after another; the first few only warm up."""
        seeds = self.data.singles
        for seed in seeds[: len(seeds) // 10]:
            ask(seed)
        found, taken = [], []
        for seed in seeds:
            start = time.perf_counter_ns()
            near = ask(seed)
            taken.append((time.perf_counter_ns() - start) / 1e9)
            found += [(seed, one) for one in near]
        self.answers[name] = digest(found)
        self.figures[name] = median(taken)
        self.details[f"{name}-p99_us"] = round(sorted(taken)[len(taken) * 99 // 100] * 1e6, 1)

    def pairs(self) -> None:
        found, self.figures["pairs"] = repeated(lambda: self.system.pairs(self.data.many))
        rows = found if isinstance(found, list) else zip(*_columns(found), strict=True)
        self.answers["pairs"] = digest(rows)

    def hops(self) -> None:
        """Ask for vertices some steps away; a peer's time is that of the question easiest for it.

        The easier one is compared among peers, the exact one, for some seeds, among all.
        """
        for steps in (2, 3):
            name, easier = f"hops-{steps}", f"walk-ends-{steps}"
            found, self.figures[name] = self._ways(self.system.hops, steps, _EXACT)
            self.answers[name] = found
            self.details[f"{name}_ms"] = round(self.figures[name] * 1000, 2)
            if self.system.walk_ends(self.data.hops[0], steps) is None:
                _, self.figures[name] = self._ways(self.system.hops, steps)
            else:
                self.answers[easier], seconds = self._ways(self.system.walk_ends, steps)
                self.figures[name] = min(seconds, self.figures[name])

    def _ways(
        self, ask: Callable[[str, int], Any], steps: int, most: int | None = None
    ) -> tuple[list[Any], float]:
        found, taken = [], []
        for seed in self.data.hops[:most]:
            start = time.perf_counter()
            found.append(ask(seed, steps))
            taken.append(time.perf_counter() - start)
        return found, median(taken)

    def by_day(self) -> None:
        found, self.figures["by-day"] = repeated(self.system.by_day)
        self.answers["by-day"] = _sorted(found)

    def to_arrow(self) -> None:
        found, seconds = repeated(self.system.edges)
        self.figures["to-arrow"] = seconds / self.data.scale.edges
        self.answers["to-arrow"] = _sums(found)

    def events(self) -> None:
        self.system.open_events()
        seconds = 0.0
        for batch in self.data.event_batches():
            seconds += timed(lambda batch=batch: self.system.add_events(batch))
        seconds += timed(self.system.settle_events)
        self.figures["events"] = seconds / self.data.scale.events
        self.answers["events"] = _sorted(self.system.events_by_day())
        self.system.close()


def repeated(work: Callable[[], Any]) -> tuple[Any, float]:
    """Return what a call gives and the median seconds of some more, fewer where they are slow."""
    found, taken = work(), []
    while len(taken) < _RUNS and sum(taken) < _RUNS_S:
        taken.append(timed(work))
    return found, median(taken)


def digest(pairs: Iterable[tuple[Any, ...]]) -> str:
    """Return how many pairs, or rows, there are and a hash of them, in whatever order they come."""
    lines = sorted(" ".join(map(str, pair)) for pair in pairs)
    text = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    return f"{len(lines)} pairs, {text[:16]}"


def _columns(table: Any) -> list[list[Any]]:
    return [column.to_pylist() for column in table.columns]


def _sums(edges: Any) -> list[int]:
    """Return how many edges there are, and a sum to which each adds all that it has."""
    rows = edges if isinstance(edges, list) else None
    columns = zip(*rows, strict=True) if rows is not None else edges.columns
    source, destination, day, weight = (
        np.asarray(_numbers(column), np.uint64) for column in columns
    )
    with np.errstate(over="ignore"):
        mixed = (source * np.uint64(31) + destination * np.uint64(17)) * (day + np.uint64(7))
        return [len(mixed), int((mixed * (weight + np.uint64(3))).sum())]


def _numbers(column: Any) -> Any:
    """Return numbers as they are, and of ids the number behind their letter."""
    held = column if isinstance(column, pa.ChunkedArray) else pa.array(column)
    if pa.types.is_integer(held.type):
        return held
    return pc.cast(pc.utf8_slice_codeunits(held, 1), pa.int64())


def _sorted(rows: Iterable[Sequence[int]]) -> list[list[int]]:
    return sorted(list(row) for row in rows)


def _disk_mb(where: Path) -> float:
    files = (file for file in where.rglob("*") if file.is_file())
    return sum(file.stat().st_blocks * 512 for file in files) / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("system")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--where", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    system = system_named(given.system, given.where)
    loaded = given.out.with_suffix(".loaded")
    found = Measuring(system, Data.read(given.data), loaded).run()
    given.out.write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
