"""Every node of rows by itself, and the rules of null."""

from __future__ import annotations

from typing import Any

import pytest

from lexigraph.errors import (
    InvalidValue,
    LexigraphError,
    PropertyNotFound,
    SemanticProblem,
    UnsupportedError,
)
from lexigraph.plan import Elements, Everything, Steps, explain, run
from lexigraph.plan.logical.expressions import (
    And,
    Call,
    ColumnValue,
    Compare,
    Constant,
    Expression,
    FieldValue,
    IsNull,
    Not,
    Or,
)
from lexigraph.plan.logical.rows import (
    Argument,
    Distinct,
    Expand,
    Figure,
    Filter,
    GroupRows,
    Join,
    Node,
    Optional,
    Project,
    Repeat,
    Sort,
    SortKey,
    Top,
    Union,
    Values,
)
from lexigraph.schema import Aggregate

from .support import day, edge, scope_of
from .test_execute import DATA

NAN = float("nan")
A, B = ColumnValue("a"), ColumnValue("b")


def values(*rows: tuple[Any, ...], columns: str = "ab") -> Values:
    return Values(tuple(columns[: len(rows[0]) if rows else 1]), rows)


def read(node: Node, data: Any = ()) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in run(node, scope_of(data))]


def column(node: Node, data: Any = ()) -> list[Any]:
    return [row[0] for row in read(node, data)]


def test_given_rows_come_as_they_are() -> None:
    assert read(values((1, None), ("x", 2))) == [(1, None), ("x", 2)]
    assert read(Values(("a",), ())) == []
    with pytest.raises(SemanticProblem, match="1 values for 2 columns"):
        read(Values(("a", "b"), ((1,),)))


ROWS = values((1,), (None,), (3,), (NAN,), ("x",))


@pytest.mark.parametrize(
    ("where", "passing"),
    [
        (Compare("gt", A, Constant(1)), [3, NAN]),
        (Not(Compare("gt", A, Constant(1))), [1]),
        (Compare("ne", A, Constant(1)), [3, NAN, "x"]),
        (Compare("eq", A, Constant(None)), []),
        (Not(Compare("eq", A, Constant(None))), []),
        (Compare("eq", A, Constant(NAN)), [NAN]),
        (IsNull(A), [None]),
        (Not(IsNull(A)), [1, 3, NAN, "x"]),
        (Or((IsNull(A), Compare("eq", A, Constant(3)))), [None, 3]),
        (And((Compare("lt", A, Constant(9)), Not(IsNull(A)))), [1, 3]),
        (Not(And((Compare("lt", A, Constant(2)), Constant(None)))), [3, NAN]),
        (And(()), [1, None, 3, NAN, "x"]),
        (Or(()), []),
        (Call(lambda one: one == "x", (A,)), ["x"]),
        (Call(lambda one: None, (A,)), []),
    ],
)
def test_only_what_is_true_passes(where: Expression, passing: list[Any]) -> None:
    assert str(column(Filter(ROWS, where))) == str(passing)


def test_types_are_not_mixed_up() -> None:
    rows = values((True, 1), (1, 1.0), ("1", 1), (1, 2.5))
    made = {op: Compare(op, A, B) for op in ("eq", "ne", "lt")}
    assert read(Project(rows, made)) == [
        (False, True, None),
        (True, False, False),
        (False, True, None),
        (False, True, True),
    ]


def test_a_projection_has_its_columns_alone() -> None:
    made = {"twice": Call(lambda one: one * 2, (A,)), "b": B}
    assert list(run(Project(values((1, 2)), made), scope_of(()))) == [{"twice": 2, "b": 2}]


@pytest.mark.parametrize("descending", [False, True])
def test_null_is_last_in_both_directions(*, descending: bool) -> None:
    rows = values((None, 0), (2, 1), (NAN, 2), (1, 3), (2, 4), (None, 5), (1.5, 6))
    found = read(Sort(rows, (SortKey(A, descending),)))
    there = [1, 4, 6, 3] if descending else [3, 6, 1, 4]
    assert [number for _, number in found] == [*there, 2, 0, 5]
    for count in range(9):
        assert str(read(Top(rows, count, (SortKey(A, descending),)))) == str(found[:count])


def test_later_keys_decide_between_equal_rows() -> None:
    rows = values(("x", 1), ("y", 2), ("x", None), ("x", 3))
    keys = (SortKey(A, descending=True), SortKey(B))
    assert read(Sort(rows, keys)) == [("y", 2), ("x", 1), ("x", 3), ("x", None)]
    assert read(Sort(rows, ())) == list(rows.rows)


def test_values_of_several_types_have_one_order() -> None:
    mixed = ["b", 2, True, b"a", 1.5, "a", day(1), (1, 2), False]
    expected = [False, True, 1.5, 2, "a", "b", b"a", day(1), (1, 2)]
    for turned in (mixed, mixed[::-1]):
        assert column(Sort(values(*((one,) for one in turned)), (SortKey(A),))) == expected
    with pytest.raises(SemanticProblem, match="neither sorted nor grouped"):
        column(Sort(values((object(),), ("a",)), (SortKey(A),)))


def test_the_first_rows_without_keys() -> None:
    assert column(Top(values((3,), (1,), (2,)), 2)) == [3, 1]
    assert column(Top(values((3,)), 0)) == []


def test_distinct_rows_come_where_they_first_come() -> None:
    rows = values((1, 0), (None, 0), (True, 1), (1.0, 0), (1, 2), (None, 3), (NAN, 0), (NAN, 1))
    assert str(column(Distinct(rows, ("a",)))) == str([1, None, True, 1.0, NAN])
    assert read(Distinct(values(([1], "x"), ([1], "x")), ("b", "a"))) == [("x", [1])]


def test_a_union_reads_one_part_after_another() -> None:
    other = Project(values((9, 8)), {"b": B, "a": A})
    assert read(Union((values((1, 2)), other, values((3, 4))))) == [(1, 2), (9, 8), (3, 4)]
    with pytest.raises(SemanticProblem, match="different columns"):
        read(Union((values((1, 2)), values((1,)))))


def test_a_join_matches_equal_values_and_never_null() -> None:
    left = values((1, "x"), (None, "y"), (2, "z"), (1, "w"))
    right = values((1, "one"), (None, "null"), (1, "uno"), (True, "true"), columns="cd")
    found = read(Join(left, right, (("a", "c"),)))
    assert found == [
        (1, "x", 1, "one"),
        (1, "x", 1, "uno"),
        (1, "w", 1, "one"),
        (1, "w", 1, "uno"),
    ]
    same = Project(right, {"a": ColumnValue("c"), "d": ColumnValue("d")})
    assert read(Join(left, same, (("a", "a"),)))[0] == (1, "x", "one")
    assert read(Join(left, Values(("c",), ()), (("a", "c"),))) == []
    with pytest.raises(SemanticProblem, match="both sides of a join have the columns b"):
        read(Join(left, values((1, 2)), (("a", "a"),)))


def figures(*names: str, of: Expression | None = A) -> tuple[Figure, ...]:
    return tuple(Figure(name, Aggregate(name), of) for name in names)


def test_figures_skip_null_and_groups_do_not() -> None:
    rows = values((1, "x"), (None, "x"), (4, None), (2, "x"), (None, "y"), (0, None))
    counted = (*figures("sum", "mean", "max"), Figure("n", Aggregate("count")))
    assert read(GroupRows(rows, {"b": B}, counted)) == [
        (None, 4, 2.0, 4, 2),
        ("x", 3, 1.5, 2, 3),
        ("y", None, None, None, 1),
    ]
    assert read(GroupRows(rows, {}, figures("sum", "set"))) == [(7, (0, 1, 2, 4))]
    assert read(GroupRows(Values(("a",), ()), {}, figures("sum"))) == []
    assert read(GroupRows(rows, {"b": B})) == [(None,), ("x",), ("y",)]


def test_figures_of_values_that_do_not_fit_are_refused() -> None:
    with pytest.raises(InvalidValue, match="of numbers, not of 'x'"):
        read(GroupRows(values(("x",)), {}, figures("mean")))
    with pytest.raises(InvalidValue, match="cannot take 'x'"):
        read(GroupRows(values((1,), ("x",)), {}, figures("sum")))
    with pytest.raises(UnsupportedError, match="rows do not have a time"):
        read(GroupRows(values((1,)), {}, figures("last")))


EDGES = Elements(Everything(), {"calls": Steps(by=())}, direction="out")
CHAIN = [edge("calls", *ends, day=day(1), count=1) for ends in ("ab", "bc", "bd", "cd", "dd")]


def expand(of: Node, name: str = "a") -> Expand:
    return Expand(of, name, EDGES, "edge", "next")


def test_expand_follows_edges_from_each_row() -> None:
    found = run(expand(values(("b",), ("z",), (None,), (7,), ("a",), ("b",))), scope_of(CHAIN))
    rows = [(row["a"], row["edge"].destination, row["next"]) for row in found]
    assert rows == [
        ("b", "c", "c"),
        ("b", "d", "d"),
        ("a", "b", "b"),
        ("b", "c", "c"),
        ("b", "d", "d"),
    ]


def test_optional_fills_with_null() -> None:
    next_of = Project(expand(Argument()), {"next": ColumnValue("next")})
    rows = values(("b", 1), ("z", 2), (None, 3))
    expected = [("b", 1, "c"), ("b", 1, "d"), ("z", 2, None), (None, 3, None)]
    assert read(Optional(rows, next_of), CHAIN) == expected
    # A body that looks at several rows is run for each row of the outer node.
    first = Top(next_of, 1, (SortKey(ColumnValue("next"), descending=True),))
    assert read(Optional(rows, first), CHAIN) == [("b", 1, "d"), ("z", 2, None), (None, 3, None)]
    counted = GroupRows(expand(Argument()), {}, (Figure("n", Aggregate("count")),))
    assert read(Optional(rows, counted), CHAIN) == [("b", 1, 2), ("z", 2, None), (None, 3, None)]


def test_optional_inside_optional_keeps_rows_apart() -> None:
    again = Expand(Argument(), "next", EDGES, "edge2", "after")
    inner = Optional(expand(Argument()), again)
    kept = Project(inner, {"next": ColumnValue("next"), "after": ColumnValue("after")})
    found = read(Optional(values(("a",), ("c",), ("z",)), kept), CHAIN)
    assert found == [("a", "b", "c"), ("a", "b", "d"), ("c", "d", "d"), ("z", None, None)]


HOP = Project(expand(Argument()), {"a": ColumnValue("next")})


def test_repeat_goes_through_its_body() -> None:
    start = values(("a",))
    assert column(Repeat(start, HOP, 2, 2), CHAIN) == ["c", "d"]
    assert column(Repeat(start, HOP, 0, 0), CHAIN) == ["a"]
    on_the_way = Repeat(start, HOP, 3, emit=Constant(True))
    assert column(on_the_way, CHAIN) == ["b", "c", "d", "d", "d"]
    assert column(Repeat(start, HOP, 3, 0, emit=Constant(True)), CHAIN)[0] == "a"
    until = Repeat(start, HOP, 9, until=Compare("eq", A, Constant("d")))
    assert column(until, CHAIN) == ["d", "d"]
    assert column(Repeat(values(("z",), (None,)), HOP, 3, emit=Constant(True)), CHAIN) == []


def test_what_is_not_there_is_named() -> None:
    leaf = Elements(Everything(), {"calls": Steps()})
    for node, error, message in (
        (
            Filter(ROWS, Compare("eq", ColumnValue("aa"), Constant(1))),
            SemanticProblem,
            "'aa' is not",
        ),
        (Sort(leaf, (SortKey(FieldValue("element", "coutn")),)), PropertyNotFound, "count"),
        (Distinct(ROWS, ("c",)), SemanticProblem, "'c' is not a column"),
        (Argument(), SemanticProblem, "argument"),
        (Repeat(values((1,)), Project(Argument(), {"b": A}), 2), SemanticProblem, "leaves out"),
        (Repeat(values((1,)), Argument(), 1, 2), SemanticProblem, "from 2 to 1"),
        (GroupRows(ROWS, {"sum": A}, figures("sum")), SemanticProblem, "two columns are named"),
        (Expand(values(("a",)), "a", EDGES, "a", "b"), SemanticProblem, "two columns"),
        (Union(()), SemanticProblem, "at least one"),
    ):
        with pytest.raises(error, match=message) as caught:
            run(node, scope_of(()))
        assert isinstance(caught.value, LexigraphError)


def test_rows_that_nobody_takes_are_not_read() -> None:
    taken = []
    rows = Project(Values(("a",), tuple((n,) for n in range(9))), {"a": Call(taken.append, (A,))})
    found = run(rows, scope_of(()))
    assert taken == []
    next(iter(found))
    assert taken


def test_elements_are_read_at_one_moment() -> None:
    scope = scope_of(DATA, ())
    leaf = Elements(Everything(), {"calls": Steps()})
    found = iter(run(Union((leaf, leaf)), scope))
    first = next(found)
    scope.engine.clear_table("g.cells")
    rows = [first, *found]
    assert len(rows) == 2 * len(list(run(leaf, scope_of(DATA, ()))))


COUNT, DEVICE = FieldValue("element", "count"), FieldValue("element", "device")
LEAF = Elements(Everything(), {"calls": Steps()})


@pytest.mark.parametrize(
    ("where", "place"),
    [
        (Compare("gt", COUNT, Constant(1)), "engine"),
        (Not(Compare("gt", COUNT, Constant(1))), "engine"),
        (Not(Or((Compare("eq", COUNT, Constant(1)), Compare("ge", COUNT, Constant(9))))), "engine"),
        (Compare("eq", DEVICE, Constant("p")), "engine"),
        (Not(Compare("eq", DEVICE, Constant("p"))), "engine"),
        (Not(And((Compare("ne", DEVICE, Constant("p")), IsNull(DEVICE)))), "engine"),
        (IsNull(DEVICE), "engine"),
        (Not(IsNull(DEVICE)), "engine"),
        (Compare("gt", COUNT, Constant(1.5)), "client"),
        (Compare("gt", COUNT, Constant(value=True)), "client"),
        (Compare("eq", DEVICE, Constant(None)), "client"),
        (Compare("lt", COUNT, COUNT), "client"),
        (Call(lambda one: one > 1, (COUNT,)), "client"),
    ],
)
def test_a_filter_in_the_scan_passes_what_one_in_the_client_does(
    where: Expression, place: str
) -> None:
    scope = scope_of(DATA)
    [made] = explain(Filter(LEAF, where), scope).find("filter")
    assert made.facts["where"] == place
    in_client = Filter(Project(LEAF, {"element": ColumnValue("element")}), where)
    assert list(run(Filter(LEAF, where), scope)) == list(run(in_client, scope))


def test_a_filter_stays_above_a_limit() -> None:
    asked = Elements(Everything(), {"calls": Steps()}, limit=2)
    where = Compare("gt", COUNT, Constant(2))
    first = [row["element"] for row in run(asked, scope_of(DATA))]
    found = [row["element"] for row in run(Filter(asked, where), scope_of(DATA))]
    assert found == [one for one in first if one["count"] > 2]
    assert len(found) < len(first) <= 2
