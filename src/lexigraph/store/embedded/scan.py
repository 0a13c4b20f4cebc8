"""Reading the embedded engine: scans in the core, and in Python only what the core cannot run.

Layer ``store``, only for ``embedded``. The core judges a scan first. If it does not take all of it,
Python reads the scan too, and raises what is wrong with it or runs the stages from that one on.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.errors import UnsupportedError
from lexigraph.store.embedded.native import (
    load_native,
    spec_parts,
    spec_text,
    stages_text,
)
from lexigraph.store.scan.placing import EngineCells
from lexigraph.store.scan.priorities import resolve_priorities
from lexigraph.store.scan.reading import ScanPlan
from lexigraph.store.scan.results import Watch
from lexigraph.store.scan.spec import Resume, ScanSpec
from lexigraph.store.settings import TableSettings
from lexigraph.store.stages.spec import StageSpec, read_stages


class NativeReader:
    """Reads one table of one moment through the native module.

    ``at`` is a native snapshot or None, ``clock`` the time in microseconds or None for the
    system's.
    """

    def __init__(
        self, native: Any, table: str, at: Any, clock: int | None, watch: Watch, threads: int
    ) -> None:
        self.native, self.table, self.at, self.clock = native, table, at, clock
        self.watch, self.threads = watch, threads

    def batches(self, ready: Any, batch_cells: int) -> Iterator[CellBatch]:
        """Yield the batches of a scan that the core has taken whole."""
        return self._read(
            ready.open(self.at, self.watch.left_s, self.clock, self.threads), batch_cells
        )

    def raw_batches(
        self, spec: ScanSpec, batch_cells: int, stages: Sequence[StageSpec]
    ) -> Iterator[CellBatch]:
        """Return the batches of a scan through these stages in place of the table's own."""
        return self._batches(spec, batch_cells, stages_text(resolve_priorities(stages)))

    def cut_batches(self, spec: ScanSpec, batch_cells: int, every: int) -> Iterator[CellBatch]:
        """Give the same cells from many scans, each resumed behind the last: for tests."""
        cells = self._cut_cells(spec, every)
        while part := list(islice(cells, batch_cells)):
            yield CellBatch.from_cells(part)

    def placed_batches(
        self, plan: ScanPlan, done: int, batch_cells: int, now: int, cut_every: int | None
    ) -> Iterator[CellBatch]:
        """Give the batches of a scan of which the core runs the first ``done`` stages only."""
        source = EngineCells(plan, done, now, self._run_stages)
        cells = plan.read(source, now=now, done=done, cut_every=cut_every)
        while part := list(islice(cells, batch_cells)):
            self.watch.check()
            yield CellBatch.from_cells(part)

    def _run_stages(self, spec: ScanSpec) -> Iterator[Cell]:
        for batch in self._batches(spec, 1024, stages_text(read_stages(spec.stages))):
            yield from batch

    def _cut_cells(self, spec: ScanSpec, every: int) -> Iterator[Cell]:
        after = spec.after
        while True:
            last = after
            part = spec if after is None else spec.resumed(after)
            for cell in islice(self._cells(part), every):
                same = last is not None and last.key == cell.key
                last = Resume(cell.key, last.seen + 1 if last is not None and same else 1)
                yield cell
            if last is after:
                return
            after = last

    def _cells(self, spec: ScanSpec) -> Iterator[Cell]:
        for batch in self._batches(spec, 1024, None):
            yield from batch

    def _batches(self, spec: ScanSpec, batch_cells: int, stages: str | None) -> Iterator[CellBatch]:
        scan = self.native.scan(
            self.table,
            *spec_parts(spec),
            stages,
            self.at,
            self.watch.left_s,
            self.clock,
            self.threads,
        )
        return self._read(scan, batch_cells)

    def _read(self, scan: Any, batch_cells: int) -> Iterator[CellBatch]:
        self.watch.follow(scan.cancel)
        try:
            while (columns := scan.next(batch_cells)) is not None:
                yield CellBatch.from_buffers(columns)
        finally:
            self.watch.unfollow(scan.cancel)
            scan.close()


def native_stages(plan: ScanPlan) -> int:
    """Return how many stages of a scan, from the bottom, the core runs."""
    settings = json.dumps(plan.settings.to_json())
    return _count(settings, spec_text(plan.spec), stages_text(plan.stages))


def merge_problem(settings: TableSettings) -> UnsupportedError | None:
    """Return what is wrong with a merge stage that only Python runs: merges are the core's."""
    stages = resolve_priorities(settings.stages("merge"))
    plain = json.dumps(TableSettings(plans=settings.plans).to_json())
    count = _count(plain, json.dumps({"version": 1}), stages_text(stages))
    if count == len(stages):
        return None
    return UnsupportedError(
        f"stage {stages[count].name!r} cannot run at merge scope in the embedded engine: its "
        "options, a codec of its plan or the stage itself are known in Python only",
        hint="Use it at scan scope (scan_stages), where Python runs it after the engine.",
    )


def _count(settings: str, spec: str, stages: str) -> int:
    count: int = load_native().count_stages(settings, spec, stages)
    return count
