"""Whatever happens to a graph, an index answers as filtering everything does, for every user."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path
from time import time_ns
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import UsageError
from tests.unit.index.indexed_graphs import (
    ALL_GROUPS,
    Calls,
    Knows,
    Person,
    day,
    filtered,
    used_index,
)

DAY_MS = 24 * 3600 * 1000


class Aged(lg.Edge, summary=True, directed=True):
    """Removed by merges, a hundred days after the midnight of its day in milliseconds."""

    source: str
    destination: str
    day: int = lg.group_by()
    label: str = lg.visibility(default="")
    rules = {"too old": lg.field("day").age_off(days=100)}


def midnight(days_ago: int) -> int:
    """Return a day for ``Aged``."""
    return (time_ns() // 1_000_000 // DAY_MS - days_ago) * DAY_MS


LABELS = ["", "x", "y", "x&y"]
USERS: list[Any] = [lg.ALL, [], ["x"], ["x", "y"]]
LAYOUTS = ["byte-entity", "classic"]


def some(chance: random.Random) -> list[Any]:
    """Return a few elements of all groups."""
    made: list[Any] = []
    for _ in range(chance.randrange(1, 8)):
        ends = [chance.choice("abcd"), chance.choice("abcd")]
        label = chance.choice(LABELS)
        kind = chance.choice(["u", "v", None])
        made += [
            Calls(*ends, day=day(chance.randrange(4)), type=kind, label=label),
            Knows(*ends, since=chance.randrange(3), label=label),
            Person(ends[0], city=chance.choice("pq"), label=label),
            Aged(*ends, day=midnight(chance.choice([1, 40, 80])), label=label),
        ]
    return made


def check(graph: Any, *, users: list[Any] | None = None) -> None:
    """Compare each look-up with a filter."""
    sessions = [graph] if users is None else [graph.session(one) for one in users]
    asked: list[tuple[Any, Any, Any]] = [
        (Calls, Calls.day == day(at), lambda one, at=at: one.day == day(at)) for at in range(4)
    ]
    asked.append((Calls, Calls.type.is_in(["u", "w"]), lambda one: one.type in ("u", "w")))
    asked.append((Knows, Knows.destination == "c", lambda one: one.destination == "c"))
    asked.append((Person, Person.city == "p", lambda one: one.city == "p"))
    for ago in (1, 40, 80):
        aged = midnight(ago)
        asked.append((Aged, Aged.day == aged, lambda one, aged=aged: one.day == aged))
    for session in sessions:
        for group, condition, test in asked:
            question = session.all(group).where(condition)
            assert question.to_list() == filtered(session, group, test)
            assert question.count() == len(filtered(session, group, test))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("engine", ["memory", "embedded"])
def test_look_ups_answer_as_filters_do(engine: str, seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    where = ":memory:" if engine == "memory" else tmp_path / "g"
    layout = LAYOUTS[seed % 2]
    with lg.open(where, [*ALL_GROUPS, Aged], authorizations=lg.ALL, layout=layout) as graph:
        graph.add(some(chance))
        for name, field in (
            ("by_day", Calls.day),
            ("by_type", Calls.type),
            ("by_end", Knows.destination),
            ("by_city", Person.city),
            ("by_age", Aged.day),
        ):
            graph.index.create(name, field)
        assert used_index(graph.all(Calls).where(Calls.day == day(0)))
        steps = ["add", "delete", "set", "transaction", "compact", "label", "age"]
        for _ in range(12):
            step = chance.choice(steps)
            if step == "add":
                graph.add(some(chance))
            elif step == "delete":
                graph.delete(some(chance))
            elif step == "set":
                graph.delete(graph.all(Calls).where(Calls.day == day(chance.randrange(4))))
            elif step == "label":
                graph.delete([some(chance)[0]], visibility=chance.choice(LABELS))
            elif step == "compact":
                graph.admin.compact()
            elif step == "age":
                later = chance.choice([30, 70]) * DAY_MS * 1000
                graph.admin.compact(now=time_ns() // 1000 + later)
                # Its entry stays behind until it is added again.
                graph.add([Aged("a", "b", day=midnight(40))] if chance.random() < 0.5 else [])
            else:
                with graph.transaction() as inside:
                    inside.delete(some(chance)[:3])
                    # What it deletes it cannot add too.
                    with suppress(UsageError):
                        inside.add(some(chance))
                    check(inside)
            check(graph, users=USERS)
