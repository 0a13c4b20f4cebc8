"""Transactions of sessions: no more rights than they have, and no word of what they cannot see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow
import pytest

import lexigraph as lg
from lexigraph.errors import NotGranted, QueryTimeout
from tests.unit.layout.engines import ENGINES


class Calls(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    count: int = lg.sum(default=1)
    label: str | None = lg.visibility(default=None)


SECRET = Calls("ann", "bob", label="secret")


@pytest.fixture(params=ENGINES)
def graph(request: pytest.FixtureRequest) -> Iterator[lg.Graph]:
    with ENGINES[request.param]() as engine, lg.open(engine, [Calls]) as graph:
        graph.add([Calls("ann", "bob"), SECRET])
        yield graph


def start(reader: lg.Session) -> Any:
    """Read all about ann, and mean to write something."""
    late = reader.transaction()
    assert late.get("ann").count() == 1
    late.add([Calls("x", "y")])
    return late


def test_a_transaction_has_the_limits_of_its_session(graph: lg.Graph) -> None:
    writer = graph.session(["x"], role="writer", own_labels=True, timeout_s=1e-9)
    both = writer.transaction()
    with pytest.raises(NotGranted, match="cannot read 'secret'"):
        both.add([SECRET])
    with pytest.raises(QueryTimeout):
        both.count()
    both.add([Calls("x", "y", label="x")])
    both.commit()
    with writer.snapshot() as then, pytest.raises(QueryTimeout):
        then.count()
    assert graph.session(lg.ALL).get("x").count() == 1


def test_hidden_writes_are_no_conflict(graph: lg.Graph) -> None:
    owner = graph.session(["secret"], role="writer")
    late = start(graph)
    for _ in range(3):
        owner.add([SECRET, Calls("ann", "eve", label="secret")])
    late.commit()
    late = start(graph)
    owner.delete([SECRET], visibility="secret")
    late.commit()
    assert graph.get("x").count() == 1


def test_for_those_who_see_them_they_are(graph: lg.Graph) -> None:
    owner = graph.session(["secret"], role="writer")
    late = start(owner)
    owner.add([SECRET])
    with pytest.raises(lg.Conflict):
        late.commit()
    late = start(owner)
    owner.delete([SECRET], visibility="secret")
    with pytest.raises(lg.Conflict):
        late.commit()
    late = start(graph)
    owner.add([SECRET, Calls("ann", "zoe")])
    with pytest.raises(lg.Conflict):
        late.commit()
    assert graph.get("x").count() == 0


def test_a_delete_does_not_take_back_what_its_session_cannot_read(graph: lg.Graph) -> None:
    with graph.session([], role="writer").transaction() as both:
        both.add([Calls("ann", "bob", count=100, label="secret")])
        assert both.delete([Calls("ann", "bob")]) == 1
        assert both.count() == 0
    reader = graph.session(["secret"])
    assert [one.count for one in reader.all(Calls)] == [101]


def test_a_delete_takes_back_what_was_added_under_readable_labels(graph: lg.Graph) -> None:
    with graph.session(["secret"], role="writer").transaction() as both:
        both.add([Calls("ann", "eve", label="secret")])
        assert both.delete([Calls("ann", "eve")]) == 1
    assert graph.session(lg.ALL).edge("ann", "eve").count() == 0


def test_loads_of_others_that_it_did_not_read_are_no_conflict_of_the_owner(graph: lg.Graph) -> None:
    rows = pyarrow.table({"source": ["x"], "destination": ["y"]})
    owner = graph.session(lg.ALL, role="writer").transaction()
    assert owner.get("ann").count() == 1
    owner.add([Calls("ann", "eve")])
    graph.load(
        rows.cast(pyarrow.schema([(n, pyarrow.string()) for n in rows.column_names])), group=Calls
    )
    owner.commit()
    assert graph.edge("ann", "eve").count() == graph.edge("x", "y").count() == 1
