"""Order, top, distinct fields, means and summaries of derived values, beside plain Python."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg

READERS = ([], ["x"], ["x", "y"])
FIELDS = ("source", "destination", "day", "device", "count", "longest")
NAMES = "abcdef"


class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    day: date = lg.group_by()
    device: str | None = lg.group_by(default=None)
    count: int = lg.sum()
    longest: float | None = lg.max(default=None)
    label: str = lg.visibility(default="")


def some_calls(rng: random.Random, many: int) -> list[Calls]:
    return [
        Calls(
            rng.choice(NAMES),
            rng.choice(NAMES),
            day=date(2026, 1, 20) + timedelta(days=rng.randrange(60)),
            device=rng.choice([None, "tablet", "phone"]),
            count=rng.randrange(1, 5),
            longest=rng.choice([None, rng.randrange(9) / 2]),
            label=rng.choice(["", "", "x", "y", "x&y"]),
        )
        for _ in range(many)
    ]


@pytest.fixture(params=["memory", "embedded"])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[lg.Graph]:
    where = ":memory:" if request.param == "memory" else str(tmp_path / "g.lexi")
    with lg.open(where, [Calls]) as graph:
        graph.add(some_calls(random.Random(1), 300))
        yield graph


def asked(session: Any, rng: random.Random) -> Any:
    """Ask for something, with steps of all kinds."""
    question = rng.choice(
        [
            lambda: session.all(Calls),
            lambda: session.get("a", "b").edges(Calls),
            lambda: session.get("c").edges(Calls, direction="out"),
            lambda: session.within(["a", "b", "c", "d"]).edges(Calls),
        ]
    )()
    if rng.random() < 0.4:
        question = question.where(Calls.count > rng.randrange(3))
    if rng.random() < 0.2:
        question = question.where(lambda call: call["count"] != 2)
    return question


def value(element: Any, name: str) -> Any:
    return getattr(element, name) if name in ("source", "destination") else element.get(name)


def in_order(rows: Iterable[Any], keys: list[tuple[Callable[[Any], Any], bool]]) -> list[Any]:
    """Sort as people would by hand: the last key first, absent values after all others."""
    found = list(rows)
    for read, turned in reversed(keys):
        there = [one for one in found if read(one) is not None]
        there.sort(key=read, reverse=turned)
        # A reversed sort keeps equal ones in their order, too.
        found = there + [one for one in found if read(one) is None]
    return found


def month(element: Any) -> date:
    return date(element["day"].year, element["day"].month, 1)


def check_order(question: Any, rng: random.Random) -> None:
    plain = list(question.elements())
    names = rng.sample(FIELDS, rng.randrange(1, 4))
    turned = [rng.random() < 0.5 for _ in names]
    terms = [lg.desc(n) if down else n for n, down in zip(names, turned, strict=True)]
    keys = [((lambda e, n=n: value(e, n)), down) for n, down in zip(names, turned, strict=True)]
    wanted = in_order(plain, keys)
    ordered = question.order_by(*terms)
    assert list(ordered.elements()) == wanted
    assert ordered.count() == len(plain)
    most = rng.randrange(0, 8)
    assert list(ordered.limit(most).elements()) == wanted[:most]
    assert ordered.limit(most).count() == len(wanted[:most])
    top = in_order(plain, [(read, True) for read, _ in keys])[:most]
    assert list(question.top(most, by=names).elements()) == top
    table = ordered.limit(most).to_arrow().to_pylist()
    assert [row["count"] for row in table] == [one["count"] for one in wanted[:most]]
    # What is not selected can still be ordered by.
    chosen = ordered.select("count")
    assert [one.properties for one in chosen.elements()] == [
        {"count": one["count"]} for one in wanted
    ]


def check_distinct(question: Any, rng: random.Random) -> None:
    names = rng.sample(FIELDS, rng.randrange(1, 4))
    rows = [{n: value(one, n) for n in names} for one in question.elements()]
    wanted = list({tuple(row.values()): row for row in reversed(rows)}.values())
    assert key_set(question.distinct(*names)) == key_set(wanted)
    assert list(question.distinct(*names)) == [
        row for at, row in enumerate(rows) if row not in rows[:at]
    ]


def key_set(rows: Iterable[Any]) -> list[str]:
    return sorted(repr(tuple(row.values())) for row in rows)


def check_figures(question: Any, rng: random.Random) -> None:
    elements = list(question.elements())
    by: dict[str, tuple[Any, Callable[[Any], Any]]] = {
        "month": (lg.month(Calls.day), month),
        "source": ("source", lambda e: e.source),
        "device": (Calls.device, lambda e: e.get("device")),
    }
    names = rng.sample(sorted(by), rng.randrange(0, 3))
    groups: dict[tuple[Any, ...], list[Any]] = {}
    for one in elements:
        groups.setdefault(tuple(by[n][1](one) for n in names), []).append(one)
    wanted = {
        key: {
            "calls": sum(one["count"] for one in held),
            "mean": sum(one["count"] for one in held) / len(held),
            "longest": mean([one.get("longest") for one in held]),
            "n": len(held),
        }
        for key, held in groups.items()
    }
    rows = question.summarise(
        by=[by[n][0] for n in names],
        calls=lg.sum("count"),
        mean=lg.mean(Calls.count),
        longest=lg.mean("longest"),
        n=lg.count(),
    )
    found = {tuple(row[n] for n in names): row for row in rows}
    assert found.keys() == wanted.keys()
    for key, figures in wanted.items():
        for name, figure in figures.items():
            assert found[key][name] == pytest.approx(figure), (key, name)
    listed = list(rows)
    best = in_order(listed, [(lambda row: row["calls"], True)])
    assert list(rows.top(3, by="calls")) == best[:3]
    assert list(rows.where(lg.field("calls") > 9)) == [row for row in listed if row["calls"] > 9]
    assert rows.count() == len(listed)


def mean(values: list[Any]) -> float | None:
    there = [one for one in values if one is not None]
    return sum(there) / len(there) if there else None


def check_derived(question: Any, rng: random.Random) -> None:
    """A summary of what was derived, and elements that merge by it."""
    derived = question.derive("month", lambda day: date(day.year, day.month, 1), Calls.day)
    totals: dict[date, int] = {}
    merged: dict[Any, int] = {}
    for one in question.elements():
        totals[month(one)] = totals.get(month(one), 0) + one["count"]
        key = (one.source, one.destination, month(one))
        merged[key] = merged.get(key, 0) + one["count"]
    found = derived.summarise(by=["month"], calls=lg.sum("count"))
    assert {row["month"]: row["calls"] for row in found} == totals
    for rolled in (derived.roll_up("month"), question.roll_up(lg.month("day"))):
        assert {
            (one.source, one.destination, one["month"]): one["count"] for one in rolled.elements()
        } == merged
        assert rolled.count() == len(merged)
        best = rolled.top(1, by="count").first()
        assert best is None or best["count"] == max(merged.values())


CHECKS = (check_order, check_distinct, check_figures, check_derived)


@pytest.mark.parametrize("check", CHECKS)
def test_answers_are_those_of_plain_python(graph: lg.Graph, check: Any) -> None:
    rng = random.Random(check.__name__)
    for _ in range(6):
        for reader in READERS:
            check(asked(graph.session(reader), rng), rng)


@pytest.mark.parametrize("check", CHECKS)
def test_a_transaction_asks_about_what_it_wrote(graph: lg.Graph, check: Any) -> None:
    rng = random.Random(check.__name__)
    for reader in READERS:
        session = graph.session(reader, role="writer")
        with session.transaction() as pending:
            pending.add(some_calls(rng, 20))
            for _ in range(2):
                check(asked(pending, rng), rng)
