"""Deleting by identity: exactly what the caller can read, and nothing hinders adding it again."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import (
    Conflict,
    GroupNotFound,
    StoreError,
    UnsupportedError,
    ValidationError,
)
from lexigraph.graph.write import delete as deleting
from lexigraph.graph.write.delete import Deleter
from lexigraph.graph.write.delete_report import DeleteReport
from lexigraph.layout import ByteEntity, Classic, Layout
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.write.sinks import Commit
from lexigraph.plan.targets.identities import Identities
from lexigraph.schema import schema_of
from lexigraph.security import ALL
from lexigraph.store import MemoryEngine
from tests.unit.graph.stored_graphs import (
    DAY,
    Calls,
    Event,
    Knows,
    Reading,
    add,
    cells_of,
    delete,
    held,
    make,
    shown,
)
from tests.unit.layout.engines import ENGINES

LAYOUTS: list[Layout] = [
    ByteEntity(),
    Classic(),
    ByteEntity(shards=3, shard_by="duplicates"),
    Classic(short_columns=True, table_per_group=True),
]
OTHER = date(2026, 1, 3)


@pytest.fixture(params=[(name, at) for name in ENGINES for at in range(len(LAYOUTS))])
def graph(request: pytest.FixtureRequest) -> Any:
    name, at = request.param
    with ENGINES[name]() as engine:
        yield make(engine, LAYOUTS[at])


def test_an_element_goes_from_both_its_rows(graph: Any) -> None:
    add(graph, [Calls("a", "b", day=DAY), Calls("b", "a", day=DAY), Knows("a", "b", since=1)])
    assert delete(graph, Calls("a", "b", day=DAY, count=99)) == 1
    assert {(one.group, one.source) for one in held(graph)} == {("Calls", "b"), ("Knows", "a")}
    for table in graph.tables.values():
        graph.engine.compact(table)
    assert cells_of(graph) == 4
    assert delete(graph, Calls("a", "b", day=DAY)) == 0
    assert delete(graph, Knows("b", "a", since=7)) == 1


def test_it_can_be_added_again_and_counts_from_nothing(graph: Any) -> None:
    one = Calls("a", "b", day=DAY, count=5)
    for _ in range(3):
        add(graph, [one])
        add(graph, [one])
        assert [element.properties["count"] for element in held(graph)] == [10]
        assert delete(graph, [one]) == 1
        assert held(graph) == []


def test_group_by_values_that_are_not_named_all_count(graph: Any) -> None:
    add(graph, [Calls("a", "b", day=DAY), Calls("a", "b", day=OTHER), Calls("a", "c", day=DAY)])
    assert delete(graph, {"group": "Calls", "source": "a", "destination": "b", "day": OTHER}) == 1
    add(graph, [Calls("a", "b", day=OTHER)])
    assert delete(graph, {"group": "Calls", "source": "a", "destination": "b"}) == 2
    assert [one.destination for one in held(graph)] == ["c"]


def test_duplicates_go_together_and_each_counts(graph: Any) -> None:
    add(graph, [Event("a", what="x")] * 4 + [Event("a", what="y"), Event("b", what="x")])
    assert delete(graph, {"group": "Event", "vertex": "a"}) == 5
    assert [one.vertex for one in held(graph)] == ["b"]


def test_only_what_the_caller_can_read_goes(graph: Any) -> None:
    labels = ("", "x", "y", "x&y")
    add(graph, [Calls("a", "b", day=DAY, label=label) for label in labels])
    target = Calls("a", "b", day=DAY)
    assert delete(graph, target, by=["x"]) == 1
    assert {one.visibility for one in held(graph)} == {b"y", b"x&y"}
    assert delete(graph, target, by=["x"]) == 0
    assert delete(graph, target, visibility="y&x") == 1
    assert {one.visibility for one in held(graph)} == {b"y"}


def test_elements_with_times_of_their_own_can_be_added_again(graph: Any) -> None:
    add(graph, [Reading("a", at=10, value=1), Reading("a", at=20, value=2)])
    assert delete(graph, Reading("a", at=0, value=0)) == 1
    assert held(graph) == []
    add(graph, [Reading("a", at=5, value=7)])
    assert [(one.timestamp, one.properties["value"]) for one in held(graph)] == [(5, 7)]


def test_a_time_in_the_future_cannot_be_deleted(graph: Any) -> None:
    add(graph, [Reading("a", at=2**62, value=1)])
    with pytest.raises(UnsupportedError, match="future"):
        delete(graph, Reading("a", at=0, value=0))
    assert len(held(graph)) == 1


def test_many_at_once(graph: Any) -> None:
    given = [Calls(f"v{at}", f"v{at + 1}", day=DAY) for at in range(30)]
    add(graph, given)
    assert delete(graph, (one for one in given[:20])) == 20
    assert len(held(graph)) == 10


@pytest.mark.parametrize("name", ENGINES)
def test_all_go_in_one_commit_or_none(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with ENGINES[name]() as engine:
        graph = make(engine)
        given = [Event(f"v{at}", what="x") for at in range(2500)]
        calls = [Calls(f"v{at}", "w", day=DAY) for at in range(50)]
        add(graph, [*given, *calls])
        write, times = engine.write, []

        def fails_later(*batches: Any, **more: Any) -> int:
            times.append(write(*batches, **more))
            if len(times) > 1:
                raise StoreError("no space left")
            return times[-1]

        def fails(*batches: Any, **more: Any) -> int:
            raise StoreError("no space left")

        monkeypatch.setattr(engine, "write", fails)
        with pytest.raises(StoreError):
            delete(graph, [*given, *calls])
        assert len(held(graph)) == 2550
        monkeypatch.setattr(engine, "write", fails_later)
        report = delete(graph, (one for one in [*given, *calls]))
        assert held(graph) == []
        assert report == 2550
        assert report.groups == {"Event": 2500, "Calls": 50}
        assert report.cells == 2500 + 2 * 50
        assert [report.timestamp] == times


def test_a_report_is_a_number() -> None:
    report = DeleteReport({"Calls": 2, "Event": 1, "Knows": 0}, cells=5, timestamp=7)
    assert report == 3
    assert 2 < report <= 3
    assert hash(report) == hash(3)
    assert (report + 1, int(report), report in {3}, bool(DeleteReport())) == (4, 3, True, False)
    assert (f"{report}", f"{report:03}", str(report)) == ("3", "003", "3")
    for copied in (pickle.loads(pickle.dumps(report)), copy.deepcopy(report)):
        assert repr(copied) == repr(report)
    assert "groups={'Calls': 2, 'Event': 1}" in repr(report)


def test_writes_beside_what_is_deleted_are_no_conflict(graph: Any) -> None:
    given = [Calls(f"v{at}", "w", day=DAY) for at in range(0, 60, 2)]
    add(graph, given)
    deleter = Deleter(graph, ALL)
    with graph.engine.snapshot() as snapshot:
        found = deleter.find(Identities(graph, given), snapshot)
        add(graph, [Calls(f"v{at}", "w", day=DAY) for at in range(1, 60, 2)])
        unchanged = (snapshot, found.read)
        Commit(graph, ALL).store(found.doomed.changed(), if_unchanged=unchanged)
        add(graph, [Calls("v44", "w", day=DAY)])
        with pytest.raises(Conflict):
            Commit(graph, ALL).store(found.doomed.changed(), if_unchanged=unchanged)
    assert len(held(graph)) == 31


def test_targets_that_say_too_little_are_refused() -> None:
    with MemoryEngine() as engine:
        graph = make(engine)
        with pytest.raises(ValidationError, match="'destination' is missing"):
            delete(graph, {"group": "Calls", "source": "a"})
        with pytest.raises(GroupNotFound):
            delete(graph, {"group": "calls", "source": "a"})


def test_what_changes_meanwhile_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with MemoryEngine() as engine:
        graph = make(engine)
        one = Calls("a", "b", day=DAY)
        add(graph, [one])
        find = Deleter.find
        busy = iter([True, True, False])

        def slow(self: Deleter, *given: Any) -> Any:
            found = find(self, *given)
            if next(busy):
                add(graph, [one])
            return found

        monkeypatch.setattr(Deleter, "find", slow)
        assert delete(graph, one) == 1
        assert shown(graph) == {}
        add(graph, [one])
        busy = iter([True] * 99)
        monkeypatch.setattr(deleting, "TRIES", 3)
        with pytest.raises(Conflict):
            delete(graph, one)


def counted(graph: Any, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Give how many cells of elements each later scan gives out."""
    sizes: list[int] = []
    scan = graph.engine.scan

    def counting(table: str, *given: Any, **more: Any) -> Any:
        found = scan(table, *given, **more)
        return counted_scan(found) if table in graph.tables.values() else found

    @contextmanager
    def counted_scan(found: Any) -> Iterator[Any]:
        yield each(found)

    def each(found: Any) -> Iterator[Any]:
        sizes.append(0)
        for batch in found:
            sizes[-1] += len(batch)
            yield batch

    monkeypatch.setattr(graph.engine, "scan", counting)
    return sizes


def test_what_is_read_is_what_is_deleted(graph: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    days = [date.fromordinal(DAY.toordinal() + at) for at in range(200)]
    add(graph, [Calls("a", "b", day=day) for day in days])
    sizes = counted(graph, monkeypatch)
    assert delete(graph, [Calls("a", "b", day=day) for day in days[::50]]) == 4
    assert sum(sizes) == 4
    assert delete(graph, Calls("a", "b", day=days[0])) == 0
    assert sum(sizes) == 4
    assert delete(graph, {"group": "Calls", "source": "a", "destination": "b"}) == 196
    assert sum(sizes) == 200


class Trip(lg.Edge, summary=True):
    source: lg.Int64
    destination: lg.Int64
    directed: bool
    day: date = lg.group_by()
    device: str | None = lg.group_by()
    count: int = lg.sum(default=1)


@pytest.mark.parametrize("layout", [ByteEntity(), Classic(fixed_length=True)])
@pytest.mark.parametrize("engine", ENGINES)
def test_several_group_by_values_absent_ones_too(
    engine: str, layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ENGINES[engine]() as made:
        graph = StoredGraph.create(made, "g", schema_of([Trip]), layout)
        devices = ("x", "y", None)
        trips = [
            Trip(lg.Int64(1), lg.Int64(2), directed=way, day=day, device=device)
            for way in (True, False)
            for day in (DAY, OTHER)
            for device in devices
        ]
        add(graph, trips)
        sizes = counted(graph, monkeypatch)
        gone = [trips[0], trips[2], trips[4], trips[8]]
        assert delete(graph, gone) == 4
        # Of directed ones, both days with each of the three devices; of the others, the one meant.
        assert sum(sizes) == 7
        assert delete(graph, {**_plain(trips[3]), "day": OTHER}) == 2
        monkeypatch.undo()
        left = {
            (one.directed, one.properties["day"], one.properties.get("device"))
            for one in held(graph)
        }
        assert left == {(one.directed, one.day, one.device) for one in trips if one not in gone} - {
            (True, OTHER, "x"),
            (True, OTHER, None),
        }


def _plain(trip: Trip) -> dict[str, Any]:
    return {"group": "Trip", **trip.ids, "directed": trip.directed}
