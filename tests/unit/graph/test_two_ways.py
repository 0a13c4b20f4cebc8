"""Where a fast way stands beside a general one, and rows that only their families tell apart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import SemanticProblem
from lexigraph.layout import ByteEntity, Classic, Layout
from lexigraph.plan.physical import summaries
from lexigraph.testing.duplicates import open_keeping
from tests.unit.graph.random_graphs import (
    CLASSES,
    LAYOUTS,
    NAMES,
    Calls,
    Knows,
    fill,
    layout_name,
)


class Sent(lg.Edge, summary=True):
    source: str
    destination: str
    directed: bool
    count: int = lg.sum()
    label: str | None = lg.visibility()


@pytest.mark.parametrize("where", ["memory", "embedded"])
@pytest.mark.parametrize(
    "layout", [Classic(short_columns=True), ByteEntity(short_columns=True)], ids=layout_name
)
def test_edges_of_opposite_ways_stay_apart_where_the_client_merges(
    layout: Layout, where: str, tmp_path: Path
) -> None:
    path = ":memory:" if where == "memory" else tmp_path / "g"
    with lg.open(path, [Sent], layout=layout, authorizations=["s", "t"]) as graph:
        graph.add(
            [
                Sent("a", "b", directed=True, count=1, label="s"),
                Sent("a", "b", directed=True, count=2),
                Sent("b", "a", directed=True, count=10, label="t"),
                Sent("a", "b", directed=False, count=100, label="s&t"),
            ]
        )
        for question in (graph.get("a"), graph.get("b"), graph.all(), graph.within(["a", "b"])):
            merged = question.where(lambda one: True)
            assert sorted(one.count for one in merged) == [3, 10, 100]


@pytest.mark.parametrize("layout", LAYOUTS, ids=layout_name)
def test_answers_are_counted_alike_by_the_engine_and_by_the_client(
    layout: Layout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_keeping(tmp_path / "g", CLASSES, layout=layout) as graph:
        fill(graph, 3)
        for reader in ([], ["s"], ["s", "t"]):
            session = graph.session(reader)
            asked: list[Any] = [
                session.get(NAMES),
                session.get(NAMES).edges(Calls, Knows, direction="in"),
                session.get(NAMES[:3]).edges(Calls).roll_up().where(Calls.count > 5),
                session.within(NAMES[:4]),
                session.between(NAMES[:3], NAMES[2:]),
                session.ranges(("a", "b"), ("c", "z")),
                session.get(NAMES).derive("x", lambda one: one, "group"),
            ]
            quick = [question.count() for question in asked]
            with monkeypatch.context() as changed:
                changed.setattr(summaries, "count_rows", lambda *_: None)
                assert [question.count() for question in asked] == quick
            assert [len(list(question.elements())) for question in asked] == quick


def test_of_many_elements_of_one_vertex_those_named_are_deleted() -> None:
    class Day(lg.Vertex, summary=True):
        id: str
        day: int = lg.group_by()
        part: int | None = lg.group_by()

    with lg.open(":memory:", [Day]) as graph:
        graph.add([Day("a", day=day, part=part) for day in range(9) for part in (None, 1)])
        ids = {"group": "Day", "vertex": "a"}
        assert graph.delete([{**ids, "day": 1}, {**ids, "day": 2, "part": 1}]) == 3
        assert graph.delete([{**ids, "part": 1, "day": 3}, {**ids, "part": None, "day": 4}]) == 2
        left = {(one.day, one.part) for one in graph.all(Day)}
        gone = {(1, None), (1, 1), (2, 1), (3, 1), (4, None)}
        assert left == {(day, part) for day in range(9) for part in (None, 1)} - gone


def test_ways_end_where_nothing_new_is_reached() -> None:
    with lg.open(":memory:", [Sent]) as graph:
        graph.add([Sent("a", "b", directed=True, count=1), Sent("b", "c", directed=True, count=1)])
        assert graph.hops("a", Sent, steps=10**12) == []
        assert graph.hops("a", Sent, steps=10**12, within=True) == ["b", "c"]
        with pytest.raises(SemanticProblem, match="not '2'"):
            graph.hops("a", Sent, steps="2")  # type: ignore[arg-type]
