"""An erased vertex is in no file of the directory, and all other data is as it was."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from hashlib import md5
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import Conflict, Locked, NotGranted, ReadOnly, UnsupportedError, UsageError
from lexigraph.layout import ByteEntity, Classic, Layout
from lexigraph.store import EmbeddedEngine, Engine, MemoryEngine

SECRET = "sub-7f3a91c2-"


class Person(lg.Vertex, summary=True):
    id: str
    notes: tuple[str, ...] | None = lg.set_of()
    age: int = lg.max(default=1, check=[lg.this < 200])
    label: str | None = lg.visibility()


class Calls(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    day: int = lg.group_by(default=1)
    count: int = lg.sum(default=1)
    label: str | None = lg.visibility()


class Knows(lg.Edge, summary=True, directed=False):
    source: str
    destination: str


class Seen(lg.Vertex, summary=True):
    id: str
    at: int = lg.timestamp()
    value: int = lg.last(default=0)


CLASSES = [Person, Calls, Knows, Seen]
LAYOUTS: list[Layout] = [
    ByteEntity(),
    Classic(short_columns=True, table_per_group=True),
    ByteEntity(shards=3, shard_by="duplicates"),
]


def name(number: int) -> str:
    """Return an id that starts as its neighbours do, and ends as no other."""
    return f"{SECRET}{number:06}-{md5(str(number).encode()).hexdigest()[:16]}"


def about(number: int) -> list[Any]:
    """Return elements of a vertex, and edges to its neighbours, which are alike but for a digit."""
    label = ("", "x", "x&y", None)[number % 4]
    other = name((number * 7 + 1) % 2000)
    return [
        Person(name(number), age=number % 90, label=label),
        Person(name(number), age=number % 80, label="z"),
        Calls(name(number), other, day=number % 5, label=label),
        Calls(other, name(number), label="x"),
        Knows(name(number), f"friend-{number}"),
        Seen(name(number), at=5, value=1),
    ]


def content(graph: lg.Graph, gone: set[str]) -> list[str]:
    """Return everything that is not about some vertices."""
    owner = graph.session(lg.ALL)
    return sorted(repr(one) for one in owner.all() if not gone.intersection(one.ids.values()))


def found(path: Path, names: set[str]) -> set[str]:
    """Return those whose last part, which no prefix hides, is in a file of a directory.

    Also without its end: a separator may hold the start of what it was cut from.
    """
    texts = [file.read_bytes() for file in path.rglob("*") if file.is_file()]
    last = {one: one.rpartition("-")[2].encode()[:9] for one in names}
    return {one for one in names if any(last[one] in text for text in texts)}


@pytest.fixture(params=["memory", "embedded"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    made: Engine
    if request.param == "memory":
        made = MemoryEngine()
    else:
        made = EmbeddedEngine(tmp_path / "db", lock_timeout_s=0.2)
    with made:
        yield made


@pytest.mark.parametrize("at", range(len(LAYOUTS)))
def test_every_element_of_a_vertex_goes(engine: Engine, at: int) -> None:
    graph = lg.open(engine, CLASSES, layout=LAYOUTS[at])
    for number in range(12):
        graph.add(about(number))
    graph.admin.compact()
    graph.add([Seen("ann", at=20), Seen("bob", at=2**62)])
    graph.add([Calls("ann", "bob"), Calls("bob", "ann", label="x&(y|z)"), Calls("ann", "ann")])
    graph.add([Person("bob", notes=("ann@work", "tea")), Knows("bob", "ann")])
    # A rule hides what a sum of adds broke: it goes as well.
    graph.add([Person("ann", age=3)])
    before = content(graph, {"ann"})
    report = graph.admin.erase("ann")
    assert content(graph, set()) == before
    assert report.groups == {"Calls": 3, "Knows": 1, "Person": 1, "Seen": 1}
    assert report.deleted == 6
    assert report.vertices == 1
    graph.add([Seen("ann", at=3, value=9)])
    assert [one.value for one in graph.get("ann")] == [9]


def test_what_rules_hide_goes_too(engine: Engine) -> None:
    class Judged(lg.Vertex, summary=True):
        id: str
        total: int = lg.sum(check=[lg.this < 10])

    graph = lg.open(engine, [Judged])
    graph.add([Judged("ann@example.org", total=8)])
    graph.add([Judged("ann@example.org", total=8)])
    assert graph.count() == 0
    report = graph.admin.erase("ann@example.org")
    assert report.deleted == 1
    assert graph.admin.stats()["elements"].cells == 0


def test_a_report_says_what_still_mentions_them(engine: Engine) -> None:
    graph = lg.open(engine, CLASSES)
    graph.add([Person("ann@work"), Person("bob", notes=("ann@work",)), Person("joann@work")])
    report = graph.admin.erase("ann@work")
    assert report.mentions == 2
    assert "the bytes of an id: 2" in str(report)
    assert any("backups" in one for one in report.unreached)
    assert graph.admin.erase("no").mentions is None
    assert graph.admin.erase("nobody").deleted == 0


def test_only_the_owner_erases(engine: Engine) -> None:
    graph = lg.open(engine, CLASSES)
    graph.add([Person("ann")])
    with pytest.raises(UsageError, match="no vertex"):
        graph.admin.erase()
    engine.grants = lg.Authorizations(["x"])
    with pytest.raises(NotGranted):
        graph.admin.erase("ann")
    engine.grants = lg.ALL
    assert graph.count() == 1


def test_limited_grants_reach_nothing_of_the_owner(engine: Engine) -> None:
    owner = lg.open(engine, CLASSES, authorizations=lg.ALL)
    owner.add([Person("ann", label="s"), Calls("ann", "bob", label="s")])
    before = owner.all().to_list()
    limited = lg.open(engine, CLASSES, grants=["a"])
    with pytest.raises(NotGranted):
        limited.admin.erase("ann")
    with pytest.raises(NotGranted):
        list(limited.admin.find_half_edges())
    with pytest.raises(NotGranted):
        limited.admin.repair_half_edges()
    assert owner.all().to_list() == before


def test_what_has_read_something_erased_is_a_conflict() -> None:
    with MemoryEngine() as engine:
        graph = lg.open(engine, CLASSES, authorizations=lg.ALL)
        graph.add([Person("ann"), Person("bob")])
        beside, about_it = graph.transaction(), graph.transaction()
        beside.get("bob").to_list()
        about_it.get("ann").to_list()
        for transaction in (beside, about_it):
            transaction.add([Person("bob", age=9)])
        graph.admin.erase("ann")
        with pytest.raises(Conflict):
            about_it.commit()
        beside.commit()
        assert [one.id for one in graph.all(Person)] == ["bob"]


def test_a_time_in_the_future_cannot_be_erased_yet(engine: Engine) -> None:
    graph = lg.open(engine, CLASSES)
    graph.add([Seen("ann", at=2**62), Person("ann")])
    with pytest.raises(UnsupportedError, match="future"):
        graph.admin.erase("ann")
    assert graph.count() == 2


@pytest.mark.parametrize("at", [0, 1])
def test_no_byte_of_them_is_in_any_file(tmp_path: Path, at: int) -> None:
    path = tmp_path / "db"
    chosen = range(0, 2000, 9)
    gone = {name(number) for number in chosen}
    with lg.open(path, CLASSES, layout=LAYOUTS[at], durability="relaxed") as graph:
        for start in range(0, 2000, 500):
            graph.add([one for number in range(start, start + 500) for one in about(number)])
            if start == 500:
                graph.admin.compact()
        graph.add([Person("bob", notes=tuple("long" * 3000 + str(at) for at in range(3)))])
        for table in graph.admin.tables()[1:]:
            rows = [name(number).encode() + b"\0" for number in range(0, 2000, 3)]
            graph._access.engine.add_splits(table, rows)
        early = {name(number) for number in chosen[::3]}
        graph.delete(
            [{"group": "Person", "vertex": one} for one in early]
            + [{"group": "Seen", "vertex": one} for one in early]
        )
        before = content(graph, gone)
    assert len(found(path, gone)) > len(gone) / 2
    with lg.open(path, CLASSES) as graph:
        engine: Any = graph._access.engine
        report = graph.admin.erase(*gone)
        assert content(graph, set()) == before
        assert report.splits
        tables = graph.admin.tables()[1:]
        splits = [row for table in tables for row in engine.splits(table)]
        kept = {row[:-1].decode() for row in splits if row.startswith(SECRET.encode())}
        assert kept == {name(number) for number in range(0, 2000, 3)} - gone
        assert report.mentions == 0
        engine.verify()
        assert content(graph, set()) == before
    assert found(path, gone) == set()
    with lg.open(path, CLASSES) as graph:
        assert content(graph, set()) == before
        graph.add(about(0))
        assert graph.session(lg.ALL).get(name(0)).to_list()


def test_a_delete_and_a_vacuum_do_not_do(tmp_path: Path) -> None:
    """The test above can fail: what people would call leaves ids in the file."""
    path = tmp_path / "db"
    with lg.open(path, CLASSES, authorizations=lg.ALL, durability="relaxed") as graph:
        graph.add([one for number in range(1500) for one in about(number)])
        graph.admin.compact()
        gone = {name(number) for number in range(0, 1500)}
        graph.delete(graph.all())
        graph.admin.compact()
        engine: Any = graph._access.engine
        engine.vacuum()
    assert found(path, gone)


HOLD = """
import sys, time
import lexigraph as lg
graph = lg.open(sys.argv[1])
print("open", flush=True)
time.sleep(600)
"""


def test_nobody_else_may_have_it_open(tmp_path: Path) -> None:
    path = tmp_path / "db"
    with lg.open(path, CLASSES, lock_timeout_s=0.2) as graph:
        graph.add([Person("ann@example.org"), Person("bob")])
        with subprocess.Popen([sys.executable, "-c", HOLD, path], stdout=subprocess.PIPE) as other:
            assert other.stdout is not None
            other.stdout.readline()
            try:
                with pytest.raises(Locked, match=str(other.pid)):
                    graph.admin.erase("ann@example.org")
            finally:
                other.kill()
        with lg.open(path, CLASSES), pytest.raises(Locked, match="more than once"):
            graph.admin.erase("ann@example.org")
        assert graph.count() == 2
        with graph.snapshot() as held:
            held.count()
            with pytest.raises(Locked, match="snapshots"):
                graph.admin.erase("ann@example.org")
        assert graph.count() == 2
        assert graph.admin.erase("ann@example.org").deleted == 1
        assert graph.count() == 1
    assert found(path, {"ann@example.org"}) == set()
    with lg.open(path, read_only=True) as graph, pytest.raises(ReadOnly):
        graph.admin.erase("bob")


ERASE = """
import sys
import lexigraph as lg
graph = lg.open(sys.argv[1])
print("begun", flush=True)
graph.admin.erase(*sys.argv[2:])
print("done", flush=True)
"""


@pytest.mark.parametrize("seed", range(3))
def test_an_erasure_that_is_killed_is_called_again(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "db"
    gone = {name(number) for number in range(0, 600, 7)}
    with lg.open(path, CLASSES, durability="relaxed") as graph:
        graph.add([one for number in range(600) for one in about(number)])
        before = content(graph, gone)
    chance = random.Random(seed)
    for _ in range(3):
        command = [sys.executable, "-c", ERASE, path, *gone]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            child.stdout.readline()
            time.sleep(chance.random() * 0.8)
            child.send_signal(signal.SIGKILL)
        with lg.open(path, CLASSES) as graph:
            assert content(graph, gone) == before
    with lg.open(path, CLASSES) as graph:
        graph.admin.erase(*gone)
        assert content(graph, set()) == before
    assert found(path, gone) == set()
