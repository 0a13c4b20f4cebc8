"""A delete that is killed before its merge hides nothing that is added afterwards."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import lexigraph as lg
from lexigraph.errors import StoreError
from lexigraph.layout.stored.catalogue import CATALOGUE
from lexigraph.layout.stored.pending import LEASE_MICROS
from lexigraph.layout.write.removal import removing
from lexigraph.store import Engine, ManualClock, MemoryEngine
from tests.unit.layout.engines import ENGINES


class Reading(lg.Vertex, summary=True):
    id: str
    at: int = lg.timestamp()
    value: int = lg.last()
    label: str | None = lg.visibility()


CHILD = """
import os, signal, sys
from lexigraph.store import EmbeddedEngine
import lexigraph as lg

graph = lg.open(sys.argv[1], authorizations=lg.ALL)
EmbeddedEngine.compact = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
what = [{"group": "Reading", "vertex": name} for name in sys.argv[3:]]
if sys.argv[2] == "delete":
    graph.delete(what)
else:
    with graph.transaction() as transaction:
        transaction.delete(what)
"""


def die(path: Path, how: str, *names: str) -> None:
    """Delete in another process, which is killed before its merge."""
    done = subprocess.run([sys.executable, "-c", CHILD, path, how, *names], check=False)
    assert done.returncode == -signal.SIGKILL


def read(graph: lg.Session) -> dict[str, tuple[int, int]]:
    return {one.id: (one.at, one.value) for one in graph.all(Reading)}


def frame(one: Reading) -> pa.Table:
    label = pa.array([one.label], pa.string())
    return pa.table({"id": [one.id], "at": [one.at], "value": [one.value], "label": label})


def by_load(graph: lg.Graph, one: Reading) -> None:
    graph.load(frame(one), group=Reading)


def in_transaction(graph: lg.Graph, one: Reading) -> None:
    with graph.transaction() as transaction:
        transaction.add(one)


WRITES: dict[str, Callable[[lg.Graph, Reading], Any]] = {
    "add": lambda graph, one: graph.add(one),
    "frame": lambda graph, one: graph.add(frame(one), group=Reading),
    "load": by_load,
    "transaction": in_transaction,
}


@pytest.mark.parametrize(
    ("how", "write", "label"),
    [
        ("delete", "add", None),
        ("delete", "frame", "secret"),
        ("transaction", "load", "secret"),
        ("transaction", "transaction", None),
    ],
)
def test_what_is_added_after_a_kill_is_there(
    tmp_path: Path, how: str, write: str, label: str | None
) -> None:
    path = tmp_path / "db"
    with lg.open(path, [Reading], authorizations=lg.ALL) as graph:
        graph.add([Reading(name, at=20, value=2, label=label) for name in "abc"])
        # This one stays open, and its writes must not be hidden either.
        die(path, how, "a", "b")
        assert read(graph) == {"c": (20, 2)}
        WRITES[write](graph, Reading("a", at=5, value=7, label=label))
        assert read(graph) == {"a": (5, 7), "c": (20, 2)}
        die(path, how, "c")
    with lg.open(path, read_only=True, authorizations=lg.ALL) as graph:
        assert graph.count() == 1
    with lg.open(path, [Reading], authorizations=lg.ALL) as graph:
        WRITES[write](graph, Reading("c", at=4, value=8, label=label))
        assert read(graph) == {"a": (5, 7), "c": (4, 8)}
        graph.admin.compact()
        assert read(graph) == {"a": (5, 7), "c": (4, 8)}


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    with ENGINES[request.param]() as made:
        yield made


def notes(engine: Engine, authorizations: Any = lg.ALL) -> list[lg.Cell]:
    found = engine.table(CATALOGUE).scan(authorizations=authorizations)
    return [cell for cell in found if cell.family != b"graph"]


def fail(monkeypatch: pytest.MonkeyPatch, engine: Engine) -> None:
    def fails(*given: Any, **more: Any) -> Any:
        raise StoreError("the disk is on fire")

    monkeypatch.setattr(engine, "compact", fails)


def test_a_merge_that_fails_is_left_to_the_next_writer(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = lg.open(engine, [Reading])
    graph.add([Reading("a", at=20, value=2)])
    assert notes(engine) == []
    with monkeypatch.context() as patch:
        fail(patch, engine)
        assert graph.delete(Reading("a", at=0, value=0)) == 1
        assert notes(engine)
        with pytest.raises(StoreError, match="on fire"):
            graph.add([Reading("a", at=5, value=7)])
    graph.add([Reading("a", at=5, value=7)])
    assert read(graph) == {"a": (5, 7)}
    assert notes(engine) == []


def test_notes_show_rows_to_those_alone_who_may_read_what_was_deleted(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = lg.open(engine, [Reading], authorizations=lg.ALL)
    graph.add([Reading("hidden", at=20, value=2, label=label) for label in ("x", "y|z")])
    with monkeypatch.context() as patch:
        fail(patch, engine)
        assert graph.delete(Reading("hidden", at=0, value=0)) == 1
    for seen in ([], ["x"], ["y"], ["y", "z"]):
        told = b"".join(cell.value for cell in notes(engine, seen))
        assert told
        assert b"hidden".hex().encode() not in told
    everything = b"".join(cell.value for cell in notes(engine, ["x", "y"]))
    assert b"hidden".hex().encode() in everything
    # Who cannot see them merges all, and what is left of the note goes with the next who can.
    monkeypatch.setattr(engine, "grants", lg.Authorizations(["x"]))
    lg.open(engine, [Reading]).add([Reading("hidden", at=5, value=7)])
    monkeypatch.undo()
    assert [cell.visibility for cell in notes(engine)] == [b"(x)&(y|z)"]
    assert read(graph) == {"hidden": (5, 7)}
    lg.open(engine, [Reading])
    assert notes(engine) == []


def test_notes_go_with_the_elements(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = lg.open(engine, [Reading])
    for end in (graph.admin.clear, graph.admin.drop):
        graph.add([Reading("a", at=20, value=2)])
        with monkeypatch.context() as patch:
            fail(patch, engine)
            graph.delete(Reading("a", at=0, value=0))
        assert notes(engine)
        end()
        assert notes(engine) == []


def test_groups_without_times_write_no_notes(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Person(lg.Vertex, summary=True):
        id: str

    graph = lg.open(engine, [Person, Reading])
    graph.add([Person("a")])
    fail(monkeypatch, engine)
    assert graph.delete(Person("a")) == 1
    assert notes(engine) == []


@pytest.fixture
def by_row(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Engine, ManualClock]]:
    """An engine that stores row by row, as a cluster does."""
    clock = ManualClock(10 * LEASE_MICROS)
    with MemoryEngine(clock=clock) as engine:
        without = replace(engine.capabilities, transactions=False, snapshots=False)
        monkeypatch.setattr(MemoryEngine, "capabilities", without)
        yield engine, clock


def test_row_by_row_the_note_comes_first_and_stays_while_the_delete_may_run(
    by_row: tuple[Engine, ManualClock], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, clock = by_row
    graph = lg.open(engine, [Reading])
    graph.add([Reading(name, at=20, value=2) for name in "abc"])
    write, writes = engine.write, []

    def dies(batches: Any, **more: Any) -> int:
        if len(writes) == 2:
            raise KeyboardInterrupt
        writes.append(list(batches))
        return write(batches, **more)

    monkeypatch.setattr(removing, "CHUNK_KEYS", 1)
    with monkeypatch.context() as patch:
        patch.setattr(engine, "write", dies)
        with pytest.raises(KeyboardInterrupt):
            graph.delete([Reading(name, at=0, value=0) for name in "abc"])
    assert writes == [[CATALOGUE], ["graph.elements"]]
    assert set(read(graph)) == {"b", "c"}
    graph.add([Reading("a", at=5, value=7)])
    assert read(graph)["a"] == (5, 7)
    assert notes(engine), "it may still be writing markers"
    clock.advance(2 * LEASE_MICROS)
    graph.add([Reading("d", at=5, value=7)])
    assert notes(engine) == []
    assert len(read(graph)) == 4


def test_row_by_row_a_delete_that_fails_says_what_is_gone(
    by_row: tuple[Engine, ManualClock], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, _ = by_row
    graph = lg.open(engine, [Reading])
    given = [Reading(f"v{at}", at=20, value=2) for at in range(7)]
    graph.add(given)
    write, left = engine.write, iter([True, True, True, False])

    def fails(batches: Any, **more: Any) -> int:
        if CATALOGUE not in batches and not next(left):
            raise StoreError("a server went away", hint="Start it.")
        return write(batches, **more)

    monkeypatch.setattr(removing, "CHUNK_KEYS", 2)
    with monkeypatch.context() as patch:
        patch.setattr(engine, "write", fails)
        with pytest.raises(StoreError, match="a server went away") as caught:
            graph.delete(given)
    assert caught.value.context["deleted"] == 6
    assert "6 of 7 elements" in caught.value.hint
    assert "again" in caught.value.hint
    assert caught.value.hint.endswith("Start it.")
    assert graph.count() == 1
    graph.add([Reading("v0", at=5, value=7)])
    assert notes(engine) == []
    assert graph.delete(given) == 2
    assert graph.count() == 0
    assert notes(engine) == []


def test_a_wide_delete_is_merged_as_one_span(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = lg.open(engine, [Reading])
    given = [Reading(f"v{at:03}", at=20, value=2) for at in range(300)]
    graph.add(given)
    compact, ranges = engine.compact, []

    def counting(table: str, **more: Any) -> Any:
        ranges.append(more["range"])
        return compact(table, **more)

    monkeypatch.setattr(engine, "compact", counting)
    assert graph.delete(given[:200]) == 200
    assert len(ranges) == 1
    graph.add([replace_at(one, 1) for one in given[:200]])
    assert {at for at, _ in read(graph).values()} == {1, 20}
    assert graph.count() == 300


def replace_at(one: Reading, at: int) -> Reading:
    return Reading(one.id, at=at, value=one.value)
