"""Fences: what keeps a writer from writing a row after others have stopped waiting for it.

Layer ``layout``. A fence is a metadata entry, undone, of a value that is never there: no reader
sees it, and it makes no event. A claimed row is written only without the fence of its writer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.cells.mutations import MutationBatch
from lexigraph.layout.records.bound import BoundRecords
from lexigraph.layout.records.cells import write_cell
from lexigraph.layout.records.claims.claim import Claimed, Claiming
from lexigraph.layout.records.fact_reader import EngineFacts
from lexigraph.layout.records.facts import FactState, MetadataFact
from lexigraph.layout.records.rows import VERTICES
from lexigraph.layout.records.subjects import EdgeSubject
from lexigraph.layout.records.write.references import EdgeReferences
from lexigraph.store.conditions import Condition
from lexigraph.store.spi import Engine

StoreCells = Callable[[Mapping[str, MutationBatch]], object]
"""Stores cells by the engine's table."""


def no_fence(bound: BoundRecords, subject: Claimed, token: bytes) -> Condition:
    """Return the condition that a row does not have the fence of this attempt."""
    cell = _fence(bound, subject, token, 0)
    return Condition(cell.family, cell.qualifier)


def settle(engine: Engine, bound: BoundRecords, write: StoreCells, one: Claiming) -> None:
    """Fence a claimed row; if it was written before, write the references that it needs.

    After that the row has what its writer claimed it for, and all who look find it, or never will.
    """
    subject = one.claim.subject
    fence = _fence(bound, subject, one.token, engine.now())
    write({bound.tables[bound.rows.table_of(subject)]: _batch([fence])})
    if isinstance(subject, EdgeSubject):
        reader = EngineFacts(engine, bound.tables, bound.rows, groups=bound.groups)
        facts = reader.facts(subject)
        found = EdgeReferences(bound.rows, bound.groups).of_facts(subject.id, facts)
        cells = [write_cell(bound.rows, fact) for held in found.values() for fact in held]
        if cells:
            write({bound.tables[VERTICES]: _batch(cells)})


def _fence(bound: BoundRecords, subject: Claimed, token: bytes, time: int) -> Cell:
    fact = MetadataFact(
        subject=subject,
        time=time,
        state=FactState.UNDONE,
        name="",
        key=token,
        value_time=0,
        entry="",
    )
    return write_cell(bound.rows, fact)


def _batch(cells: list[Cell]) -> MutationBatch:
    return MutationBatch(CellBatch.from_cells(cells))
