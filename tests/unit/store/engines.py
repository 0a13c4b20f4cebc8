"""Short ways to make engines and to read them in tests."""

from __future__ import annotations

from typing import Any

from lexigraph.cells.cell import Cell
from lexigraph.security import ALL
from lexigraph.store import ManualClock, MemoryEngine, Mutations, ScanSpec, Table, TableSettings

EVERY_VERSION = TableSettings(max_versions=None)


def make_table(settings: TableSettings | None = None, **options: Any) -> Table:
    """A table 't' in an engine whose clock stands at 1000 and whose runs stay apart."""
    options = {"clock": ManualClock(1000), "join_runs": False, **options}
    return MemoryEngine(**options).create_table("t", settings)


def clock_of(table: Table) -> ManualClock:
    return table.engine._clock.clock  # type: ignore[attr-defined, no-any-return]


def put(table: Table, row: str, value: str = "", timestamp: int | None = None) -> None:
    table.write(Mutations().put(row, value=value, timestamp=timestamp))


def values(table: Table, **options: Any) -> list[bytes]:
    return [cell.value for cell in table.scan(**options)]


def rows(table: Table, **options: Any) -> list[bytes]:
    return [cell.row for cell in table.scan(**options)]


def everything(table: Table) -> list[Cell]:
    spec = ScanSpec(authorizations=ALL)
    return [cell for batch in table.engine.scan(table.name, spec) for cell in batch]
