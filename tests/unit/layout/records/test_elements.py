"""Elements refuse what was not fetched, hints choose families, large rows are read in one pass."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator

import pytest

from lexigraph.errors import InvalidBytes, UsageError
from lexigraph.layout.records.assembling.assembler import assemble
from lexigraph.layout.records.assembling.retention import Retention
from lexigraph.layout.records.elements import RecordVertex
from lexigraph.layout.records.facts import (
    AnyFact,
    ExistenceFact,
    MetadataFact,
    ValueFact,
)
from lexigraph.layout.records.reading import EVERYTHING, FetchHints, RecordReading
from lexigraph.layout.records.subjects import EdgeSubject, VertexSubject
from lexigraph.schema.model import History

ANN = VertexSubject("ann")


def read_ann(hints: FetchHints) -> RecordVertex:
    facts: list[AnyFact] = [
        ExistenceFact(subject=ANN, time=1),
        ValueFact(subject=ANN, time=1, name="n", value="x"),
    ]
    (found,) = assemble(facts, RecordReading(hints=hints))
    assert isinstance(found, RecordVertex)
    return found


@pytest.mark.parametrize(
    "hints", [FetchHints(), FetchHints(labels=True), FetchHints(properties=frozenset({"m"}))]
)
def test_a_property_that_was_not_fetched_is_an_error_that_names_the_hint(hints: FetchHints) -> None:
    with pytest.raises(UsageError, match="'n' was not fetched") as raised:
        read_ann(hints).value("n")
    assert "properties={'n'}" in raised.value.hint


def test_a_property_that_was_fetched_and_is_not_there_is_none() -> None:
    assert read_ann(FetchHints(properties=True)).value("m") is None
    assert read_ann(FetchHints(properties=frozenset({"n"}))).values("n")[0].value == "x"


@pytest.mark.parametrize(
    ("hints", "families", "of_references"),
    [
        (FetchHints(), "a e h", ""),
        (FetchHints(labels=True), "a e h l", ""),
        (FetchHints(properties=frozenset({"n"})), "a e h hp p", ""),
        (FetchHints(metadata=frozenset({"s"})), "a e h hp p pm", ""),
        (FetchHints(in_edges=frozenset({"KNOWS"})), "a e h", "ra re rh"),
        (EVERYTHING, "a e h hp l p pm", "ra re rh"),
    ],
)
def test_hints_choose_families(hints: FetchHints, families: str, of_references: str) -> None:
    assert b" ".join(hints.families).decode() == families
    assert b" ".join(hints.reference_families).decode() == of_references


def test_an_edge_that_does_not_say_its_shape_is_refused() -> None:
    with pytest.raises(InvalidBytes, match="no shape"):
        list(assemble([ExistenceFact(subject=EdgeSubject(1), time=1)], RecordReading()))


def test_a_long_history_is_read_in_bounded_memory() -> None:
    many = 20_000

    def values() -> Iterator[AnyFact]:
        yield ExistenceFact(subject=ANN, time=1)
        for time in range(many, 0, -1):
            yield ValueFact(subject=ANN, time=time, name="n", value=time)
        for time in range(1, many + 1):
            yield MetadataFact(
                subject=ANN, time=time, name="n", value_time=time, entry="s", value="book"
            )

    tracemalloc.start()
    try:
        (found,) = assemble(values(), RecordReading())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert isinstance(found, RecordVertex)
    assert found.properties is not None
    assert [(one.value, len(one.metadata or ())) for one in found.properties] == [(many, 1)]
    assert peak < 200_000


def test_a_write_that_is_dated_before_the_horizon_is_refused() -> None:
    keeping = Retention(History(1, None), {"free": None})
    day = 86_400_000_000
    keeping.check_write(ValueFact(subject=ANN, time=day, name="n", value=1), 2 * day)
    keeping.check_write(ValueFact(subject=ANN, time=0, name="free", value=1), 2 * day)
    Retention(History(None, 1)).check_write(ExistenceFact(subject=ANN, time=0), 2 * day)
    with pytest.raises(UsageError, match="1 days"):
        keeping.check_write(ValueFact(subject=ANN, time=day - 1, name="n", value=1), 2 * day)
