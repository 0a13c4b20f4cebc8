"""A transaction reads what it has written itself, as it would be after the commit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import Conflict, UnsupportedError
from lexigraph.store import Range
from lexigraph.store.scan.overlay import Overlay

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
        session.all(Calls).to_arrow().to_pylist(),
        session.get("a", "b").edges(Calls).to_arrow().to_pylist(),
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


QUESTIONS: list[Callable[[Any], Any]] = [
    lambda session: session.count(),
    lambda session: list(session.all(Person).summarise(n=lg.sum("seen"))),
    lambda session: [one.id for one in session.all(Person)],
    lambda session: sorted(session.ranges(("p03", "p07")).to_arrow()["vertex"].to_pylist()),
]


@pytest.mark.parametrize("ask", QUESTIONS)
@pytest.mark.parametrize("own", [["p00"], ["p09"], ["p04", "p05"], ["p055"], ["a", "z"]])
def test_only_rows_with_own_writes_are_read_without_stages(
    graph: lg.Graph, monkeypatch: pytest.MonkeyPatch, ask: Callable[[Any], Any], own: list[str]
) -> None:
    graph.add([Person(f"p{number:02}", seen=number) for number in range(10)])
    engine, raw = graph._access.engine, list[Range]()
    read = engine.read_raw

    def note(table: str, ranges: Sequence[Range], *rest: Any, **how: Any) -> Any:
        raw.extend(ranges)
        return read(table, ranges, *rest, **how)

    monkeypatch.setattr(engine, "read_raw", note)
    with graph.transaction() as inside:
        inside.add(Person(one, seen=50) for one in own)
        inside.delete([Person("p06")])
        told = ask(inside)
    assert raw
    assert all(one.start and one.end for one in raw)
    rows = {one.start.row for one in raw if one.start}
    assert len(rows) <= len(own) + 1
    assert told == ask(graph)


def test_explain_says_that_stages_run_in_the_client_too(tmp_path: Path) -> None:
    with lg.open(tmp_path / "g", [Calls, Person]) as graph, graph.transaction() as inside:

        def placed(question: Any) -> set[str]:
            found = question.explain().find("scan")[0].parts
            return {one.facts["where"] for one in found if one.what.startswith("stage")}

        assert placed(inside.get("a").vertices()) == {"engine"}
        inside.add([Person("a")])
        assert placed(inside.get("a").vertices()) == {"client"}
        assert placed(inside.get("b").vertices()) == {"engine"}


def test_it_holds_no_other_moment_and_no_other_transaction(graph: lg.Graph) -> None:
    """They would see neither its writes nor its moment, and what they read would not count."""
    with graph.transaction() as inside:
        inside.add([Person("a")])
        with pytest.raises(UnsupportedError, match="one moment already"):
            inside.snapshot()
        with pytest.raises(UnsupportedError, match="another one"):
            inside.transaction()
    assert graph.count() == 1


def test_columns_of_what_it_has_not_touched_come_from_the_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with lg.open(tmp_path / "g", [Calls, Person]) as graph:
        graph.add([Calls("a", "b", day=DAYS[0]), Calls("c", "d", day=DAYS[1])])
        with graph.transaction() as inside:
            asked, around = inside.all(Calls), inside.get("a").edges(Calls)
            assert "operator frames" in str(asked.explain())
            scanned: list[str] = []
            scan = Overlay.scan
            monkeypatch.setattr(
                Overlay, "scan", lambda self, *a, **k: scanned.append(a[0]) or scan(self, *a, **k)
            )
            assert asked.to_arrow().num_rows == 2
            inside.add([Calls("c", "e", day=DAYS[0])])
            # Its rows lie elsewhere.
            assert around.to_arrow().num_rows == 1
            assert scanned == []
            # The same question, asked again, sees what came after it.
            assert asked.to_arrow()["destination"].to_pylist() == ["b", "d", "e"]
            assert scanned == ["graph.elements"]


@pytest.mark.parametrize("touches", [False, True])
def test_what_it_has_read_in_columns_must_not_change(tmp_path: Path, touches: bool) -> None:  # noqa: FBT001
    with lg.open(tmp_path / "g", [Calls, Person]) as graph:
        graph.add([Calls("a", "b", day=DAYS[0])])

        def read_and_write() -> None:
            with graph.transaction() as inside:
                if touches:
                    inside.add([Calls("a", "c", day=DAYS[0])])
                assert inside.get("a").edges(Calls).to_arrow().num_rows == 1 + touches
                graph.add([Calls("a", "d", day=DAYS[0])])
                inside.add([Person("new")])

        with pytest.raises(Conflict):
            read_and_write()
