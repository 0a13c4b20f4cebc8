"""A graph with many labels for tests of indexes, and its answers without an index."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import lexigraph as lg
from lexigraph.security import ALL

DAY = date(2026, 1, 1)


class Calls(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    day: date = lg.group_by()
    type: str | None = lg.group_by(default=None)
    label: str = lg.visibility(default="")
    count: int = lg.sum(default=1)


class Knows(lg.Edge, summary=True, directed=False):
    source: str
    destination: str
    since: int = lg.group_by()
    label: str = lg.visibility(default="")


class Person(lg.Vertex, summary=True):
    id: str
    city: str = lg.group_by()
    label: str = lg.visibility(default="")
    seen: int = lg.sum(default=1)


ALL_GROUPS = [Calls, Knows, Person]


def day(number: int) -> date:
    """Return one of the days."""
    return DAY + timedelta(number)


def call(source: str, destination: str, at: int, type: str | None = "x", label: str = "") -> Calls:  # noqa: A002
    """Return a call."""
    return Calls(source, destination, day=day(at), type=type, label=label)


def entries(graph: lg.Graph) -> list[tuple[bytes, ...]]:
    """Return the keys of all entries of indexes."""
    found = graph._access.engine.table("graph.indexes").scan(authorizations=ALL)
    return [cell[:4] for cell in found]


def used_index(question: Any) -> bool:
    """Return whether a question is answered by an index."""
    return "by index" in str(question.explain(run=True))


def filtered(session: Any, group: Any, test: Any) -> list[Any]:
    """Return what a question about everything shows, filtered in Python."""
    return [one for one in session.all(group) if test(one)]
