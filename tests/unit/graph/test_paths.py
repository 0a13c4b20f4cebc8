"""Paths between vertices, for readers of different labels, against NetworkX."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lexigraph as lg
from lexigraph.errors import QueryTimeout, UsageError

IDS = "abcdefg"
edge = st.tuples(st.sampled_from(IDS), st.sampled_from(IDS), st.sampled_from(["", "x", "y"]))


class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    count: int = lg.sum(default=1)
    label: str = lg.visibility(default="")


class Person(lg.Vertex):
    id: str


class Knows(lg.Edge):
    source: str
    destination: str


@pytest.fixture(scope="module", params=["memory", "embedded"])
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("paths") / "graph.lexi"
    name = ":memory:" if request.param == "memory" else path
    with lg.open(name, [Calls, Person, Knows], authorizations=lg.ALL) as graph:
        yield graph


@given(
    st.lists(edge, max_size=12),
    st.lists(edge, max_size=12),
    st.sets(st.sampled_from(IDS)),
    st.sets(st.sampled_from("xy")),
    st.integers(1, 6),
    st.sampled_from(["both", "out", "in"]),
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_paths_are_those_of_what_the_reader_sees(
    engine: lg.Graph,
    calls: list[tuple[str, str, str]],
    knows: list[tuple[str, str, str]],
    there: set[str],
    user: set[str],
    hops: int,
    direction: str,
) -> None:
    """Records lead only from and to vertices that are there; summaries lead anywhere."""
    graph = engine
    graph.admin.clear()
    graph.add(Calls(source, end, label=label) for source, end, label in calls)
    graph.add(Person(one) for one in there)
    for source, end, label in knows:
        graph.add_edge(source, Knows, end, visibility=label)
    for groups, used in (((Calls,), calls), ((Knows,), knows)):
        shown = nx.MultiDiGraph()
        shown.add_nodes_from(IDS)
        shown.add_edges_from((a, b) for a, b, label in used if not label or label in user)
        if groups == (Knows,):
            shown.remove_nodes_from(set(IDS) - there)
        seen = {"both": shown.to_undirected(), "out": shown, "in": shown.reverse()}[direction]
        expected = set()
        if "a" in seen and "g" in seen:
            expected = {tuple(one) for one in nx.all_simple_paths(seen, "a", "g", cutoff=hops)}
        session = graph.session(user)
        found = list(session.paths("a", "g", *groups, hops=hops, direction=direction))
        assert len(found) == len(set(found))
        assert set(found) == expected
        least = min(map(len, expected), default=0)
        shortest = session.shortest_paths("a", "g", *groups, hops=hops, direction=direction)
        assert set(shortest) == {one for one in expected if len(one) == least}


def test_edges_of_records_lead_only_from_and_to_vertices_that_are_seen() -> None:
    with lg.open(":memory:", [Calls, Person, Knows], authorizations=["hr"]) as graph:
        graph.add(Calls("a", "b"))
        graph.add_edge("b", Knows, "c")
        graph.add(Person("b"), visibility="hr")
        graph.add(Person("c"))
        assert list(graph.paths("a", "c", hops=2)) == [("a", "b", "c")]
        assert list(graph.paths("b", "c", hops=1)) == [("b", "c")]
        other = graph.session([])
        assert list(other.paths("a", "b", hops=1)) == [("a", "b")]
        assert list(other.paths("a", "c", hops=2)) == []
        assert list(other.paths("b", "c", hops=1)) == []
        assert list(other.paths("c", "b", hops=1)) == []


def test_a_question_says_which_edges_are_followed(tmp_path: Path) -> None:
    with lg.open(tmp_path / "calls.lexi", [Calls]) as graph:
        graph.add([Calls("a", "b", count=5), Calls("b", "c", count=5), Calls("a", "c")])
        often = graph.get().edges(Calls).where(Calls.count > 3)
        assert list(graph.paths("a", "c", often, hops=3)) == [("a", "b", "c")]
        assert list(graph.paths("a", "c", hops=3)) == [("a", "c"), ("a", "b", "c")]
        with pytest.raises(UsageError, match="one question"):
            graph.paths("a", "c", often, Calls, hops=2)
        with pytest.raises(UsageError, match="ordered"):
            graph.paths("a", "c", often.order_by("count"), hops=2)
        with pytest.raises(UsageError, match="no edges are left"):
            graph.paths("a", "c", exclude=Calls, hops=2)


def test_paths_show_themselves() -> None:
    with lg.open(":memory:", [Calls]) as graph:
        graph.add([Calls("a", "b"), Calls("b", "c"), Calls("a", "c")])
        paths = graph.paths("a", "c", hops=2)
        assert repr(paths) == "<paths from 'a' to 'c'>"
        assert "vertex 2" in str(paths)
        assert "vertex 2" in paths._repr_html_()
        assert len(list(paths)) == 2
        assert str(graph.paths("a", "z", hops=2)) == "nothing found"


def test_a_search_ends_when_its_time_is_over() -> None:
    with lg.open(":memory:", [Calls]) as graph:
        names = [str(one) for one in range(14)]
        graph.add(Calls(a, b) for a in names for b in names if a != b)
        session = graph.session(timeout_s=0.3)
        with pytest.raises(QueryTimeout):
            list(session.paths("0", "1", hops=13))
