"""Conditions on labels and on what is absent, and what deletes make of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import lexigraph as lg
from lexigraph.errors import SemanticProblem, UsageError
from tests.unit.layout.engines import ENGINES


class Pays(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    channel: str | None = lg.group_by(default=None)
    amount: int = lg.sum()
    label: str | None = lg.visibility(default=None)


@pytest.fixture(params=ENGINES)
def graph(request: pytest.FixtureRequest) -> Iterator[lg.Session]:
    with ENGINES[request.param]() as engine, lg.open(engine, [Pays]) as graph:
        graph.add(
            [
                Pays("ann", "bob", amount=40),
                Pays("ann", "bob", amount=900, label="secret"),
                Pays("ann", "eve", channel="web", amount=3),
            ]
        )
        yield graph.session(["secret"], role="writer")


def amounts(question: lg.Query[Pays]) -> list[int]:
    return sorted(one.amount for one in question)


def test_an_element_without_a_label_can_be_asked_for(graph: lg.Session) -> None:
    everything = graph.all(Pays)
    assert amounts(everything.where(Pays.label == None)) == [3, 40]  # noqa: E711
    assert amounts(everything.where(Pays.label.is_in([None]))) == [3, 40]
    assert amounts(everything.where(~Pays.label.exists())) == [3, 40]
    assert amounts(everything.where(Pays.label.exists())) == [900]
    assert amounts(everything.where(Pays.label != None)) == [900]  # noqa: E711


def test_absent_values_can_be_among_those_asked_for(graph: lg.Session) -> None:
    everything = graph.all(Pays)
    assert amounts(everything.where(Pays.channel.is_in([None]))) == [940]
    assert amounts(everything.where(Pays.channel.is_in([None, "web"]))) == [3, 940]
    assert amounts(everything.where(Pays.channel.is_in(["web"]))) == [3]


def test_a_delete_takes_no_question_that_tells_labels_apart(graph: lg.Session) -> None:
    labelled = graph.all(Pays).where(Pays.label == "secret")
    for question in (labelled, graph.all(Pays).by_visibility()):
        with pytest.raises(UsageError, match="tells labels apart"):
            graph.delete(question)
        with graph.transaction() as both, pytest.raises(UsageError, match="tells labels apart"):
            both.delete(question)
    assert graph.delete(labelled, visibility="secret") == 1
    assert amounts(graph.all(Pays)) == [3, 40]


def test_nothing_but_orders_and_limits_comes_after_a_limit(graph: lg.Session) -> None:
    limited = graph.all(Pays).limit(1)
    with pytest.raises(SemanticProblem, match="cannot come after"):
        limited.where(Pays.amount > 5)
    with pytest.raises(SemanticProblem, match="cannot come after"):
        limited.roll_up()
    assert len(limited.limit(5).to_list()) == 1
