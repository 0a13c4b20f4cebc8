"""Dicts of one class that are added together: what adding them one by one would have stored."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import Conflict, LexigraphError, StaticViolation
from lexigraph.graph.write.records import together
from lexigraph.layout.records.write.pending import PendingRecords
from lexigraph.security import ALL
from lexigraph.store import EmbeddedEngine, ManualClock, MemoryEngine, ScanSpec

TOKENS = ("a", "b")


class Person(lg.Vertex):
    id: str
    name: str | None = None
    age: lg.Int32 | None = None
    tall: float | None = None
    note: Any = None
    label: str | None = lg.visibility(default=None)


class Knows(lg.Edge):
    id: str
    source: str
    destination: str


def rows(rng: Random, count: int, *, odd: float = 0.0) -> list[Any]:
    """Return dicts that add some of 40 people; ``odd`` is how often one is not plain."""
    made: list[Any] = []
    for one in rng.sample(range(40), count):
        row: dict[str, Any] = {"id": f"p{one}", "label": rng.choice([None, "", "a", "b", "a&b"])}
        row |= {"age": rng.choice([None, 7, -1, 2**31 - 1])} if rng.random() < 0.7 else {}
        row |= {"name": rng.choice(["Ann", "é\0", None])} if rng.random() < 0.7 else {}
        row |= {"tall": rng.choice([1.5, float("inf")]), "note": "n"} if rng.random() < 0.3 else {}
        if rng.random() < odd:
            wrong = [{"age": 2**31}, {"nam": "x"}, {"name": 5}, {"note": (1, "x")}, {"id": None}]
            row |= rng.choice([*wrong, {"label": "a&"}, {"id": "p1"}, {"tall": 2}, {"age": True}])
        made.append(row)
    return made


def change(rng: Random, graph: Any, odd: float) -> list[Any]:
    """Change a graph at random, and return what the calls gave."""
    said: list[Any] = []

    def tried(call: Callable[[], Any]) -> None:
        try:
            said.append(repr(call()))
        except LexigraphError as error:
            said.append((type(error), str(error), error.hint))

    for _ in range(rng.randrange(2, 5)):
        one = f"p{rng.randrange(40)}"
        calls: list[Callable[[], Any]] = [
            lambda: graph.add(rows(rng, rng.randrange(1, 20), odd=odd), group=Person),
            lambda: graph.add(rows(rng, 15, odd=odd), group=Person, visibility="b", note="why"),
            lambda one=one: graph.vertex(one).set("age", 3),
            lambda one=one: graph.vertex(one).delete(),
            lambda one=one: graph.vertex(one).set_visibility("b"),
            lambda one=one: graph.add_edge(one, Knows, "p2", id="k"),
            lambda one=one: sorted(map(repr, graph.get(one).vertices(Person))),
        ]
        tried(rng.choice([calls[0], *calls]))
    return said


def outcome(engine: Any, seed: int, odd: float) -> Any:
    """Return what a few random calls say, and all cells that there are then."""
    rng = Random(seed)
    with engine, lg.open(engine, [Person, Knows]) as graph:
        said = []
        for _ in range(3):
            session = graph.session(authorizations=TOKENS, role="writer")
            if rng.random() < 0.5:
                said += change(rng, session, odd)
            else:
                with session.transaction() as inside:
                    said += change(rng, inside, odd)
        tables = [one for one in engine.tables() if one.endswith(("vertices", "edges"))]
        assert len(tables) == 2
        spec = ScanSpec(authorizations=ALL)
        cells = [cell for one in tables for batch in engine.scan(one, spec) for cell in batch]
        seen = [repr(one) for one in graph.all(Person)]
    return said, cells, seen


@pytest.mark.parametrize("odd", [0.0, 0.1])
@pytest.mark.parametrize("seed", range(8))
def test_what_is_stored_and_said_is_that_of_single_adds(
    seed: int, odd: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(together, "LEAST_ROWS", 1)
    taken: list[int] = []
    take = PendingRecords.take_ready

    def noted(self: PendingRecords, change: Any) -> None:
        taken.append(len(change.ids))
        take(self, change)

    monkeypatch.setattr(PendingRecords, "take_ready", noted)

    def outcomes(name: str) -> list[Any]:
        clock = ManualClock(1_000)
        engines = [EmbeddedEngine(tmp_path / name, clock=clock), MemoryEngine(clock=clock)]
        return [outcome(one, seed, odd) for one in engines]

    found = outcomes("together")
    assert taken or odd
    monkeypatch.setattr(together, "LEAST_ROWS", 1_000)
    assert found == outcomes("apart")


def test_a_transaction_whose_vertices_others_change_conflicts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(together, "LEAST_ROWS", 1)
    with lg.open(tmp_path / "g", [Person, Knows]) as graph:
        graph.add([{"id": "p1", "name": "Ann"}, {"id": "p2"}], group=Person)
        changes = graph.transaction()
        changes.add([{"id": "p1", "name": "Bob"}, {"id": "p3"}], group=Person)
        graph.vertex("p1").delete()
        with pytest.raises(Conflict):
            changes.commit()
        assert sorted(one.id for one in graph.all(Person)) == ["p2"]


def test_large_adds_are_counted_and_stored_in_parts(tmp_path: Path) -> None:
    with lg.open(tmp_path / "g", [Person, Knows]) as graph:
        added = [{"id": f"p{at}", "age": at} for at in range(6_000)]
        report = graph.add(added, group=Person)
        assert (report.added, report.commits) == (6_000, 2)
        again = graph.add(added[:300], group=Person, visibility="a")
        assert (again.added, again.second_visibility) == (300, 300)
        assert len(list(graph.all(Person))) == 6_000


def people(count: int, name: str) -> list[dict[str, Any]]:
    return [{"id": f"p{one}", "name": name} for one in range(count)]


@pytest.mark.parametrize("engine", ["memory", "embedded"])
def test_a_log_has_adds_that_are_taken_together(engine: str, tmp_path: Path) -> None:
    kinds: list[list[tuple[Any, ...]]] = []
    for least in (1, 10_000):
        path = ":memory:" if engine == "memory" else tmp_path / f"{least}.lexi"
        with (
            pytest.MonkeyPatch.context() as patched,
            lg.open(path, [Person, Knows], authorizations=lg.ALL) as graph,
        ):
            patched.setattr(together, "LEAST_ROWS", least)
            graph.add(people(5, "Ann"), group=Person)
            graph.vertex("p1").hide("a")
            feed = graph.changes("all")
            graph.add(people(8, "Bob"), group=Person)
            kinds.append([(one.kind, one.id, one.property, one.visible) for one in feed])
    assert kinds[0] == kinds[1]
    assert ("added", "p7", None, True) in kinds[0]


def test_what_lives_for_a_time_or_is_static_is_added_one_by_one() -> None:
    class Login(lg.Vertex):
        id: str
        token: str | None = lg.expires(hours=1)

    class Reading(lg.Vertex, static=True):
        id: str
        value: int | None = None

    clock = ManualClock(1_700_000_000_000_000)
    with (
        pytest.MonkeyPatch.context() as patched,
        lg.open(MemoryEngine(clock=clock), [Login, Reading]) as graph,
    ):
        patched.setattr(together, "LEAST_ROWS", 1)
        graph.add([{"id": f"l{one}", "token": "t"} for one in range(4)], group=Login)
        graph.add([{"id": f"r{one}", "value": one} for one in range(4)], group=Reading)
        with pytest.raises(StaticViolation):
            graph.add([{"id": f"r{one}", "value": 9} for one in range(4)], group=Reading)
        clock.advance(3_601_000_000)
        assert [one.token for one in graph.all().vertices(Login)] == [None] * 4
