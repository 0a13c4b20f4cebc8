"""Dropping what a history does not keep changes no answer, whatever is written later."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from spec.fact_json import element_to_json, fact_to_json, reading_from_json

from lexigraph.layout.records.assembling.assembler import assemble
from lexigraph.layout.records.assembling.retention import DAY, Retention, horizon_of, retain
from lexigraph.schema.model import History
from tests.unit.layout.records.strategies import readers, worlds
from tests.unit.layout.records.vectors import Json, read, stored

LATER = (100, 120)
"""When the writes of a second world are made."""


def kept(facts: list[Json], history: History, now: int) -> list[Json]:
    found = retain(read(stored(facts)), Retention(history), now)
    return [fact_to_json(one) for one in found]


def answer(facts: list[Json], reader: Json) -> list[Json]:
    found = assemble(read(stored(facts)), reading_from_json(reader))
    return [element_to_json(one) for one in found]


def written_later(facts: list[Json]) -> list[Json]:
    """Give every fact a time of writing, later than all of the first world."""
    return [{"stamp": LATER[0], **one} for one in facts]


@st.composite
def histories(draw: st.DrawFn) -> tuple[History, int, list[Json], Json]:
    """Draw a history, its horizon, later writes and a reader that it allows."""
    later: dict[str, Any] = {"stamps": LATER}
    if draw(st.booleans()):
        history = History(None, draw(st.integers(1, 3)))
        reader = draw(readers())
        reader.pop("as_of", None)
        return history, 0, written_later(draw(worlds(**later))), reader
    horizon = draw(st.integers(1, 6))
    # Writes that are dated before the horizon are refused.
    recent = st.integers(horizon, 9)
    reader = draw(readers(as_of=recent))
    return History(1, None), horizon, written_later(draw(worlds(times=recent, **later))), reader


@settings(max_examples=600)
@given(worlds(), histories())
def test_merges_never_change_an_answer(
    facts: list[Json], drawn: tuple[History, int, list[Json], Json]
) -> None:
    history, horizon, later, reader = drawn
    now = horizon + DAY
    assert history.days is None or horizon_of(history, now) == horizon
    left = kept(facts, history, now)
    assert answer(left, reader) == answer(facts, reader)
    assert answer([*left, *later], reader) == answer([*facts, *later], reader)


@given(worlds(), histories())
def test_what_was_kept_once_is_kept_again(
    facts: list[Json], drawn: tuple[History, int, list[Json], Json]
) -> None:
    history, horizon, later, _ = drawn
    now = horizon + DAY
    left = kept(facts, history, now)
    assert kept(left, history, now) == left
    assert kept([*left, *later], history, now) == kept([*facts, *later], history, now)
