"""Random graphs with labels, several groups, undirected edges and edges from a vertex to itself."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, timedelta
from typing import Any

import lexigraph as lg
from lexigraph.layout import ByteEntity, Classic, Layout


class Calls(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    day: date = lg.group_by()
    device: str | None = lg.group_by()
    count: int = lg.sum()
    longest: float = lg.max()
    first: datetime | None = lg.min()
    label: str | None = lg.visibility()


class Knows(lg.Edge, summary=True, directed=False):
    source: str
    destination: str
    since: int = lg.min()
    took: timedelta | None = lg.max()
    label: str | None = lg.visibility()


class Seen(lg.Edge, summary=True, aggregates=False, directed=True):
    source: str
    destination: str
    note: str
    data: bytes | None = None
    sure: bool = False


class Person(lg.Vertex, summary=True):
    id: str
    count: int = lg.sum()
    at: int = lg.timestamp()


CLASSES = [Calls, Knows, Seen, Person]
READERS: list[Any] = [["s"], ["s", "t"]]
LAYOUTS: list[Layout] = [
    ByteEntity(),
    Classic(),
    ByteEntity(shards=2),
    ByteEntity(short_columns=True),
    Classic(short_columns=True),
    Classic(table_per_group=True),
    ByteEntity(table_per_group=True, shards=3),
]
NAMES = ["a", "b", "c", "d", "a\x00", "été", "", "longer than the others"]
DAY = date(2026, 1, 1)
MOMENT = datetime(2026, 1, 1, tzinfo=UTC)


def layout_name(layout: Layout) -> str:
    """Name a layout with its options, for tests."""
    return f"{layout.name} {dict(layout.options)}"


def elements(seed: int, count: int = 45) -> list[Any]:
    """Draw some elements."""
    draw = random.Random(seed)
    made: list[Any] = []
    for number in range(count):
        a, b = draw.choice(NAMES), draw.choice(NAMES)
        label = draw.choice([None, "s", "t", "s&t", "s|t"])
        kind = draw.choice([Calls, Calls, Knows, Seen, Person])
        if kind is Calls:
            day = DAY + timedelta(days=draw.randrange(4))
            device = draw.choice([None, "x", "y\x00"])
            first = draw.choice([None, MOMENT + timedelta(microseconds=draw.randrange(10**9))])
            made.append(
                Calls(
                    a,
                    b,
                    day=day,
                    device=device,
                    count=draw.randrange(-5, 10**6),
                    longest=draw.random(),
                    first=first,
                    label=label,
                )
            )
        elif kind is Knows:
            took = draw.choice([None, timedelta(seconds=draw.randrange(-9, 9))])
            made.append(Knows(a, b, since=draw.randrange(3000), took=took, label=label))
        elif kind is Seen:
            data = draw.choice([None, b"", b"\x00\xff"])
            made.append(Seen(a, b, note=f"n{number}", data=data, sure=number % 2 == 0))
        else:
            made.append(Person(a, count=1, at=draw.randrange(1, 9)))
    return made


def fill(graph: lg.Graph, seed: int) -> None:
    """Add the elements in some batches, delete a few, and merge in between."""
    made = elements(seed)
    for start in range(0, len(made), 20):
        graph.add(made[start : start + 20])
        if start == 20:
            for table in graph._access.engine.tables():
                graph._access.engine.compact(table)
    everyone = graph.session(["s", "t"], role="writer")
    everyone.delete([_key(one) for one in made[::9] if not isinstance(one, Person)])


def _key(one: Any) -> Any:
    # Elements that share a key are deleted together.
    return {"group": "Seen", **one.ids} if isinstance(one, Seen) else one
