"""Distinct vertices a number of steps away, from seeds of middling degree."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean

import numpy as np
from benchmarks.store.data import READER, Edges
from benchmarks.store.measures import typical

from lexigraph.store.embedded.engine import EmbeddedEngine


def seeds(edges: Edges, count: int) -> list[str]:
    """Return vertices with 10 to 30 outgoing edges."""
    degrees = np.bincount(edges.source, minlength=1 << edges.scale)
    middling = np.flatnonzero((degrees >= 10) & (degrees <= 30))
    chosen = np.random.default_rng(5).choice(middling, count, replace=False)
    return [f"u{number}" for number in chosen]


def seconds(engine: EmbeddedEngine, table: str, names: Sequence[str], steps: int) -> float:
    """Return the mean time of one seed's expansion."""

    def expand(name: str) -> int:
        found = engine.expand(table, "calls", [name], steps=steps, authorizations=READER)
        return len(found)

    return mean(typical(lambda name=name: expand(name), 3) for name in names)
