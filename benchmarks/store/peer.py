"""DuckDB with the same edges in a file of its own: what the group sum is measured against."""

from __future__ import annotations

import time
from pathlib import Path
from statistics import median

import duckdb
import pyarrow as pa
from benchmarks.store.data import Edges

RUNS = 9


class DuckDb:
    """A database file with one row an edge."""

    def __init__(self, path: Path, edges: Edges) -> None:
        self.connection = duckdb.connect(str(path))
        self.connection.execute("SET threads = 2")
        table = pa.table(
            {
                "source": pa.array(edges.source),
                "destination": pa.array(edges.destination),
                "day": pa.array(edges.day),
                "weight": pa.array(edges.weight),
            }
        )
        self.connection.register("given", table)
        self.connection.execute("CREATE TABLE edges AS SELECT * FROM given")
        self.connection.execute("CHECKPOINT")

    def sums(self) -> dict[int, int]:
        """Return the sum of weights by day."""
        rows = self.connection.execute("SELECT day, sum(weight) FROM edges GROUP BY day").fetchall()
        return {int(day): int(total) for day, total in rows}

    def sum_seconds(self) -> float:
        """Return the median time of the sum, after one that warms up."""
        self.sums()
        taken = []
        for _ in range(RUNS):
            start = time.perf_counter()
            self.sums()
            taken.append(time.perf_counter() - start)
        return median(taken)

    def close(self) -> None:
        self.connection.close()
