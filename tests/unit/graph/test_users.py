"""Sessions know whom they are for, and can refuse authorizations that nobody declared."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import InvalidOption, InvalidValue, NotGranted, ReadOnly
from lexigraph.layout.stored.catalogue import Catalogue, Entry


class Person(lg.Vertex, summary=True):
    id: str
    seen: int = lg.sum()
    label: str = lg.visibility()


class Place(lg.Vertex, summary=True):
    id: str


@pytest.fixture(params=[":memory:", "directory"])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[lg.Graph]:
    path = ":memory:" if request.param == ":memory:" else tmp_path / "store"
    with lg.open(path, [Person]) as opened:
        opened.add([Person("ann", seen=1, label=""), Person("bob", seen=2, label="secret")])
        yield opened


def test_a_session_carries_its_user_and_what_the_user_may_do(graph: lg.Graph) -> None:
    session = graph.session(
        ["secret"], role="writer", user="ann", operation_authorizations=["load", "export"]
    )
    assert (session.user, session.operation_authorizations) == ("ann", {"load", "export"})
    assert "user 'ann', operations ['export', 'load']" in repr(session)
    with session.snapshot() as held, session.transaction() as begun:
        for one in (held, begun):
            assert (one.user, one.operation_authorizations) == ("ann", {"load", "export"})
    for plain in (graph, graph.session(["secret"])):
        assert (plain.user, plain.operation_authorizations) == (None, frozenset())
        assert "user" not in repr(plain)


@pytest.mark.parametrize(
    "given",
    [
        {"user": 5},
        {"user": b"ann"},
        {"user": ""},
        {"operation_authorizations": "load"},
        {"operation_authorizations": b"load"},
        {"operation_authorizations": [5]},
        {"operation_authorizations": [""]},
        {"operation_authorizations": None},
        {"known_only": "yes"},
    ],
)
def test_what_is_not_a_user_is_refused(graph: lg.Graph, given: dict[str, Any]) -> None:
    with pytest.raises((InvalidOption, InvalidValue)):
        graph.session(**given)


def test_only_declared_authorizations_are_known(graph: lg.Graph) -> None:
    with pytest.raises(InvalidOption, match="has none"):
        graph.session(["secret"], known_only=True)
    graph.admin.declare_authorizations(["secret", "public"])
    assert graph.session(["secret"], known_only=True).count() == 2
    with pytest.raises(NotGranted, match=r"'secrt' is not .*did you mean: secret"):
        graph.session(["secrt"], known_only=True)
    # Only a session that asks for it is checked.
    assert graph.session(["secrt"]).count() == 1
    for fine in ([], lg.ALL):
        graph.session(fine, known_only=True)
    graph.admin.declare_authorizations(["public"])
    with pytest.raises(NotGranted):
        graph.session(["secret"], known_only=True)
    assert graph.admin.declared_authorizations() == lg.Authorizations(["public"])


def test_grants_are_known_without_a_declaration() -> None:
    with lg.open(":memory:", [Person], grants=["secret"]) as graph:
        graph.session(["secret"], known_only=True)
        with pytest.raises(NotGranted):
            graph.session(["secrt"], known_only=True)


def test_a_declaration_stays_with_the_graph(tmp_path: Path) -> None:
    path, odd = tmp_path / "store", b"\xff,odd"
    with lg.open(path, [Person]) as graph:
        graph.admin.declare_authorizations(["secret", odd])
        # The graph goes on from its changed entry.
        graph.admin.evolve([Person, Place])
    with lg.open(path, [Person]) as graph:
        assert graph.admin.declared_authorizations() == lg.Authorizations(["secret", odd])
        assert set(graph.schema.groups) == {"Person", "Place"}
        graph.session([odd], known_only=True)
    with lg.open(path, read_only=True) as graph:
        graph.session(["secret"], known_only=True)
        with pytest.raises(ReadOnly):
            graph.admin.declare_authorizations([])


def test_an_entry_without_a_declaration_is_written_as_before(graph: lg.Graph) -> None:
    entry = Catalogue(graph._access.engine).get("graph")
    assert b"authorizations" not in entry.to_bytes()
    assert Entry.from_bytes("graph", entry.to_bytes()).authorizations == lg.Authorizations()
