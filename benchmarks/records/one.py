"""Measures one system, in a process of its own: ``python -m benchmarks.records`` runs this."""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.graph import one
from benchmarks.graph.data import Data
from benchmarks.records.data import changed_ages
from benchmarks.records.systems import RecordSystem, system_named
from benchmarks.store.measures import timed

_UPDATES = 5


class Measuring(one.Measuring):
    """One system under way."""

    system: RecordSystem  # type: ignore[assignment]

    def run(self) -> dict[str, Any]:
        self.load()
        self.system.open()
        self.vertex()
        self.single("neighbours", self.system.neighbours)
        self.single("neighbours-in-days", self.system.neighbours_in_days)
        found, self.figures["near"] = one.repeated(lambda: self.system.near(self.data.many))
        self.answers["near"] = one.digest(_rows(found))
        self.update()
        self.system.close()
        self.figures["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
        return {"figures": self.figures, "answers": self.answers, "details": self.details}

    def vertex(self) -> None:
        """Look up one vertex after another; what a record is read into is part of it."""
        found, taken = self._looked_up(self.system.vertex)
        self.answers["vertex"] = one.digest(found)
        self.figures["vertex"] = median(taken)

    def _looked_up(self, ask: Callable[[str], Any]) -> tuple[list[tuple[Any, ...]], list[float]]:
        seeds, found, taken = self.data.singles, [], []
        for seed in seeds[: len(seeds) // 10]:
            ask(seed)
        for seed in seeds:
            start = time.perf_counter_ns()
            properties = ask(seed)
            taken.append((time.perf_counter_ns() - start) / 1e9)
            found.append((seed, *properties))
        return found, taken

    def update(self) -> None:
        """Change the same property of many vertices, several times."""
        given = changed_ages(self.data)
        rows = [tuple(one.values()) for one in given.to_pylist()]
        self.figures["update"] = median(
            timed(lambda: self.system.update(given, rows)) for _ in range(_UPDATES)
        )
        self.answers["update"] = one.digest(
            (name, *self.system.vertex(name)) for name, _, _ in rows[::50]
        )


def _rows(found: Any) -> list[tuple[Any, ...]]:
    if isinstance(found, list):
        return found
    return list(zip(*(column.to_pylist() for column in found.columns), strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("system")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--where", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    system = system_named(given.system, given.where)
    found = Measuring(system, Data.read(given.data), given.out.with_suffix(".loaded")).run()
    given.out.write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
