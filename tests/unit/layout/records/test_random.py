"""The assembler and the naive evaluator agree on random facts and readers."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from spec.fact_json import element_to_json, event_to_json, reading_from_json

from lexigraph.layout.records.assembling.assembler import assemble
from lexigraph.layout.records.assembling.events import history
from lexigraph.layout.records.cells import read_facts
from lexigraph.layout.records.elements import RecordElement, RecordReference
from lexigraph.layout.records.rows import VERTICES
from lexigraph.layout.records.subjects import VertexSubject
from tests.unit.layout.records.naive import World
from tests.unit.layout.records.strategies import readers, worlds
from tests.unit.layout.records.vectors import ROWS, Json, read, stored


def assembled(facts: list[Json], reader: Json) -> list[Json]:
    found = assemble(read(stored(facts)), reading_from_json(reader))
    return [element_to_json(one) for one in found]


@settings(max_examples=800)
@given(worlds(expires=True), readers(expires=True))
def test_the_assembler_gives_what_the_rules_say(facts: list[Json], reader: Json) -> None:
    assert assembled(facts, reader) == World(facts, reader, {}).elements()


@settings(max_examples=400)
@given(worlds(), readers())
def test_the_history_is_what_the_rules_say(facts: list[Json], reader: Json) -> None:
    events = history(read(stored(facts)), reading_from_json(reader))
    assert [event_to_json(one) for one in events] == World(facts, reader, {}).events()


@given(worlds(), readers(), st.integers(1, 5))
def test_pages_of_a_history_are_the_history(facts: list[Json], reader: Json, limit: int) -> None:
    reading = reading_from_json(reader)
    events = history(read(stored(facts)), reading)
    paged = page = history(read(stored(facts)), reading, limit=limit)
    while page:
        page = history(read(stored(facts)), reading, limit=limit, after=page[-1].position)
        paged = paged + page
    assert paged == events


@given(worlds(), readers())
def test_the_order_of_writing_does_not_matter(facts: list[Json], reader: Json) -> None:
    assert assembled(facts, reader) == assembled(facts[::-1], reader)


@given(worlds(), readers())
def test_a_user_gets_the_owners_answer_over_what_it_can_read(
    facts: list[Json], reader: Json
) -> None:
    open_facts = [one for one in facts if one["fact"] != "required"]
    readable = World(open_facts, reader, {}).facts
    assert assembled(open_facts, reader) == assembled(readable, {**reader, "authorizations": "ALL"})


@given(worlds(), readers())
def test_a_reader_that_asks_for_less_gets_the_same_of_it(facts: list[Json], reader: Json) -> None:
    full = assembled(facts, {**reader, "hints": {"labels": True, "properties": True}})
    few = assembled(facts, {**reader, "hints": {"properties": ["n"]}})
    for one in full:
        one.pop("labels", None)
        one["properties"] = [value for value in one["properties"] if value["name"] == "n"]
    assert few == full


def row_of(element: RecordElement) -> bytes:
    if isinstance(element, RecordReference):
        return ROWS.row_of(element.subject)
    return ROWS.row_of(VertexSubject(element.id))


@given(worlds(), readers())
def test_a_scan_goes_on_after_any_element(facts: list[Json], reader: Json) -> None:
    cells, reading = stored(facts)[VERTICES], reading_from_json(reader)
    whole = list(assemble(read_facts(ROWS, VERTICES, cells), reading))
    for number, element in enumerate(whole):
        rest = [cell for cell in cells if cell.row > row_of(element)]
        assert list(assemble(read_facts(ROWS, VERTICES, rest), reading)) == whole[number + 1 :]
