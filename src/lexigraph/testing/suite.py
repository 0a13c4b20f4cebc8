"""The suites, made for one engine: classes of tests that pytest collects as any others.

Layer ``testing``. A class here is a topic, a test is a behaviour named as a sentence. The classes
made for an engine differ from those of the library in their marks and in nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import Any, TypeVar

from lexigraph.errors import UsageError, nearest
from lexigraph.store import Capabilities
from lexigraph.testing import graph, records, store
from lexigraph.testing.backend import Backend, MakeEngine, Topic
from lexigraph.testing.graph.base import GraphTests
from lexigraph.testing.marks import NEEDS, Gap, never
from lexigraph.testing.records.base import RecordTests
from lexigraph.testing.store.base import StoreTests

T = TypeVar("T", bound=Topic)


def store_suite(
    make: MakeEngine,
    *,
    name: str,
    make_runs: MakeEngine | None = None,
    gaps: Mapping[str, Gap] | None = None,
    capabilities: Capabilities | None = None,
) -> dict[str, type[StoreTests]]:
    """Return the test classes of an engine by name, to be put among the globals of a test file.

    Without ``capabilities`` an engine is made, when tests are collected, to ask for them.

    >>> from lexigraph.store import MemoryEngine
    >>> sorted(store_suite(MemoryEngine, name="memory"))[:3]
    ['TestAges', 'TestAggregates', 'TestCombiners']
    """
    backend = Backend(name, make, make_runs, dict(gaps or {}), capabilities)
    return _suite(backend, store.TOPICS)


def graph_suite(
    make: MakeEngine,
    *,
    name: str,
    gaps: Mapping[str, Gap] | None = None,
    capabilities: Capabilities | None = None,
) -> dict[str, type[GraphTests]]:
    """Return the test classes of graphs on an engine, in both layouts, as ``store_suite`` does.

    >>> from lexigraph.store import MemoryEngine
    >>> sorted(graph_suite(MemoryEngine, name="memory"))[:2]
    ['TestAdjacency', 'TestAggregation']
    """
    return _suite(Backend(name, make, None, dict(gaps or {}), capabilities), graph.TOPICS)


def record_suite(
    make: MakeEngine,
    *,
    name: str,
    gaps: Mapping[str, Gap] | None = None,
    capabilities: Capabilities | None = None,
) -> dict[str, type[RecordTests]]:
    """Return the test classes of records on an engine, as ``store_suite`` does.

    >>> from lexigraph.store import MemoryEngine
    >>> "TestRecordElements" in record_suite(MemoryEngine, name="memory")
    True
    """
    return _suite(Backend(name, make, None, dict(gaps or {}), capabilities), records.TOPICS)


def _suite(backend: Backend, topics: tuple[type[T], ...]) -> dict[str, type[T]]:
    known = [test for topic in topics for test in behaviours_of(topic)]
    for test in backend.gaps:
        if test not in known:
            raise UsageError(f"the suite has no test {test!r}", near=nearest(test, known))
    return {f"Test{topic.__name__}": _made_for(backend, topic) for topic in topics}


def behaviours_of(topic: type[Topic]) -> list[str]:
    """Return the names of a topic's tests, in the order they are written."""
    return [
        name for base in reversed(topic.__mro__) for name in vars(base) if name.startswith("test_")
    ]


def gap_of(backend: Backend, topic: type[Topic], test: str) -> Gap | None:
    """Return what keeps a test from passing on an engine: a listed gap, or a missing feature."""
    if test in backend.gaps:
        return backend.gaps[test]
    for feature in (*getattr(topic, NEEDS, ()), *getattr(getattr(topic, test), NEEDS, ())):
        reason = backend.lacks(feature)
        if reason is not None:
            return never(reason)
    return None


def _made_for(backend: Backend, topic: type[T]) -> type[T]:
    members: dict[str, Any] = {"backend": backend, "__doc__": topic.__doc__, "topic": topic}
    for test in behaviours_of(topic):
        gap = gap_of(backend, topic, test)
        if gap is not None:
            members[test] = gap.mark()(_copied(getattr(topic, test)))
    return type(f"Test{topic.__name__}", (topic,), members)


def _copied(test: FunctionType) -> FunctionType:
    # Marks are kept on the function itself: without a copy every engine would get them.
    copy = FunctionType(
        test.__code__, test.__globals__, test.__name__, test.__defaults__, test.__closure__
    )
    copy.__kwdefaults__ = test.__kwdefaults__
    copy.__dict__.update(test.__dict__)
    copy.__dict__["pytestmark"] = list(getattr(test, "pytestmark", []))
    return copy
