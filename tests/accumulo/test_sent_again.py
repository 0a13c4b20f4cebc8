"""Batches that are sent again because nobody knows whether they arrived: what stays the same."""

from __future__ import annotations

import pytest

import lexigraph as lg
from tests.accumulo.engines import fresh_engine

pytestmark = pytest.mark.accumulo


class Once(lg.Edge, summary=True, directed=True):
    """A count of its batch; questions add them up."""

    source: str
    destination: str
    batch: int = lg.group_by()
    count: int = lg.max()


class Same(lg.Vertex, summary=True):
    """What says the same however often it was written."""

    id: str
    largest: int = lg.max()
    smallest: int = lg.min()
    first: str = lg.first()
    last: str = lg.last()


class Summed(lg.Vertex, summary=True):
    id: str
    count: int = lg.sum()


def batch(number: int) -> list[lg.Vertex | lg.Edge]:
    text = f"n{number}"
    return [
        *(Once("a", f"b{to}", batch=number, count=10 + number) for to in range(3)),
        Same("v", largest=number, smallest=-number, first=text, last=text),
        Summed("v", count=1),
    ]


def test_what_was_sent_twice_counts_once_where_batches_have_a_number() -> None:
    with (
        fresh_engine() as engine,
        lg.open(engine, [Once, Same, Summed]) as ours,
        lg.open(":memory:", [Once, Same, Summed]) as memory,
    ):
        for number in range(4):
            for _ in range(1 + number % 2):
                ours.add(batch(number))
            memory.add(batch(number))
        for _ in range(2):
            for graph in (ours, memory):
                rolled = graph.get("a").edges(Once).roll_up(count=lg.sum())
                assert [one.count for one in rolled] == [10 + 11 + 12 + 13] * 3
                figures = graph.all(Once).summarise(total=lg.sum("count")).to_list()
                assert figures == [{"total": 3 * (10 + 11 + 12 + 13)}]
            assert ours.all(Same).to_list() == memory.all(Same).to_list()
            # This is what the others avoid.
            assert [one.count for one in ours.all(Summed)] == [6]
            ours.admin.compact()
