"""Distinct vertices a number of steps away, from seeds of middling degree."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean

import numpy as np
from benchmarks.store.data import READER, Edges
from benchmarks.store.measures import typical
from lexigraph.store import ScanSpec

from lexigraph.store.embedded import EmbeddedEngine


READING = ScanSpec(authorizations=READER)


def seeds(edges: Edges, count: int) -> list[bytes]:
    """Return vertices with 10 to 30 outgoing edges."""
    degrees = np.bincount(edges.source, minlength=1 << edges.scale)
    middling = np.flatnonzero((degrees >= 10) & (degrees <= 30))
    chosen = np.random.default_rng(5).choice(middling, count, replace=False)
    return [b"u%d" % number for number in chosen]


def seconds(engine: EmbeddedEngine, table: str, names: Sequence[bytes], steps: int) -> float:
    """Return the mean time of one seed's expansion."""

    def expand(name: bytes) -> int:
        found = engine.expand(table, "calls", [name], hops=steps, spec=READING)
        return len(found)

    return mean(typical(lambda name=name: expand(name), 3) for name in names)
