"""Every aggregator over one stream of events by ends and day, cut and merged in many ways.

Real Gaffer loses keys here when an aggregator looks at the time and a scan is resumed: of 500,000
events it gave 499,815. Ours are all there, whatever the cuts.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import lexigraph as lg
from lexigraph.functions import AGGREGATORS
from lexigraph.schema import schema_of
from lexigraph.store import EmbeddedEngine, MemoryEngine
from tests.unit.graph.event_stream import Events, Stream

EVENTS, VERTICES = 500_000, 12
FEW = 1_500
"""For the memory engine, which is made of Python."""
WIDE, WIDE_VERTICES = 500_000, 200


def test_the_stream_has_every_aggregator() -> None:
    group = schema_of(Events).group("Events")
    used = {one.aggregate.name for one in group.properties if one.aggregate is not None}
    # Those that other tests of this process added are left out.
    known = {name for name in AGGREGATORS.names if not name.endswith("-of-tests")}
    assert used == {name for name in known if AGGREGATORS.find(name).takes_field}


def fill(graph: lg.Graph, stream: Stream, rows: int) -> None:
    """Add the stream in pieces, merging between some of them."""
    for at, table in enumerate(stream.tables(rows)):
        assert graph.add(table, group=Events).added == len(table)
        if at % 3 == 1:
            graph.admin.compact()


def check(graph: lg.Graph, stream: Stream) -> None:
    """Compare every element with the events that it was made from."""
    found = {
        (one.source, one.destination, one["day"]): one.properties
        for one in graph.all(Events).elements()
    }
    seen = 0
    for key, places in stream.by_key():
        element = found.pop(key)
        expected = stream.exact(places)
        assert {name: element[name] for name in expected} == expected, key
        stream.check_estimates(element, places)
        seen += len(places)
    assert found == {}
    assert seen == stream.events


def check_sums(graph: lg.Graph, stream: Stream) -> None:
    """Ask for figures over everything, and by vertex: none is lost on the way."""
    rows = graph.all(Events).summarise(total=lg.sum("total"), keys=lg.count())
    keys = sum(1 for _ in stream.by_key())
    assert rows.to_list() == [{"total": int(stream.number.sum()), "keys": keys}]
    rolled = graph.get("v0").edges(Events, direction="out").roll_up()
    wanted = stream.number[stream.source == 0].sum()
    assert sum(one.total for one in rolled) == wanted


def test_half_a_million_events_of_every_aggregator(tmp_path: Path) -> None:
    stream = Stream(EVENTS, VERTICES)
    with EmbeddedEngine(tmp_path / "d", durability="relaxed", cut_every=200) as engine:
        graph = lg.open(engine, [Events])
        fill(graph, stream, EVENTS // 10)
        check(graph, stream)
        check_sums(graph, stream)


@pytest.mark.parametrize("cut_every", [None, 1])
def test_the_memory_engine_gives_the_same(cut_every: int | None) -> None:
    stream = Stream(FEW, 3)
    with MemoryEngine(join_runs=False, cut_every=cut_every) as engine:
        graph = lg.open(engine, [Events])
        fill(graph, stream, FEW // 5)
        check(graph, stream)
        check_sums(graph, stream)


class Heard(lg.Edge, summary=True, directed=True):
    """As in the stream that Gaffer loses keys of: a few events for each of many keys."""

    source: int
    destination: int
    day: date = lg.group_by()
    total: int = lg.sum()
    oldest: int = lg.first()
    newest: int = lg.last()
    most: int = lg.max()


def heard(stream: Stream, rows: int) -> Iterator[pa.Table]:
    days = np.datetime64("2026-01-01")
    for at in range(0, stream.events, rows):
        cut = slice(at, at + rows)
        number = dict.fromkeys(("total", "oldest", "newest", "most"), stream.number[cut])
        ends = {"source": stream.source[cut], "destination": stream.destination[cut]}
        yield pa.table({**ends, "day": pa.array(days + stream.day[cut], pa.date32()), **number})


def test_no_key_of_many_is_lost(tmp_path: Path) -> None:
    stream = Stream(WIDE, WIDE_VERTICES)
    expected: dict[Any, Any] = {}
    for (source, destination, day), places in stream.by_key():
        number = stream.number[places]
        value = int(number.sum()), int(number[0]), int(number[-1]), int(number.max())
        expected[int(source[1:]), int(destination[1:]), day] = value
    with EmbeddedEngine(tmp_path / "d", durability="relaxed", cut_every=1000) as engine:
        graph = lg.open(engine, [Heard])
        for at, table in enumerate(heard(stream, WIDE // 10)):
            graph.add(table, group=Heard)
            if at == 4:
                graph.admin.compact()
        names = ("source", "destination", "day", "total", "oldest", "newest", "most")
        for _ in range(2):
            table = graph.all(Heard).to_arrow().select(names).to_pydict()
            rows = zip(*(table[name] for name in names), strict=True)
            assert {row[:3]: row[3:] for row in rows} == expected
            graph.admin.compact()
