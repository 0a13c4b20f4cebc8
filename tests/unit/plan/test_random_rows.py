"""Random plans on two engines give what a naive evaluator says they mean."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lexigraph as lg
from lexigraph.plan import ELEMENT, Element, Elements, Scope, Steps, run
from lexigraph.plan.logical.elements import Around, Everything, Where
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

from .naive_rows import Naive


class Calls(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    day: date = lg.group_by()
    count: int = lg.sum()
    weight: float | None = lg.max(default=None)
    label: str | None = lg.visibility(default=None)


class Knows(lg.Edge, summary=True, directed=False):
    source: str
    destination: str
    count: int = lg.sum()


def elements(seed: int) -> Iterator[Any]:
    chance = random.Random(seed)
    for _ in range(60):
        ends = chance.choices("abcdef", k=2)
        if chance.random() < 0.2:
            yield Knows(*ends, count=chance.randint(-3, 3))
            continue
        weight = None if chance.random() < 0.3 else chance.randint(-8, 8) / 4
        on = date(2026, 1, 1) + timedelta(days=chance.randint(0, 70))
        label = chance.choice([None, "x", "hidden"])
        yield Calls(*ends, day=on, count=chance.randint(-3, 9), weight=weight, label=label)


@pytest.fixture(scope="module")
def scopes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Scope]]:
    path: Path = tmp_path_factory.mktemp("rows")
    with (
        lg.open(":memory:", [Calls, Knows]) as one,
        lg.open(path / "g.lexi", [Calls, Knows]) as two,
    ):
        found = []
        for graph in (one, two):
            graph.add(elements(7))
            found.append(graph.session(["x"]).all()._reading.scope())
        yield found


WHERE = Where({"op": "exists", "field": "weight"}, text="weight exists")
leaves = st.builds(
    lambda calls, both, limit, seeds: Elements(
        Around(seeds) if seeds else Everything(),
        {"Calls": calls, **({"Knows": Steps()} if both else {})},
        limit=limit,
    ),
    st.sampled_from([Steps(), Steps(by=()), Steps(after=(WHERE,)), Steps(keep=("day", "count"))]),
    st.booleans(),
    st.sampled_from([None, None, None, 3]),
    st.sampled_from([(), (), ("a", "c")]),
)
FIELDS = ("source", "destination", "day", "count", "weight", "group", "label")
field = st.sampled_from(FIELDS).map(lambda name: FieldValue("element", name))
constant = st.sampled_from([None, 0, 2, 0.5, "b", "c", date(2026, 2, 1), True]).map(Constant)


def month_of(one: Any) -> Any:
    return one.month if isinstance(one, date) else one


def conditions(value: Any) -> Any:
    compared = st.builds(
        Compare, st.sampled_from(["eq", "ne", "lt", "le", "gt", "ge"]), value, constant
    )
    return st.recursive(
        st.one_of(compared, st.builds(IsNull, value)),
        lambda inner: st.one_of(
            st.builds(Not, inner),
            st.builds(lambda a, b: And((a, b)), inner, inner),
            st.builds(lambda a, b: Or((a, b)), inner, inner),
        ),
        max_leaves=3,
    )


sort_keys = st.lists(st.builds(SortKey, field, st.booleans()), min_size=1, max_size=2).map(tuple)
of_elements = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(Filter, inner, conditions(field)),
        st.builds(Sort, inner, sort_keys),
        st.builds(Top, inner, st.integers(0, 9), st.one_of(st.just(()), sort_keys)),
    ),
    max_leaves=2,
)
figures = st.sampled_from(
    [
        Figure("n", Aggregate("count")),
        Figure("total", Aggregate("sum"), FieldValue("element", "count")),
        Figure("most", Aggregate("max"), FieldValue("element", "weight")),
        Figure("m", Aggregate("mean"), FieldValue("element", "count")),
        Figure("w", Aggregate("mean"), FieldValue("element", "weight")),
    ]
)
EDGES = Elements(Everything(), {"Calls": Steps(by=()), "Knows": Steps()}, direction="out")
KEPT = {"v": ColumnValue("next"), "c": FieldValue("edge", "count")}
HOP = Project(Expand(Argument(), "v", EDGES, "edge", "next"), KEPT)
# Every plan ends with columns "v", a vertex, and "c", a number, or as figures.
of_values = st.one_of(
    of_elements.map(
        lambda node: Project(
            node, {"v": FieldValue("element", "source"), "c": FieldValue("element", "count")}
        )
    ),
    st.just(Values(("v", "c"), (("a", 1), ("b", None), (None, 2), ("z", 3), ("a", 1)))),
)
column = st.sampled_from(["v", "c"]).map(ColumnValue)
column_keys = st.lists(st.builds(SortKey, column, st.booleans()), min_size=1, max_size=2).map(tuple)
RENAMED = {"w": ColumnValue("v"), "d": ColumnValue("c")}
plans = st.recursive(
    of_values,
    lambda inner: st.one_of(
        st.builds(Filter, inner, conditions(column)),
        st.builds(Sort, inner, column_keys),
        st.builds(Top, inner, st.integers(0, 9), column_keys),
        st.builds(lambda a: Distinct(a, ("v", "c")), inner),
        st.builds(lambda a, b: Union((a, b)), inner, inner),
        st.builds(
            lambda a, b: Project(
                Join(Top(a, 20), Project(Top(b, 20), RENAMED), (("v", "w"),)),
                {"v": ColumnValue("v"), "c": ColumnValue("d")},
            ),
            inner,
            inner,
        ),
        st.builds(lambda a: Project(Expand(Top(a, 5), "v", EDGES, "edge", "next"), KEPT), inner),
        st.builds(
            lambda a: Project(
                Optional(Top(a, 5), Expand(Argument(), "v", EDGES, "edge", "next")), KEPT
            ),
            inner,
        ),
        st.builds(
            lambda a, least, emit: Repeat(
                Top(a, 2), HOP, 2, least, Compare("eq", ColumnValue("v"), Constant("c")), emit
            ),
            inner,
            st.integers(0, 2),
            st.sampled_from([None, Constant(True), Compare("gt", ColumnValue("c"), Constant(1))]),
        ),
    ),
    max_leaves=3,
)
grouped = st.builds(
    lambda of, by, made: GroupRows(of, by, tuple({one.name: one for one in made}.values())),
    of_elements,
    st.dictionaries(
        st.sampled_from(["p", "q"]),
        st.one_of(
            st.sampled_from(["source", "day", "count"]).map(lambda n: FieldValue("element", n)),
            st.just(Call(month_of, (FieldValue("element", "day"),), "month")),
        ),
    ),
    st.lists(figures, max_size=3),
)


def naive(scope: Scope) -> Naive:
    def read(asked: Elements) -> list[Element]:
        return list(run(asked, scope).values(ELEMENT))

    def edges(asked: Elements, vertex: Any) -> list[tuple[Element, Any]]:
        found = read(replace(asked, source=Around([vertex]), both_ends=True))
        return [
            (one, one.source if one.matched == "destination" else one.destination) for one in found
        ]

    return Naive(read, edges)


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(plan=st.one_of(plans, of_elements, grouped))
def test_a_plan_means_the_same_everywhere(scopes: list[Scope], plan: Node) -> None:
    expected = naive(scopes[0]).rows(plan, [])
    for scope in scopes:
        assert list(run(plan, scope)) == expected
