"""Plans that are wrong, that never end, or that hold too much: each ends with an error of ours."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import QueryError, QueryTimeout, SemanticProblem, UsageError
from lexigraph.plan import Elements, Everything, Steps, run
from lexigraph.plan.logical.checking import MOST_DEPTH
from lexigraph.plan.logical.expressions import (
    And,
    Call,
    ColumnValue,
    Compare,
    Constant,
    FieldValue,
    IsNull,
    Not,
    Or,
)
from lexigraph.plan.logical.rows import (
    Argument,
    Expand,
    Figure,
    Filter,
    GroupRows,
    Join,
    Project,
    Repeat,
    Sort,
    Top,
    Values,
)
from lexigraph.plan.physical.rows import bodies, operator
from lexigraph.schema.model import Aggregate

ROWS = Values(("x", "y"), ((1, "a"), (2, None)))
X: Any = ColumnValue("x")
EDGES = Elements(Everything(), {"Calls": Steps()})
NO: Any = None


class Calls(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    count: int = lg.sum(default=1)


@pytest.fixture
def graph() -> Iterator[lg.Graph]:
    with lg.open(":memory:", [Calls]) as opened:
        opened.add([Calls("a", "b"), Calls("b", "a")])
        yield opened


def rows_of(node: Any, graph: lg.Graph, timeout_s: float | None = None) -> list[dict[str, Any]]:
    return list(run(node, graph.session([], timeout_s=timeout_s)._scope()))


def nested(depth: int) -> Any:
    node: Any = ROWS
    for _ in range(depth - 1):
        node = Filter(node, Not(IsNull(X)))
    return node


def inside(depth: int) -> Any:
    one: Any = Compare("eq", X, Constant(1))
    for _ in range(depth - 2):
        one = Not(one)
    return one


@pytest.mark.parametrize(
    ("node", "error", "says"),
    [
        (Filter(ROWS, Compare("~", X, Constant(1))), SemanticProblem, "'~' is not a comparison"),
        (Project(ROWS, {"q": FieldValue("x", "count")}), SemanticProblem, "not an element"),
        (Top(ROWS, NO), UsageError, "count of a top"),
        (Top(ROWS, -1), UsageError, "count of a top"),
        (Top(ROWS, 1.5), UsageError, "count of a top"),  # type: ignore[arg-type]
        (Top(ROWS, True), UsageError, "count of a top"),
        (Repeat(ROWS, Argument(), 1.5), UsageError, "times of a repeat"),  # type: ignore[arg-type]
        (Project(ROWS, {"q": Call(NO, (X,))}), UsageError, "needs a function"),
        (Project(ROWS, {"q": Call("no", (X,))}), UsageError, "needs a function"),  # type: ignore[arg-type]
        (Filter(ROWS, NO), UsageError, "an expression is needed"),
        (Filter(ROWS, And((X, NO))), UsageError, "an expression is needed"),
        (Filter(NO, X), UsageError, "a node of a plan is needed"),
        ("no node", UsageError, "a node of a plan is needed"),
        (Project(ROWS, {3: X}), UsageError, "named by text"),  # type: ignore[dict-item]
        (Filter(ROWS, ColumnValue(3)), UsageError, "named by text"),  # type: ignore[arg-type]
        (Sort(ROWS, (X,)), UsageError, "a sort key is a SortKey"),
        (GroupRows(ROWS, {}, (X,)), UsageError, "a figure is a Figure"),
        (nested(3000), SemanticProblem, "nodes of a plan"),
        (Filter(ROWS, inside(3000)), SemanticProblem, "expressions stand inside"),
    ],
)
def test_a_mistake_is_refused_by_an_error_that_names_it(
    graph: lg.Graph, node: Any, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        rows_of(node, graph)


def test_as_many_nodes_and_expressions_as_are_allowed_can_be_run_and_shown(graph: lg.Graph) -> None:
    node = Filter(nested(MOST_DEPTH - 1), inside(MOST_DEPTH))
    assert rows_of(node, graph) == [{"x": 1, "y": "a"}]
    with pytest.raises(SemanticProblem):
        rows_of(Filter(nested(MOST_DEPTH), X), graph)
    with pytest.raises(SemanticProblem):
        rows_of(Filter(ROWS, inside(MOST_DEPTH + 1)), graph)


@pytest.mark.parametrize("where", [X, ColumnValue("y"), Not(X), And((X,)), Or((X,))])
def test_what_is_not_a_flag_passes_no_filter(graph: lg.Graph, where: Any) -> None:
    assert rows_of(Filter(ROWS, where), graph) == []


def test_what_is_not_a_flag_neither_ends_nor_shows_a_row_of_a_repeat(graph: lg.Graph) -> None:
    node = Repeat(Values(("x",), ((1,),)), Argument(), 3, until=X, emit=X)
    assert rows_of(node, graph) == [{"x": 1}]


def doubling(times: int) -> Repeat:
    """Each time twice as many rows."""
    body = Project(Expand(Argument(), "v", EDGES, "e", "w"), {"v": ColumnValue("w")})
    return Repeat(Values(("v",), (("a",),)), body, times)


def every_row_with_every_row() -> Join:
    ones = tuple((1,) for _ in range(1700))
    return Join(Values(("x",), ones), Values(("y",), ones), (("x", "y"),))


@pytest.mark.parametrize(
    "node", [doubling(22), every_row_with_every_row(), GroupRows(every_row_with_every_row(), {})]
)
def test_a_run_ends_at_its_deadline(
    graph: lg.Graph, node: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A clock that goes on by a second each time somebody looks at it.
    clock = count()
    monkeypatch.setattr(operator, "monotonic", lambda: next(clock))
    with pytest.raises(QueryTimeout, match="more than 15 s"):
        rows_of(node, graph, timeout_s=15)


def test_a_repeat_refuses_more_rows_than_it_holds(
    graph: lg.Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bodies, "MOST_INSIDE", 15)
    many = Values(("v",), tuple(("a",) for _ in range(16)))
    body = Project(Expand(Argument(), "v", EDGES, "e", "w"), {"v": ColumnValue("w")})
    with pytest.raises(QueryError, match="more than 15 rows are inside a repeat"):
        rows_of(Repeat(many, body, 3), graph)


def test_a_join_in_several_batches_has_all_pairs(graph: lg.Graph) -> None:
    counted = GroupRows(every_row_with_every_row(), {}, (Figure("n", Aggregate("count")),))
    assert rows_of(counted, graph) == [{"n": 1700 * 1700}]
