"""Equality indexes on a real cluster: entries before elements, the same answers for every user."""

from __future__ import annotations

import pytest

import lexigraph as lg
from lexigraph.security import ALL
from lexigraph.store import AccumuloEngine
from tests.accumulo.engines import fresh_engine
from tests.unit.index.indexed_graphs import (
    ALL_GROUPS,
    Calls,
    Knows,
    call,
    day,
    filtered,
    used_index,
)

pytestmark = pytest.mark.accumulo
USERS = [ALL, [], ["x"], ["x", "y"]]


def entries(engine: AccumuloEngine) -> int:
    return len(list(engine.table("graph.indexes").scan(authorizations=ALL)))


def check(graph: lg.Graph) -> None:
    """Compare look-ups with filters, for several users."""
    for seen in USERS:
        session = graph.session(seen)
        of_day = session.all(Calls).where(Calls.day == day(1))
        assert of_day.to_list() == filtered(session, Calls, lambda one: one.day == day(1))
        to_c = session.all(Knows).where(Knows.destination == "c")
        assert to_c.to_list() == filtered(session, Knows, lambda one: one.destination == "c")


def test_an_index_is_made_kept_and_dropped() -> None:
    with (
        fresh_engine(tokens=["x", "y"]) as engine,
        lg.open(engine, ALL_GROUPS, authorizations=ALL) as graph,
    ):
        labels = ["", "x", "y", "x&y"]
        graph.add([call("a", f"b{at}", at % 3, label=labels[at % 4]) for at in range(24)])
        graph.add([Knows("a", "c", since=1), Knows("c", "b", since=1, label="x")])
        assert graph.index.create("by_day", Calls.day).state == "ready"
        assert graph.index.create("by_end", Knows.destination).state == "ready"
        assert used_index(graph.all(Calls).where(Calls.day == day(1)))
        assert entries(engine) == 26
        check(graph)
        engine.add_splits("graph.elements", [b"b", b"b2"])
        graph.add([call("z", "a", 1, label="y"), call("a", "b1", 1, label="x"), call("b", "c", 2)])
        assert entries(engine) == 28
        check(graph)
        graph.delete([call("z", "a", 1, label="y")])
        assert entries(engine) == 27
        check(graph)
        # Added again: its entry has a later time than the marker of the one before.
        graph.add([call("z", "a", 1, label="y")])
        assert entries(engine) == 28
        check(graph)
        graph.delete(graph.all(Calls).where(Calls.day == day(1)))
        assert graph.all(Calls).where(Calls.day == day(1)).to_list() == []
        check(graph)
        graph.index.drop("by_day")
        assert not used_index(graph.all(Calls).where(Calls.day == day(1)))
        assert entries(engine) == 2
        check(graph)


def test_an_element_that_is_added_between_a_delete_and_its_markers_keeps_its_entry() -> None:
    with fresh_engine() as engine, lg.open(engine, ALL_GROUPS, authorizations=ALL) as graph:
        graph.index.create("by_day", Calls.day)
        graph.add([call("a", "b", 0)])
        write, done = type(engine).write, []

        def between(batches: object, **more: object) -> int:
            # The markers of entries come last.
            if list(batches) == ["graph.indexes"] and not done:  # type: ignore[call-overload]
                done.append(1)
                graph.add([call("a", "b", 0)])
            return write(engine, batches, **more)  # type: ignore[arg-type]

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(engine, "write", between)
            graph.delete([call("a", "b", 0)])
        assert done
        asked = graph.all(Calls).where(Calls.day == day(0))
        assert asked.to_list() == graph.all(Calls).to_list()
