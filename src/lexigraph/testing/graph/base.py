"""What every topic of the graph suite shares: graphs in both layouts, and elements to put there.

Layer ``testing``. Everything goes through ``lexigraph.open`` and its sessions, as a user does it.
The clock of the engine stands still unless a test moves it, years away from the machine's: nothing
may look at that one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.store import ManualClock
from lexigraph.testing.backend import Topic
from lexigraph.testing.duplicates import open_keeping

START = 2_000_000_000_000_000
"""The time at which the clock of an engine stands: in the year 2033."""
MIXED = "mixed"
LAYOUTS = ("byte-entity", "classic", MIXED)
"""The layouts of all groups; in the last one, every second group has another."""

MakeGraph = Callable[..., lg.Graph]
"""Makes a graph of some classes; options are those of ``lexigraph.open``."""


class GraphTests(Topic):
    """The base of all topics."""

    @pytest.fixture(params=LAYOUTS)
    def layout(self, request: pytest.FixtureRequest) -> str:
        """Return the name of a layout; every test runs in each."""
        name: str = request.param
        return name

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
    def make(self, engine: lg.Engine, layout: str) -> MakeGraph:
        """Return what makes graphs; a bare graph sees everything unless told otherwise."""
        seen: list[str] = []

        def make(*classes: type, **options: Any) -> lg.Graph:
            how = {**layout_options(layout, classes, seen), "authorizations": lg.ALL, **options}
            return open_keeping(engine, classes, **how)

        return make


def layout_options(
    layout: str, classes: Iterable[type], seen: list[str] | None = None
) -> dict[str, Any]:
    """Return the options of a graph of these classes in one of ``LAYOUTS``.

    ``seen`` are the groups that graphs made before have: they keep their layouts.
    """
    if layout != MIXED:
        return {"layout": layout}
    known = [] if seen is None else seen
    names = [getattr(one, "group", "") for one in classes]
    known += [name for name in names if name not in known]
    others = {name: "classic" for name in names if known.index(name) % 2}
    return {"group_layouts": others}


class Seen(lg.Vertex, summary=True):
    """A vertex on a day, with one property for each of the common ways to merge."""

    id: str
    day: date = lg.group_by()
    count: int = lg.sum(default=1)
    longest: int = lg.max(default=0)
    words: str | None = lg.concat(separator=",", default=None)


class Link(lg.Edge, summary=True):
    """An edge on a day that says itself whether it is directed."""

    source: str
    destination: str
    directed: bool
    day: date = lg.group_by()
    count: int = lg.sum(default=1)
    longest: int = lg.max(default=0)
    words: str | None = lg.concat(separator=",", default=None)


class Event(lg.Vertex, summary=True, aggregates=False):
    """A vertex that keeps duplicates."""

    id: str
    what: str


class Trip(lg.Edge, summary=True, aggregates=False, directed=True):
    """An edge that keeps duplicates."""

    source: str
    destination: str
    what: str


def day(number: int) -> date:
    """Return a day of January."""
    return date(2026, 1, number)


def link(source: str, destination: str, *, directed: bool = True, on: int = 1, **more: Any) -> Link:
    """Return an edge on a day."""
    return Link(source, destination, directed=directed, day=day(on), **more)


def seen(name: str, on: int = 1, **more: Any) -> Seen:
    """Return a vertex on a day."""
    return Seen(name, day=day(on), **more)


def shape(element: Any) -> tuple[Any, ...]:
    """Return what an element is, without its properties; undirected ends in order."""
    if element.kind == "vertex":
        return (element.group, *element.ids.values())
    ends = list(element.ids.values())
    if element.is_directed:
        return (element.group, "->", *ends)
    return (element.group, "--", *sorted(ends))


def shapes(elements: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return the shapes of elements in an order of their own."""
    return sorted(map(shape, elements))
