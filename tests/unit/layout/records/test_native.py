"""Cells in batches become the elements that Python's assembler makes of their facts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from spec.fact_json import reading_from_json

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.layout.records.assembler import assemble
from lexigraph.layout.records.cells import read_facts
from lexigraph.layout.records.native import assemble_cells
from tests.unit.layout.records.strategies import readers, worlds
from tests.unit.layout.records.vectors import ROWS, Json, stored

CUTS = st.lists(st.integers(0, 20), max_size=4)


def cut(cells: list[Cell], places: list[int]) -> Iterator[CellBatch]:
    """Yield the cells in batches that end at these places, also empty ones."""
    ends = [0, *sorted(places), len(cells)]
    for start, end in pairwise(ends):
        yield CellBatch.from_cells(cells[start:end])


@settings(max_examples=300)
@given(worlds(), readers(), CUTS)
def test_batches_are_assembled_wherever_they_are_cut(
    facts: list[Json], reader: Json, places: list[int]
) -> None:
    reading = reading_from_json(reader)
    for table, cells in stored(facts).items():
        found = assemble_cells(ROWS, table, cut(cells, places), reading)
        assert list(found) == list(assemble(read_facts(ROWS, table, cells), reading))
