"""Dropping what is not kept or has expired changes no answer, whatever is written later."""

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


def kept(facts: list[Json], history: History | None, now: int) -> list[Json]:
    found = retain(read(stored(facts)), Retention(history), now)
    return [fact_to_json(one) for one in found]


def answer(facts: list[Json], reader: Json) -> list[Json]:
    found = assemble(read(stored(facts)), reading_from_json(reader))
    return [element_to_json(one) for one in found]


def answer_then(facts: list[Json], history: History | None, reader: Json) -> list[Json]:
    """Return what a reader gets of what is kept and lives at its time."""
    now = reader["now"]
    return answer(kept(facts, history, now), reader)


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


@settings(max_examples=600)
@given(worlds(expires=True), histories(), st.integers(1, 12), st.integers(0, 6), st.data())
def test_what_expires_may_be_dropped_at_any_time(
    facts: list[Json],
    drawn: tuple[History, int, list[Json], Json],
    merged: int,
    after: int,
    data: st.DataObject,
) -> None:
    history, _, later, reader = drawn
    limited = None if data.draw(st.booleans()) else history
    # Days are so long that they and times to live would never meet: here a day is a microsecond.
    if limited is not None and limited.days is not None:
        limited = History(1 / DAY, None)
        later = [one for one in later if one["time"] >= merged - 1]
        reader = {**reader, "as_of": max(reader.get("as_of", 0), merged + after - 1)}
    reader = {**reader, "now": merged + after}
    left = kept(facts, limited, merged)
    assert answer_then(left, limited, reader) == answer_then(facts, limited, reader)
    both = answer_then([*facts, *later], limited, reader)
    assert answer_then([*left, *later], limited, reader) == both
