"""A process that loads many edges into a graph, and says when the load begins.

``python -m tests.durability.loader PATH EDGES``. It prints ``begun`` once the graph is open and
``done`` once the load has returned. It sorts in so little memory that cells are spilled to files.
"""

from __future__ import annotations

import sys

import pyarrow as pa

import lexigraph as lg
from tests.durability.deleter import Calls

LITTLE_MEMORY_BYTES = 1 << 20


def main(path: str, edges: str) -> None:
    count = int(edges)
    table = pa.table(
        {
            "source": pa.array([f"v{at:07}" for at in range(count)]),
            "destination": pa.array([f"hub-{at % 97}" for at in range(count)]),
            "count": pa.array([1] * count),
        }
    )
    with lg.open(path, [Calls]) as graph:
        print("begun", flush=True)
        graph.load(table, group=Calls, memory_limit_bytes=LITTLE_MEMORY_BYTES)
        print("done", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
