"""Writing rows of a commit only if nobody has taken the right to from their writer.

Layer ``layout``, for engines whose atomic unit is the row. Tables are written in their order; in
each, rows with a condition come first, and if one is refused nothing after it is written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.cells.mutations import MutationBatch
from lexigraph.errors import Conflict
from lexigraph.layout.observe.changed import Batches, join_batches
from lexigraph.security import All, Authorizations
from lexigraph.store.conditions import Condition, ConditionalMutation, Outcome
from lexigraph.store.spi import Engine


@dataclass(slots=True)
class Guards:
    """Conditions of rows, by the engine's table."""

    conditions: dict[str, dict[bytes, Condition]] = field(default_factory=dict)
    written: list[tuple[str, bytes]] = field(default_factory=list)
    """The rows with a condition that were written, or may have been."""

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        """Return whether there are any conditions."""
        return bool(self.conditions)


def write_guarded(
    engine: Engine,
    batches: Batches,
    make: Callable[[int], Batches],
    guards: Guards,
    authorizations: Authorizations | All,
) -> int:
    """Write batches and what a function makes of the time of the commit; return the time."""
    timestamp = engine.tick()
    for table, batch in join_batches([batches, make(timestamp)]).items():
        conditions = guards.conditions.get(table, {})
        guarded: dict[bytes, list[Cell]] = {}
        free: list[Cell] = []
        cells = batch.at(timestamp)
        for cell in cells if conditions else ():
            (guarded.setdefault(cell.row, []) if cell.row in conditions else free).append(cell)
        if guarded:
            rows = [_mutation(row, conditions[row], held) for row, held in guarded.items()]
            _write_rows(engine, table, rows, guards, authorizations)
            cells = CellBatch.from_cells(free)
        if len(cells):
            engine.write({table: MutationBatch(cells)}, authorizations=authorizations)
    return timestamp


def _write_rows(
    engine: Engine,
    table: str,
    rows: list[ConditionalMutation],
    guards: Guards,
    authorizations: Authorizations | All,
) -> None:
    outcomes = engine.conditional_write(table, rows, authorizations=authorizations)
    done = list(zip(rows, outcomes, strict=True))
    guards.written += [(table, one.row) for one, how in done if how is not Outcome.REJECTED]
    if any(how is not Outcome.ACCEPTED for how in outcomes):
        raise Conflict(
            "another writer did not wait for this write any longer",
            hint="Try again.",
        )


def _mutation(row: bytes, condition: Condition, cells: list[Cell]) -> ConditionalMutation:
    made = ConditionalMutation(row, [condition])
    for cell in cells:
        place = (cell.family, cell.qualifier)
        label, time = cell.visibility, cell.timestamp
        if cell.deleted:
            made.delete(*place, visibility=label, timestamp=time)
        else:
            made.put(*place, cell.value, visibility=label, timestamp=time)
    return made
