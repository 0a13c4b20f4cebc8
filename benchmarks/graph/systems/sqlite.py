"""SQLite: numbers for ids inside, edges in the order of their key, written sorted."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from benchmarks.graph.data import FIRST_DAY, LAST_DAY, Data
from benchmarks.graph.systems import System, sql

_NEIGHBOURS = """SELECT other.id FROM vertices this JOIN edges ON source = this.number
    JOIN vertices other ON other.number = destination WHERE this.id = ?"""
_IN_DAYS = f"{_NEIGHBOURS} AND day BETWEEN {FIRST_DAY} AND {LAST_DAY}"


class Measured(System):
    version = sqlite3.sqlite_version

    def load(self, data: Data) -> None:
        made = _connect(self.where / "graph.db", "NORMAL")
        made.execute(
            "CREATE TABLE vertices(number INTEGER PRIMARY KEY, id TEXT UNIQUE, name TEXT, age INT)"
        )
        made.execute(
            "CREATE TABLE edges(source INT, destination INT, weight INT, day INT,"
            " PRIMARY KEY(source, destination)) WITHOUT ROWID"
        )
        made.execute("BEGIN")
        given = pq.read_table(data.vertices)
        ids = given["vertex"].combine_chunks()
        rows = zip(range(len(given)), *(column.to_pylist() for column in given), strict=True)
        made.executemany("INSERT INTO vertices VALUES(?, ?, ?, ?)", rows)
        made.executemany("INSERT INTO edges VALUES(?, ?, ?, ?)", _sorted_edges(data, ids))
        if self.with_names:
            made.execute("CREATE INDEX by_name ON vertices(name)")
        made.execute("COMMIT")
        made.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        made.close()

    def open(self) -> None:
        self.connection = _connect(self.where / "graph.db", "NORMAL")

    def neighbours(self, vertex: str) -> list[str]:
        return [x for (x,) in self.connection.execute(_NEIGHBOURS, (vertex,))]

    def neighbours_in_days(self, vertex: str) -> list[str]:
        return [x for (x,) in self.connection.execute(_IN_DAYS, (vertex,))]

    def pairs(self, vertices: list[str]) -> Any:
        return self.connection.execute(
            "SELECT this.id, other.id FROM json_each(?) JOIN vertices this ON this.id = value"
            " JOIN edges ON source = this.number JOIN vertices other ON other.number = destination",
            (json.dumps(vertices),),
        ).fetchall()

    def hops(self, vertex: str, steps: int) -> int:
        return self.connection.execute(sql.hops(steps), (vertex,)).fetchall()[0][0]

    def walk_ends(self, vertex: str, steps: int) -> int:
        return self.connection.execute(sql.WALK_ENDS[steps], (vertex,)).fetchall()[0][0]

    def by_day(self) -> list[tuple[int, int, int]]:
        asked = "SELECT day, count(*), sum(weight) FROM edges GROUP BY day"
        return self.connection.execute(asked).fetchall()

    def edges(self) -> Any:
        return self.connection.execute(sql.EDGES).fetchall()

    def close(self) -> None:
        self.connection.close()

    def open_events(self) -> None:
        self.connection = _connect(self.where / "events.db", "FULL")
        self.connection.execute(
            "CREATE TABLE events(source TEXT, destination TEXT, day INT, n INT,"
            " PRIMARY KEY(source, destination, day)) WITHOUT ROWID"
        )

    def add_events(self, batch: Any) -> None:
        key = ["source", "destination", "day"]
        summed = pa.table(batch).group_by(key).aggregate([("count", "sum")])
        ordered = summed.sort_by([(name, "ascending") for name in key])
        rows = zip(*(ordered[name].to_pylist() for name in [*key, "count_sum"]), strict=True)
        self.connection.execute("BEGIN")
        self.connection.executemany(
            "INSERT INTO events VALUES(?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n",
            rows,
        )
        self.connection.execute("COMMIT")

    def settle_events(self) -> None:
        self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def events_by_day(self) -> list[tuple[int, int, int]]:
        asked = "SELECT day, count(*), sum(n) FROM events GROUP BY day"
        return self.connection.execute(asked).fetchall()


def _connect(path: Path, synchronous: str) -> sqlite3.Connection:
    made = sqlite3.connect(path, isolation_level=None)
    made.execute("PRAGMA journal_mode = WAL")
    made.execute(f"PRAGMA synchronous = {synchronous}")
    made.execute("PRAGMA cache_size = -262144")
    made.execute("PRAGMA mmap_size = 4000000000")
    return made


def _sorted_edges(data: Data, ids: Any) -> Any:
    """Give edges by number, in the order of their key: so the tree grows at its end alone."""
    given = pq.read_table(data.edges)
    numbers = {name: number for number, name in enumerate(ids.to_pylist())}
    source, destination = (
        np.fromiter((numbers[x] for x in given[name].to_pylist()), np.int64, len(given))
        for name in ("source", "destination")
    )
    order = np.lexsort((destination, source))
    columns = (source, destination, given["weight"].to_numpy(), given["day"].to_numpy())
    return zip(*(column[order].tolist() for column in columns), strict=True)
