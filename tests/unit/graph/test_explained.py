"""An explanation names what the engine runs, what it declined and why, and every condition."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.plan import Adjacent, Explanation, explain


class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    day: int = lg.group_by()
    count: int = lg.sum(default=1)


@pytest.fixture(params=["memory", "embedded"])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    where = ":memory:" if request.param == "memory" else str(tmp_path / "g")
    with lg.open(where, [Calls]) as graph:
        graph.add([Calls("a", "b", day=1), Calls("b", "c", day=2)])
        yield graph


def told(found: Explanation) -> tuple[str, dict[str, str]]:
    """Return the operator, and the reason of each that was declined."""
    parts = [part for part in found.parts if part.what.startswith("declined ")]
    return found.facts["operator"], {part.what[9:]: part.facts["because"] for part in parts}


def adjacent(question: Any) -> Explanation:
    return explain(Adjacent(question._edges_only()), question._reading.scope())


def test_the_operator_is_the_one_that_the_engine_prepares(graph: Any) -> None:
    declares = graph._scope().engine.capabilities.operators
    for name, found in (
        ("frames", graph.get("a", "b").explain()),
        ("edges", adjacent(graph.get("a"))),
    ):
        operator, declined = told(found)
        if name in declares:
            assert (operator, declined) == (name, {})
        else:
            assert operator == "cells"
            assert declined[name].startswith("the memory engine ")


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        (lambda g: g.all().where(lambda call: call["day"] > 1), "a filter of 'Calls' runs in the"),
        (lambda g: g.get("a").derive("x", str, "day"), "transforms of 'Calls' run in the client"),
        (lambda g: g.get("a", g.edge("b", "c")), "the client checks both ends of every edge"),
    ],
)
def test_what_a_question_leaves_to_the_client_is_the_reason(
    graph: Any, ask: Any, reason: str
) -> None:
    operator, declined = told(ask(graph).explain())
    assert operator == "cells"
    assert declined["frames"].startswith(reason)


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        (lambda g: g.all(), "the question does not start from vertices alone"),
        (lambda g: g.get("a").limit(1), "the question has a limit of edges"),
        (lambda g: g.get("a").roll_up().where(Calls.count > 1), "a filter of 'Calls' needs merged"),
    ],
)
def test_edges_are_not_followed_if_elements_are_needed(graph: Any, ask: Any, reason: str) -> None:
    operator, declined = told(adjacent(ask(graph)))
    assert operator == "cells"
    assert declined["edges"].startswith(reason)


def test_a_transaction_says_that_it_follows_edges_by_cells(graph: Any) -> None:
    with graph.transaction() as work:
        assert told(work.get("a").explain())[0] == told(graph.get("a").explain())[0]
        operator, declined = told(adjacent(work.get("a")))
        assert operator == "cells"
        assert "transaction" in declined["edges"]


def test_every_condition_is_named_under_its_stage(graph: Any) -> None:
    question = graph.all(Calls).where(Calls.day > 1).roll_up().where(Calls.count >= 5)
    stages = question.explain().find("stage filter")
    conditions = [[part.facts["is"] for part in stage.parts] for stage in stages]
    assert conditions == [["day > 1"], ["count >= 5"]]
