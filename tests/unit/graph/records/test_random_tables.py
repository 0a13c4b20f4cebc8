"""Rows of tables against a plain dict, for random users: written, seen, deleted, and past."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import lexigraph as lg
from lexigraph.errors import VertexNotFound
from lexigraph.store import ManualClock, MemoryEngine
from tests.conformance.store.embedded_engines import Temporary

USERS = ((), ("a",), ("b",), ("a", "b"))
LABELS = ("", "a", "b", "a&b")
START = 2_000_000_000_000_000
Step = tuple[Any, ...]


def reads(user: tuple[str, ...], label: str) -> bool:
    return set(filter(None, label.split("&"))) <= set(user)


@dataclass
class Existence:
    live: bool = False
    left: bool = False
    end: float | None = None


@dataclass
class Model:
    """One vertex and the cells of its table ``t``: nothing but dicts."""

    exists: dict[str, Existence] = field(default_factory=dict)
    cells: dict[tuple[int, str, str], tuple[int, int]] = field(default_factory=dict)
    """Value and time, by row, column and visibility."""
    hides: set[str] = field(default_factory=set)
    required: set[str] = field(default_factory=set)
    mark: int = -1

    def live(self, user: tuple[str, ...]) -> list[Existence]:
        if not all(reads(user, one) for one in self.required):
            return []
        return [one for label, one in self.exists.items() if one.live and reads(user, label)]

    def seen(self, user: tuple[str, ...], *, hidden: bool = False) -> dict[int, dict[str, int]]:
        live = self.live(user)
        if not live or (not hidden and any(reads(user, one) for one in self.hides)):
            return {}
        ends = [-1 if one.end is None else one.end for one in live]
        shown: dict[int, dict[str, tuple[int, int]]] = {}
        for (row, column, label), (value, time) in self.cells.items():
            if reads(user, label) and time > min(ends) and time >= self.mark:
                held = shown.setdefault(row, {})
                if column not in held or held[column][1] < time:
                    held[column] = (value, time)
        return {row: {name: one for name, (one, _) in held.items()} for row, held in shown.items()}

    def do(self, step: Step, time: int) -> bool:
        """Do a step; return whether the element was there for it."""
        kind, user, *rest = step
        if kind == "vertex":
            found = self.exists.setdefault(rest[0], Existence())
            found.live = found.left = True
        elif kind == "put":
            row, column, label, value = rest
            if not self.live(user):
                return False
            self.cells[row, column, label] = (value, time)
        elif kind in ("row", "cell", "drop"):
            shown = self.seen(user, hidden=True)
            for row, column, label in list(self.cells):
                meant = kind == "drop" or (row == rest[0] and (kind == "row" or column == rest[1]))
                if meant and reads(user, label) and row in shown:
                    del self.cells[row, column, label]
        elif kind in ("hide", "show"):
            if not self.live(user):
                return False
            (self.hides.add if kind == "hide" else self.hides.discard)(rest[0])
        elif kind in ("require", "release"):
            if not self.live(user):
                return False
            (self.required.add if kind == "require" else self.required.discard)(rest[0])
        else:
            self.delete(user, time, hard=kind == "hard")
        return True

    def delete(self, user: tuple[str, ...], time: int, *, hard: bool) -> None:
        if not all(reads(user, one) for one in self.required):
            return
        mine = [one for label, one in self.exists.items() if reads(user, label)]
        ended = [one for one in mine if (one.left if hard else one.live)]
        if not ended:
            return
        for one in ended:
            one.live, one.end, one.left = False, time, one.left and not hard
        lives = any(one.live for one in self.exists.values())
        if hard or lives:
            for key in [key for key in self.cells if reads(user, key[2])]:
                del self.cells[key]
        if not lives:
            self.mark = time
        if hard and not any(one.left for one in self.exists.values()):
            self.hides, self.required = set(), set()


def change(graph: lg.Graph, step: Step) -> bool:
    kind, user, *rest = step
    vertex = graph.session(user, role="writer").vertex("v")
    table = vertex.table("t")
    try:
        if kind == "vertex":
            graph.session(user, role="writer").add_vertex("v", visibility=rest[0])
        elif kind == "put":
            row, column, label, value = rest
            table.set(row, column, value, visibility=label)
        elif kind in ("row", "cell"):
            table.delete(*rest)
        elif kind == "drop":
            table.drop()
        elif kind in ("delete", "hard"):
            vertex.delete(hard=kind == "hard")
        else:
            getattr(vertex, kind)(rest[0])
    except VertexNotFound:
        return False
    return True


users, labels = st.sampled_from(USERS), st.sampled_from(LABELS)
rows, columns = st.integers(0, 2), st.sampled_from("xy")
puts = st.tuples(st.just("put"), users, rows, columns, labels, st.integers(0, 9))
adds = st.tuples(st.just("vertex"), users, labels)
soft = st.one_of(
    *(puts, puts, adds, adds),
    st.tuples(st.just("row"), users, rows),
    st.tuples(st.just("cell"), users, rows, columns),
    *(st.tuples(st.just(kind), users) for kind in ("drop", "delete", "delete")),
    st.tuples(st.sampled_from(("hide", "show")), users, labels),
)
hard = st.one_of(
    *(soft, soft, soft, soft),
    st.tuples(st.just("hard"), users),
    st.tuples(st.sampled_from(("require", "release")), users, labels),
)


def check(engine: lg.Engine, clock: ManualClock, steps: list[Step], *, past: bool) -> None:
    model, told = Model(), []
    with lg.open(engine, authorizations=lg.ALL) as graph:
        for number, step in enumerate([("vertex", (), ""), *steps]):
            clock.micros = START + 10 * number
            assert change(graph, step) == model.do(step, number), step
            told.append({user: model.seen(user) for user in USERS})
            for user in USERS:
                session = graph.session(user)
                assert shown(session) == told[-1][user], (step, user)
                names = session.vertex("v").tables()
                assert names == (["t"] if told[-1][user] else []), (step, user)
        for number, seen in enumerate(told if past else ()):
            for user in USERS:
                session = graph.session(user).as_of(START + 10 * number + 5)
                assert shown(session) == seen[user], (number, user)


def shown(session: Any) -> dict[int, dict[str, int]]:
    return {one.id: dict(one) for one in session.vertex("v").table("t").rows()}


@settings(max_examples=120, deadline=None)
@given(st.lists(hard, min_size=8, max_size=16))
def test_every_user_sees_what_the_dict_says(steps: list[Step]) -> None:
    clock = ManualClock(START)
    check(MemoryEngine(clock=clock), clock, steps, past=False)


@settings(max_examples=60, deadline=None)
@given(st.lists(soft, min_size=6, max_size=10))
def test_every_user_sees_the_past_as_it_was(steps: list[Step]) -> None:
    clock = ManualClock(START)
    check(MemoryEngine(clock=clock), clock, steps, past=True)


@settings(max_examples=10, deadline=None)
@given(st.lists(soft, min_size=8, max_size=25), st.booleans())
def test_the_embedded_engine_agrees(steps: list[Step], past: bool) -> None:  # noqa: FBT001
    clock = ManualClock(START)
    with Temporary(clock=clock, durability="relaxed") as engine:
        check(engine, clock, steps, past=past)
