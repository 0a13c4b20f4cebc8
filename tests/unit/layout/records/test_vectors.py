"""The vectors of spec/facts hold, and the files are what their maker writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import spec.make_facts as maker
from spec.fact_json import (
    element_to_json,
    event_to_json,
    fact_from_json,
    fact_to_json,
    reading_from_json,
    value_from_json,
)

from lexigraph.cells.jsonbytes import cell_from_json
from lexigraph.errors import InvalidBytes, LexigraphError
from lexigraph.layout.records.assembling.assembler import assemble
from lexigraph.layout.records.assembling.events import history
from lexigraph.layout.records.assembling.retention import Retention, retain
from lexigraph.layout.records.cells import read_facts, write_cell
from lexigraph.layout.records.elements import RecordVertex
from lexigraph.schema.model import History
from tests.unit.layout.records.vectors import (
    FILES,
    ORDERS,
    ROWS,
    Json,
    each_reading,
    load,
    read,
    stored,
)

CELLS = load("cells")
RETAINING = load("retaining")["cases"]
SCHEMA = json.loads((Path(maker.__file__).parent / "schema" / "facts.json").read_bytes())


def test_the_files_are_what_their_maker_writes() -> None:
    found = {path.name: path.read_text(encoding="utf-8") for path in maker.FOLDER.iterdir()}
    assert found == maker.render()


@pytest.mark.parametrize("name", FILES)
def test_a_file_has_the_form_of_the_schema(name: str) -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(load(name))


@each_reading("elements")
def test_a_reader_gets_the_elements_of_the_vector(facts: list[Json], reading: Json) -> None:
    reader = reading_from_json(reading["reader"])
    for ordered in ORDERS:
        elements = list(assemble(read(stored(ordered(facts))), reader))
        assert [element_to_json(one) for one in elements] == reading["elements"]
    for name, expected in reading.get("newest", {}).items():
        (element,) = elements
        assert isinstance(element, RecordVertex)
        found = element.value(name)
        assert (found and found.value) == value_from_json(expected)


@each_reading("events")
def test_a_reader_gets_the_events_of_the_vector(facts: list[Json], reading: Json) -> None:
    reader = reading_from_json(reading["reader"])
    options: dict[str, Any] = {name: reading.get(name) for name in ("since", "limit")}
    for ordered in ORDERS:
        events = history(read(stored(ordered(facts))), reader, **options)
        assert [event_to_json(one) for one in events] == reading["events"]


@pytest.mark.parametrize("vector", CELLS["cells"], ids=lambda one: str(one["cell"]))
def test_a_fact_has_the_cell_of_the_vector(vector: Json) -> None:
    fact, cell = fact_from_json(vector["fact"]), cell_from_json(vector["cell"])
    assert fact_to_json(fact) == vector["fact"]
    assert write_cell(ROWS, fact) == cell
    assert ROWS.table_of(fact.subject) == vector["table"]
    (found,) = read_facts(ROWS, vector["table"], [cell])
    assert fact_to_json(found) == vector["fact"]


@pytest.mark.parametrize("vector", CELLS["refused"], ids=lambda one: one["why"])
def test_a_cell_is_refused(vector: Json) -> None:
    with pytest.raises(InvalidBytes):
        list(read_facts(ROWS, vector["table"], [cell_from_json(vector["cell"])]))


def keeping(data: Json) -> Retention:
    names = {name: one and History(**one) for name, one in data.get("names", {}).items()}
    return Retention(History(**data["history"]) if "history" in data else None, names)


@pytest.mark.parametrize(
    "case", [one for one in RETAINING if "kept" in one], ids=lambda one: one["name"]
)
def test_a_history_keeps_the_versions_of_the_vector(case: Json) -> None:
    expected = read(stored([case["facts"][number] for number in case["kept"]]))
    for ordered in ORDERS:
        found = retain(read(stored(ordered(case["facts"]))), keeping(case), case["now"])
        assert [fact_to_json(one) for one in found] == [fact_to_json(one) for one in expected]
        expected = read(stored([case["facts"][number] for number in case["kept"]]))


@pytest.mark.parametrize(
    "case", [one for one in RETAINING if "kept" not in one], ids=lambda one: one["name"]
)
def test_an_as_of_time_is_allowed_or_refused(case: Json) -> None:
    code = None
    try:
        keeping(case).check_as_of(case["as_of"], case["now"])
    except LexigraphError as error:
        code = error.code
    assert code == case.get("error")
