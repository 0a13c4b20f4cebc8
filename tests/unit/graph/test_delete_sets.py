"""Deleting by a question: as a set of cells, with the same result as one element after another."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import Conflict, UnsupportedError
from lexigraph.graph.write import delete as deleting
from lexigraph.graph.write.delete import sets_of
from lexigraph.keyplan import KeyPlan
from lexigraph.layout import ByteEntity, Classic, Layout
from lexigraph.plan.sources import seeds
from lexigraph.plan.targets import cell_sets
from lexigraph.plan.targets.cell_sets import CellSet
from lexigraph.plan.targets.identities import Identities
from lexigraph.security import ALL
from lexigraph.store import ScanSpec


class Calls(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    day: date | None = lg.group_by()
    tone: str = lg.group_by(default="plain")
    count: int = lg.sum(default=1)
    label: str | None = lg.visibility()


class Knows(lg.Edge, summary=True, directed=False):
    source: str
    destination: str
    since: int = lg.min()
    label: str | None = lg.visibility()


class Near(lg.Edge, summary=True):
    source: str
    destination: str
    directed: bool
    metres: int = lg.max()


class Person(lg.Vertex, summary=True):
    id: str
    age: int = lg.max()
    label: str | None = lg.visibility()


class Reading(lg.Vertex, summary=True):
    id: str
    at: int = lg.timestamp()
    value: int = lg.last()


CLASSES = [Calls, Knows, Near, Person, Reading]
LABELS = [None, "a", "b", "a&b", "a|b"]
LAYOUTS: list[Layout] = [
    ByteEntity(),
    Classic(),
    ByteEntity(shards=3),
    Classic(short_columns=True, table_per_group=True),
]
DAY = date(2026, 3, 1)

Ask = Callable[[lg.Session], Any]
AS_SETS: dict[str, Ask] = {
    "all": lambda graph: graph.all(),
    "group": lambda graph: graph.all(Knows),
    "two groups": lambda graph: graph.all(Near, Person),
    "vertices": lambda graph: graph.all().vertices(),
    "day": lambda graph: graph.all(Calls).where(Calls.day >= DAY),
    "no day": lambda graph: graph.all(Calls).where(~(lg.field("day") == lg.field("day"))),
    "ids": lambda graph: graph.all(Calls).where(Calls.source < "c"),
    "both ends": lambda graph: graph.all(Calls).where(Calls.source == Calls.destination),
    "value": lambda graph: graph.all(Calls).where(Calls.count > 2),
    "value and key": lambda graph: graph.all(Calls).where(
        (Calls.count > 2) | (Calls.tone == "loud"), Calls.source < "d"
    ),
    "value of undirected edges": lambda graph: graph.all(Knows).where(Knows.since < 4),
    "ends of undirected edges": lambda graph: graph.all(Knows).where(Knows.source < "c"),
    "time": lambda graph: graph.all(Reading).where(Reading.at < 5),
    "directed": lambda graph: graph.all().edges(Near, directed=True),
    "undirected": lambda graph: graph.all().edges(Near, directed=False),
    "selected": lambda graph: graph.all(Calls).select("day", "tone").where(Calls.count > 2),
    "around": lambda graph: graph.get("a", "b"),
    "around all": lambda graph: graph.get(*"abcde").edges(),
    "out": lambda graph: graph.get("a", "c").edges(Calls, Near, direction="out"),
    "in": lambda graph: graph.get("b").edges(Calls, Near, Knows, direction="in"),
    "around, by value": lambda graph: graph.get("d", "b", "a").edges(Calls).where(Calls.count > 2),
    "within": lambda graph: graph.within(["a", "b", "c"]),
    "within, edges": lambda graph: graph.within(["d", "b", "c", "e"]).edges(Calls, Knows),
    "within, by value": lambda graph: graph.within([*"abd"]).edges(Calls).where(Calls.count > 2),
    "between": lambda graph: graph.between(["a", "b"], ["b", "c", "d"]),
    "between itself": lambda graph: graph.between(["a"], ["a"]).edges(),
    "between, in": lambda graph: graph.between(["a", "e"], [*"bcd"]).edges(Calls, direction="in"),
    "between, kind": lambda graph: graph.between([*"cd"], [*"abc"]).edges(Near, directed=False),
    "nothing": lambda graph: graph.all(Calls).where(Calls.count > 99),
}
ONE_BY_ONE: dict[str, Ask] = {
    "an edge": lambda graph: graph.get("c", "e", Calls("a", "b")),
    "only an edge": lambda graph: graph.get(Knows("a", "b", since=1)),
    "limit": lambda graph: graph.all(Calls).limit(3),
    "rolled up": lambda graph: graph.all(Calls).roll_up("day").where(Calls.count > 3),
    "derived": lambda graph: graph.all(Calls).derive("twice", lambda n: 2 * n, "count"),
    "function": lambda graph: graph.all(Calls).where(lambda one: one.properties["count"] > 2),
    "part of the key": lambda graph: graph.all(Calls).select("count").where(Calls.count > 2),
    "key left out": lambda graph: graph.all(Calls).exclude("day").where(Calls.count > 2),
}


def some_elements(seed: int) -> list[Any]:
    chance = random.Random(seed)

    def vertex() -> str:
        return chance.choice("abcde")

    def label() -> str | None:
        return chance.choice(LABELS)

    days = [None, DAY, DAY.replace(day=2), DAY.replace(month=2)]
    made: list[Any] = []
    for _ in range(30):
        made += [
            Calls(
                vertex(),
                vertex(),
                day=chance.choice(days),
                tone=chance.choice(["plain", "loud"]),
                count=chance.randrange(5),
                label=label(),
            ),
            Knows(vertex(), vertex(), since=chance.randrange(9), label=label()),
            Near(vertex(), vertex(), metres=chance.randrange(9), directed=chance.random() < 0.5),
            Person(vertex(), age=chance.randrange(9), label=label()),
        ]
    made += [Reading(vertex(), at=chance.randrange(1, 9), value=1) for _ in range(6)]
    return made


@contextmanager
def graph_in(where: Path | str, layout: Layout, seed: int) -> Iterator[lg.Graph]:
    with lg.open(where, CLASSES, layout=layout) as graph:
        graph.add(some_elements(seed))
        yield graph


def cells_in(graph: lg.Graph) -> list[Any]:
    """Return all cells that are left, as they are for who sees everything."""
    stored = graph._access.stored
    found = []
    for table in sorted(stored.tables.values()):
        for batch in stored.engine.scan(table, ScanSpec(authorizations=ALL)):
            found += [(table, *cell[:4], cell.value) for cell in batch]
    return found


def session_of(graph: lg.Graph, reader: Any) -> lg.Session:
    return graph.session(authorizations=reader, role="writer")


@pytest.mark.parametrize("reader", [ALL, ["a"]], ids=["owner", "a"])
@pytest.mark.parametrize("at", range(len(LAYOUTS)))
def test_a_set_is_deleted_as_its_elements_are(tmp_path: Path, at: int, reader: Any) -> None:
    with (
        graph_in(tmp_path / "db", LAYOUTS[at], 0) as graph,
        graph_in(":memory:", LAYOUTS[at], 0) as memory,
    ):
        as_set, one_by_one = session_of(graph, reader), session_of(memory, reader)
        reports = {}
        for seed, (name, ask) in enumerate({**AS_SETS, **ONE_BY_ONE}.items()):
            for one in (graph, memory):
                one._access.stored.clear()
                one.add(some_elements(seed))
            there = len(cells_in(graph))
            report = as_set.delete(ask(as_set))
            same = one_by_one.delete(list(ask(one_by_one)))
            assert (report.groups, report.cells) == (same.groups, same.cells), name
            assert (report.timestamp is None) == (report == 0), name
            assert cells_in(graph) == cells_in(memory), name
            assert len(cells_in(graph)) == there - report.cells, name
            reports[name] = report
    if reader is ALL:
        assert [name for name, report in reports.items() if not report] == ["nothing"]


@pytest.mark.parametrize("name", AS_SETS)
def test_no_element_is_made(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> Any:
        raise AssertionError("an element was made")

    with graph_in(tmp_path / "db", ByteEntity(), 1) as graph:
        question = AS_SETS[name](session_of(graph, ["a"]))
        session = session_of(graph, ["a"])
        for owner in (KeyPlan, Identities):
            monkeypatch.setattr(owner, "decode" if owner is KeyPlan else "_take", refuse)
        session.delete(question)


def test_a_large_set_of_other_ends_is_not_guessed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seeds, "MAX_EXACT", 0)
    with lg.open(tmp_path / "db", [Near]) as graph:
        few, many = [f"a{at}" for at in range(20)], [f"b{at}" for at in range(2000)]
        graph.add(Near(a, b, metres=1, directed=True) for a in few for b in many)
        inside = graph.between(few, many[::2]).edges(Near)
        [scan, *_] = [
            one
            for held in sets_of(inside, graph._scope()) or ()
            for one in held.scans(graph._scope())
        ]
        assert scan.spec.sets["other"].is_exact
        assert graph.delete(inside) == 20_000
        assert graph.between(few, many[::2]).count() == 0
        assert graph.count() == 20_000


@pytest.mark.parametrize(("labels", "scans"), [(["a"], 1), (["a", "b"], 2)])
def test_all_cells_are_read_only_if_elements_have_several_labels(
    tmp_path: Path, labels: list[str], scans: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with lg.open(tmp_path / "db", [Knows], authorizations=ALL) as graph:
        graph.add(Knows("a", f"b{at}", since=at, label=one) for at in range(9) for one in labels)
        read: list[ScanSpec] = []

        def reading(scan: Any, scope: Any, size: int) -> Iterator[Any]:
            read.append(scan.spec)
            return batches(scan, scope, size)

        batches = cell_sets.read_batches
        monkeypatch.setattr(cell_sets, "read_batches", reading)
        assert graph.delete(graph.all(Knows).where(Knows.since < 4)) == 4
        assert len(read) == scans
        assert graph.count() == 5


def test_questions_of_others_are_read_as_they_read(tmp_path: Path) -> None:
    with graph_in(tmp_path / "db", ByteEntity(), 2) as graph:
        few, many = session_of(graph, ["b"]), session_of(graph, ["a", "b"])
        seen = few.all(Calls).count()
        assert seen < many.all(Calls).count()
        assert many.delete(few.all(Calls)) == seen
        left = many.all(Calls).count()
        with graph.snapshot() as before:
            many.add([Calls("x", "y", day=DAY)])
            assert many.delete(before.all(Calls)) <= left
        assert [one.source for one in many.all(Calls).where(Calls.source == "x")] == ["x"]


def test_plain_elements_without_an_optional_part_of_the_key(tmp_path: Path) -> None:
    with graph_in(tmp_path / "db", ByteEntity(), 3) as graph:
        schema = graph._access.schema
    with lg.open(tmp_path / "db", schema) as graph, graph_in(":memory:", ByteEntity(), 3) as other:
        session = session_of(graph, ALL)
        question = session.all("Calls").where(lg.field("count") > 3)
        with lg.open(other._access.stored.engine, schema) as memory:
            same = session_of(memory, ALL)
            wanted = same.delete(list(same.all("Calls").where(lg.field("count") > 3)))
            assert session.delete(question).groups == wanted.groups
            assert cells_in(graph) == cells_in(memory)


def test_what_changes_meanwhile_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with lg.open(tmp_path / "db", [Calls]) as graph:
        graph.add([Calls("a", "b", count=1), Calls("c", "d", count=2)])
        busy = iter([[Calls("a", "b", count=9)]])
        batches = CellSet.batches

        def slow(self: CellSet, scope: Any) -> Any:
            yield from batches(self, scope)
            graph.add(next(busy, []))

        monkeypatch.setattr(CellSet, "batches", slow)
        assert graph.delete(graph.all(Calls).where(Calls.count < 5)) == 1
        assert [(one.source, one.count) for one in graph.all(Calls)] == [("a", 10)]


def test_a_delete_that_others_disturb_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with lg.open(tmp_path / "db", [Calls]) as graph:
        graph.add([Calls("a", "b")])
        batches = CellSet.batches

        def slow(self: CellSet, scope: Any) -> Any:
            yield from batches(self, scope)
            graph.add([Calls("a", "b")])

        monkeypatch.setattr(CellSet, "batches", slow)
        monkeypatch.setattr(deleting, "TRIES", 3)
        with pytest.raises(Conflict, match=r".") as caught:
            graph.delete(graph.all(Calls))
        assert "Nothing was deleted" in caught.value.hint
        assert graph.all(Calls).summarise(n=lg.sum("count")).to_list() == [{"n": 4}]


def test_writers_of_other_rows_do_not_hinder_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with lg.open(tmp_path / "db", [Calls]) as graph:
        graph.add([Calls("a", "b"), Calls("a", "c")])
        batches, asked = CellSet.batches, []

        def slow(self: CellSet, scope: Any) -> Any:
            yield from batches(self, scope)
            asked.append(1)
            graph.add([Calls("x", f"y{len(asked)}")])

        monkeypatch.setattr(CellSet, "batches", slow)
        assert graph.delete(graph.all(Calls).where(Calls.source == "a")) == 2
        assert len(asked) == 2
        assert {one.source for one in graph.all(Calls)} == {"x"}


def test_times_in_the_future_are_refused(tmp_path: Path) -> None:
    with lg.open(tmp_path / "db", [Reading]) as graph:
        ahead = graph._access.engine.now() + 10**12
        graph.add([Reading("a", at=ahead, value=1), Reading("b", at=1, value=1)])
        with pytest.raises(UnsupportedError, match="in the future"):
            graph.delete(graph.all(Reading))
        assert graph.delete(graph.all(Reading).where(Reading.at < 2)) == 1
        graph.add([Reading("b", at=1, value=2)])
        assert graph.count() == 2


def test_a_transaction_deletes_one_by_one(tmp_path: Path) -> None:
    with lg.open(tmp_path / "db", [Calls]) as graph:
        graph.add([Calls("a", "b"), Calls("a", "c")])
        with graph.transaction() as own:
            assert own.delete(own.all(Calls)) == 2
        assert graph.count() == 0


def test_what_is_no_set_of_cells_is_read(tmp_path: Path) -> None:
    with (
        graph_in(tmp_path / "db", ByteEntity(), 4) as graph,
        graph_in(":memory:", ByteEntity(), 4) as memory,
    ):
        for name, ask in {**AS_SETS, **ONE_BY_ONE}.items():
            as_set = sets_of(ask(graph), graph._scope()) is not None
            assert as_set == (name in AS_SETS), name
            assert sets_of(ask(memory), memory._scope()) is None
