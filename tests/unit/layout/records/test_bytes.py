"""Cells of records: facts come back, and no bytes but ours are read as facts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spec.fact_json import fact_to_json

from lexigraph.cells.cell import Cell
from lexigraph.cells.jsonbytes import cell_from_json
from lexigraph.errors import InvalidBytes, InvalidValue
from lexigraph.layout.records.cells import read_facts, write_cell
from lexigraph.layout.records.facts import (
    AnyFact,
    EdgeShape,
    ExistenceFact,
    FactState,
    HideFact,
    LabelFact,
    MetadataFact,
    RequiredFact,
    ValueFact,
    ValueHideFact,
)
from lexigraph.layout.records.rows import EDGES, VERTICES, RecordRows, SortField
from lexigraph.layout.records.subjects import (
    EITHER,
    OUT,
    EdgeSubject,
    ReferenceSubject,
    VertexSubject,
)
from tests.unit.layout.records.vectors import ROWS, load

IDS = st.one_of(
    st.text(max_size=5),
    st.integers(),
    st.binary(max_size=5),
    st.floats(allow_nan=False),
    st.booleans(),
    st.uuids(),
    st.tuples(st.text(max_size=3), st.integers(0, 5)),
)
TIMES = st.integers(-(2**63), 2**63 - 1)
ANY_ROWS = RecordRows("any", {"S": (SortField("a", "any"), SortField("b", "str", True))})


@st.composite
def any_facts(draw: st.DrawFn) -> AnyFact:
    """Draw a fact of any kind about any subject."""
    sort_key = (draw(st.none() | st.integers()), draw(st.none() | st.text(max_size=4)))
    label = draw(st.sampled_from(("S", "T", "")) | st.text(max_size=4))
    reference = ReferenceSubject(
        draw(IDS),
        draw(st.sampled_from((OUT, EITHER))),
        label,
        sort_key if label == "S" else (),
        draw(IDS),
        draw(IDS),
    )
    subject = draw(st.sampled_from((VertexSubject(draw(IDS)), EdgeSubject(draw(IDS)), reference)))
    common: dict[str, Any] = {
        "subject": subject,
        "time": draw(TIMES),
        "stamp": draw(st.none() | TIMES),
        "note": draw(st.none() | IDS),
    }
    text, data = draw(st.text(max_size=5)), draw(st.binary(max_size=5))
    kinds: list[AnyFact] = [
        RequiredFact(expression=data, **common),
        HideFact(cause=draw(st.none() | IDS), visibility=data, **common),
        ExistenceFact(
            shape=EdgeShape(text, draw(IDS), draw(IDS), draw(st.booleans()), (("n", text),))
            if isinstance(subject, EdgeSubject)
            else None,
            signature=(("k", draw(IDS)),) if subject is reference else (),
            visibility=data,
            **common,
        ),
        ExistenceFact(state=FactState.MOVED, **common),
    ]
    if subject is not reference:
        named: dict[str, Any] = {"name": text, "key": data, "visibility": b"v", **common}
        of_value = {"value_visibility": draw(st.binary(max_size=4))}
        kinds += [
            ValueFact(value=draw(IDS), **named),
            ValueFact(state=FactState.DELETED, **named),
            ValueHideFact(**of_value, **named),
            MetadataFact(value_time=draw(TIMES), entry=text, value=draw(IDS), **of_value, **named),
        ]
    if isinstance(subject, VertexSubject):
        kinds.append(LabelFact(label=text, **common))
    return draw(st.sampled_from(kinds))


@given(any_facts())
def test_a_fact_comes_back_from_its_cell(fact: AnyFact) -> None:
    cell = write_cell(ANY_ROWS, fact)
    (found,) = read_facts(ANY_ROWS, ANY_ROWS.table_of(fact.subject), [cell])
    assert write_cell(ANY_ROWS, found) == cell
    assert fact_to_json(found) == fact_to_json(fact)


def read_or_refuse(table: str, cell: Cell, rows: RecordRows) -> None:
    try:
        (fact,) = read_facts(rows, table, [cell])
    except InvalidBytes:
        return
    assert write_cell(rows, fact) == cell


SAMPLES: list[tuple[str, Cell]] = [
    (one["table"], cell_from_json(one["cell"]))
    for section in ("cells", "refused")
    for one in load("cells")[section]
]
FAMILIES = (b"a", b"e", b"h", b"hp", b"l", b"p", b"pm", b"ra", b"re", b"rh", b"", b"x")


def damaged(data: bytes, at: int, new: bytes, cut: int) -> bytes:
    place = at % (len(data) + 1)
    return data[:place] + new + data[place + cut :]


@settings(max_examples=2000)
@given(
    st.sampled_from(SAMPLES),
    st.sampled_from(("row", "qualifier", "value")),
    st.integers(0, 60),
    st.binary(max_size=3),
    st.integers(0, 3),
)
def test_damaged_cells_are_read_as_what_they_say_or_refused(
    sample: tuple[str, Cell], part: str, at: int, new: bytes, cut: int
) -> None:
    table, cell = sample
    bad = cell._replace(**{part: damaged(getattr(cell, part), at, new, cut)})
    read_or_refuse(table, bad, ROWS)


@settings(max_examples=1000)
@given(
    st.sampled_from((VERTICES, EDGES)),
    st.binary(max_size=30),
    st.sampled_from(FAMILIES),
    st.binary(max_size=30),
    st.binary(max_size=40),
    st.sampled_from((ROWS, ANY_ROWS)),
)
def test_random_cells_are_read_as_what_they_say_or_refused(
    table: str, row: bytes, family: bytes, qualifier: bytes, value: bytes, rows: RecordRows
) -> None:
    read_or_refuse(table, Cell(row, family, qualifier, b"", 5, False, value), rows)


def test_ids_nested_as_deep_as_can_be_are_read() -> None:
    deep: Any = "x"
    for _ in range(31):
        deep = (deep,)
    subject = ReferenceSubject(deep, OUT, "T", (), deep, deep)
    cell = write_cell(ANY_ROWS, ExistenceFact(subject=subject, time=1))
    (found,) = read_facts(ANY_ROWS, VERTICES, [cell])
    assert found.subject == subject


def test_a_delete_marker_is_not_a_fact() -> None:
    with pytest.raises(InvalidBytes, match="delete marker"):
        list(read_facts(ROWS, VERTICES, [Cell(b"ann\0\x01", b"e", deleted=True)]))


ANN, KNOWS = VertexSubject("ann"), ReferenceSubject("ann", OUT, "KNOWS", (), "bob", 1)
WRONG: Iterable[AnyFact] = (
    ValueFact(subject=KNOWS, time=1, name="n", value=1),
    LabelFact(subject=EdgeSubject(1), time=1, label="x"),
    ValueFact(subject=ANN, time=1, name="n"),
    ValueFact(subject=ANN, time=1, name="n", value=1, state=FactState.UNDONE),
    ExistenceFact(subject=ANN, time=1, state=FactState.UNDONE),
    ExistenceFact(subject=ANN, time=1, ended=1),
    ExistenceFact(subject=ANN, time=5, ended=1, state=FactState.DELETED),
    ExistenceFact(subject=EdgeSubject(1), time=1),
    ExistenceFact(subject=KNOWS, time=1, signature=(("b", 1), ("a", 1))),
    ExistenceFact(subject=KNOWS, time=1, signature=(("a", 1), ("a", 1))),
    ExistenceFact(subject=ANN, time=1, stamp=2**63),
    ExistenceFact(subject=ReferenceSubject("a", OUT, "RATED", (), "b", 1), time=1),
    ExistenceFact(subject=VertexSubject(7), time=1),
    RequiredFact(subject=ANN, time=1, expression=b"a", visibility=b"a"),
)


@pytest.mark.parametrize("fact", WRONG, ids=lambda one: type(one).__name__)
def test_a_fact_that_cannot_be_is_refused(fact: AnyFact) -> None:
    with pytest.raises(InvalidValue):
        write_cell(ROWS, fact)


def test_a_direction_that_does_not_exist_is_refused() -> None:
    with pytest.raises(InvalidValue, match="direction"):
        ReferenceSubject("ann", "up", "KNOWS", (), "bob", 1)
