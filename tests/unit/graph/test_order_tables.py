"""Tables of questions in an order: sorted by Arrow where that is the same order, else by rows."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.graph.read import frames

pytest.importorskip("pyarrow")


class Person(lg.Vertex, summary=True):
    id: str
    weight: float | None = lg.max()


class Calls(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    day: date = lg.group_by()
    count: int = lg.sum(default=1)
    weight: float | None = lg.max()
    cost: Decimal | None = lg.sum()


NAN = float("nan")
WEIGHTS = [None, 1.5, NAN, -1.0, 1.5, None, 0.0]


@pytest.fixture(params=["memory", "embedded"])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[lg.Graph]:
    where = ":memory:" if request.param == "memory" else tmp_path / "graph"
    with lg.open(where, [Person, Calls]) as opened:
        for at, weight in enumerate(WEIGHTS * 3):
            day = date(2026, 1 + at % 3, 1)
            opened.add([Calls(f"v{at % 5}", f"é{at}", day, at % 4, weight, Decimal(at))])
            opened.add([Person(f"v{at}", weight)])
        yield opened


@pytest.mark.parametrize(
    "order",
    [
        lambda q: q.order_by("weight"),
        lambda q: q.order_by("weight", descending=True),
        lambda q: q.order_by("group", lg.desc("weight")),
        lambda q: q.order_by("weight").order_by("group", descending=True),
        lambda q: q.limit(9).order_by("weight"),
        lambda q: q.edges(Calls).order_by(lg.desc("destination"), "day"),
        lambda q: q.edges(Calls).order_by("count", "day", "cost"),
        lambda q: q.edges(Calls).select("day").order_by("count"),
        lambda q: q.edges(Calls).order_by(lg.month("day")),
        lambda q: q.top(4, by="weight"),
    ],
)
def test_a_table_has_the_order_of_the_elements(graph: lg.Graph, order: Any) -> None:
    question = order(graph.get(*(f"v{at}" for at in range(30))))
    table = question.to_arrow()
    expected = frames.to_arrow(question._rows(), question._columns())
    assert table.schema == expected.schema
    assert repr(table.to_pylist()) == repr(expected.to_pylist())
    batches = list(question.to_batches(rows=4))
    assert repr([row for one in batches for row in one.to_pylist()]) == repr(expected.to_pylist())
    assert all(one.num_rows <= 4 for one in batches)


def test_arrow_sorts_what_an_engine_packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with lg.open(tmp_path / "graph", [Person, Calls]) as graph:
        graph.add([Calls("a", f"b{at}", date(2026, 1, 1), at % 3) for at in range(9)])
        question = graph.all(Calls).order_by("count", "destination")
        expected = question.to_arrow()
        monkeypatch.setattr(type(question), "_rows", lambda _: pytest.fail("rows were read"))
        assert question.to_arrow() == expected


def test_a_table_that_is_too_large_for_arrow_is_sorted_by_rows(
    graph: lg.Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = graph.all(Calls).order_by("count")
    expected = question.to_arrow().to_pylist()
    monkeypatch.setattr(frames, "MOST_SORTED", 0)
    assert repr(question.to_arrow().to_pylist()) == repr(expected)
