"""The suites on a cluster that is somebody's own: engines in one namespace, cleaned up afterwards.

Layer ``testing``. ``lexigraph testing`` runs them in a process of its own, which is told by two
variables where the cluster is. Nothing outside of the namespace is touched, no grant is changed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from itertools import count
from string import ascii_letters
from typing import Any

import pytest

from lexigraph.errors import NotGranted, TableNotFound
from lexigraph.security import ALL, All, Authorizations
from lexigraph.store import AccumuloEngine, Clock
from lexigraph.store.accumulo.bridge.connecting import CAPABILITIES
from lexigraph.store.spi import Engine
from lexigraph.testing.accumulo_gaps import GRAPH, STORE
from lexigraph.testing.suite import graph_suite, store_suite

PROPERTIES_VARIABLE = "LEXIGRAPH_TESTING_PROPERTIES"
NAMESPACE_VARIABLE = "LEXIGRAPH_TESTING_NAMESPACE"
LABELS = (*ascii_letters, "public", "secret")
"""What the user of the properties must be granted; a few tests that ask for others are skipped."""

_numbers = count()
_shared: list[Any] = []


class OneOfMany(AccumuloEngine):
    """An engine without tables: its own have names with a prefix that no other has."""

    def __init__(
        self, *, clock: Clock | None = None, grants: Iterable[str | bytes] | All = ALL
    ) -> None:
        self._prefix = f"t{os.getpid()}_{next(_numbers)}__"
        super().__init__(
            os.environ[PROPERTIES_VARIABLE],
            namespace=os.environ[NAMESPACE_VARIABLE],
            clock=clock,
            grants=grants,
        )

    def check_granted(self, asked: Iterable[str | bytes] | All) -> Authorizations | All:
        """Skip a test that asks for labels which the user was not granted."""
        wanted = Engine.check_granted(self, asked)
        try:
            return super().check_granted(wanted)
        except NotGranted as refused:
            pytest.skip(f"the user of the properties lacks labels: {refused}")

    def close(self) -> None:
        """Leave the connection to the next engine."""
        self.closed = True

    def _connect(self) -> Any:
        if not _shared:
            _shared.append(super()._connect())
        return _shared[0]

    def _remote(self, name: str) -> str:
        home, _, plain = super()._remote(name).rpartition(".")
        return f"{home}.{self._prefix}{plain}"

    def _local(self, remote: str) -> str | None:
        home, _, plain = remote.rpartition(".")
        if not plain.startswith(self._prefix):
            return None
        return super()._local(f"{home}.{plain.removeprefix(self._prefix)}")


def suites(*, graphs: bool) -> dict[str, type]:
    """Return the test classes: of the store but for its vectors, thousands, and of graphs."""
    found: dict[str, type] = dict(
        store_suite(OneOfMany, name="accumulo", gaps=STORE, capabilities=CAPABILITIES)
    )
    del found["TestVectors"]
    if graphs:
        made = graph_suite(OneOfMany, name="accumulo", gaps=GRAPH, capabilities=CAPABILITIES)
        found.update({f"TestGraph{name.removeprefix('Test')}": one for name, one in made.items()})
    return found


def drop_namespace(engine: AccumuloEngine) -> int:
    """Remove the namespace of an engine with all its tables; return how many there were."""
    admin, namespace = engine.bridge.admin(), engine.namespace
    if not admin.hasNamespace(namespace):
        return 0
    tables = [str(one) for one in admin.tables() if str(one).startswith(f"{namespace}.")]
    for table in tables:
        with suppress(TableNotFound):
            admin.drop(table)
    admin.dropNamespace(namespace)
    return len(tables)
