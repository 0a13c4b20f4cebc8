"""A transaction reads what it has written itself, as it would be after the commit."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import Conflict

DAYS = [date(2024, 5, day) for day in (1, 2)]


class Calls(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    day: date = lg.group_by()
    label: str = lg.visibility(default="")
    count: int = lg.sum(default=1)
    last: int = lg.last(default=0)


class Person(lg.Vertex, summary=True):
    id: str
    seen: int = lg.max(default=0)


@pytest.fixture(params=["memory", "embedded"])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    where = ":memory:" if request.param == "memory" else tmp_path / "g"
    with lg.open(where, [Calls, Person]) as opened:
        yield opened


def call(rng: Random) -> Calls:
    return Calls(
        rng.choice("abcd"),
        rng.choice("abcd"),
        day=rng.choice(DAYS),
        label=rng.choice(["", "x"]),
        count=rng.randrange(1, 5),
        last=rng.randrange(100),
    )


def answers(session: Any) -> list[Any]:
    """Return what many questions answer."""
    return [
        sorted(map(repr, session.all())),
        sorted(map(repr, session.get("a").edges(Calls))),
        sorted(map(repr, session.get("b", "c").edges(Calls, direction="in"))),
        sorted(map(repr, session.between(["a"], ["b", "d"]))),
        session.count(),
        session.all(Calls).where(Calls.count > 4).count(),
        sorted(map(repr, session.all(Calls).summarise(by=[Calls.day], n=lg.sum("count")))),
        sorted(session.hops("a", Calls, steps=2)),
        session.all(Calls).roll_up().to_arrow().num_rows,
    ]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("seen", [[], ["x"]])
def test_it_answers_as_after_the_commit(graph: lg.Graph, seed: int, seen: list[str]) -> None:
    rng = Random(seed)
    graph.add(call(rng) for _ in range(12))
    graph.add([Person("a", seen=3)])
    session = graph.session(seen, role="writer")
    with session.transaction() as inside:
        before = answers(inside)
        inside.delete(inside.get("c").edges(Calls))
        gone = answers(inside)
        # What is deleted in a transaction cannot be added by it.
        inside.add(one for one in (call(rng) for _ in range(9)) if "c" not in repr(one)[:16])
        inside.add([Person("a", seen=9), Person("new", seen=1)])
        told = answers(inside)
    assert told == answers(session)
    assert before != gone
    assert gone != told


def test_what_is_taken_back_is_gone(graph: lg.Graph) -> None:
    with graph.transaction() as inside:
        inside.add([Person("a", seen=9), Person("b")])
        assert inside.count(Person) == 2
        assert inside.delete([Person("a")]) == 1
        assert [one.id for one in inside.all(Person)] == ["b"]
        assert graph.count() == 0
    assert [one.id for one in graph.all(Person)] == ["b"]


def test_labels_hide_own_writes_too(graph: lg.Graph) -> None:
    with graph.session([], role="writer").transaction() as inside:
        inside.add([Calls("a", "b", day=DAYS[0], label="x")])
        assert inside.count() == 0
    assert graph.session(["x"]).count(Calls) == 1


def test_nothing_of_it_is_seen_elsewhere_and_reads_still_conflict(graph: lg.Graph) -> None:
    inside = graph.transaction()
    inside.add([Person("a")])
    assert inside.count() == 1
    assert graph.count() == 0
    graph.add([Person("z")])
    with pytest.raises(Conflict):
        inside.commit()
    assert [one.id for one in graph.all(Person)] == ["z"]
