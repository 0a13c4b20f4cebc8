"""The feed of a user is that of the owner, cut down to what sessions of the user could read.

Random writers change records and summaries; after each commit a session of each user says what it
sees. Nothing else decides what its feed may tell.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lexigraph as lg
from lexigraph.errors import LexigraphError


class Person(lg.Vertex):
    id: str
    name: str | None = None


class Knows(lg.Edge):
    id: int
    source: str
    destination: str
    since: int | None = None


class Calls(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    count: int = lg.sum(default=1)
    label: str = lg.visibility(default="")


USERS: dict[str, list[str]] = {"nobody": [], "a": ["a"], "ab": ["a", "b"]}
VERTICES, EDGES = ["v0", "v1"], [0, 1]
LABELS = st.sampled_from(["", "a", "b", "a&b", "a|b"])
IDS = st.sampled_from([*VERTICES, *EDGES])
WORDS = (
    *("add", "blind", "again", "value", "unset", "move", "past", "hide", "show", "require"),
    *("release", "delete", "hard", "drop value", "call", "uncall", "merge", "transaction"),
)
STEPS = st.tuples(st.sampled_from(WORDS), IDS, LABELS, LABELS)


def change(graph: Any, word: str, which: Any, one: str, other: str) -> None:
    """Do one thing; what cannot be done is refused and does nothing."""
    handle = graph.edge(which) if isinstance(which, int) else graph.vertex(which)
    match word:
        case "add" | "blind" | "again":
            value = lg.value("n" if isinstance(which, str) else 3, visibility=other)
            if isinstance(which, str):
                new: Any = Person(which, name=value if word != "add" else None)
            else:
                ends = ("v1", "v0") if word == "again" else ("v0", "v1")
                new = Knows(which, *ends, since=value if word != "add" else None)
            graph.add(new, visibility=one, blind=word == "blind" and isinstance(which, str))
        case "value":
            name, value = ("name", "m") if isinstance(which, str) else ("since", 4)
            handle.set(name, value, visibility=one, metadata={"by": "x"})
        case "unset":
            handle.unset("name" if isinstance(which, str) else "since")
        case "move" | "past":
            handle.set_visibility(one, past=word == "past")
        case "hide":
            handle.hide(one)
        case "show":
            handle.show(one)
        case "require":
            handle.require(one or "a")
        case "release":
            handle.release(one or "a")
        case "delete" | "hard":
            handle.delete(hard=word == "hard")
        case "drop value":
            handle.set("name" if isinstance(which, str) else "since", None)
        case "call":
            graph.add(Calls("v0", str(which), label=one))
        case "uncall":
            graph.delete(Calls("v0", str(which)))


def seen(graph: lg.Graph, user: list[str]) -> set[tuple[str, Any]]:
    """Return what a session of a user sees: vertices, edges, and pairs of calls with labels."""
    session = graph.session(user)
    found: set[tuple[str, Any]] = {
        ("vertex", one) for one in VERTICES if session.vertex(one).exists()
    }
    return found | {("edge", one) for one in EDGES if session.edge(one).exists()}


def can_see(user: list[str], label: str) -> bool:
    return lg.Visibility(label).evaluate(lg.Authorizations(user))


def told(feed: lg.ChangeFeed) -> list[lg.GraphChange]:
    found = list(feed)
    feed.done()
    return found


def check(
    user: list[str],
    own: list[lg.GraphChange],
    owner: list[lg.GraphChange],
    before: set[tuple[str, Any]],
    after: set[tuple[str, Any]],
) -> None:
    """Compare what a user was told of one commit with what the owner was told of it."""
    # Summaries: what the label of each lets the user read.
    calls = [one for one in owner if one.group == "Calls" and can_see(user, one.visibility or "")]
    assert [(one.kind, one.key, one.visibility) for one in own if one.group == "Calls"] == [
        (one.kind, one.key, one.visibility) for one in calls
    ]
    records = [one for one in own if one.group is None]
    for name in [("vertex", one) for one in VERTICES] + [("edge", one) for one in EDGES]:
        mine = [one for one in records if (one.element, one.id) == name]
        theirs = [one for one in owner if one.group is None and (one.element, one.id) == name]
        assert {one.visible for one in mine} <= {name in after}
        if name in after and name not in before:
            assert mine[0].kind in ("added", "appeared", "shown")
        if name in before and name not in after:
            assert [one.kind in ENDINGS for one in mine] == [True]
        if name not in before and name not in after:
            assert mine == []
        if name in after:
            assert facts(mine) == [one for one in facts(theirs) if can_see(user, one[2])]


ENDINGS = ("deleted", "removed", "disappeared", "hidden")
FACTS = ("value set", "value deleted", "label added", "label deleted", "metadata set")


def facts(changes: list[lg.GraphChange]) -> list[tuple[str, Any, str]]:
    return [
        (one.kind, one.property or one.label, one.visibility or "")
        for one in changes
        if one.kind in FACTS
    ]


@pytest.mark.parametrize("engine", ["memory", "embedded"])
@settings(
    max_examples=24,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=st.lists(STEPS, min_size=1, max_size=12))
def test_a_feed_is_that_of_the_owner_cut_down(
    engine: str, steps: list[Any], tmp_path_factory: Any
) -> None:
    where = ":memory:" if engine == "memory" else tmp_path_factory.mktemp("g") / "g"
    graph = lg.open(where, [Person, Knows, Calls], authorizations=lg.ALL)
    graph.changes("owner")
    for name, user in USERS.items():
        graph.session(user).changes(name)
    for word, which, one, other in steps:
        before = {name: seen(graph, user) for name, user in USERS.items()}
        if word == "merge":
            graph.admin.compact()
            if engine == "embedded":
                graph.close()
                graph = lg.open(where, [Person, Knows, Calls], authorizations=lg.ALL)
            continue
        try:
            if word == "transaction":
                with graph.transaction() as changing:
                    change(changing, "again", which, one, other)
                    change(changing, "hide", which, other, one)
            else:
                change(graph, word, which, one, other)
        except LexigraphError:
            continue
        finally:
            owner = told(graph.changes("owner"))
            for name, user in USERS.items():
                own = told(graph.session(user).changes(name))
                check(user, own, owner, before[name], seen(graph, user))
    graph.close()
