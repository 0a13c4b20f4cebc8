"""The bars of records; how they are judged is that of ``benchmarks.graph.bars``."""

from __future__ import annotations

from benchmarks.graph.bars import Bar

BARS = {
    "load": Bar("bulk load from Parquet, durable", "s", 1, 3),
    "vertex": Bar("a vertex with its properties, median", "us", 1e6, 0.5),
    "neighbours": Bar("neighbours of a vertex, median", "us", 1e6, 0.5),
    "neighbours-in-days": Bar("the same for five days", "us", 1e6, 0.5),
    "near": Bar("neighbours' properties, 1,000 seeds", "ms", 1e3, 0.5),
    "update": Bar("a property of 10,000 vertices, durable", "ms", 1e3, 1),
    "disk": Bar("disk after load", "MB", 1, None),
    "memory": Bar("peak memory, file pages included", "MB", 1, None),
    "load-memory": Bar("peak memory of its own while loading", "MB", 1, None),
    "own-memory": Bar("peak memory of its own (anonymous)", "MB", 1, None),
}
