"""Attributes that are not there: an AttributeError that names what is."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import AttributeNotFound, InvalidOperator, InvalidOption, LexigraphError
from lexigraph.graph import Query, Session
from lexigraph.graph.admin.admin import Admin
from lexigraph.graph.admin.indexes import IndexAdmin
from lexigraph.graph.other_names import QUESTION, SESSION, SUMMARY, NamesNearest, _plain
from lexigraph.graph.read.rows import Rows


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
    "sort": ".order_by(",
    "orderBy": "did you mean: order_by",
    "avg": "lg.mean(",
    "mean": "lg.mean(",
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
    "nlargest": ".top(3",
    "unique": ".distinct(",
    "degree": ".count()",
    "iterrows": "for one in",
}
OF_GRAPHS = {
    "sql": "step by step",
    "cypher": "step by step",
    "nodes": "graph.all",
    "add_edges": "graph.add",
    "neighbors": "adjacent",
    "compact": "graph.admin.compact()",
    "backup": "graph.admin.backup(path)",
    "clear": "graph.admin.clear()",
    "update": "merges",
    "save": "when it returns",
    "number_of_nodes": "graph.count(Person)",
    "read_csv": 'graph.load("calls.csv", group=Calls)',
    "sesion": "session",
    "filter": "where",
    "limit": "limit",
}
OF_SUMMARIES = {
    "sort": ".order_by(",
    "tail": "islice",
    "having": ".where(",
    "to_lists": "to_list",
    "head": ".limit(n)",
}


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
        for owner, name in re.findall(r"(graph.admin|graph.index|graph|lg|)\.([a-z_]+)", advice):
            held: Any = {
                "graph": lg.Graph,
                "lg": lg,
                "graph.admin": Admin,
                "graph.index": IndexAdmin,
            }.get(owner, Query)
            outside = {"median", "join", "islice", "groups"}
            outside |= {"csv", "plot"}
            assert name in outside or hasattr(held, name), (advice, name)


@pytest.mark.parametrize("name", ["explode", "unstack", "zip_with"])
def test_words_that_only_share_letters_are_not_proposed(graph: lg.Graph, name: str) -> None:
    assert "did you mean" not in refused(graph.all(Calls), name)


OPERATORS: list[tuple[Callable[[Any, Any, Any], object], str]] = [
    (lambda graph, asked, rows: asked[0], ".to_list()[0]"),
    (lambda graph, asked, rows: asked[:3], ".limit(n)"),
    (lambda graph, asked, rows: asked["count"], ".to_polars()"),
    (lambda graph, asked, rows: len(asked), ".count()"),
    (lambda graph, asked, rows: bool(asked), ".first() is not None"),
    (lambda graph, asked, rows: len(rows), ".count()"),
    (lambda graph, asked, rows: bool(rows), ".first() is not None"),
    (lambda graph, asked, rows: graph["ann"], 'graph.get("ann")'),
    (lambda graph, asked, rows: "ann" in graph, "graph.get"),
    (lambda graph, asked, rows: len(graph), "graph.count()"),
    (lambda graph, asked, rows: list(graph), "graph.all()"),
]


@pytest.mark.parametrize(("use", "advice"), OPERATORS)
def test_operators_name_the_method_to_use(
    graph: lg.Graph, use: Callable[[Any, Any, Any], object], advice: str
) -> None:
    asked = graph.all(Calls)
    with pytest.raises(InvalidOperator, match=re.escape(advice)) as caught:
        use(graph, asked, asked.summarise(n=lg.count()))
    assert isinstance(caught.value, TypeError)


def test_answers_still_become_lists_and_a_graph_is_true(graph: lg.Graph) -> None:
    assert list(graph.all(Calls)) == [Calls("ann", "bob")]
    assert list(graph.all(Calls).summarise(n=lg.count())) == [{"n": 1}]
    assert Calls("ann", "bob") in graph.all(Calls)
    assert graph


def test_keywords_that_a_step_does_not_have_are_explained(graph: lg.Graph) -> None:
    asked: Any = graph
    with pytest.raises(InvalidOption, match=re.escape('lg.field("count") == 3')):
        asked.all(Calls).where(count=3)
    with pytest.raises(InvalidOption, match="direction of a hop"):
        asked.walk("ann", Calls, direction="both")
    hop = graph.get().edges(Calls, direction="both")
    assert [one.vertices for one in graph.walk("bob", hop)] == [("bob", "ann")]
    with pytest.raises(InvalidOption, match="did you mean: limit"):
        asked.walk("ann", Calls, limti=3)


@pytest.mark.parametrize("name", ["average", "avg"])
def test_the_package_names_what_there_is(name: str) -> None:
    with pytest.raises(AttributeNotFound, match=r"lg\.mean"):
        getattr(lg, name)
    with pytest.raises(AttributeNotFound, match="did you mean: Vertex"):
        getattr(lg, "Vertx")  # noqa: B009 - not an attribute, for type checkers
