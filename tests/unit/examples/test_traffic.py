"""The graph of road traffic: sums are those of its file, for whoever may see them."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

import lexigraph as lg
from lexigraph.examples import traffic
from lexigraph.examples.traffic import Junction, RoadUse
from lexigraph.graph import Graph

EVENTS = 1500


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("traffic") / "events.csv"
    traffic.write_events(path, EVENTS)
    return path


@pytest.fixture(scope="module")
def rows(events: Path) -> list[dict[str, str]]:
    with events.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def graph(events: Path) -> Iterator[Graph]:
    with lg.open(":memory:", [RoadUse, Junction]) as graph:
        assert traffic.load_events(graph, events) == 2 * EVENTS
        yield graph


def test_events_are_of_the_days_before_today_and_of_every_kind(rows: list[dict[str, str]]) -> None:
    days = {date.fromisoformat(row["day"]) for row in rows}
    assert len(days) == traffic.DAYS
    assert max(days) - min(days) == timedelta(days=traffic.DAYS - 1)
    assert {row["vehicle"]: row["label"] for row in rows} == traffic.LABELS


def test_roads_lead_both_ways_between_junctions_of_all_towns() -> None:
    ways = {(source, destination) for source, destination, _ in traffic.roads()}
    assert ways == {(destination, source) for source, destination in ways}
    assert {source.split()[0] for source, _ in ways} == set(traffic.TOWNS)


def test_the_council_sees_all_vehicles_and_the_public_those_without_labels(
    graph: Graph, rows: list[dict[str, str]]
) -> None:
    for held, seen in ((), ("",)), (("council",), ("", "council")), (("police",), ("",)):
        total = sum(int(row["count"]) for row in rows if row["label"] in seen)
        session = graph.session(held)
        assert sum(one.count for one in session.all(Junction)) == total
        assert sum(one.count for one in session.all(RoadUse)) == total


def test_a_week_rolls_up_to_what_the_file_has(graph: Graph, rows: list[dict[str, str]]) -> None:
    council = graph.session(["council", "police"])
    top = traffic.busiest(council, 1)[0].id
    first = min(date.fromisoformat(row["day"]) for row in rows)
    in_file = {str(first + timedelta(days=day)): 0 for day in range(7)}
    for row in rows:
        if row["destination"] == top and row["day"] in in_file:
            in_file[row["day"]] += int(row["count"])
    found = traffic.in_week(council, top, first).roll_up("day")
    assert {str(one.day): one.count for one in found} == {d: n for d, n in in_file.items() if n}


def test_walks_follow_main_roads_alone(graph: Graph) -> None:
    council = graph.session(["council", "police"])
    used = {(one.source, one.destination): one.count for one in council.all(RoadUse).roll_up()}
    least = sorted(used.values())[len(used) // 2]
    hop = traffic.main_roads(council, least)
    start = max(used, key=lambda pair: used[pair])[0]
    ways = [way.vertices for way in council.walk(start, hop, hop)]
    main = {pair for pair, count in used.items() if count >= least}
    expected = {
        (one, two, four)
        for one, two in main
        for three, four in main
        if one == start and two == three
    }
    assert set(ways) == expected
    assert expected
