"""Servers that are killed while a client writes and reads: nothing acknowledged is lost."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

import pytest
from benchmarks.accumulo import killed_servers

import lexigraph as lg
from lexigraph.cli.cluster.local import LocalCluster
from lexigraph.errors import Unreachable
from lexigraph.store import AccumuloEngine, Mutations, Range, ScanSpec

pytestmark = pytest.mark.accumulo

PATIENCE_S = 300.0
"""How long a server may take to come back, and a thread to get that far."""
GIVES_UP_S = 3.0
KILLS = "LEXIGRAPH_SERVER_KILLS"
"""How often a long run kills the server while sums are added to."""


class Person(lg.Vertex, summary=True):
    id: str
    latest: int = lg.max()


class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    longest: int = lg.max()
    first: str = lg.first()
    last: str = lg.last()


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    """A cluster of this file alone: others must not feel what happens to it."""
    cluster = LocalCluster(tmp_path_factory.mktemp("killed") / "cluster")
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop(delete=True)


@pytest.fixture
def running(own: LocalCluster) -> LocalCluster:
    own.start()
    return own


def kill(cluster: LocalCluster, role: str) -> None:
    process = cluster.process(role)
    assert process is not None
    process.kill()


@contextmanager
def coming_back(cluster: LocalCluster) -> Iterator[None]:
    """Start again what was killed, while others go on."""
    starting = threading.Thread(target=cluster.start)
    starting.start()
    try:
        yield
    finally:
        starting.join()
    assert cluster.status().state == "running"


def wait_for(what: Callable[[], bool]) -> None:
    last = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < last, "waited too long"
        time.sleep(0.01)


def elements(number: int) -> list[lg.Vertex | lg.Edge]:
    """Return a batch. Written twice, it says the same: no answer depends on what was sent again."""
    text = f"t{number}"
    return [
        *(Person(f"p{one % 7}", latest=number) for one in range(number, number + 10)),
        *(
            Calls(f"p{one % 7}", f"b{number}", longest=one, first=text, last=text)
            for one in range(number, number + 10)
        ),
    ]


def answers(graph: lg.Graph) -> list[list[str]]:
    asked = [graph.all(), graph.get("p1", "p3"), graph.get("b3", "b4").edges(Calls)]
    return [sorted(map(repr, one.to_list())) for one in asked]


def test_adding_goes_on_over_a_killed_tablet_server_and_loses_nothing(
    running: LocalCluster,
) -> None:
    acknowledged: list[int] = []
    until = threading.Event()

    def add(graph: lg.Graph) -> None:
        for number in count():
            graph.add(elements(number))
            acknowledged.append(number)
            if until.is_set():
                return

    where = running.status().properties
    with lg.open(where, [Person, Calls], timeout_s=PATIENCE_S) as graph:
        adding = threading.Thread(target=add, args=(graph,))
        adding.start()
        wait_for(lambda: len(acknowledged) >= 5)
        kill(running, "tserver")
        before = len(acknowledged)
        with coming_back(running):
            wait_for(lambda: len(acknowledged) > before + 1)
        until.set()
        adding.join()
        with lg.open(":memory:", [Person, Calls]) as memory:
            for number in acknowledged:
                memory.add(elements(number))
            assert answers(graph) == answers(memory)
            for _ in graph.admin.compact():
                assert answers(graph) == answers(memory)


@pytest.mark.skipif(KILLS not in os.environ, reason=f"a long run, only with {KILLS} set")
def test_many_kills_lose_no_part_of_a_sum(running: LocalCluster) -> None:
    """Only what was under way when a server was killed may have been written twice."""
    ledger, numbers = killed_servers.Ledger(rows=200), count()
    with AccumuloEngine(running.status().properties, timeout_s=PATIENCE_S) as engine:
        engine.create_table(killed_servers.TABLE, killed_servers.SETTINGS)
        for _ in range(int(os.environ[KILLS])):
            killed_servers.kill_while_writing(
                running, engine, ledger, numbers, threads=3, after=20, and_s=random.random() / 10
            )
        told = killed_servers.judge(ledger, killed_servers.found(engine))
    assert (told["lost"], told["counted_twice_not_in_flight"]) == (0, 0)


def test_scans_go_on_over_a_killed_tablet_server_and_miss_nothing(running: LocalCluster) -> None:
    rows = [f"r{number:05}" for number in range(8000)]
    specs = {1: ScanSpec(), 4: ScanSpec(ranges=[Range.row(row) for row in rows[::4]])}
    with AccumuloEngine(running.status().properties, timeout_s=PATIENCE_S) as engine:
        table = engine.create_table("scanned")
        cells = Mutations()
        for row in rows:
            cells.put(row, "f", "", row * 10)
        table.write(cells)
        scans = {step: engine.scan("scanned", spec, batch_cells=50) for step, spec in specs.items()}
        found = {step: [cell.row.decode() for cell in next(scans[step])] for step in scans}
        kill(running, "tserver")
        with coming_back(running):
            for step, scan in scans.items():
                found[step] += [cell.row.decode() for batch in scan for cell in batch]
    assert found == {step: rows[::step] for step in specs}


def test_a_tablet_server_that_stays_away_is_unreachable_and_the_client_goes_on_later(
    running: LocalCluster,
) -> None:
    with AccumuloEngine(running.status().properties, timeout_s=GIVES_UP_S) as engine:
        table = engine.create_table("away")
        table.put("before", "f", "", "1")
        kill(running, "tserver")
        with gives_up("did not answer|some of it may be written"):
            table.put("meanwhile", "f", "", "2")
        with gives_up("did not answer"):
            list(table.scan())
        with gives_up("did not answer"):
            engine.compact("away")
        running.start()
        table.put("after", "f", "", "3")
        found = {cell.row for cell in table.scan()}
    assert {b"before", b"after"} <= found <= {b"before", b"meanwhile", b"after"}


def test_a_zookeeper_that_is_away_is_unreachable_and_the_client_goes_on_later(
    running: LocalCluster,
) -> None:
    where = running.status().properties
    with AccumuloEngine(where, timeout_s=GIVES_UP_S) as engine:
        table = engine.create_table("kept")
        table.put("r", "f", "", "1")
        kill(running, "zookeeper")
        with gives_up("did not answer"):
            engine.create_table("new")
        with gives_up("no ZooKeeper answers"):
            AccumuloEngine(where, timeout_s=GIVES_UP_S)
        running.start()
        table.put("s", "f", "", "2")
        assert [cell.row for cell in table.scan()] == [b"r", b"s"]
        kill(running, "zookeeper")
        started = time.monotonic()
    assert time.monotonic() - started < PATIENCE_S


@contextmanager
def gives_up(why: str) -> Iterator[None]:
    """A clear error, and no endless wait for one."""
    started = time.monotonic()
    with pytest.raises(Unreachable, match=why):
        yield
    assert time.monotonic() - started < PATIENCE_S
