"""What the engine reads of records by itself is what the client makes of their cells."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from lexigraph.layout.records.reading import EVERYTHING
from lexigraph.plan import Adjacent, Elements, choose_edges, choose_vertices, run
from lexigraph.plan.logical.elements import Around
from lexigraph.plan.logical.rows import VERTEX
from lexigraph.plan.records.steps import DEFAULT
from lexigraph.plan.scope import Scope
from lexigraph.security import ALL
from lexigraph.store import EmbeddedEngine
from tests.unit.plan.records.test_random_questions import IDS, QUESTIONS, asked_in, worlds
from tests.unit.plan.records.worlds import Cut, World, ask, plain, scope_over

SEVERAL = st.lists(QUESTIONS, min_size=3, max_size=6)


@contextmanager
def stored(world: World) -> Iterator[EmbeddedEngine]:
    """Give an engine that has a world."""
    with TemporaryDirectory() as home, EmbeddedEngine(Path(home) / "e") as engine:
        world.write(engine)
        yield engine


def scopes(engine: Any, question: dict[str, Any], *, hidden: bool) -> tuple[Scope, Scope]:
    """Return who asks, of the engine and of its cells."""
    fetch = replace(DEFAULT, hidden=True) if hidden else EVERYTHING
    held, as_of = question["authorizations"], question["as_of"]
    whole = scope_over(engine, held, as_of=as_of, fetch=fetch)
    return whole, replace(whole, engine=Cut(engine))


@settings(max_examples=60, deadline=None)
@given(world=worlds(), questions=SEVERAL, hidden=st.booleans())
def test_references_are_followed_alike(
    *, world: World, questions: list[dict[str, Any]], hidden: bool
) -> None:
    with stored(world) as engine:
        for question in questions:
            asked = asked_in({**question, "source": Around(IDS)})
            scope, cells = scopes(engine, question, hidden=hidden)
            view = {} if asked is None else asked.view
            edges = {name: one for name, one in view.items() if name != "Person"}
            if asked is None or not edges:
                continue
            asked = replace(asked, view=edges)
            reader = choose_edges(asked, scope).reader
            if reader is None:
                continue
            for one in IDS:
                assert reader.neighbours_of(one) == adjacent(asked, [one], cells)
            assert reader.neighbours(IDS) == adjacent(asked, IDS, cells)


def adjacent(asked: Elements, seeds: Any, scope: Scope) -> list[Any]:
    """Return the other ends as the client finds them."""
    return list(run(Adjacent(replace(asked, source=Around(seeds))), scope).values(VERTEX))


@settings(max_examples=60, deadline=None)
@given(world=worlds(), questions=SEVERAL, hidden=st.booleans())
def test_vertices_are_looked_up_alike(
    *, world: World, questions: list[dict[str, Any]], hidden: bool
) -> None:
    with stored(world) as engine:
        for question in questions:
            asked = asked_in({**question, "groups": ["Person"], "source": Around(IDS)})
            if asked is None:
                continue
            scope, cells = scopes(engine, question, hidden=hidden)
            reader = choose_vertices(asked, scope).reader
            if reader is not None:
                found, expected = list(reader.find(IDS)), ask(asked, cells)
                assert list(map(plain, found)) == list(map(plain, expected))
                columns = reader.values(IDS, ("age", "name"))
                assert columns is not None
                assert columns.vertices == [one.vertex for one in expected]
                for name, column in zip(("age", "name"), columns.columns, strict=True):
                    assert column == [one.properties.get(name) for one in expected]


def test_the_engine_does_it_where_it_can() -> None:
    world = World().vertex("a", name="p").vertex("b").edge(1, "a", "b", shape={"since": 3})
    question = {"condition": None, "direction": "out", "directed": None, "source": Around(IDS)}
    with stored(world) as engine:
        scope = scope_over(engine, ALL)
        edges, people = (asked_in({**question, "groups": [name]}) for name in ("Knows", "Person"))
        assert edges is not None
        assert people is not None
        follow, look = choose_edges(edges, scope).reader, choose_vertices(people, scope).reader
        assert follow is not None
        assert look is not None
        assert follow.neighbours(["a"]) == ["b"]
        assert [one.properties for one in look.find(["a", "x"])] == [{"name": "p", "age": 7}]
