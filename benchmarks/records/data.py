"""The graph of records: that of ``benchmarks.graph``, with a label for each vertex too."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from benchmarks.graph import data
from benchmarks.graph.data import LABELS, Data, Scale

SCALES = {
    "full": Scale(18, 4_000_000, 1_000, 100, 1_000, 2000, 1000, 20),
    "small": Scale(13, 40_000, 1_000, 100, 1_000, 200, 100, 20),
    "tiny": Scale(8, 1_500, 1_000, 100, 1_000, 20, 20, 5),
}
_MOST_CHANGED = 10_000


def make(where: Path, scale: Scale) -> Data:
    """Draw everything and write it."""
    made = data.make(where, scale)
    given = pq.read_table(made.vertices)
    codes = np.arange(len(given)) * 7 % len(LABELS)
    labels = pa.array(LABELS).take(pa.array(codes))
    pq.write_table(given.append_column("label", labels), labelled(made), compression="zstd")
    return made


def labelled(made: Data) -> Path:
    """Return the file of vertices with their labels; only we read it."""
    return made.where / "labelled.parquet"


def changed_ages(made: Data) -> pa.Table:
    """Return vertices with an age that they do not have yet, and their labels."""
    given = pq.read_table(labelled(made))
    count = min(_MOST_CHANGED, len(given) // 2)
    chosen = np.random.default_rng(23).choice(len(given), count, replace=False)
    some = given.take(pa.array(np.sort(chosen)))
    ages = pa.array(some["age"].to_numpy() + 100, pa.int32())
    return pa.table({"id": some["vertex"], "age": ages, "label": some["label"]})
