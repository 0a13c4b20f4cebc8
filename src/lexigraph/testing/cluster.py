"""The suites on somebody's own cluster: engines in namespaces of one run, removed after it.

Layer ``testing``. ``lexigraph testing`` runs them in a process of its own, which is told by two
variables where the cluster is. Nothing outside of the run's namespaces is touched, and no grant is
changed.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable
from contextlib import suppress
from itertools import count
from string import ascii_letters

import pytest

from lexigraph.errors import NotGranted, TableNotFound
from lexigraph.security import ALL, All
from lexigraph.store import AccumuloEngine, Clock
from lexigraph.store.engines.cluster import CAPABILITIES
from lexigraph.testing.accumulo_gaps import GRAPH, STORE
from lexigraph.testing.suite import graph_suite, store_suite

PROPERTIES_VARIABLE = "LEXIGRAPH_TESTING_PROPERTIES"
NAMESPACE_VARIABLE = "LEXIGRAPH_TESTING_NAMESPACE"
LABELS = (*ascii_letters, "public", "secret")
"""What the user of the properties must be granted; a few tests that ask for others are skipped."""

_opened: list[AccumuloEngine] = []
"""The last engine of each namespace of the run."""


def fresh_engine(
    *, clock: Clock | None = None, grants: Iterable[str | bytes] | All = ALL
) -> AccumuloEngine:
    """Open an engine without tables, in the first namespace of the run that no open engine has."""
    number = next(at for at in count() if at == len(_opened) or _opened[at].closed)
    engine = AccumuloEngine(
        os.environ[PROPERTIES_VARIABLE],
        namespace=numbered(os.environ[NAMESPACE_VARIABLE], number),
        clock=clock,
        grants=grants,
    )
    # All of them are there, so that the end of the run finds them by counting.
    engine.bridge.admin().makeNamespace(engine.namespace)
    engine.drop_tables(engine.tables())
    _opened[number : number + 1] = [engine]
    return engine


def numbered(namespace: str, number: int) -> str:
    """Return the name of one of the namespaces of a run."""
    return f"{namespace}_{number}"


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call() -> Generator[None, object, object]:
    """Skip a test that asks for labels which the user was not granted."""
    try:
        return (yield)
    except NotGranted as refused:
        missing = refused.context.get("missing", ())
        # The labels that every run needs were checked first: refusing one of them is a failure.
        if isinstance(missing, All) or {str(one, "utf-8") for one in missing} <= {*LABELS}:
            raise
        pytest.skip(f"the user of the properties lacks labels: {refused}")


def suites(*, graphs: bool) -> dict[str, type]:
    """Return the test classes: of the store but for its vectors, thousands, and of graphs."""
    found: dict[str, type] = dict(
        store_suite(fresh_engine, name="accumulo", gaps=STORE, capabilities=CAPABILITIES)
    )
    del found["TestVectors"]
    if graphs:
        made = graph_suite(fresh_engine, name="accumulo", gaps=GRAPH, capabilities=CAPABILITIES)
        found.update({f"TestGraph{name.removeprefix('Test')}": one for name, one in made.items()})
    return found


def drop_namespaces(engine: AccumuloEngine, namespace: str) -> int:
    """Remove the namespaces of a run with all their tables; return how many tables there were."""
    admin, dropped = engine.bridge.admin(), 0
    for number in count():
        name = numbered(namespace, number)
        if not admin.hasNamespace(name):
            return dropped
        for table in [str(one) for one in admin.tables() if str(one).startswith(f"{name}.")]:
            with suppress(TableNotFound):
                admin.drop(table)
                dropped += 1
        admin.dropNamespace(name)
    raise AssertionError("numbers end before namespaces do")
