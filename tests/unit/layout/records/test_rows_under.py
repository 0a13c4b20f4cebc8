"""Rows of tables under elements: their cells and what readers see, by the vectors of spec/rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import spec.make_facts as maker
from hypothesis import given
from hypothesis import strategies as st

from lexigraph.cells.cell import Cell
from lexigraph.errors import InvalidBytes
from lexigraph.layout.records.assembling.retention import Retention
from lexigraph.layout.records.cells import read_facts, write_cell
from lexigraph.layout.records.facts import ExistenceFact, FactState, ValueFact
from lexigraph.layout.records.reading import RecordReading
from lexigraph.layout.records.rows import RecordRows
from lexigraph.layout.records.subjects import EdgeSubject, RowSubject, VertexSubject
from lexigraph.layout.records.under.judging import RowJudge, cover_of, newest_cell
from lexigraph.security import ALL, Authorizations

VECTORS = json.loads((Path(maker.__file__).parent / "rows.json").read_bytes())
ROWS = RecordRows("str")
ANN = VertexSubject("ann")


def raw(part: Any) -> Any:
    if isinstance(part, dict):
        return bytes.fromhex(part["hex"])
    return part.encode() if isinstance(part, str) else part


def cell_of(parts: list[Any]) -> Cell:
    row, family, qualifier, visibility, time, value = map(raw, parts)
    return Cell(row, family, qualifier, visibility, time, False, value)


@pytest.mark.parametrize("vector", VECTORS["cells"], ids=lambda one: str(one["cell"][0]))
def test_a_cell_says_what_the_vector_says(vector: dict[str, Any]) -> None:
    [(kind, id_)] = vector["element"].items()
    element = VertexSubject(id_) if kind == "vertex" else EdgeSubject(id_)
    cell = cell_of(vector["cell"])
    fact = ValueFact(
        subject=RowSubject(element, vector["table"], vector["row"]),
        time=cell.timestamp,
        state=FactState[vector.get("state", "said").upper()],
        visibility=cell.visibility,
        name=vector["column"],
        key=vector.get("key", "").encode(),
        value=vector.get("value"),
    )
    assert write_cell(ROWS, fact) == cell
    assert ROWS.table_of(fact.subject) == vector["part"]
    assert list(read_facts(ROWS, vector["part"], [cell])) == [fact]


@pytest.mark.parametrize("vector", VECTORS["refused"], ids=lambda one: one["why"])
def test_a_cell_is_refused(vector: dict[str, Any]) -> None:
    with pytest.raises(InvalidBytes):
        list(read_facts(ROWS, vector["part"], [cell_of(vector["cell"])]))


def value_cell(
    row: RowSubject, column: str, label: str, time: int, state: str, value: Any, stamp: int | None
) -> Cell:
    return write_cell(
        ROWS,
        ValueFact(
            subject=row,
            time=time,
            state=FactState[state.upper()],
            visibility=label.encode(),
            stamp=stamp,
            name=column,
            value=value,
        ),
    )


@pytest.mark.parametrize("vector", VECTORS["readings"], ids=lambda one: one["name"])
def test_a_reader_sees_the_rows_of_the_vector(vector: dict[str, Any]) -> None:
    asked = vector.get("authorizations")
    reading = RecordReading(ALL if asked is None else Authorizations(asked), vector.get("as_of"))
    existences = [
        ExistenceFact(
            subject=ANN, time=time, state=FactState[state.upper()], visibility=label.encode()
        )
        for label, time, state in sorted(vector["existences"], key=lambda one: (one[0], -one[1]))
    ]
    cells = []
    for row, column, label, time, state, *more in vector["cells"]:
        value, stamp = [*more, None, None][:2]
        subject = RowSubject(ANN, "t", row)
        cells.append(value_cell(subject, column, label, time, state, value, stamp))
    if "mark" in vector:
        time, state = vector["mark"]
        cells.append(value_cell(RowSubject.mark_of(ANN), "", "", time, state, None, None))
    readable = [
        one
        for one in sorted(cells, key=lambda one: (*one[:4], -one.timestamp))
        if asked is None or one.visibility.decode() in ("", *asked)
    ]
    cover = cover_of(existences, reading)
    assert (cover is None) == (not vector["seen"] and asked == [])
    found = {}
    if cover is not None:
        judge = RowJudge(ROWS, ANN, Retention(), reading.as_of, cover, 10)
        prefix = ROWS.under_prefix(ANN, "t")
        if "row" in vector:
            only = ROWS.row_of(RowSubject(ANN, "t", vector["row"]))
            readable = [one for one in readable if one.row in (judge.mark, only)]
        for seen in judge.rows(readable, len(prefix)):
            names = {one.name for one in seen.cells}
            found[seen.id] = {
                name: newest_cell(one for one in seen.cells if one.name == name).value
                for name in names
            }
    assert found == vector["seen"]


ids = st.one_of(st.text(max_size=4), st.integers(), st.binary(max_size=4), st.uuids())
elements = st.one_of(st.builds(VertexSubject, st.text(max_size=3)), st.builds(EdgeSubject, ids))
subjects = st.builds(RowSubject, elements, st.text(max_size=3), ids)


@given(subjects, subjects)
def test_rows_are_told_apart_and_come_back(one: RowSubject, other: RowSubject) -> None:
    for subject in (one, other):
        part, row = ROWS.table_of(subject), ROWS.row_of(subject)
        assert ROWS.subject_of(part, row) == subject
        assert row.startswith(ROWS.under_prefix(subject.element, subject.table))
    places = [(ROWS.table_of(subject), ROWS.row_of(subject)) for subject in (one, other)]
    assert (places[0] == places[1]) == (one == other)
    under = places[0][1].startswith(ROWS.under_prefix(other.element))
    assert (under and places[0][0] == places[1][0]) == (one.element == other.element)
