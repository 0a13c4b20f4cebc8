"""The graph that every system loads, as Parquet files, and what each of them is asked.

Vertices with a name, edges whose degrees follow a power law, each pair of vertices at most once and
none to itself, and events that add up by (source, destination, day). The seed is fixed: every run
and every system has the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from benchmarks.store.data import Edges, make_edges, make_events

LABELS = ("public", "staff&(audit|legal)", "restricted")
READER = ("public", "staff", "legal", "restricted")
"""Who asks: sees every edge, but only through its label."""
FIRST_DAY, LAST_DAY = 5, 9
"""The days that filtered questions are about."""
_ROWS = 100_000


@dataclass(frozen=True)
class Scale:
    """How much there is of everything; ``bits`` is the logarithm of the number of vertices."""

    bits: int
    edges: int
    events: int
    keys: int
    batch: int
    singles: int
    many: int
    hops: int


SCALES = {
    "full": Scale(18, 4_000_000, 5_000_000, 1_000_000, 100_000, 2000, 1000, 20),
    "small": Scale(13, 40_000, 50_000, 10_000, 10_000, 200, 100, 20),
    "tiny": Scale(8, 1_500, 2_000, 400, 500, 20, 20, 5),
}


@dataclass(frozen=True)
class Data:
    """A directory with the files, and the vertices that are asked about."""

    where: Path
    scale: Scale
    singles: list[str]
    many: list[str]
    hops: list[str]

    @property
    def vertices(self) -> Path:
        return self.where / "vertices.parquet"

    @property
    def edges(self) -> Path:
        return self.where / "edges.parquet"

    def event_batches(self) -> Iterator[pa.RecordBatch]:
        """Give the events as they come in, a batch at a time."""
        with pq.ParquetFile(self.where / "events.parquet") as file:
            yield from file.iter_batches(self.scale.batch)

    @classmethod
    def read(cls, where: Path) -> Data:
        found = json.loads((where / "asked.json").read_text(encoding="utf-8"))
        return cls(where, Scale(**found.pop("scale")), **found)


def make(where: Path, scale: Scale) -> Data:
    """Draw everything and write it."""
    ids = pa.array([f"u{number}" for number in range(1 << scale.bits)])
    edges = distinct_edges(scale.edges, scale.bits)
    events = make_events(edges, scale.events, keys=scale.keys)
    _write(where / "vertices.parquet", _vertices(ids))
    _write(where / "edges.parquet", {**_ends(edges, ids), "weight": edges.weight.astype(np.int32)})
    ones = np.ones(len(events), np.int32)
    _write(where / "events.parquet", {**_ends(events, ids), "count": ones})
    asked = _asked(edges, scale)
    text = json.dumps({"scale": asdict(scale), **asked})
    (where / "asked.json").write_text(text, encoding="utf-8")
    return Data(where, scale, **asked)


def distinct_edges(count: int, bits: int) -> Edges:
    """Draw so many edges between different vertices, no two between the same."""
    for factor in (1.5, 2, 3, 5, 10):
        drawn = make_edges(int(count * factor), scale=bits)
        pairs = drawn.source << bits | drawn.destination
        _, first = np.unique(pairs, return_index=True)
        first.sort()
        first = first[drawn.source[first] != drawn.destination[first]][:count]
        if len(first) == count:
            return drawn[first]
    raise ValueError(f"{1 << bits} vertices have no {count} edges of this kind")


def _vertices(ids: Any) -> dict[str, Any]:
    random = np.random.default_rng(17)
    count = len(ids)
    names = [f"name {number:06}" for number in random.integers(0, count // 4, count).tolist()]
    return {"vertex": ids, "name": names, "age": random.integers(18, 91, count, np.int32)}


def _ends(edges: Edges, ids: Any) -> dict[str, Any]:
    # By key, so that an element has one label: counting is then the same with and without labels.
    codes = (edges.source * 31 + edges.destination * 17 + edges.day) % len(LABELS)
    return {
        "source": ids.take(pa.array(edges.source)),
        "destination": ids.take(pa.array(edges.destination)),
        "day": edges.day.astype(np.int32),
        "label": pa.array(LABELS).take(pa.array(codes)),
    }


def _write(path: Path, columns: dict[str, Any]) -> None:
    pq.write_table(pa.table(columns), path, compression="zstd", row_group_size=_ROWS)


def _asked(edges: Edges, scale: Scale) -> dict[str, list[str]]:
    """Choose vertices that have outgoing edges; ways start where there are 10 to 30."""
    random = np.random.default_rng(19)
    degrees = np.bincount(edges.source, minlength=1 << scale.bits)
    some = np.flatnonzero(degrees)
    middling = np.flatnonzero((degrees >= 10) & (degrees <= 30))

    def choose(among: Any, count: int) -> list[str]:
        return [f"u{number}" for number in random.choice(among, count, replace=False)]

    return {
        "singles": choose(some, scale.singles),
        "many": choose(some, scale.many),
        "hops": choose(middling, scale.hops),
    }
