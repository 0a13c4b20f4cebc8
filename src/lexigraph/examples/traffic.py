"""Road traffic as a graph: counts of vehicles become summaries of roads and of junctions.

Layer ``examples``. Towns, roads and counts are invented, the same on every run; days are those
before today, since the graph forgets what is too old. Read this to see how a graph is declared,
filled from a file and asked; ``demo`` shows what comes of it.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

import lexigraph as lg
from lexigraph.graph import Graph, Query, Session

DAYS = 60
KEPT_DAYS = 90


class RoadUse(lg.Edge, summary=True, directed=True):
    """What drove from one junction to the next, by road, day and kind of vehicle."""

    source: str
    destination: str
    road: str = lg.group_by()
    day: date = lg.group_by()
    vehicle: str = lg.group_by()
    count: int = lg.sum(check=[lg.this >= 1])
    fastest: float = lg.max()
    label: str = lg.visibility(default="")
    rules = {"too old": lg.field("day").age_off(days=KEPT_DAYS)}


class Junction(lg.Vertex, summary=True):
    """What arrived at a junction, by day and kind of vehicle."""

    id: str
    day: date = lg.group_by()
    vehicle: str = lg.group_by()
    count: int = lg.sum(check=[lg.this >= 1])
    fastest: float = lg.max()
    label: str = lg.visibility(default="")
    rules = {"too old": lg.field("day").age_off(days=KEPT_DAYS)}


# Who may see what: everybody counts cars, buses and bicycles; lorries are the council's business,
# and where patrols drive is known only to those who hold both words.
LABELS = {"car": "", "bicycle": "", "bus": "", "lorry": "council", "patrol": "council&police"}
USUAL = {"car": 70, "bicycle": 8, "bus": 6, "lorry": 14, "patrol": 2}
SPEEDS = {"car": 62, "bicycle": 19, "bus": 44, "lorry": 51, "patrol": 88}

TOWNS = (
    *("Ambleby", "Brackwater", "Corvenham", "Dunmarrow"),
    *("Elverstow", "Fennick", "Garrowick", "Hollowmere"),
)
COLUMNS = ("source", "destination", "road", "day", "vehicle", "count", "fastest", "label")


def roads() -> list[tuple[str, str, str]]:
    """Return the roads as (from, to, name): a ring in each town, and highways between towns."""
    found = []
    for at, town in enumerate(TOWNS):
        ring = [f"{town} {number}" for number in range(1, 7)]
        beside = ring[1:] + ring[:1]
        found += [(one, two, f"{town} Ring") for one, two in zip(ring, beside, strict=True)]
        for far in (1, 3):
            other = TOWNS[(at + far) % len(TOWNS)]
            found.append((f"{town} {far}", f"{other} {far + 1}", f"Highway {at * 2 + far}"))
    return [*found, *((two, one, name) for one, two, name in found)]


def write_events(path: Path, count: int) -> None:
    """Write a CSV file of events: what passed a camera, how many, how fast the fastest was."""
    random = Random(7)
    network = roads()
    # Some roads have far more traffic than others, and so has the middle of the week.
    weights = [1 / (1 + at % 17) for at in range(len(network))]
    calendar = [date.today() - timedelta(days=ago) for ago in range(DAYS, 0, -1)]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        ways = random.choices(network, weights, k=count)
        dates = random.choices(calendar, [9 - abs(2 - day.weekday()) for day in calendar], k=count)
        kinds = random.choices(list(USUAL), list(USUAL.values()), k=count)
        for (source, destination, road), day, kind in zip(ways, dates, kinds, strict=True):
            many = random.randint(1, 9)
            fastest = round(SPEEDS[kind] * random.uniform(0.6, 1.2), 1)
            writer.writerow((source, destination, road, day, kind, many, fastest, LABELS[kind]))


def load_events(graph: Graph, path: Path) -> int:
    """Add every event to its road and to the junction it leads to; return how many elements."""
    added = 0
    for batch in _batches(path):
        added += graph.add(batch, group=RoadUse).added
        arrived = batch.select(["destination", "day", "vehicle", "count", "fastest", "label"])
        arrived = arrived.rename_columns(["vertex", *arrived.schema.names[1:]])
        added += graph.add(arrived, group=Junction).added
    return added


def _batches(path: Path) -> Iterator[Any]:
    from pyarrow import csv as arrow_csv  # type: ignore[import-untyped]

    with arrow_csv.open_csv(path) as reader:
        yield from reader


def busiest(session: Session, count: int) -> list[Junction]:
    """Return the junctions with the most vehicles, all days and kinds rolled up."""
    rolled = session.all(Junction).roll_up()
    return sorted(rolled, key=lambda junction: junction.count, reverse=True)[:count]


def in_week(session: Session, junction: str, first: date) -> Query[Junction]:
    """Ask for one junction in the seven days from ``first`` on; roll it up as you like."""
    week = lg.field("day").between(first, first + timedelta(days=6))
    return session.get(junction).vertices(Junction).where(week)


def main_roads(session: Session, least: int) -> Query[RoadUse]:
    """Ask for roads with so many vehicles at least: a hop of a walk."""
    roads_used = session.get().edges(RoadUse, direction="out").roll_up("road")
    return roads_used.where(lg.field("count") >= least)
