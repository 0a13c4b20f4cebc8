"""What a scope carries besides authorizations: fetch hints, more visibilities, a cursor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import SemanticProblem, UnsupportedError
from lexigraph.layout.records.reading import FetchHints
from lexigraph.plan import (
    Adjacent,
    Around,
    Elements,
    Everything,
    Figure,
    GroupRows,
    Hops,
    Pairs,
    Scope,
    Sort,
    SortKey,
    Steps,
    Walk,
    count,
    read_page,
    run,
)
from lexigraph.plan.logical.expressions import Compare, Constant, FieldValue
from lexigraph.plan.logical.rows import ELEMENT, Expand, Filter, Project, Values
from lexigraph.schema.model import Aggregate
from lexigraph.security import ALL, Visibility


class Calls(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    count: int = lg.sum(default=1)
    seconds: int = lg.sum(default=60)


EDGES = Elements(Everything(), {"Calls": Steps()})
NEAR = Elements(Around(("a",)), {"Calls": Steps()})
COUNT, SECONDS = FieldValue(ELEMENT, "count"), FieldValue(ELEMENT, "seconds")


@pytest.fixture(params=["memory", "embedded"])
def scope(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Scope]:
    where = ":memory:" if request.param == "memory" else tmp_path / "graph"
    with lg.open(where, [Calls]) as graph:
        graph.add([Calls("a", "b"), Calls("b", "c"), Calls("c", "a", count=5)])
        yield graph.session(["x", "y"])._scope()


def fetching(scope: Scope, *names: str) -> Scope:
    return replace(scope, fetch=FetchHints(properties=frozenset(names)))


@pytest.mark.parametrize("node", [EDGES, Sort(EDGES, (SortKey(COUNT),))])
def test_elements_have_the_properties_that_were_fetched(scope: Scope, node: Any) -> None:
    found = [row[ELEMENT].properties for row in run(node, fetching(scope, "count"))]
    assert found == [{"count": 1}, {"count": 1}, {"count": 5}]


def test_edges_that_are_followed_have_what_was_fetched(scope: Scope) -> None:
    node = Expand(Values(("v",), (("a",),)), "v", replace(EDGES, direction="out"), "e", "w")
    [row] = run(node, fetching(scope))
    assert (row["e"].properties, row["w"]) == ({}, "b")


@pytest.mark.parametrize(
    "node",
    [
        Project(EDGES, {"s": SECONDS}),
        Filter(EDGES, Compare("gt", SECONDS, Constant(1))),
        Sort(EDGES, (SortKey(SECONDS),)),
        GroupRows(EDGES, {}, (Figure("s", Aggregate("sum"), SECONDS),)),
    ],
)
def test_a_property_that_was_not_fetched_is_refused_with_the_hint(scope: Scope, node: Any) -> None:
    with pytest.raises(SemanticProblem, match="'seconds' was not fetched: the fetch hints"):
        run(node, fetching(scope, "count"))
    assert len(list(run(node, fetching(scope, "count", "seconds")))) > 0


def test_filters_and_merging_of_a_leaf_see_what_was_not_fetched(scope: Scope) -> None:
    asked = Elements(Everything(), {"Calls": Steps()})
    assert count(asked, fetching(scope)) == 3


LEAVES = [
    EDGES,
    NEAR,
    Adjacent(NEAR),
    Adjacent(NEAR, distinct=False),
    Pairs(NEAR),
    Hops(("a",), EDGES, 2, within=True),
    Walk(("a",), (replace(EDGES, direction="out"),)),
    GroupRows(EDGES, {}, (Figure("n", Aggregate("count")),)),
    GroupRows(EDGES, {"n": COUNT}, (Figure("s", Aggregate("sum"), SECONDS),)),
    Project(EDGES, {"n": COUNT}),
    Sort(EDGES, (SortKey(COUNT),)),
    Expand(Values(("v",), (("a",),)), "v", EDGES, "e", "w"),
]


def rows_of(node: Any, scope: Scope) -> list[Any]:
    # Hops start with the vertices that were given, which are nothing that was read.
    return [row for row in run(node, scope) if row != {"vertex": "a"}]


@pytest.mark.parametrize("node", LEAVES)
def test_who_fails_one_visibility_sees_nothing(scope: Scope, node: Any) -> None:
    x, z = Visibility("x"), Visibility("z")
    whole = rows_of(node, scope)
    assert whole
    assert rows_of(node, replace(scope, visibilities=(x, Visibility("(x&y)|z")))) == whole
    assert rows_of(node, replace(scope, visibilities=(x, z))) == []
    assert rows_of(node, replace(scope, visibilities=(z,), authorizations=ALL)) == whole


def test_who_fails_one_visibility_gets_an_empty_page_and_no_columns(scope: Scope) -> None:
    hidden = replace(scope, visibilities=(Visibility("z"),))
    assert read_page(EDGES, hidden, 2) == ([], None)
    assert count(EDGES, hidden) == 0


def test_a_plan_of_elements_goes_on_from_the_cursor_of_its_scope(scope: Scope) -> None:
    whole = [row[ELEMENT] for row in run(EDGES, scope)]
    found, cursor = read_page(EDGES, scope, 2)
    assert found == whole[:2]
    assert [row[ELEMENT] for row in run(EDGES, replace(scope, cursor=cursor))] == whole[2:]
    with pytest.raises(UnsupportedError, match="from a cursor on"):
        run(Project(EDGES, {"n": COUNT}), replace(scope, cursor=cursor))


def test_a_limit_is_of_all_pages(scope: Scope) -> None:
    asked = replace(EDGES, limit=2)
    found, cursor = read_page(asked, scope, 1)
    rest, end = read_page(asked, replace(scope, cursor=cursor), 5)
    assert (len(found), len(rest), end) == (1, 1, None)
    assert len(list(run(asked, replace(scope, cursor=cursor)))) == 1
