"""The core and Python make the same elements of cells, or both refuse them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spec.fact_json import reading_from_json

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell, order
from lexigraph.codec import Codec, register
from lexigraph.errors import InvalidBytes
from lexigraph.layout.records.assembling import native
from lexigraph.layout.records.assembling.assembler import assemble
from lexigraph.layout.records.assembling.native import Keeping, assemble_cells, prepare_records
from lexigraph.layout.records.assembling.retention import DAY, Retention, retain
from lexigraph.layout.records.cells import read_facts, write_cell
from lexigraph.layout.records.facts import AnyFact, EdgeShape, ExistenceFact, ValueFact
from lexigraph.layout.records.reading import EVERYTHING, FetchHints, RecordReading
from lexigraph.layout.records.rows import EDGES, VERTICES, RecordRows, SortField
from lexigraph.layout.records.subjects import EdgeSubject, ReferenceSubject, VertexSubject
from lexigraph.schema.model import History
from lexigraph.security import ALL, Authorizations
from tests.unit.layout.records.strategies import readers, worlds
from tests.unit.layout.records.test_bytes import (
    ANY_ROWS,
    FAMILIES,
    IDS,
    SAMPLES,
    any_facts,
    damaged,
)
from tests.unit.layout.records.vectors import ROWS, Json, stored

CUTS = st.lists(st.integers(0, 20), max_size=4)
EXISTS = ExistenceFact(subject=VertexSubject("ann"), time=1)


def cut(cells: list[Cell], places: list[int]) -> Iterator[CellBatch]:
    """Yield the cells in batches that end at these places, also empty ones."""
    ends = [0, *sorted(places), len(cells)]
    for start, end in pairwise(ends):
        yield CellBatch.from_cells(cells[start:end])


def answers(
    rows: RecordRows,
    table: str,
    cells: list[Cell],
    reading: RecordReading,
    *,
    places: Iterable[int] = (),
    keeping: Keeping | None = None,
) -> list[object]:
    """Return what the core makes of cells, and what Python does; none where they are refused."""
    assert prepare_records(rows, table, reading, keeping)[1] is None
    facts = read_facts(rows, table, cells)
    kept = facts if keeping is None else retain(facts, *keeping)
    batches = cut(cells, list(places))
    both: list[object] = []
    for found in (
        assemble_cells(rows, table, batches, reading, keeping=keeping),
        assemble(kept, reading),
    ):
        try:
            both.append(list(found))
        except InvalidBytes:
            both.append(None)
    # Types of values are part of the answer: 1, True and Int8(1) are equal.
    assert repr(both[0]) == repr(both[1])
    return both


@settings(max_examples=500)
@given(worlds(expires=True), readers(expires=True), CUTS)
def test_batches_are_assembled_wherever_they_are_cut(
    facts: list[Json], reader: Json, places: list[int]
) -> None:
    for table, cells in stored(facts).items():
        found, expected = answers(ROWS, table, cells, reading_from_json(reader), places=places)
        assert found == expected


@settings(max_examples=500)
@given(st.lists(any_facts(), max_size=8), readers(), CUTS)
def test_values_and_ids_of_all_types_come_out_alike(
    facts: list[AnyFact], reader: Json, places: list[int]
) -> None:
    for table in (VERTICES, EDGES):
        own = [one for one in facts if ANY_ROWS.table_of(one.subject) == table]
        existing = [ExistenceFact(subject=one.subject, time=1) for one in own if table == VERTICES]
        cells = sorted((write_cell(ANY_ROWS, one) for one in (*own, *existing)), key=order)
        found, expected = answers(ANY_ROWS, table, cells, reading_from_json(reader), places=places)
        assert found == expected


HISTORIES = st.one_of(
    st.none(),
    st.builds(History, st.just(None), st.integers(1, 3)),
    st.builds(History, st.sampled_from((1, 1.0, 0.999999999999))),
)


@settings(max_examples=500)
@given(
    worlds(),
    readers(),
    CUTS,
    HISTORIES,
    st.dictionaries(st.sampled_from("mn"), HISTORIES),
    st.integers(0, 7),
)
def test_a_history_keeps_the_same_versions(
    facts: list[Json],
    reader: Json,
    places: list[int],
    general: History | None,
    names: dict[str, History | None],
    now: int,
) -> None:
    keeping = Keeping(Retention(general, names), now + DAY)
    reading = reading_from_json(reader)
    for table, cells in stored(facts).items():
        found, expected = answers(ROWS, table, cells, reading, places=places, keeping=keeping)
        assert found == expected


ALL_HINTS = (EVERYTHING, FetchHints(), FetchHints(metadata=True, hidden=True))


@settings(max_examples=1000)
@given(
    st.lists(st.sampled_from(SAMPLES), min_size=1, max_size=4),
    st.sampled_from(("row", "qualifier", "value", "visibility")),
    st.integers(0, 60),
    st.binary(max_size=3),
    st.integers(0, 3),
    st.sampled_from(ALL_HINTS),
    CUTS,
)
def test_damaged_cells_are_answered_or_refused_alike(
    samples: list[tuple[str, Cell]],
    part: str,
    at: int,
    new: bytes,
    length: int,
    hints: FetchHints,
    places: list[int],
) -> None:
    table, first = samples[0]
    bad = first._replace(**{part: damaged(getattr(first, part), at, new, length)})
    others = [cell for one, cell in samples[1:] if one == table]
    reading = RecordReading(Authorizations(["a"]), hints=hints)
    answers(ROWS, table, sorted([bad, *others], key=order), reading, places=places)


@settings(max_examples=500)
@given(
    st.sampled_from((VERTICES, EDGES)),
    st.sampled_from((b"", b"ann\0\x01", b"ann\0\x02KNOWS\0bob\0", b"\x48x\0")),
    st.binary(max_size=12),
    st.lists(
        st.tuples(
            st.sampled_from(FAMILIES),
            st.binary(max_size=14) | st.sampled_from((b"", b"n\0", b"n\0\0\0\x80" + bytes(7))),
            st.sampled_from((b"\x01\0", b"\x01\x02", b"\x01\x04", b"\x02\0", b"")),
            st.binary(max_size=14),
        ),
        min_size=1,
        max_size=4,
    ),
    st.sampled_from((ROWS, ANY_ROWS)),
    st.sampled_from((b"", b"", b"x")),
)
def test_random_cells_are_answered_or_refused_alike(
    table: str,
    start: bytes,
    end: bytes,
    given_cells: list[tuple[bytes, bytes, bytes, bytes]],
    rows: RecordRows,
    markers: bytes,
) -> None:
    cells = [
        Cell(start + end, family, qualifier, b"", 5, bool(markers), head + value)
        for family, qualifier, head, value in given_cells
    ]
    answers(rows, table, sorted(cells, key=order), RecordReading())


CODECS = ("str", "int64", "int", "uuid", "datetime", "bytes", "float", "any", "date", "decimal")


@pytest.mark.parametrize("codec", CODECS)
@given(st.data())
@settings(max_examples=30)
def test_ids_and_sort_keys_of_other_codecs_come_out_alike(codec: str, data: st.DataObject) -> None:
    descending = data.draw(st.booleans())
    rows = RecordRows(codec, {"S": (SortField("a", codec, descending), SortField("b", "any"))})
    ids = IDS_OF[codec]
    reference = ReferenceSubject(
        data.draw(ids),
        "either",
        "S",
        (data.draw(st.none() | ids), data.draw(st.none() | IDS)),
        data.draw(ids),
        data.draw(IDS),
    )
    signature = (("km", data.draw(IDS)), ("n", None))
    facts: list[AnyFact] = [
        ExistenceFact(subject=VertexSubject(data.draw(ids)), time=1),
        ExistenceFact(subject=reference, time=1, signature=signature),
    ]
    cells = sorted((write_cell(rows, one) for one in facts), key=order)
    found, expected = answers(rows, VERTICES, cells, RecordReading(), places=[1])
    assert found == expected


IDS_OF = {
    "str": st.text(max_size=5),
    "int64": st.integers(-(2**63), 2**63 - 1),
    "int": st.integers(),
    "uuid": st.uuids(),
    "datetime": st.datetimes(timezones=st.timezones()),
    "bytes": st.binary(max_size=5),
    "float": st.floats(allow_nan=False),
    "any": IDS,
    "date": st.dates(),
    "decimal": st.decimals(allow_nan=False, allow_infinity=False),
}


def test_many_edges_come_out_alike_from_many_batches() -> None:
    facts: list[AnyFact] = []
    for number in range(300):
        subject = EdgeSubject(number)
        shape = EdgeShape("KNOWS", f"v{number}", ("v", number), number % 2 == 0, (("km", 0.5),))
        facts += [
            ExistenceFact(subject=subject, time=number, shape=shape, stamp=7),
            ValueFact(subject=subject, time=number, name="n", value=[number, None, b"x"], note="y"),
        ]
    cells = sorted((write_cell(ROWS, one) for one in facts), key=order)
    reading = RecordReading(ALL, 250)
    found, expected = answers(ROWS, EDGES, cells, reading, places=range(0, 600, 7))
    assert found == expected
    assert isinstance(found, list)
    assert len(found) == 251


class Reversed(Codec[str]):
    """Text from its end: known in Python only."""

    name = "reversed-text"

    def encode(self, value: str) -> bytes:
        return value[::-1].encode()

    def decode(self, data: bytes) -> str:
        return data.decode()[::-1]


def test_what_the_core_does_not_know_is_assembled_in_python() -> None:
    register(Reversed())
    rows = RecordRows("reversed-text")
    batch = CellBatch.from_cells([write_cell(rows, EXISTS)])
    assert prepare_records(rows, VERTICES, RecordReading())[1] is not None
    (found,) = assemble_cells(rows, VERTICES, [batch], RecordReading())
    assert found == next(assemble([EXISTS], RecordReading()))


@pytest.mark.parametrize("keeping", [None, Keeping(Retention(History(1, None)), DAY)])
def test_without_the_core_cells_are_assembled_in_python(
    keeping: Keeping | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native, "find_native", lambda: None)
    assert prepare_records(ROWS, VERTICES, RecordReading())[0] is None
    batch = CellBatch.from_cells([write_cell(ROWS, EXISTS)])
    (found,) = assemble_cells(ROWS, VERTICES, [batch], RecordReading(), keeping=keeping)
    assert found == next(assemble([EXISTS], RecordReading()))


def test_a_time_beyond_64_bits_is_judged_in_python() -> None:
    reading = RecordReading(as_of=1 << 63)
    assert prepare_records(ROWS, VERTICES, reading)[0] is None
    batch = CellBatch.from_cells([write_cell(ROWS, EXISTS)])
    assert len(list(assemble_cells(ROWS, VERTICES, [batch], reading))) == 1


def test_elements_before_invalid_bytes_are_given_first() -> None:
    good = write_cell(ROWS, EXISTS)
    bad = [good._replace(row=row, value=b"\x09\0") for row in (b"bob\0\x01", b"cid\0\x01")]
    found = assemble_cells(ROWS, VERTICES, [CellBatch.from_cells([good, *bad])], RecordReading())
    assert next(found) == next(assemble([EXISTS], RecordReading()))
    with pytest.raises(InvalidBytes, match="state 09"):
        next(found)
