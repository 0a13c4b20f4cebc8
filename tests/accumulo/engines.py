"""Engines on the cluster of this run, for suites that want a fresh, empty one for each test.

They are the shipped :class:`AccumuloEngine`. What makes one empty and fast lies below it, at the
seam to Java (``spaces``).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from fcntl import LOCK_EX, flock
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

from lexigraph.cli.cluster.local import LocalCluster
from lexigraph.security import ALL, All, Authorizations
from lexigraph.store import AccumuloEngine, Clock
from lexigraph.store.accumulo import base
from lexigraph.store.accumulo.bridge import connecting
from lexigraph.store.accumulo.properties import ClusterProperties
from lexigraph.testing.cluster import LABELS
from lexigraph.testing.graph.visibility import TOKENS as GRAPH_TOKENS
from tests.accumulo.spaces import Space, SpacedBridge
from tests.accumulo.tables import TablesAhead
from tests.conftest import CLUSTER

_numbers = count()
_TOKENS = (*LABELS, *GRAPH_TOKENS, "a b", "X1", "L0017", "needle")
"""What the suites and vectors ask for; the engine itself grants nothing."""
_shared: list[Any] = []
_granted: set[bytes] = set()


def fresh_engine(
    *,
    clock: Clock | None = None,
    grants: Iterable[str | bytes] | All = ALL,
    tokens: Iterable[str | bytes] = (),
) -> AccumuloEngine:
    """Open an engine without tables, whose user may read the labels of the suites and ``tokens``.

    Every scan that reaches its end must have been counted on the servers, stage by stage.
    """
    return _open(None, clock=clock, grants=grants, tokens=tokens)


def beside(engine: AccumuloEngine, clock: Clock) -> AccumuloEngine:
    """Open another engine with the same tables and its own clock."""
    return _open(engine._bridge.space, clock=clock)


def grant(engine: AccumuloEngine, tokens: Iterable[str | bytes]) -> None:
    """Grant these authorizations to the user of the tests."""
    wanted = Authorizations(tokens)
    if _granted.issuperset(wanted):
        return
    with (Path(os.environ[CLUSTER]) / "granting").open("w") as lock:
        # Granting reads and replaces: without the lock, another worker's grant could be lost.
        flock(lock, LOCK_EX)
        _granted.update(engine.grant("root", wanted))


def _open(
    shared: Space | None,
    *,
    clock: Clock | None = None,
    grants: Iterable[str | bytes] | All = ALL,
    tokens: Iterable[str | bytes] = (),
) -> AccumuloEngine:
    cluster = LocalCluster(Path(os.environ[CLUSTER]) / "cluster")
    properties = cluster.status().properties if _shared else cluster.start().properties

    def connect(named: ClusterProperties, timeout_s: float) -> SpacedBridge:
        # One connection for all tests of a process: each new one takes half a second.
        if not _shared:
            _shared.append(connecting.connect(named, timeout_s))
        space = shared
        if space is None:
            space = Space(f"t{os.getpid()}_{next(_numbers)}__", _tables())
        return SpacedBridge(_shared[0], space, drops=shared is None)

    with patch.object(base, "connect", connect):
        engine = AccumuloEngine(properties, clock=clock, grants=grants, counts=True)
    grant(engine, [*_TOKENS, *tokens])
    return engine


@cache
def _tables() -> TablesAhead:
    return TablesAhead(_shared[0].admin())
