"""The embedded engine assembles records where it reads them: as of cells that a scan returns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spec.fact_json import reading_from_json

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell, order
from lexigraph.cells.ranges import Range
from lexigraph.errors import Closed, QueryTimeout, UsageError
from lexigraph.layout.records.assembling.assembler import assemble
from lexigraph.layout.records.assembling.native import prepare_records
from lexigraph.layout.records.cells import read_facts, write_cell
from lexigraph.layout.records.elements import RecordReference
from lexigraph.layout.records.facts import AnyFact, ExistenceFact
from lexigraph.layout.records.reading import EVERYTHING, RecordReading
from lexigraph.layout.records.rows import EDGES, VERTICES
from lexigraph.layout.records.subjects import OUT, ReferenceSubject, VertexSubject
from lexigraph.security import ALL, Authorizations
from lexigraph.store import EmbeddedEngine, ScanSpec, TableSettings
from lexigraph.store.operators import AssembledReader, Declined, ReadRecords
from tests.unit.layout.records.strategies import readers, worlds
from tests.unit.layout.records.vectors import ROWS, Json, stored

FAMILIES = (*EVERYTHING.families, *EVERYTHING.reference_families)
KEPT = TableSettings(max_versions=None)
ANN = VertexSubject("ann")


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[EmbeddedEngine]:
    with EmbeddedEngine(tmp_path) as engine:
        yield engine


def reader_of(
    engine: EmbeddedEngine, name: str, reading: RecordReading, table: str = VERTICES
) -> AssembledReader:
    prepared, reason = prepare_records(ROWS, table, reading)
    assert reason is None
    found = engine.prepare(ReadRecords(name, prepared, FAMILIES, reading.authorizations))
    assert not isinstance(found, Declined)
    return found


def expected(
    engine: EmbeddedEngine, name: str, table: str, ranges: list[Range], reading: RecordReading
) -> list[Any]:
    spec = ScanSpec(
        ranges=ranges,
        authorizations=reading.authorizations,
        columns=[(family, None) for family in FAMILIES],
    )
    cells = [cell for batch in engine.scan(name, spec) for cell in batch]
    return list(assemble(read_facts(ROWS, table, cells), reading))


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(worlds(), readers(), st.booleans())
def test_rows_and_ranges_are_assembled_as_their_cells_are(
    engine: EmbeddedEngine, facts: list[Json], reader: Json, in_halves: object
) -> None:
    reading = reading_from_json(reader)
    for table, cells in stored(facts).items():
        if table in engine.tables():
            engine.drop_table(table)
        engine.create_table(table, KEPT)
        half = len(cells) // 2 if in_halves else len(cells)
        for part in (cells[:half], cells[half:]):
            engine.write({table: CellBatch.from_cells(part)})
        own = reader_of(engine, table, reading, table)
        for ranges in ([Range()], [Range.row(row) for row in sorted({one.row for one in cells})]):
            wanted = expected(engine, table, table, ranges, reading)
            found = list(own.elements(ranges))
            assert found == wanted
            assert repr(found) == repr(wanted)
        rows = sorted({one.row for one in cells})
        assert own.rows(rows) == wanted
        assert [one for row in rows for one in own.rows([row])] == wanted
        columns = [one for batch in own.references([Range()]) for one in zip(*batch, strict=True)]
        assert columns == [
            (
                one.subject.edge,
                one.subject.other,
                one.subject.sort_key,
                one.signature,
                one.time,
                one.visibility,
            )
            for one in wanted
            if isinstance(one, RecordReference)
        ]


def knows(number: int) -> AnyFact:
    subject = ReferenceSubject("ann", OUT, "KNOWS", (), f"v{number:05}", number)
    return ExistenceFact(subject=subject, time=1, signature=(("km", number),))


def test_many_references_come_in_several_batches(engine: EmbeddedEngine) -> None:
    engine.create_table("records", KEPT)
    cells = sorted((write_cell(ROWS, knows(number)) for number in range(9000)), key=order)
    engine.write({"records": CellBatch.from_cells(cells)})
    engine.compact("records")
    reader = reader_of(engine, "records", RecordReading())
    batches = list(reader.references([Range.prefix(b"ann\0\x02KNOWS\0")]))
    assert len(batches) > 1
    assert [one for batch in batches for one in batch.edges] == list(range(9000))
    assert len(list(reader.elements([Range()]))) == 9000


def test_a_snapshot_is_read_as_it_was(engine: EmbeddedEngine) -> None:
    engine.create_table("records", KEPT)
    cell = write_cell(ROWS, ExistenceFact(subject=ANN, time=1))
    with engine.snapshot() as before:
        engine.write({"records": CellBatch.from_cells([cell])})
        reader = reader_of(engine, "records", RecordReading())
        assert len(reader.rows([cell.row])) == 1
        assert reader.rows([cell.row], snapshot=before) == []
        assert list(reader.elements([Range()], snapshot=before)) == []


def test_invalid_cells_are_refused_and_the_next_row_is_read(engine: EmbeddedEngine) -> None:
    engine.create_table("records", KEPT)
    good = write_cell(ROWS, ExistenceFact(subject=ANN, time=1))
    bad = good._replace(row=b"bob\0\x01", value=b"\x09\0")
    engine.write({"records": CellBatch.from_cells([good, bad])})
    reader = reader_of(engine, "records", RecordReading())
    with pytest.raises(UsageError, match="state 09"):
        reader.rows([good.row, bad.row])
    assert len(reader.rows([good.row])) == 1
    elements = reader.elements([Range()])
    with pytest.raises(UsageError, match="state 09"):
        list(elements)


def test_a_time_limit_and_a_closed_engine_end_a_read(engine: EmbeddedEngine) -> None:
    engine.create_table("records", KEPT)
    cell: Cell = write_cell(ROWS, ExistenceFact(subject=ANN, time=1))
    engine.write({"records": CellBatch.from_cells([cell])})
    reader = reader_of(engine, "records", RecordReading())
    with pytest.raises(QueryTimeout):
        list(reader.elements([Range()], timeout_s=1e-9))
    engine.close()
    with pytest.raises(Closed):
        reader.rows([cell.row])


def test_other_authorizations_than_those_of_the_reading_are_refused(engine: EmbeddedEngine) -> None:
    engine.create_table("records", KEPT)
    prepared, _ = prepare_records(ROWS, EDGES, RecordReading(ALL))
    operator = ReadRecords("records", prepared, FAMILIES, Authorizations(["a"]))
    with pytest.raises(UsageError, match="other authorizations"):
        engine.prepare(operator)
    assert not isinstance(engine.prepare(replace(operator, authorizations=ALL)), Declined)
