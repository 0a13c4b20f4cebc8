"""Two writers at the same moment: a constraint holds, whatever the order, and whoever dies."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, cycle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lexigraph as lg
from lexigraph.errors import Conflict, ConstraintError, Unreachable
from lexigraph.layout.records.claims import claiming
from lexigraph.layout.records.claims.claim import ROWS
from lexigraph.layout.records.claims.rows import ClaimRows
from lexigraph.layout.write.record_commit import bound_records
from lexigraph.plan.targets.record_faults import find_record_faults
from lexigraph.store.conditions import Outcome
from tests.unit.graph.records.turns import Died, TurnsEngine
from tests.unit.layout.observe.row_engine import RowEngine


class Person(lg.Vertex):
    id: str
    name: str | None = None


class Owns(lg.Edge, multiplicity="one2one"):
    source: str
    destination: str


class Leads(lg.Edge, multiplicity="one2many"):
    source: str
    destination: str


class Lives(lg.Edge, multiplicity="many2one"):
    source: str
    destination: str


class Wed(lg.Edge, multiplicity="simple", directed=False):
    source: str
    destination: str


class Knows(lg.Edge):
    source: str
    destination: str


CLASSES: list[Any] = [Person, Owns, Leads, Lives, Wed, Knows]
Write = Callable[[lg.Session, int], object]


def add(kind: Any, source: str, destination: str) -> Write:
    return lambda graph, number: graph.add_edge(
        source.format(number), kind, destination.format(number), id=f"k{number}"
    )


def relabel(graph: lg.Session, number: int) -> object:
    return graph.edge(f"x{number}").relabel("Owns")


RACES: dict[str, Write] = {
    "one2one": add(Owns, "ann", "to{}"),
    "one2many": add(Leads, "from{}", "ann"),
    "many2one": add(Lives, "ann", "to{}"),
    "simple": add(Wed, "ann", "bob"),
    "relabel": relabel,
    "new vertex": lambda graph, number: graph.add(
        [Person("new", name=f"p{number}"), Person(f"other{number}")], new=True
    ),
    "new edge": lambda graph, number: graph.add_edge(
        "ann", Knows, f"to{number}", id="new", new=True
    ),
}


def fill(graph: lg.Graph) -> None:
    graph.add([Person("ann"), Person("bob")])
    for number in range(3):
        graph.add_edge("ann", Knows, f"z{number}", id=f"x{number}")


def winners(graph: lg.Graph, race: str) -> list[Any]:
    """Return who won, as the graph shows it."""
    if race == "new vertex":
        return [value.value for value in graph.vertex("new").one().values("name")]
    if race == "new edge":
        return [one.destination for one in graph.all(Knows) if one.id == "new"]
    return [one.id for kind in (Owns, Leads, Lives, Wed) for one in graph.all(kind)]


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    monkeypatch.setattr(claiming, "_POLL_S", 0)
    return lambda ms: monkeypatch.setattr(claiming, "PATIENCE_MS", ms)


def check_race(race: str, turns: Iterable[int], dies: int | None, *, patient: bool) -> None:
    """Let two writers race in this order, then a third; the first one may die after some calls."""
    engine = TurnsEngine()
    graph = lg.open(engine, CLASSES, authorizations=lg.ALL)
    fill(graph)
    after = chain(turns, cycle((0, 1)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(claiming, "_POLL_S", 0)
        patch.setattr(claiming, "PATIENCE_EACH_MS", 0)
        patch.setattr(claiming, "PATIENCE_MS", 60_000 if patient and dies is None else 0)
        ends = engine.run(
            {
                "a": (lambda: RACES[race](graph, 0), dies),
                "b": (lambda: RACES[race](graph, 1), None),
            },
            lambda ready: next(after),
        )
        lost = [one for one in ends.values() if isinstance(one, BaseException)]
        # Without any patience, two who take turns all the time may both give up.
        assert all(isinstance(one, ConstraintError | Conflict | Died) for one in lost)
        died = any(isinstance(one, Died) for one in lost)
        gave_up = any(isinstance(one, Conflict) for one in lost)
        assert len(lost) == 1 or died or gave_up
        assert not (gave_up and patient)
        # A third comes later, and what is half-written counts already.
        third = engine.run({"c": (lambda: RACES[race](graph, 2), None)}, lambda _: 0)["c"]
        assert isinstance(third, ConstraintError) or len(lost) == 2
        graph.admin.repair_half_edges()
    bound = bound_records(graph._access.stored)
    assert len(winners(graph, race)) == 1
    assert find_record_faults(engine, bound).multiplicity == []
    assert died or claims_left(graph) == []


@pytest.mark.parametrize("race", RACES)
@settings(max_examples=4)
@given(
    turns=st.lists(st.integers(0, 1), max_size=80),
    dies=st.one_of(st.none(), st.integers(0, 25)),
    patient=st.booleans(),
)
def test_one_of_two_writers_wins_in_any_order(
    race: str, turns: list[int], dies: int | None, *, patient: bool
) -> None:
    check_race(race, turns, dies, patient=patient)


@pytest.mark.parametrize("race", ["one2one", "simple", "relabel", "new vertex"])
def test_who_is_not_waited_for_any_longer_does_not_write(race: str) -> None:
    for calls in range(2, 14):
        check_race(race, [0] * calls + [1] * 99, None, patient=False)


def claims_left(graph: lg.Graph) -> list[Any]:
    stored = graph._access.stored
    rows = [b"claims:%04x" % number for number in range(ROWS)]
    found = ClaimRows(stored.engine, bound_records(stored).names_table).read(rows)
    return [one for held in found.values() for one in held]


def test_who_cannot_read_an_edge_does_not_wait_for_it(patience: Callable[[int], None]) -> None:
    patience(60_000)
    engine = TurnsEngine()
    graph = lg.open(engine, CLASSES, authorizations=lg.ALL)
    fill(graph)
    sessions = {name: graph.session([name], role="writer") for name in "xy"}

    def write(name: str) -> Callable[[], object]:
        return lambda: sessions[name].add_edge("ann", Owns, name, id=name, visibility=name)

    # The first has claimed, and never comes to an end.
    ends = engine.run({"x": (write("x"), 3), "y": (write("y"), None)}, lambda _: 0)
    assert isinstance(ends["x"], Died)
    assert ends["y"] == "y"
    assert {one.claim.visibility for one in claims_left(graph)} == {b"x"}
    patience(0)


def test_fences_are_seen_by_nobody(patience: Callable[[int], None]) -> None:
    patience(0)
    engine = TurnsEngine()
    graph = lg.open(engine, CLASSES, authorizations=lg.ALL)
    fill(graph)
    engine.run({"a": (lambda: RACES["relabel"](graph, 0), 6)}, lambda _: 0)
    before = [repr(graph.edge("x0").one()), list(graph.edge("x0").history())]
    assert [one.claim.subject.id for one in claims_left(graph)] == ["x0", "x0"]
    RACES["relabel"](graph, 1)
    # That of its other end is settled by those who come there.
    assert [one.claim.subject.id for one in claims_left(graph)] == ["x0"]
    [fence, *_] = [cell for cell in engine.cells_of("edges") if cell.family == b"pm"]
    assert fence.row.startswith(b"Hx0")
    assert [repr(graph.edge("x0").one()), list(graph.edge("x0").history())] == before
    assert list(graph.admin.find_half_edges()) == []
    graph.admin.erase(edges=["x0"])
    assert not [cell for cell in engine.cells_of("edges") if cell.family == b"pm"]


class LateEngine(TurnsEngine):
    """Raises at the next write of an edge, which arrives when it is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.late: list[Callable[[], Any]] = []
        self.fails = False

    def conditional_write(self, table: str, *given: Any, **options: Any) -> Any:
        if self.fails and table.endswith(".edges"):
            self.fails = False
            self.late.append(lambda: super(LateEngine, self).conditional_write(table, *given))
            raise Unreachable("no answer")
        return super().conditional_write(table, *given, **options)


def test_what_arrives_late_is_fenced_off(patience: Callable[[int], None]) -> None:
    patience(0)
    engine = LateEngine()
    graph = lg.open(engine, CLASSES, authorizations=lg.ALL)
    engine.fails = True
    with pytest.raises(Unreachable):
        graph.add_edge("ann", Owns, "bob", id="a")
    graph.add_edge("ann", Owns, "cid", id="b")
    [arrive] = engine.late
    assert arrive() == [Outcome.REJECTED]
    assert [one.id for one in graph.all(Owns)] == ["b"]


@pytest.mark.parametrize("race", RACES)
@pytest.mark.parametrize("where", ["memory", "embedded", "rows"])
def test_one_of_many_threads_wins(race: str, where: str, tmp_path: Path) -> None:
    path: Any = {"memory": ":memory:", "embedded": tmp_path / "g.lexi", "rows": RowEngine()}[where]
    with lg.open(path, CLASSES, authorizations=lg.ALL) as graph:
        fill(graph)

        def write(number: int) -> bool:
            try:
                RACES[race](graph, number)
            except ConstraintError:
                return False
            return True

        with ThreadPoolExecutor(3) as pool:
            assert sum(pool.map(write, range(3))) == 1
        assert len(winners(graph, race)) == 1
