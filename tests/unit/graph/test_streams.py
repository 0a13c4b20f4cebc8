"""Elements taken one by one: the first are decoded by the client, the others by the engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import lexigraph as lg
from lexigraph.plan import ELEMENT, Around, Elements, Steps, run
from lexigraph.plan.physical.execute import iter_elements
from lexigraph.plan.physical.rows.leaves import FIRST_ROWS, STREAMED_ROWS
from lexigraph.security import Authorizations

MANY = FIRST_ROWS + STREAMED_ROWS + 50


class Calls(lg.Edge, summary=True, directed=True):
    """How often one calls another."""

    source: str
    destination: str
    count: int = lg.sum()
    label: str = lg.visibility()


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[lg.Graph]:
    """Open an empty graph of the embedded engine."""
    with lg.open(tmp_path / "calls.lexi", [Calls], authorizations=["open"]) as graph:
        yield graph


def call(number: int, count: int) -> Calls:
    """Make a call by the number of its caller."""
    return Calls(source=f"v{number:05}", destination="hub", count=count, label="open")


@pytest.mark.parametrize("many", [0, 1, FIRST_ROWS - 1, FIRST_ROWS, FIRST_ROWS + 1, MANY])
def test_every_element_comes_once_and_in_order(graph: lg.Graph, many: int) -> None:
    """However many there are, the two ways join without a gap."""
    graph.add(call(number, number) for number in range(many))
    found = list(graph.all(Calls))
    assert [one.source for one in found] == [f"v{number:05}" for number in range(many)]
    assert [one.count for one in found] == list(range(many))


@pytest.mark.parametrize("limit", [FIRST_ROWS - 1, FIRST_ROWS, FIRST_ROWS + 1, MANY - 1])
def test_a_limit_is_kept(graph: lg.Graph, limit: int) -> None:
    """A limit counts the elements of both ways together."""
    graph.add(call(number, 1) for number in range(MANY))
    assert len(list(graph.all(Calls).limit(limit))) == limit


def test_a_number_that_no_column_holds_comes_as_it_is(graph: lg.Graph) -> None:
    """Whole numbers of any size are read, wherever they stand."""
    at = FIRST_ROWS + STREAMED_ROWS + 7
    graph.add(call(number, 1 << 80 if number == at else number) for number in range(MANY))
    expected = [1 << 80 if number == at else number for number in range(MANY)]
    assert [one.count for one in graph.all(Calls)] == expected


def test_what_is_added_while_reading_is_not_seen(graph: lg.Graph) -> None:
    """A stream reads one moment, also where it passes from one way to the other."""
    graph.add(call(number, 1) for number in range(MANY))
    stream = iter(graph.all(Calls))
    first = [next(stream) for _ in range(FIRST_ROWS)]
    graph.add(call(number, 1) for number in range(MANY + 10))
    assert [one.count for one in [*first, *stream]] == [1] * MANY


@pytest.mark.parametrize("both_ends", [False, True])
def test_an_edge_found_by_both_ends_comes_as_often_as_was_asked(
    graph: lg.Graph, *, both_ends: bool
) -> None:
    """The engine leaves out the second row of an edge only if the question does not want it."""
    graph.add(call(number, 1) for number in range(FIRST_ROWS))
    seeds = [f"v{number:05}" for number in range(FIRST_ROWS)]
    asked = Elements(Around([*seeds, "hub"]), {"Calls": Steps()}, both_ends=both_ends)
    scope = graph._access.scope(Authorizations(["open"]), None)
    found = [str(one) for one in run(asked, scope).values(ELEMENT)]
    assert found == [str(one) for one in iter_elements(asked, scope)]
    assert len(found) == FIRST_ROWS * (1 + both_ends)
