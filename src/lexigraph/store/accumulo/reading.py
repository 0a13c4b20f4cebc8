"""Reading a table of Accumulo: stages on the servers as far as they go, the others here.

Layer ``store``, only for ``accumulo``. Deletes, columns and labels are Accumulo's own, below all.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from types import MappingProxyType
from typing import Any
from uuid import uuid4

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.cells.ranges import Range
from lexigraph.keyplan.derived.packed_summary import merge_packed
from lexigraph.keyplan.derived.summary import Summary
from lexigraph.security import All, Authorizations, LabelCache
from lexigraph.store.accumulo.bridge.frames import from_frame, pack_ranges
from lexigraph.store.accumulo.bridge.jvm import translated
from lexigraph.store.accumulo.permissions import READING, permit_table
from lexigraph.store.accumulo.stages import equal_keys, scan_iterators
from lexigraph.store.scan.placing import EngineCells
from lexigraph.store.scan.reading import ScanPlan, default_label, families_of, from_marker
from lexigraph.store.scan.results import Watch
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.settings import TableSettings
from lexigraph.store.stages.base import Families
from lexigraph.store.stages.spec import StageSpec, read_stages

_NO_PLANS: Mapping[str, Any] = MappingProxyType({})
_AHEAD = 500
"""How many ranges are read at once where stages in the client ask for one after the other."""


class TableReader:
    """Reads one table for one scan."""

    def __init__(
        self,
        bridge: Any,
        remote: str,
        settings: TableSettings,
        readable: Callable[[], Authorizations],
        watch: Watch,
        *,
        threads: int,
        at_once: int,
        timeout_s: float,
        counted: list[dict[str, Any]] | None = None,
        summary: Summary | None = None,
    ) -> None:
        self.bridge, self.remote, self.settings = bridge, remote, settings
        self.needs = permit_table(str(bridge.user()), remote, READING)
        self.readable, self.watch = readable, watch
        self.threads, self.timeout_ms = threads, int(timeout_s * 1000)
        self.at_once, self.counted, self.summary = at_once, counted, summary

    def batches(
        self, spec: ScanSpec, batch_cells: int, now: int, plans: Mapping[str, Any] = _NO_PLANS
    ) -> Iterator[CellBatch]:
        """Give the cells of a scan whose stages all run on the servers, or that has none."""
        parts = self._frames(spec, batch_cells, now, plans)
        # Raw cells are read without any stage, also for a scan with a summary.
        if self.summary is None or not spec.stages:
            return parts
        values = (value for part in parts for value in part.value)
        return _batched(merge_packed(self.summary, values), batch_cells)

    def _frames(
        self, spec: ScanSpec, batch_cells: int, now: int, plans: Mapping[str, Any]
    ) -> Iterator[CellBatch]:
        ranges = Range.merge(map(from_marker, spec.ranges))
        if not ranges:
            return
        scan = self._start(spec, ranges, now, plans)
        stop = scan.close
        self.watch.follow(stop)
        try:
            while (batch := self._next(scan, batch_cells)) is not None:
                yield batch
        finally:
            self.watch.unfollow(stop)
            if self.counted is not None:
                self.counted.extend(json.loads(str(one)) for one in scan.counts())
            stop()

    def cells(self, spec: ScanSpec, now: int, plans: Mapping[str, Any]) -> Iterator[Cell]:
        """Give the same cells one by one."""
        for batch in self.batches(spec, 4096, now, plans):
            yield from batch

    def placed(self, plan: ScanPlan, done: int, now: int, *, bounded: bool) -> Iterator[Cell]:
        """Give the cells of a scan of which the servers run the first ``done`` stages only.

        If ``bounded``, the next is a limit, and no range gives more cells than it lets through.
        """
        plans = plan.made_plans()
        source = CellsAhead(
            plan, done, now, lambda spec: self.cells(spec, now, plans), bounded=bounded
        )
        return plan.read(source, now=now, done=done)

    def _start(
        self, spec: ScanSpec, ranges: list[Range], now: int, plans: Mapping[str, Any]
    ) -> Any:
        asked = spec.authorizations
        tokens = self.readable() if isinstance(asked, All) else asked
        stages = read_stages(spec.stages)
        label = default_label(self.settings.default_visibility, spec)
        if label and not LabelCache(tokens, label).can_see(b""):
            # Accumulo shows them to everyone, and no stage may see what the reader may not.
            stages, asked = (_below("labelled", stages), *stages), tokens
        name = uuid4().hex
        iterators = scan_iterators(
            stages,
            plans=plans,
            sets=spec.sets,
            now=now if spec.now is None else spec.now,
            unit=self.settings.time_unit,
            default_visibility=label,
            authorizations=asked,
            name=name,
            counts=self.counted is not None,
        )
        if self.settings.max_versions != 1:
            iterators.append(equal_keys(name))
        columns = _distinct(spec.columns, name)
        with translated():
            return self.bridge.scan(
                self.remote,
                pack_ranges(ranges),
                list(tokens),
                [family for family, _ in columns],
                [qualifier for _, qualifier in columns],
                json.dumps(iterators),
                self.threads,
                self.at_once,
            )

    def _next(self, scan: Any, batch_cells: int) -> CellBatch | None:
        left = self.watch.left_s
        limit = self.timeout_ms if left is None else min(self.timeout_ms, int(left * 1000) + 1)
        try:
            with translated(needs=self.needs):
                frame = scan.next(batch_cells, limit)
        except Exception:
            # A scan that was cancelled or took too long fails in many ways; this is why.
            self.watch.check()
            raise
        self.watch.check()
        return None if frame is None else from_frame(memoryview(bytes(memoryview(frame))))


class CellsAhead(EngineCells):
    """The same cells, but of many ranges at once: a call for each would wait for each."""

    def __init__(
        self,
        plan: ScanPlan,
        done: int,
        now: int,
        run: Callable[[ScanSpec], Iterator[Cell]],
        *,
        bounded: bool,
    ) -> None:
        super().__init__(plan, done, now, run)
        self._spec = replace(self._spec, stages=plan.stages[: done + bounded])
        self._wanted = plan.ranges
        self._place = {item: number for number, item in enumerate(self._wanted)}
        self._held: dict[Range, list[Cell]] = {}

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Give the cells of a range, read ahead with those that are asked for next."""
        place = self._place.get(range)
        few = len(self._wanted) < 2 or self.done > self.plan.split
        if few or place is None or families != families_of(self.plan.spec):
            return super().scan(range, families)
        if range not in self._held:
            self._held = self._read(self._wanted[place : place + _AHEAD])
        return iter(self._held.pop(range))

    def _read(self, ranges: list[Range]) -> dict[Range, list[Cell]]:
        held: dict[Range, list[Cell]] = {item: [] for item in ranges}
        at = 0
        for cell in self.run(replace(self._spec, ranges=ranges)):
            while ranges[at].beyond(cell):
                at += 1
            held[ranges[at]].append(cell)
        return held


def _distinct(
    columns: Sequence[tuple[bytes, bytes | None]], name: str
) -> list[tuple[bytes, bytes | None]]:
    # Accumulo's client ends a range at the last column, which it takes for one with a qualifier
    # though the whole family is wanted as well.
    whole = {family for family, qualifier in columns if qualifier is None}
    kept = [one for one in columns if one[1] is None or one[0] not in whole]
    dropped = len(kept) < len(columns)
    if dropped and b"" not in whole and all(qualifier is None for _, qualifier in kept):
        # A qualifier hides all columns that were not asked for, also from stages that look into
        # the empty family for the marker of a row. One that no cell has does the same.
        kept.insert(0, (b"", name.encode()))
    return kept


def _below(name: str, stages: Sequence[StageSpec]) -> StageSpec:
    return StageSpec(name, {}, min((stage.priority or 0 for stage in stages), default=0) - 1)


def _batched(cells: Iterator[Cell], batch_cells: int) -> Iterator[CellBatch]:
    while part := list(islice(cells, batch_cells)):
        yield CellBatch.from_cells(part)
