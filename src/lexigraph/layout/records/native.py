"""Cells of records become elements: by the native module, where it is installed, else in Python.

Layer ``layout``. Both give the same elements; those of Python are what the rules mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from lexigraph.cells.batch import CellBatch
from lexigraph.layout.records.assembler import assemble
from lexigraph.layout.records.cells import read_facts
from lexigraph.layout.records.elements import RecordElement
from lexigraph.layout.records.reading import RecordReading
from lexigraph.layout.records.rows import RecordRows


def assemble_cells(
    rows: RecordRows, table: str, batches: Iterable[CellBatch], reading: RecordReading
) -> Iterator[RecordElement]:
    """Yield the elements that a reader sees of the sorted cells of a table, wherever batches end.

    ``table`` is ``VERTICES`` or ``EDGES``. The cells need not be those of whole batches or of the
    families that the hints ask for, but those of a row must all be there.
    """
    cells = chain.from_iterable(batch.cells() for batch in batches)
    return assemble(read_facts(rows, table, cells), reading)
