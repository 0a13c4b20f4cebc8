"""What every topic of the record suite shares: a graph without a schema, and people who ask it.

Layer ``testing``. Everything goes through ``lexigraph.open`` and its sessions. The clock moves on
only where a test says so, and every change has the time of the clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.store import ManualClock
from lexigraph.testing.backend import Topic

START = 2_000_000_000_000_000
"""The time at which the clock of an engine stands first: in the year 2033."""
SECOND = 1_000_000
TOKENS = ("a", "b", "c")
"""The authorizations that tests use."""


class RecordTests(Topic):
    """The base of all topics."""

    @pytest.fixture
    def clock(self) -> ManualClock:
        """Return the clock of the engine."""
        return ManualClock(START)

    @pytest.fixture
    def engine(self, clock: ManualClock) -> Iterator[lg.Engine]:
        """Yield an empty engine that grants everything."""
        with self.backend.make(clock=clock) as engine:
            yield engine

    @pytest.fixture
    def graph(self, engine: lg.Engine) -> Iterator[lg.Graph]:
        """Yield an empty graph without a schema, as its owner sees it."""
        with lg.open(engine, authorizations=lg.ALL) as graph:
            yield graph

    @pytest.fixture
    def time(self, clock: ManualClock) -> Time:
        """Return what moves the clock on."""
        return Time(clock)


class Time:
    """The clock as tests use it."""

    def __init__(self, clock: ManualClock) -> None:
        self._clock = clock

    def passes(self) -> datetime:
        """Let a second pass; return the moment before, at which all changes so far hold."""
        before = self._clock.micros
        self._clock.micros += SECOND
        return moment(before + SECOND // 2)


def moment(micros: int) -> datetime:
    """Return a time as a moment.

    >>> moment(1_000_000)
    datetime.datetime(1970, 1, 1, 0, 0, 1, tzinfo=datetime.timezone.utc)
    """
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=micros)


def user(graph: lg.Graph, *tokens: str) -> lg.Session:
    """Return the session of somebody who has these authorizations and may write."""
    return graph.session(tokens, role="writer")


def near(session: Any, vertex: Any, *labels: str) -> list[Any]:
    """Return the ids of the edges at a vertex that a session sees, sorted."""
    return sorted(one.id for one in session.get(vertex).edges(*labels))


def held(record: Any, name: str) -> list[tuple[str, str, Any]]:
    """Return key, visibility and value of all values of a name, in their order."""
    return [(one.key.decode(), one.visibility, one.value) for one in record.values(name)]


def seen_by(graph: lg.Graph, vertex: Any, users: Iterable[str]) -> list[bool]:
    """Return whether users see a vertex; each letter of a user is an authorization."""
    return [graph.session([*letters]).vertex(vertex).exists() for letters in users]


@contextmanager
def changing(graph: lg.Graph, engine: lg.Engine) -> Iterator[lg.Session]:
    """Yield a session whose changes are stored at once, if the engine can; else one by one."""
    if not engine.capabilities.transactions:
        yield graph
        return
    with graph.transaction() as session:
        yield session
