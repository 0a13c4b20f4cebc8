"""Transactions: all or nothing, conflicts by what was read, and their own deletes and adds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from lexigraph.errors import Closed, Conflict, UnsupportedError, UsageError, ValidationError
from lexigraph.graph.write.transactions import Transaction
from lexigraph.layout import Wanted
from lexigraph.security import ALL
from lexigraph.store import MemoryEngine
from tests.unit.graph.stored_graphs import DAY, Calls, Event, Reading, add, held, make
from tests.unit.layout.engines import ENGINES


@pytest.fixture(params=ENGINES)
def graph(request: pytest.FixtureRequest) -> Any:
    with ENGINES[request.param]() as engine:
        yield make(engine)


def read(transaction: Transaction, vertex: str) -> None:
    layout = transaction.stored.layout
    for place in layout.around([vertex], Wanted(frozenset(transaction.stored.schema.groups))):
        transaction.held.record(transaction.stored.tables[place.table], place.ranges)


def test_everything_is_stored_at_once_or_nothing(graph: Any) -> None:
    with Transaction(graph) as transaction:
        transaction.add([Event("a", what="x")])
        transaction.add([Event("b", what="x"), Event("b", what="y")])
        assert held(graph) == []
    assert len(held(graph)) == 3
    with pytest.raises(ValidationError), Transaction(graph) as transaction:
        transaction.add([Event("c", what="x"), {"group": "Event"}])
    assert len(held(graph)) == 3


def test_what_was_read_must_not_have_changed(graph: Any) -> None:
    add(graph, [Event("a", what="x")])
    first, second = Transaction(graph), Transaction(graph)
    for transaction in (first, second):
        read(transaction, "a")
        transaction.add([Event("a", what="y")])
    assert first.commit() is not None
    with pytest.raises(Conflict):
        second.commit()
    assert len(held(graph)) == 2
    with pytest.raises(Closed):
        second.add([Event("a", what="z")])


def test_other_vertices_and_blind_adds_do_not_conflict(graph: Any) -> None:
    first = Transaction(graph)
    read(first, "a")
    first.add([Event("a", what="y")])
    second = Transaction(graph)
    second.add([Event("b", what="y")])
    add(graph, [Event("b", what="x")])
    first.commit()
    second.commit()
    assert len(held(graph)) == 3


def test_a_delete_depends_on_what_it_found(graph: Any) -> None:
    one = Calls("a", "b", day=DAY)
    add(graph, [one])
    transaction = Transaction(graph, ALL)
    assert transaction.delete(one) == 1
    add(graph, [one])
    with pytest.raises(Conflict):
        transaction.commit()
    with Transaction(graph, ALL) as transaction:
        assert transaction.delete([one]) == 1
    assert held(graph) == []
    add(graph, [one])
    assert len(held(graph)) == 1


def test_what_it_added_itself_it_can_take_back(graph: Any) -> None:
    one, other = Calls("a", "b", day=DAY), Calls("a", "c", day=DAY)
    with Transaction(graph, ALL) as transaction:
        transaction.add([one, other])
        assert transaction.delete(one) == 1
    assert [element.destination for element in held(graph)] == ["c"]
    with Transaction(graph, ALL) as transaction:
        transaction.add([other])
        assert transaction.delete(other) == 1
    assert held(graph) == []


def test_what_it_deleted_it_cannot_add_again(graph: Any) -> None:
    one = Calls("a", "b", day=DAY)
    add(graph, [one])
    with Transaction(graph, ALL) as transaction:
        transaction.delete(one)
        with pytest.raises(UsageError, match="this transaction deletes"):
            transaction.add([one])
    assert held(graph) == []


def test_times_of_their_own_are_no_hindrance_after_a_commit(graph: Any) -> None:
    add(graph, [Reading("a", at=20, value=2)])
    with Transaction(graph, ALL) as transaction:
        transaction.delete(Reading("a", at=0, value=0))
    add(graph, [Reading("a", at=5, value=7)])
    assert [one.timestamp for one in held(graph)] == [5]


def test_nothing_to_write_is_no_commit(graph: Any) -> None:
    transaction = Transaction(graph)
    read(transaction, "a")
    assert transaction.commit() is None


def test_an_engine_without_transactions_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with MemoryEngine() as engine:
        graph = make(engine)
        without = replace(engine.capabilities, transactions=False)
        monkeypatch.setattr(MemoryEngine, "capabilities", without)
        with pytest.raises(UnsupportedError, match="no transactions"):
            Transaction(graph)
