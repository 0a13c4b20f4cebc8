"""Tables of one moment with cells on top that are not written yet: what a transaction reads.

Layer ``store``. If a scan touches no such cell, the engine runs it. Else the cells of its ranges
come from the engine, and all stages run here: slower, and the same answer as after a commit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import merge
from itertools import chain, islice
from typing import Any

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell, order
from lexigraph.cells.ranges import Range
from lexigraph.security import All, Authorizations
from lexigraph.store.arguments import read_count, read_spec, read_timeout
from lexigraph.store.capabilities import Capabilities
from lexigraph.store.preferences import Preferences
from lexigraph.store.reports import StagePlacement
from lexigraph.store.scan.reading import ScanPlan
from lexigraph.store.scan.results import Scan, Watch
from lexigraph.store.scan.runs import Run
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.settings import TableSettings
from lexigraph.store.snapshot import Snapshot
from lexigraph.store.spi import Engine
from lexigraph.store.stages.base import Families

Pending = Callable[[], Mapping[str, Run]]
"""Returns the cells that are not written yet, by table, with the times that they may get."""


class Overlay:
    """An engine to read from, with cells on top; it has no path of its own into the core."""

    def __init__(self, engine: Engine, pending: Pending) -> None:
        self._engine, self._pending = engine, pending

    @property
    def capabilities(self) -> Capabilities:
        """What the engine guarantees."""
        return self._engine.capabilities

    @property
    def preferences(self) -> Preferences:
        """What graphs on the engine follow."""
        return self._engine.preferences

    def now(self) -> int:
        """Return the time of the engine."""
        return self._engine.now()

    def settings(self, name: str) -> TableSettings:
        """Return a table's settings."""
        return self._engine.settings(name)

    def check_merges(self, settings: TableSettings) -> None:
        """Refuse merge stages that the engine cannot run."""
        self._engine.check_merges(settings)

    def check_granted(self, asked: Any) -> Authorizations | All:
        """Return authorizations that may be asked for."""
        return self._engine.check_granted(asked)

    def placement(self, table: str, spec: ScanSpec) -> list[StagePlacement]:
        """Return where each stage runs."""
        return self._engine.placement(table, spec)

    def snapshot(self) -> Snapshot:
        """Return a snapshot of the engine."""
        return self._engine.snapshot()

    def scan(
        self,
        table: str,
        spec: ScanSpec | None = None,
        *,
        snapshot: Snapshot | None = None,
        batch_cells: int = 4096,
        timeout_s: float | None = None,
    ) -> Scan:
        """Read a table of a snapshot, with what is on top."""
        spec = read_spec(spec)
        run = self._pending().get(table)
        if run is None or not any(run.touches(one) for one in spec.ranges or [Range()]):
            return self._engine.scan(
                table, spec, snapshot=snapshot, batch_cells=batch_cells, timeout_s=timeout_s
            )
        read_count(batch_cells, "batch_cells")
        self._engine.check_granted(spec.authorizations)
        plan = ScanPlan(spec, self._engine.settings(table))
        watch = Watch(table, read_timeout(timeout_s))
        below = _Below(self._engine, table, snapshot, run, spec.authorizations)
        cells = plan.read(below, now=self._engine.now())
        return Scan(_batches(cells, batch_cells, watch), watch)


class _Below:
    """The cells of an engine's table and those on top, as one source."""

    def __init__(
        self,
        engine: Engine,
        table: str,
        snapshot: Snapshot | None,
        run: Run,
        authorizations: Authorizations | All,
    ) -> None:
        self._engine, self._table, self._run = engine, table, run
        self._how: dict[str, Any] = {"snapshot": snapshot, "authorizations": authorizations}

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Yield the cells of a range in order."""
        ranges: Sequence[Range] = [range]
        raw = self._engine.read_raw(self._table, ranges, **self._how)
        held = (cell for cell in chain.from_iterable(raw) if families.wanted(cell.family))
        return merge(self._run.scan(range, families), held, key=order)


def _batches(cells: Iterator[Cell], size: int, watch: Watch) -> Iterator[CellBatch]:
    while part := list(islice(cells, size)):
        watch.check()
        yield CellBatch.from_cells(part)
