"""Every aggregator over one stream of events by ends and day, cut and merged in many ways.

Real Gaffer loses keys here when an aggregator looks at the time and a scan is resumed; whatever the
cuts, ours gives what one batch in one piece gives.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

import pytest

from lexigraph.functions import AGGREGATORS
from lexigraph.graph.stored import StoredGraph
from lexigraph.schema import Aggregate, Group, Property, Schema, ValueType
from lexigraph.store import EmbeddedEngine, Engine, MemoryEngine
from tests.unit.graph.stored_graphs import add, held

ESTIMATES = {"hll", "theta", "quantiles", "frequent-items"}
"""Aggregators that estimate: what they say of so few values is judged by their own tests."""
NAMES = [
    name
    for name in AGGREGATORS.names
    if AGGREGATORS.find(name).takes_field and name not in ESTIMATES
]
EVENTS = 400
TEXT = ValueType("str")


def codec_of(name: str) -> str:
    codecs = AGGREGATORS.find(name).codecs
    return "str" if codecs is None else codecs[0]


def values(codec: str, rng: Random) -> Any:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    return {
        "int": rng.choice([-1, 1, 2, 3]),
        "bool": rng.random() < 0.9,
        "str": rng.choice(["x", "y", "zz", "ä"]),
        "datetime": start + timedelta(hours=rng.randrange(100)),
    }[codec]


def fitting(name: str, value: Any) -> Any:
    return abs(value) if name == "bitmap" else value  # which holds no negative numbers


def schema_of(name: str) -> Schema:
    day = Property("day", ValueType("date"))
    one = Property("value", ValueType(codec_of(name)), aggregate=Aggregate(name))
    ends = {"source": TEXT, "destination": TEXT}
    group = Group("events", "edge", ends, (day, one), group_by=("day",), directed=True)
    return Schema({"events": group})


def stream(name: str) -> list[dict[str, Any]]:
    rng = Random(7)
    return [
        {
            "group": "events",
            "source": f"v{rng.randrange(4)}",
            "destination": f"v{rng.randrange(4)}",
            "day": date(2026, 1, 1 + rng.randrange(3)),
            "value": fitting(name, values(codec_of(name), rng)),
        }
        for _ in range(EVENTS)
    ]


def answer(graph: StoredGraph) -> dict[Any, Any]:
    return {
        (one.source, one.destination, one.properties["day"]): one.properties["value"]
        for one in held(graph)
    }


def in_pieces(engine: Engine, name: str) -> dict[Any, Any]:
    rng = Random(3)
    graph = StoredGraph.create(engine, "g", schema_of(name))
    left = stream(name)
    while left:
        length = rng.choice([1, 5, 40])
        add(graph, left[:length], batch_elements=rng.choice([1, 7, 100]))
        left = left[length:]
        if rng.random() < 0.2:
            engine.compact(graph.tables["elements"])
    return answer(graph)


@pytest.mark.parametrize("name", NAMES)
def test_a_stream_in_pieces_says_what_it_says_in_one(name: str, tmp_path: Any) -> None:
    with MemoryEngine() as engine:
        graph = StoredGraph.create(engine, "whole", schema_of(name))
        add(graph, stream(name))
        whole = answer(graph)
    keys = {(one["source"], one["destination"], one["day"]) for one in stream(name)}
    assert whole.keys() == keys
    with MemoryEngine(join_runs=False, cut_every=3) as engine:
        assert in_pieces(engine, name) == whole
    with EmbeddedEngine(tmp_path / "d", durability="relaxed", cut_every=5) as engine:
        assert in_pieces(engine, name) == whole


def test_sums_are_exact() -> None:
    with MemoryEngine() as engine:
        given = stream("sum")
        assert sum(in_pieces(engine, "sum").values()) == sum(one["value"] for one in given)
