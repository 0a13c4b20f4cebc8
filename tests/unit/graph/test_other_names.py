"""Attributes that are not there: an AttributeError that names what is."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import AttributeNotFound, LexigraphError
from lexigraph.graph import Query, Session
from lexigraph.graph.other_names import QUESTION, SESSION, SUMMARY, NamesNearest, _plain
from lexigraph.graph.results import Rows


class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    count: int = lg.sum(default=1)


@pytest.fixture
def graph() -> Iterator[lg.Graph]:
    with lg.open(":memory:", [Calls]) as made:
        made.add([Calls("ann", "bob")])
        yield made


OF_QUESTIONS = {
    "sort": "to_polars",
    "order_by": "sorted",
    "orderBy": "sorted",
    "avg": "summarise",
    "mean": "summarise",
    "cypher": "step by step",
    "gremlin": "step by step",
    "filter": "where",
    "groupby": "summarise",
    "group_by": "summarise",
    "head": "limit",
    "neighbors": "adjacent",
    "collect": "to_list",
    "summarize": "summarise",
    "wher": "where",
}
OF_GRAPHS = {
    "sql": "step by step",
    "cypher": "step by step",
    "nodes": "graph.all",
    "add_edge": "graph.add",
    "neighbors": "adjacent",
    "shortest_path": "hops",
    "compact": "graph.admin",
    "sesion": "session",
    "filter": "where",
    "limit": "limit",
}
OF_SUMMARIES = {"sort": "to_polars", "limit": "islice", "where": "before", "to_lists": "to_list"}


def refused(thing: Any, name: str) -> str:
    assert not hasattr(thing, name)
    assert getattr(thing, name, 5) == 5
    with pytest.raises(AttributeNotFound) as caught:
        getattr(thing, name)
    assert isinstance(caught.value, AttributeError)
    assert isinstance(caught.value, LexigraphError)
    assert repr(name) in str(caught.value)
    assert caught.value.hint
    return str(caught.value)


@pytest.mark.parametrize(("name", "advice"), OF_QUESTIONS.items())
def test_a_question_names_what_there_is(graph: lg.Graph, name: str, advice: str) -> None:
    assert advice in refused(graph.all(Calls), name)


@pytest.mark.parametrize(("name", "advice"), OF_GRAPHS.items())
def test_a_graph_and_its_sessions_name_what_there_is(
    graph: lg.Graph, name: str, advice: str
) -> None:
    assert advice in refused(graph, name)
    with graph.snapshot() as moment:
        if name != "sesion":
            assert advice in refused(moment, name)


@pytest.mark.parametrize(("name", "advice"), OF_SUMMARIES.items())
def test_a_summary_names_what_there_is(graph: lg.Graph, name: str, advice: str) -> None:
    assert advice in refused(graph.all(Calls).summarise(n=lg.count()), name)


def test_private_names_are_refused_without_advice(graph: lg.Graph) -> None:
    for thing in (graph, graph.all(), graph.all(Calls).summarise(n=lg.count())):
        for name in ("_nothing", "__array__", "_repr_png_"):
            with pytest.raises(AttributeError) as caught:
                getattr(thing, name)
            assert not isinstance(caught.value, LexigraphError)


def test_a_question_can_be_copied(graph: lg.Graph) -> None:
    assert copy.copy(graph.all(Calls)).to_list() == [Calls("ann", "bob")]


@pytest.mark.parametrize(
    ("cls", "table"), [(Query, QUESTION), (Session, SESSION), (lg.Graph, SESSION), (Rows, SUMMARY)]
)
def test_every_advice_is_about_something_that_is_there(
    cls: type[NamesNearest], table: dict[str, str]
) -> None:
    known = {_plain(one) for one in dir(cls) if not one.startswith("_")}
    assert not known & table.keys(), "no name of ours has an advice of another"
    for advice in table.values():
        for owner, name in re.findall(r"(graph|lg|)\.([a-z_]+)", advice):
            held: Any = {"graph": lg.Graph, "lg": lg}.get(owner, Query)
            outside = {"sort", "mean", "join", "islice", "groups"}
            assert name in outside or hasattr(held, name), (advice, name)
