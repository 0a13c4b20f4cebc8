"""What is too old, and what lies in the future, is said by the clock of the engine alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

import lexigraph as lg
from lexigraph.errors import UnsupportedError, ValidationError
from lexigraph.store import EmbeddedEngine, Engine, ManualClock, MemoryEngine

DAY = 86_400_000_000
"""In microseconds."""
YEAR = 365 * DAY


class Seen(lg.Edge, summary=True, directed=True):
    """Gone after ten days."""

    source: str
    destination: str
    at: int = lg.group_by()
    count: int = lg.sum(default=1)
    rules = {"too old": lg.field("at").age_off(days=10)}


class Reading(lg.Vertex, summary=True):
    """With a time of its own."""

    id: str
    at: int = lg.timestamp()
    value: int = lg.last()


@pytest.fixture(params=[1 * YEAR, 100 * YEAR])
def clock(request: pytest.FixtureRequest) -> ManualClock:
    return ManualClock(request.param)


@pytest.fixture(params=["memory", "embedded"])
def engine(request: pytest.FixtureRequest, clock: ManualClock, tmp_path: Path) -> Iterator[Engine]:
    if request.param == "memory":
        made: Engine = MemoryEngine(clock=clock)
    else:
        made = EmbeddedEngine(tmp_path / "db", clock=clock)
    with made:
        yield made


def days_ago(clock: ManualClock, days: int) -> int:
    return (clock.now() - days * DAY) // 1000


def test_elements_are_judged_when_they_are_added(engine: Engine, clock: ManualClock) -> None:
    with lg.open(engine, [Seen]) as graph:
        assert graph.add(Seen("a", "b", at=days_ago(clock, 9))).added == 1
        with pytest.raises(ValidationError, match="too old"):
            graph.add(Seen("a", "b", at=days_ago(clock, 11)))
        clock.advance(2 * DAY)
        with pytest.raises(ValidationError, match="too old"):
            graph.add(Seen("a", "b", at=days_ago(clock, 11)))
        assert graph.count() == 0


@pytest.mark.parametrize("way", ["add", "load"])
def test_frames_are_judged_likewise(engine: Engine, clock: ManualClock, way: str) -> None:
    with lg.open(engine, [Seen]) as graph:

        def frame(days: int) -> pa.Table:
            times = [days_ago(clock, days)]
            return pa.table({"source": ["a"], "destination": ["b"], "at": times, "count": [1]})

        assert getattr(graph, way)(frame(9)).added == 1
        with pytest.raises(ValidationError, match="too old"):
            getattr(graph, way)(frame(11))
        assert graph.count() == 1


def test_conditions_of_the_client_go_by_it_too(engine: Engine, clock: ManualClock) -> None:
    with lg.open(engine, [Seen]) as graph:
        graph.add([Seen("a", "b", at=days_ago(clock, days)) for days in (1, 4, 8)])
        young = lg.field("at").age_off(days=5)
        assert graph.all().where(young).count() == 2
        copied = graph.all().derive("made", lambda at: at, "at", type=int)
        assert len(copied.where(lg.field("made").age_off(days=5)).to_list()) == 2


def test_what_lies_behind_the_clock_can_be_deleted(engine: Engine, clock: ManualClock) -> None:
    with lg.open(engine, [Reading]) as graph:
        for at in (clock.now() - DAY, clock.now() + DAY):
            graph.add(Reading(f"r{at}", at=at, value=1))
        past, future = graph.all().to_list()
        assert graph.delete(past) == 1
        with pytest.raises(UnsupportedError, match="future"):
            graph.delete(future)
        clock.advance(2 * DAY)
        assert graph.delete(future) == 1
        assert graph.count() == 0
