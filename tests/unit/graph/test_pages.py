"""Pages: the parts of an answer, one after another, are the answer."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lexigraph as lg
from lexigraph.errors import UnsupportedError, UsageError


class Person(lg.Vertex, summary=True):
    id: str
    seen: int = lg.sum(default=1)
    secret: str = lg.visibility(default="")


class Calls(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    day: date = lg.group_by()
    count: int = lg.sum(default=1)
    secret: str = lg.visibility(default="")


class Knows(lg.Edge, summary=True, directed=False):
    source: str
    destination: str
    count: int = lg.sum(default=1)


CLASSES = [Person, Calls, Knows]
NAMES = [f"v{number}" for number in range(8)]
LABELS = ["", "a", "b", "a&b", "a|b"]
DAYS = [date(2026, month, day) for month in (1, 2) for day in (1, 2)]

names = st.sampled_from(NAMES)
labels = st.sampled_from(LABELS)
elements = st.one_of(
    st.builds(Person, id=names, seen=st.integers(1, 3), secret=labels),
    st.builds(
        Calls,
        source=names,
        destination=names,
        day=st.sampled_from(DAYS),
        count=st.integers(1, 3),
        secret=labels,
    ),
    st.builds(Knows, source=names, destination=names, count=st.integers(1, 3)),
)
sources = st.sampled_from(["all", "calls", "get", "few", "between", "within", "ranges"])
steps = st.lists(
    st.sampled_from(["where", "after", "roll", "month", "labels", "limit", "call", "select"]),
    max_size=3,
    unique=True,
)
users = st.sampled_from([[], ["a"], ["b"], ["a", "b"]])


def ask(session: Any, source: str, chosen: list[str]) -> Any:
    question = {
        "all": lambda: session.all(),
        "calls": lambda: session.all(Calls),
        "get": lambda: session.get(NAMES),
        "few": lambda: session.get("v1", "v3").edges(Calls, direction="out"),
        "between": lambda: session.between(NAMES[:4], NAMES[2:]),
        "within": lambda: session.within(NAMES[:5]),
        "ranges": lambda: session.ranges(("v1", "v4"), ("v6", "v7")),
    }[source]()
    if source != "calls":
        chosen = [one for one in chosen if one in ("labels", "limit", "call")]
    for one in ("where", "roll", "month", "after", "call", "labels", "select", "limit"):
        if one not in chosen or (one == "roll" and "month" in chosen):
            continue
        question = {
            "where": lambda q: q.where(Calls.day > DAYS[0]),
            "roll": lambda q: q.roll_up(),
            "month": lambda q: q.roll_up(lg.month("day")),
            "after": lambda q: q.where(Calls.count > 1),
            "call": lambda q: q.where(lambda element: "v2" not in repr(element)),
            "labels": lambda q: q.by_visibility(),
            "select": lambda q: q.select("count"),
            "limit": lambda q: q.limit(7),
        }[one](question)
    return question


def pages_of(question: Any, size: int) -> Iterator[Any]:
    page = question.page(size)
    yield page
    while page.cursor is not None:
        page = question.page(size, after=page.cursor)
        yield page


@pytest.fixture(params=["memory", "embedded"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[lg.Graph]:
    where = ":memory:" if request.param == "memory" else tmp_path / "graph"
    with lg.open(where, CLASSES) as graph:
        yield graph


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    added=st.lists(elements, max_size=12),
    source=sources,
    chosen=steps,
    user=users,
    size=st.integers(1, 9),
)
def test_pages_one_after_another_are_the_answer(
    place: lg.Graph, added: list[Any], source: str, chosen: list[str], user: list[str], size: int
) -> None:
    # What earlier examples added stays: only more cases.
    place.add(added)
    question = ask(place.session(user), source, chosen)
    whole = [repr(one) for one in question]
    found = list(pages_of(question, size))
    assert [repr(one) for page in found for one in page] == whole
    assert all(len(page) == size for page in found[:-1])
    assert len(found) == max(1, -(-len(whole) // size))


@pytest.fixture
def graph() -> Iterator[lg.Graph]:
    with lg.open(":memory:", CLASSES) as opened:
        opened.add([Calls("v1", f"v{at}", DAYS[0]) for at in range(1, 7)])
        yield opened


def test_a_cursor_of_another_question_is_refused(graph: lg.Graph) -> None:
    cursor = graph.all(Calls).page(2).cursor
    with pytest.raises(UsageError, match="another question"):
        graph.all(Calls).where(Calls.count > 0).page(2, after=cursor)
    with pytest.raises(UsageError, match="another question"):
        graph.get("v1").page(2, after=cursor)


def test_a_cursor_of_other_authorizations_is_refused(graph: lg.Graph) -> None:
    cursor = graph.session(["a"]).all(Calls).page(2).cursor
    assert len(graph.session(["a"]).all(Calls).page(9, after=cursor)) == 4
    with pytest.raises(UsageError, match="other authorizations"):
        graph.session(["b"]).all(Calls).page(2, after=cursor)


@pytest.mark.parametrize("text", ["", "no", "ä", 3, "W10", "bnVsbA", "eyJhIjoxfQ"])
def test_what_is_no_cursor_is_refused(graph: lg.Graph, text: Any) -> None:
    with pytest.raises(UsageError, match="not the cursor of a page"):
        graph.all(Calls).page(2, after=text)


@pytest.mark.parametrize("size", [0, -1, 1.5, True])
def test_a_page_has_at_least_one_element(graph: lg.Graph, size: Any) -> None:
    with pytest.raises(UsageError, match="size of a page"):
        graph.all(Calls).page(size)


def test_a_question_with_an_order_has_no_pages(graph: lg.Graph) -> None:
    with pytest.raises(UnsupportedError, match="order of its own"):
        graph.all(Calls).order_by("count").page(2)


def test_a_page_reads_what_is_there_when_it_is_asked_for(graph: lg.Graph) -> None:
    first = graph.all(Calls).page(3)
    graph.add([Calls("v1", "v0", DAYS[0]), Calls("v1", "v9", DAYS[0])])
    graph.delete([first[-1]])
    rest = graph.all(Calls).page(9, after=first.cursor)
    assert [one.destination for one in rest] == ["v4", "v5", "v6", "v9"]


def test_within_a_row_a_page_begins_behind_the_last_element(graph: lg.Graph) -> None:
    graph.add([Calls("x", "y", day) for day in DAYS[1:3]])
    question = graph.get("x").edges(Calls)
    first = question.page(1)
    # Before the border, and behind it.
    graph.add([Calls("x", "y", DAYS[0]), Calls("x", "y", DAYS[3])])
    assert [one.day for one in question.page(9, after=first.cursor)] == DAYS[2:]


def test_pages_of_a_snapshot_are_of_one_moment(graph: lg.Graph) -> None:
    with graph.snapshot() as before:
        first = before.all(Calls).page(3)
        graph.add([Calls("v1", "v9", DAYS[0])])
        assert len(before.all(Calls).page(9, after=first.cursor)) == 3


def test_a_page_is_a_list_of_instances(graph: lg.Graph) -> None:
    page = graph.all(Calls).page(9)
    assert isinstance(page, list)
    assert page.cursor is None
    assert type(page[0]) is Calls
