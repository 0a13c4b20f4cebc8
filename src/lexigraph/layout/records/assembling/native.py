"""Cells of records become elements: by the native module, where it is installed, else in Python.

Layer ``layout``. Both give the same elements; those of Python are what the rules mean.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from functools import cache, lru_cache
from itertools import chain
from typing import Any, NamedTuple

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.native import ABSENT, find_native
from lexigraph.codec.selfdescribing import ANY
from lexigraph.layout.records import elements, facts, subjects
from lexigraph.layout.records.assembling.assembler import assemble
from lexigraph.layout.records.assembling.retention import Retention, retained_now
from lexigraph.layout.records.cells import read_facts
from lexigraph.layout.records.elements import RecordElement
from lexigraph.layout.records.facts import FactState
from lexigraph.layout.records.reading import FetchHints, RecordReading
from lexigraph.layout.records.rows import RecordRows
from lexigraph.security import ALL

_CLASSES = (
    *(elements.RecordVertex, elements.RecordEdge, elements.RecordReference),
    *(elements.RecordValue, elements.RecordMetadata),
    *(facts.ValueFact, facts.EdgeShape),
    *(subjects.VertexSubject, subjects.EdgeSubject, subjects.ReferenceSubject),
)
_TIMES = range(-(1 << 63), 1 << 63)


class Keeping(NamedTuple):
    """What history is kept, as of when: versions that are not kept are ignored."""

    retention: Retention
    now: int


def assemble_cells(
    rows: RecordRows,
    table: str,
    batches: Iterable[CellBatch],
    reading: RecordReading,
    *,
    keeping: Keeping | None = None,
) -> Iterator[RecordElement]:
    """Yield the elements that a reader sees of the sorted cells of a table, wherever batches end.

    ``table`` is ``VERTICES`` or ``EDGES``. Rows must be whole, except for families that the hints
    do not ask for. Elements of rows before invalid bytes may be given before these are refused.
    """
    prepared, _ = prepare_records(rows, table, reading, keeping)
    if prepared is not None:
        return _assemble_natively(prepared, batches)
    cells = chain.from_iterable(batch.cells() for batch in batches)
    found = read_facts(rows, table, cells)
    return assemble(found if keeping is None else retained_now(found, *keeping), reading)


def prepare_records(
    rows: RecordRows, table: str, reading: RecordReading, keeping: Keeping | None = None
) -> tuple[Any, str | None]:
    """Return what assembles records in the core, or why it is done in Python."""
    if find_native() is None:
        return None, ABSENT
    held = reading.authorizations
    key = (
        *(table, rows.plan),
        *(None if held is ALL else frozenset(held), reading.as_of, reading.hints),
    )
    # Without a history retention changes nothing.
    if keeping is not None and not keeping.retention.keeps_less:
        reading, keeping = replace(reading, now=keeping.now), None
    if keeping is None and reading.now is None:
        return _prepare_once(*key)
    return _prepare(*key, now=reading.now, keeping=keeping)


def _prepare(
    table: str,
    plan: str,
    held: frozenset[bytes] | None,
    as_of: int | None,
    hints: FetchHints,
    now: int | None = None,
    keeping: Keeping | None = None,
) -> tuple[Any, str | None]:
    native = find_native()
    assert native is not None
    now = keeping.now if keeping is not None else now
    times = (as_of, now)
    if not all(time is None or time in _TIMES for time in times):
        return None, "a time has more than 64 bits"
    found: tuple[Any, str | None] = native.PreparedRecords.prepare(
        _classes(),
        table,
        plan,
        None if held is None else list(held),
        as_of,
        (json.dumps(asdict(hints), default=list), hints),
        now,
        keeping and _retention_text(keeping.retention),
    )
    return found


_prepare_once = lru_cache(maxsize=64)(_prepare)
"""The same without a history. Reading one vertex must not take longer than what it needs."""


def _assemble_natively(prepared: Any, batches: Iterable[CellBatch]) -> Iterator[RecordElement]:
    assembler = prepared.assembler()
    for batch in batches:
        yield from assembler.feed(batch.to_buffers())
    yield from assembler.finish()


@cache
def _classes() -> Any:
    native = find_native()
    assert native is not None
    return native.RecordClasses(
        {one.__name__: one for one in _CLASSES}, FactState.SAID, ANY.decode_value
    )


def _retention_text(retention: Retention) -> str:
    histories = {name: one and asdict(one) for name, one in retention.names.items()}
    return json.dumps(
        {"history": retention.history and asdict(retention.history), "names": histories}
    )
