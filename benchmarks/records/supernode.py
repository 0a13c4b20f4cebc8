"""One vertex with millions of edges: pages, streams and counts, beside SQLite and DuckDB.

``python -m benchmarks.records.supernode [--edges 10000000] [--scratch DIR]``. Not part of the
benchmark of records, whose vertices have few edges each. Every system answers the same page.
"""

from __future__ import annotations

import argparse
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
from benchmarks.store.measures import anonymous_mb, timed

import lexigraph as lg

HUB, PAGE, RUNS = "hub", 100, 200
_BATCH = 131_072
_NEWEST = "SELECT destination, at, weight FROM edges WHERE source = ? {} ORDER BY at DESC LIMIT 100"


class Account(lg.Vertex):
    id: str


class Pays(lg.Edge):
    source: str
    destination: str
    at: int = lg.sort_key(descending=True)
    weight: int = lg.signature()


def batches(edges: int) -> Iterator[pa.RecordBatch]:
    """Yield the edges of the hub; their times come in no order."""
    order = np.random.default_rng(5).permutation(edges)
    for start in range(0, edges, _BATCH):
        at = order[start : start + _BATCH]
        names = pa.array([f"v{one:08}" for one in at * 7919 % edges])
        held = [pa.array([HUB] * len(at)), names, pa.array(at), pa.array(at % 100)]
        yield pa.record_batch(held, ["source", "destination", "at", "weight"])


def p50_us(ask: Callable[[], Any]) -> float:
    """Return the median of many calls, after some that warm up."""
    for _ in range(20):
        ask()
    return median(timed(ask) for _ in range(RUNS)) * 1e6


class Shown:
    """Prints figures as they come."""

    def __init__(self, system: str) -> None:
        self.system = system

    def __call__(self, what: str, value: float, unit: str) -> None:
        print(f"{self.system:10} {what:34} {value:12,.1f} {unit}", flush=True)

    def work(self, what: str, run: Callable[[], Any]) -> None:
        """Show the seconds and the peak of own memory of a long run."""
        start = time.perf_counter()
        memory = anonymous_mb(run)
        self(what, time.perf_counter() - start, "s")
        self(f"{what}, own memory", memory, "MB")


def lexigraph(where: Path, edges: int, deleted: int) -> list[Any]:
    shown, path = Shown("lexigraph"), where / "hub.lexi"
    with lg.open(path, [Account, Pays], authorizations=lg.ALL, durability="sync") as graph:
        graph.add([Account(HUB)])
        shown.work("load", lambda: graph.load(batches(edges), group=Pays))
    with lg.open(path, [Account, Pays], authorizations=lg.ALL, durability="sync") as graph:
        out = graph.vertex(HUB).edges(Pays, direction="out")
        middle = out.where(Pays.at <= edges // 2)
        shown("first page, p50", p50_us(lambda: out.page(PAGE)), "us")
        shown("page in the middle, p50", p50_us(lambda: middle.page(PAGE)), "us")
        cursor = middle.page(PAGE).cursor
        shown("page behind a cursor, p50", p50_us(lambda: middle.page(PAGE, after=cursor)), "us")
        shown.work("all as elements", lambda: sum(1 for _ in out))
        shown.work("all as Arrow batches", lambda: sum(len(one) for one in out.to_batches()))
        shown.work("count", out.count)
        first = [(one.destination, one.at, one.weight) for one in out.page(PAGE)]
        if deleted:
            small = graph.vertex("small")
            graph.add([Account("small")])
            graph.load(_renamed(deleted), group=Pays)
            shown.work(f"delete {deleted:,} edges in commits", small.delete_edges)
            shown.work("delete their vertex", small.delete)
    return first


def _renamed(edges: int) -> Iterator[pa.RecordBatch]:
    for one in batches(edges):
        names = pa.array(["small"] * len(one))
        yield one.set_column(0, "source", names)


def sqlite(where: Path, edges: int, _: int) -> list[Any]:
    shown = Shown("sqlite")
    made = sqlite3.connect(where / "hub.db", isolation_level=None)
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "mmap_size = 4000000000"):
        made.execute(f"PRAGMA {pragma}")
    made.execute("CREATE TABLE edges(source TEXT, destination TEXT, at INT, weight INT)")

    def load() -> None:
        made.execute("BEGIN")
        for one in batches(edges):
            rows = zip(*(column.to_pylist() for column in one.columns), strict=True)
            made.executemany("INSERT INTO edges VALUES(?, ?, ?, ?)", rows)
        made.execute("CREATE INDEX by_source ON edges(source, at)")
        made.execute("COMMIT")

    shown.work("load", load)
    asked, middle = _NEWEST.format(""), _NEWEST.format("AND at <= ?")
    shown("first page, p50", p50_us(lambda: made.execute(asked, (HUB,)).fetchall()), "us")
    ask = lambda: made.execute(middle, (HUB, edges // 2)).fetchall()  # noqa: E731
    shown("page in the middle, p50", p50_us(ask), "us")
    count = "SELECT count(*) FROM edges WHERE source = ?"
    shown.work("count", lambda: made.execute(count, (HUB,)).fetchall())
    return made.execute(asked, (HUB,)).fetchall()


def in_duckdb(where: Path, edges: int, _: int) -> list[Any]:
    shown = Shown("duckdb")
    made = duckdb.connect(str(where / "hub.duck"))

    def load() -> None:
        given = pa.Table.from_batches(batches(edges))  # noqa: F841 - the statement names it
        made.execute("CREATE TABLE edges AS SELECT * FROM given ORDER BY source, at DESC")
        made.execute("CHECKPOINT")

    shown.work("load", load)
    asked, middle = _NEWEST.format(""), _NEWEST.format("AND at <= ?")
    shown("first page, p50", p50_us(lambda: made.execute(asked, [HUB]).fetchall()), "us")
    ask = lambda: made.execute(middle, [HUB, edges // 2]).fetchall()  # noqa: E731
    shown("page in the middle, p50", p50_us(ask), "us")
    count = "SELECT count(*) FROM edges WHERE source = ?"
    shown.work("count", lambda: made.execute(count, [HUB]).fetchall())
    return made.execute(asked, [HUB]).fetchall()


SYSTEMS = {"lexigraph": lexigraph, "sqlite": sqlite, "duckdb": in_duckdb}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edges", type=int, default=10_000_000)
    parser.add_argument("--deleted", type=int, default=200_000, help="0 deletes none")
    parser.add_argument("--systems", nargs="+", choices=SYSTEMS, default=[*SYSTEMS])
    parser.add_argument("--scratch", type=Path, help="where stores are made")
    given = parser.parse_args()
    pages = {}
    with tempfile.TemporaryDirectory(dir=given.scratch) as made:
        for name in given.systems:
            pages[name] = SYSTEMS[name](Path(made), given.edges, given.deleted)
    assert all(page == pages[given.systems[0]] for page in pages.values()), "pages differ"


if __name__ == "__main__":
    main()
