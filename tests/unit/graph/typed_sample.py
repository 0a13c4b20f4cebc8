"""Read by mypy alone: what the methods of a question give."""

from datetime import date
from typing import assert_type

import lexigraph as lg
from lexigraph.graph import Query


class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    day: date = lg.group_by()
    count: int = lg.sum()


class Person(lg.Vertex, summary=True):
    id: str
    seen: int = lg.sum()


def ask(graph: lg.Graph) -> int:
    calls = graph.get("ann").edges(Calls, direction="out")
    assert_type(calls, Query[Calls])
    assert_type(calls.where(Calls.day >= date(2026, 1, 1)).roll_up().limit(3), Query[Calls])
    assert_type(graph.all(Person), Query[Person])
    assert_type(graph.get("ann").vertices(Person).first(), Person | None)
    assert_type(graph.edge("ann", "bob", Calls), Query[Calls])
    return sum(call.count for call in calls) + graph.count()
