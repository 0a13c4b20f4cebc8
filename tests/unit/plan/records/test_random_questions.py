"""Questions about records give what a filter over all assembled elements gives."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from lexigraph.layout.records.reading import EVERYTHING, RecordReading
from lexigraph.layout.records.subjects import EdgeSubject, VertexSubject
from lexigraph.plan import Elements, Steps, Where, count, read_page
from lexigraph.plan.logical.elements import (
    Around,
    Between,
    ById,
    Everything,
    InRanges,
    Starting,
    Within,
)
from lexigraph.schema import FieldCondition, field
from lexigraph.security import ALL, Authorizations
from lexigraph.store import EmbeddedEngine, MemoryEngine
from tests.unit.plan.records.naive import CONSTANTS, DIRECTIONS, Condition, expected
from tests.unit.plan.records.worlds import SCHEMA, Cut, World, ask, plain, scope_over

IDS = ("a", "ab", "b", "c")
ONE = st.sampled_from(IDS)
VISIBILITIES = st.sampled_from(("", "", "x", "y", "x&y"))
TIMES = st.integers(1, 5)


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Draw vertices and edges with values, some hidden, deleted or protected."""
    world = World()
    subjects: list[Any] = []
    for vertex in sorted(draw(st.sets(ONE, max_size=4))):
        labels = draw(st.sampled_from((("Person",), ("Person", "Other"), ("Other",))))
        world.vertex(vertex, *labels, visibility=draw(VISIBILITIES), time=draw(TIMES))
        subjects.append(VertexSubject(vertex))
        for name in draw(st.lists(st.sampled_from(("name", "age", "tags")), max_size=3)):
            value = draw(st.sampled_from((3, 9) if name == "age" else ("p", "q")))
            key = str(value) if name == "tags" else ""
            seen = draw(VISIBILITIES)
            world.value(subjects[-1], name, value, visibility=seen, time=draw(TIMES), key=key)
    for edge in range(draw(st.integers(0, 6))):
        ends = (draw(ONE), draw(ONE))
        common: dict[str, Any] = {"visibility": draw(VISIBILITIES), "time": draw(TIMES)}
        if draw(st.booleans()):
            since, how = draw(st.sampled_from((None, 1, 2, 3))), draw(st.booleans())
            shape = {} if since is None else {"since": since}
            world.edge(edge, *ends, shape=shape | ({"how": "p"} if how else {}), **common)
        else:
            world.edge(edge, *ends, label="Meets", directed=False, **common)
        subjects.append(EdgeSubject(edge))
        for name in draw(st.lists(st.sampled_from(("weight", "place")), max_size=2)):
            value = draw(st.sampled_from((0.5, 2.0) if name == "weight" else ("p", "q")))
            world.value(subjects[-1], name, value, visibility=draw(VISIBILITIES), time=draw(TIMES))
    for subject in draw(st.lists(st.sampled_from(subjects), max_size=3)) if subjects else ():
        change = draw(st.sampled_from(("hide", "delete", "require")))
        if change == "require":
            world.require(subject, draw(st.sampled_from(("x", "y"))), time=draw(TIMES))
        else:
            getattr(world, change)(subject, visibility=draw(VISIBILITIES), time=draw(TIMES))
    return world


SETS = st.lists(ONE, max_size=3, unique=True)
PAIRS = st.lists(st.tuples(ONE, ONE, st.booleans()), max_size=2).map(tuple)
SOURCES = st.one_of(
    SETS.map(Around),
    st.builds(Around, SETS, PAIRS),
    st.builds(Between, SETS, SETS),
    SETS.map(Within),
    st.tuples(ONE, ONE).map(lambda one: InRanges((one,))),
    st.sampled_from(("a", "b")).map(lambda one: Starting((one,))),
    st.just(Everything()),
    st.lists(st.integers(0, 6), max_size=3, unique=True).map(ById),
)
CONDITIONS = st.one_of(
    st.none(),
    st.tuples(
        st.sampled_from(("since", "weight", "name", "tags", "age", "place", "how")),
        st.sampled_from(("eq", "ne", "lt", "ge", "in", "exists")),
        st.booleans(),
    ),
)
QUESTIONS = st.fixed_dictionaries(
    {
        "source": SOURCES,
        "direction": st.sampled_from(tuple(DIRECTIONS)),
        "directed": st.sampled_from((None, None, True, False)),
        "groups": st.lists(st.sampled_from(tuple(SCHEMA.groups)), min_size=1, unique=True),
        "condition": CONDITIONS,
        "authorizations": st.sampled_from((ALL, (), ("x",), ("y",), ("x", "y"))),
        "as_of": st.sampled_from((None, None, 2, 4)),
        "batch_cells": st.sampled_from((1, 3, 4096)),
    }
)


def condition_of(condition: Condition) -> FieldCondition:
    """Return a condition as people write it."""
    name, op, turned = condition
    one, value = field(name), CONSTANTS.get(name, "p")
    made = {
        "eq": one == value,
        "ne": one != value,
        "lt": one < value,
        "ge": one >= value,
        "in": one.is_in([value]),
        "exists": one.exists(),
    }[op]
    return ~made if turned else made


def asked_in(question: dict[str, Any]) -> Elements | None:
    """Return a question as a plan; ``None`` if no group has the property of its condition."""
    condition, view = question["condition"], {}
    for name in question["groups"]:
        group = SCHEMA.group(name)
        if condition is None:
            view[name] = Steps()
        elif condition[0] in {one.name for one in group.properties}:
            where = condition_of(condition).to_predicate(group)
            view[name] = Steps(before=(Where(where),))
    if not view:
        return None
    return Elements(question["source"], view, question["direction"], question["directed"])


def check(world: World, engine: Any, question: dict[str, Any]) -> None:
    """Ask one question and compare it with the answer by hand."""
    asked = asked_in(question)
    if asked is None:
        return
    held, as_of = question["authorizations"], question["as_of"]
    reading = RecordReading(held if held is ALL else Authorizations(held), as_of, EVERYTHING)
    scope = scope_over(Cut(engine, question["batch_cells"]), held, as_of=as_of)
    found = ask(asked, scope)
    assert sorted(map(plain, found)) == expected(world, asked, question["condition"], reading)
    assert count(asked, scope) == len(found)
    assert pages(asked, scope) == found


def pages(asked: Elements, scope: Any) -> list[Any]:
    """Return the elements of a question, read two at a time."""
    from dataclasses import replace

    found, cursor = read_page(asked, scope, 2)
    while cursor is not None:
        more, cursor = read_page(asked, replace(scope, cursor=cursor), 2)
        found += more
    return found


@settings(max_examples=300, deadline=None)
@given(worlds(), st.lists(QUESTIONS, min_size=1, max_size=4))
def test_questions_are_a_filter_over_all_elements(
    world: World, questions: list[dict[str, Any]]
) -> None:
    engine = world.write(MemoryEngine())
    for question in questions:
        check(world, engine, question)


@settings(max_examples=30, deadline=None)
@given(worlds(), st.lists(QUESTIONS, min_size=3, max_size=6))
def test_the_embedded_engine_answers_alike(world: World, questions: list[dict[str, Any]]) -> None:
    with TemporaryDirectory() as home, EmbeddedEngine(Path(home) / "e") as engine:
        world.write(engine)
        for question in questions:
            check(world, engine, question)
