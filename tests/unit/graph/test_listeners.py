"""Listeners: called once for each commit through a graph, whatever path the changes came by."""

from __future__ import annotations

import logging
from datetime import date
from pathlib import Path
from threading import Thread
from typing import Any

import pyarrow as pa
import pytest

import lexigraph as lg
from lexigraph.errors import Conflict, GroupNotFound, NotGranted, UnsupportedError, UsageError

DAY = date(2026, 1, 2)


class Calls(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    day: date = lg.group_by()
    label: str = lg.visibility(default="")
    count: int = lg.sum(default=1)


class Person(lg.Vertex, summary=True):
    id: str


@pytest.fixture(params=["memory", "embedded"])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    where = ":memory:" if request.param == "memory" else tmp_path / "g"
    with lg.open(where, [Calls, Person], authorizations=lg.ALL) as opened:
        yield opened


@pytest.fixture
def heard(graph: lg.Graph) -> list[lg.Committed]:
    found: list[lg.Committed] = []
    graph.admin.on_commit(found.append)
    return found


def call(source: str, destination: str, label: str = "") -> Calls:
    return Calls(source, destination, day=DAY, label=label)


def told(heard: list[lg.Committed]) -> list[tuple[dict[str, int], dict[str, int]]]:
    return [(dict(one.added), dict(one.deleted)) for one in heard]


def test_an_add_tells_counts_keys_and_time(graph: lg.Graph, heard: list[lg.Committed]) -> None:
    report = graph.add([call("a", "b"), call("a", "b"), call("b", "c", "x"), Person("a")])
    [one] = heard
    assert one.timestamp == report.timestamp
    assert dict(one.added) == {"Calls": 3, "Person": 1}
    keys = one.added_keys("Calls")
    rows = sorted(zip(keys["source"], keys["destination"], keys["day"], strict=True))
    assert rows == [("a", "b", DAY), ("b", "c", DAY)]
    assert one.added_keys("Person") == {"vertex": ["a"]}
    assert one.deleted_keys("Calls") == {"source": [], "destination": [], "day": []}


def test_frames_and_loads_tell_too(graph: lg.Graph, heard: list[lg.Committed]) -> None:
    frame = pa.table({"source": ["a", "b"], "destination": ["b", "c"], "day": [DAY, DAY]})
    graph.add(frame, group=Calls)
    report = graph.load(frame, group=Calls)
    assert told(heard) == [({"Calls": 2}, {}), ({"Calls": 2}, {})]
    assert heard[0].added_keys("Calls")["source"] == ["a", "b"]
    assert heard[1].timestamp == report.timestamp
    with pytest.raises(UnsupportedError, match="keys"):
        heard[1].added_keys("Calls")


def test_deletes_of_every_kind_tell(graph: lg.Graph, heard: list[lg.Committed]) -> None:
    graph.add([call("a", "b"), call("a", "b", "x"), call("b", "c"), call("c", "d"), Person("z")])
    graph.delete([call("a", "b")])
    graph.delete(graph.all(Calls).where(Calls.source == "b"))
    graph.delete(graph.get("c").edges(Calls))
    graph.admin.erase("z")
    assert graph.delete([call("a", "b")]) == 0
    gone = [("a", "b"), ("b", "c"), ("c", "d")]
    assert told(heard)[1:] == [({}, {"Calls": 1})] * 3 + [({}, {"Person": 1})]
    found = [one.deleted_keys("Calls") for one in heard[1:4]]
    assert [(one["source"], one["destination"]) for one in found] == [([a], [b]) for a, b in gone]


def test_a_transaction_tells_once_and_only_if_it_commits(
    graph: lg.Graph, heard: list[lg.Committed]
) -> None:
    graph.add([call("a", "b")])
    with graph.transaction() as inside:
        inside.add([call("b", "c"), call("b", "c"), call("x", "y")])
        inside.add([Person("p")])
        inside.delete([call("a", "b"), call("x", "y")])
        # Its own questions show it what is not committed; nobody else hears of that.
        assert inside.count() == 2
        assert len(heard) == 1
    assert told(heard)[1:] == [({"Calls": 2, "Person": 1}, {"Calls": 1})]
    rolled_back = graph.transaction()
    rolled_back.add([Person("q")])
    rolled_back.__exit__(RuntimeError, RuntimeError(), None)
    overtaken = graph.transaction()
    assert overtaken.get("p").count() == 1
    overtaken.add([Person("r")])
    graph.add([Person("p")])
    with pytest.raises(Conflict):
        overtaken.commit()
    assert told(heard)[2:] == [({"Person": 1}, {})]


def test_a_write_that_fails_tells_nothing(graph: lg.Graph, heard: list[lg.Committed]) -> None:
    with pytest.raises(lg.LexigraphError):
        graph.add([Person("a"), {"group": "Person"}])
    with pytest.raises(lg.LexigraphError):
        graph.load(pa.table({"source": ["a"]}), group=Calls)
    assert heard == []


def test_an_exception_undoes_nothing_and_the_next_listener_is_called(
    graph: lg.Graph, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[lg.Committed] = []

    def fail(_: lg.Committed) -> None:
        raise ValueError("of the listener")

    graph.admin.on_commit(fail)
    graph.admin.on_commit(heard.append)
    with caplog.at_level(logging.ERROR, "lexigraph.graph"):
        graph.add([Person("a")])
    assert graph.count() == 1
    assert told(heard) == [({"Person": 1}, {})]
    assert "of the listener" in caplog.text


def test_a_listener_that_writes_is_called_in_order(graph: lg.Graph) -> None:
    heard: list[tuple[str, list[Any]]] = []

    def answer(one: lg.Committed) -> None:
        names = one.added_keys("Person")["vertex"]
        if names == ["a"]:
            graph.add([Person("b")])
        heard.append(("first", names))

    graph.admin.on_commit(answer)
    graph.admin.on_commit(lambda one: heard.append(("second", one.added_keys("Person")["vertex"])))
    graph.add([Person("a")])
    assert heard == [("first", ["a"]), ("second", ["a"]), ("first", ["b"]), ("second", ["b"])]


def test_threads_are_heard_in_the_order_of_their_commits(
    graph: lg.Graph, heard: list[lg.Committed]
) -> None:
    def write(number: int) -> None:
        for at in range(10):
            graph.add([Person(f"p{number}-{at}")])

    threads = [Thread(target=write, args=(number,)) for number in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    times = [one.timestamp for one in heard]
    assert len(times) == 40
    assert times == sorted(times)


def test_it_stops_and_outlives_a_change_of_the_schema(graph: lg.Graph) -> None:
    heard: list[lg.Committed] = []

    class Other(lg.Vertex, summary=True):
        id: str

    with graph.admin.on_commit(heard.append) as listening:
        graph.admin.evolve([Other])
        graph.add([Other("a")])
        graph.session(role="writer").add([Person("a")])
    graph.add([Person("b")])
    listening.stop()
    assert told(heard) == [({"Other": 1}, {}), ({"Person": 1}, {})]
    assert heard[0].added_keys("Other") == {"vertex": ["a"]}
    assert heard[0].deleted_keys("Other") == {"vertex": []}


def test_keys_are_asked_for_by_class_too(graph: lg.Graph, heard: list[lg.Committed]) -> None:
    graph.add([Person("a")])
    graph.delete([Person("a")])
    assert heard[0].added_keys(Person) == heard[1].deleted_keys(Person) == {"vertex": ["a"]}
    with pytest.raises(GroupNotFound):
        heard[0].added_keys("Persn")


def test_only_the_owner_listens(tmp_path: Path) -> None:
    with lg.open(":memory:", [Person], grants=["x"]) as graph, pytest.raises(NotGranted):
        graph.admin.on_commit(print)
    with lg.open(":memory:", [Person]) as graph, pytest.raises(UsageError, match="function"):
        graph.admin.on_commit(3)  # type: ignore[arg-type]


def test_the_same_graph_opened_again_has_listeners_of_its_own(
    graph: lg.Graph, heard: list[lg.Committed]
) -> None:
    lg.open(graph._access.engine, [Calls, Person]).add([Person("a")])
    assert graph.count() == 1
    assert heard == []


def test_a_load_is_heard_before_what_is_committed_after_it(
    graph: lg.Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another thread adds between the commit of a load and the call about the load."""
    engine = graph._access.engine
    load, later = engine._load, list[Thread]()

    def then_add(*arguments: Any) -> Any:
        report = load(*arguments)
        later.append(Thread(target=graph.add, args=([Person("later")],)))
        later[0].start()
        later[0].join(0.2)
        return report

    monkeypatch.setattr(engine, "_load", then_add)
    heard: list[lg.Committed] = []
    graph.admin.on_commit(heard.append)
    report = graph.load(
        pa.table({"source": ["a"], "destination": ["b"], "day": [DAY]}), group=Calls
    )
    later[0].join()
    assert [dict(one.added) for one in heard] == [{"Calls": 1}, {"Person": 1}]
    assert heard[0].timestamp == report.timestamp < heard[1].timestamp


def test_others_commit_while_a_load_reads_its_rows(graph: lg.Graph) -> None:
    heard: list[lg.Committed] = []
    graph.admin.on_commit(heard.append)

    def rows() -> Any:
        yield pa.record_batch({"source": ["a"], "destination": ["b"], "day": [DAY]})
        other = Thread(target=graph.add, args=([Person("meanwhile")],))
        other.start()
        other.join()

    graph.load(rows(), group=Calls)
    assert [dict(one.added) for one in heard] == [{"Person": 1}, {"Calls": 1}]


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_in_a_listener_is_raised_once_all_have_heard(
    graph: lg.Graph, kind: type[BaseException]
) -> None:
    heard: list[str] = []

    def first(committed: lg.Committed) -> None:
        heard.append(f"first {dict(committed.added)}")
        if committed.added == {"Person": 1}:
            # Heard by all too, after the commit of which this is the call.
            graph.add([call("a", "b")])
            raise kind

    graph.admin.on_commit(first)
    graph.admin.on_commit(lambda one: heard.append(f"second {dict(one.added)}"))
    with pytest.raises(kind):
        graph.add([Person("p")])
    people, calls = {"Person": 1}, {"Calls": 1}
    assert heard == [f"{who} {what}" for what in (people, calls) for who in ("first", "second")]
    # The commit is stored, and the next one is heard as ever.
    assert graph.count(Person) == 1
    graph.add([call("b", "c")])
    assert heard[4:] == [f"first {calls}", f"second {calls}"]
