"""Tables of one moment with cells on top that are not written yet: what a transaction reads.

Layer ``store``. The engine runs a scan of rows that no such cell touches. Of the other rows it
gives the raw cells, and all stages run here: slower, and the same answer as after a commit. Frames
of a scan that touches none are read by the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import merge
from itertools import chain, islice
from typing import Any, overload

from lexigraph.arguments import read_count, read_timeout
from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell, order
from lexigraph.cells.ranges import Range
from lexigraph.errors import UnsupportedError
from lexigraph.keyplan.derived.summary import FigureStates, Summary
from lexigraph.security import All, Authorizations
from lexigraph.store.answers.frames import Frame
from lexigraph.store.arguments import read_spec
from lexigraph.store.capabilities import Capabilities
from lexigraph.store.operators import (
    BATCH_ROWS,
    Declined,
    FollowEdges,
    FollowReferences,
    FrameReader,
    ReadFrames,
    ReadRecords,
)
from lexigraph.store.preferences import Preferences
from lexigraph.store.reports import StagePlacement
from lexigraph.store.scan.columns import prepare_decoded
from lexigraph.store.scan.reading import ScanPlan
from lexigraph.store.scan.results import Scan, Watch
from lexigraph.store.scan.runs import MergedRuns
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.settings import TableSettings
from lexigraph.store.snapshot import Snapshot
from lexigraph.store.spi import Engine
from lexigraph.store.stages.base import Families

Pending = Callable[[], Mapping[str, MergedRuns]]
"""Returns the cells that are not written yet, by table, with the times that they may get."""

ROWS_AHEAD = 64
"""How many rows with cells on top are read from the engine at once."""


class Overlay:
    """An engine to read from, with cells on top. It runs scans, and reads frames of them."""

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

    def merge_problem(self, settings: TableSettings) -> UnsupportedError | None:
        """Return what is wrong with merge stages that the engine cannot run."""
        return self._engine.merge_problem(settings)

    def check_granted(self, asked: Any) -> Authorizations | All:
        """Return authorizations that may be asked for."""
        return self._engine.check_granted(asked)

    def placement(self, table: str, spec: ScanSpec) -> list[StagePlacement]:
        """Return where each stage runs: in the client too, if a cell on top is touched."""
        placed = self._engine.placement(table, spec)
        if self._touched(table, spec) is None:
            return placed
        return [replace(one, in_engine=False) for one in placed]

    def snapshot(self) -> Snapshot:
        """Return a snapshot of the engine."""
        return self._engine.snapshot()

    @overload
    def prepare(
        self, operator: ReadFrames, *, snapshot: Snapshot | None = None
    ) -> FrameReader | Declined: ...
    @overload
    def prepare(
        self,
        operator: FollowEdges | FollowReferences | ReadRecords,
        *,
        snapshot: Snapshot | None = None,
    ) -> Declined: ...
    def prepare(
        self,
        operator: ReadFrames | FollowEdges | FollowReferences | ReadRecords,
        *,
        snapshot: Snapshot | None = None,
    ) -> FrameReader | Declined:
        """Return a reader of frames that chooses when it runs, or why not.

        The engine's own runs if no cell on top is touched then; else the cells of a scan of this
        are decoded.
        """
        if not isinstance(operator, ReadFrames):
            return Declined("the engine cannot see what the transaction has not written yet")
        below = self._engine.prepare(operator, snapshot=snapshot)
        settings = self._engine.settings(operator.table)
        here = prepare_decoded(self, operator, settings)
        if isinstance(below, Declined) or isinstance(here, Declined):
            return below if isinstance(below, Declined) else here
        table, spec = operator.table, read_spec(operator.spec)
        return _EitherReader(lambda: self._touched(table, spec) is not None, below, here)

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
        run = self._touched(table, spec)

        def read_engine(asked: ScanSpec) -> Scan:
            return self._engine.scan(
                table, asked, snapshot=snapshot, batch_cells=batch_cells, timeout_s=timeout_s
            )

        if run is None:
            return read_engine(spec)
        read_count(batch_cells, "batch_cells")
        self._engine.check_granted(spec.authorizations)
        settings, now = self._engine.settings(table), self._engine.now()
        below = _Below(self._engine, table, snapshot, run, spec.authorizations)

        def read_here(asked: ScanSpec) -> Iterator[Cell]:
            return ScanPlan(asked, settings).read(below, now=now)

        watch = Watch(table, read_timeout(timeout_s))
        cells = _by_rows(ScanPlan(spec, settings), run, read_here, read_engine, below.expect)
        return Scan(_batches(cells, batch_cells, watch), watch)

    def _touched(self, table: str, spec: ScanSpec) -> MergedRuns | None:
        """Return the cells on top of a table, if a scan touches any of them."""
        run = self._pending().get(table)
        if run is None or not any(run.touches(one) for one in spec.ranges or [Range()]):
            return None
        return run


class _EitherReader:
    """Reads frames of the engine, or of a scan with cells on top: chosen at each run."""

    def __init__(
        self, is_touched: Callable[[], bool], below: FrameReader, here: FrameReader
    ) -> None:
        self._is_touched, self._below, self._here = is_touched, below, here

    def frames(
        self,
        *,
        snapshot: Snapshot | None = None,
        batch_rows: int = BATCH_ROWS,
        timeout_s: float | None = None,
    ) -> Iterator[Frame]:
        """Yield the elements of the scan by column, some rows at a time."""
        reader = self._here if self._is_touched() else self._below
        return reader.frames(snapshot=snapshot, batch_rows=batch_rows, timeout_s=timeout_s)


def _by_rows(
    plan: ScanPlan,
    run: MergedRuns,
    read_here: Callable[[ScanSpec], Iterator[Cell]],
    read_engine: Callable[[ScanSpec], Scan],
    expect: Callable[[Sequence[Range]], None],
) -> Iterator[Cell]:
    """Yield the cells of a scan: rows with cells on top are read here, the others by the engine."""
    spec, summary = plan.spec, plan.summary()
    # Other stages that see the whole scan need all rows in order; and most end it early.
    in_parts = plan.split == len(plan.stages) - (summary is not None)
    touched, others = _divided(plan.ranges, run)
    if spec.after is not None or not in_parts or not others:
        yield from read_here(spec)
        return
    expect(touched)
    here = read_here(replace(spec, ranges=touched))
    with read_engine(replace(spec, ranges=others)) as batches:
        parts = (here, chain.from_iterable(batches))
        yield from merge(*parts, key=order) if summary is None else _joined(summary, parts)


def _joined(summary: Summary, parts: Iterable[Iterable[Cell]]) -> Iterator[Cell]:
    """Yield the results of a summary, made from its results for parts of the rows."""
    found: dict[bytes, tuple[FigureStates, int]] = {}
    for cell in chain.from_iterable(parts):
        states, time = summary.read(cell.value, cell.timestamp), cell.timestamp
        if cell.row in found:
            held, newest = found[cell.row]
            states, time = summary.merge(held, states), max(newest, time)
        found[cell.row] = states, time
    for row in sorted(found):
        states, time = found[row]
        yield Cell(row, timestamp=time, value=summary.write(states))


def _divided(ranges: Sequence[Range], run: MergedRuns) -> tuple[list[Range], list[Range]]:
    """Return the rows of ranges in which a run has cells, and what lies between them."""
    touched: list[Range] = []
    others: list[Range] = []
    for item in ranges:
        left: Range | None = item
        for row in run.rows(item):
            if left is None:
                break
            pieces = [Range.rows(None, row, end_inclusive=False), Range.row(row)]
            for held, piece in zip((others, touched), pieces, strict=True):
                clipped = left.clip(piece)
                if clipped is not None:
                    held.append(clipped)
            left = left.clip(Range.rows(row, start_inclusive=False))
        if left is not None:
            others.append(left)
    return touched, others


class _Below:
    """The cells of an engine's table and those on top, as one source."""

    def __init__(
        self,
        engine: Engine,
        table: str,
        snapshot: Snapshot | None,
        run: MergedRuns,
        authorizations: Authorizations | All,
    ) -> None:
        self._engine, self._table, self._run = engine, table, run
        self._how: dict[str, Any] = {"snapshot": snapshot, "authorizations": authorizations}
        self._rows: list[bytes] = []
        self._places: dict[bytes, int] = {}
        self._held: dict[bytes, list[Cell]] = {}

    def expect(self, ranges: Sequence[Range]) -> None:
        """Note ranges of single rows that will be read in this order: some are read at once.

        To ask the engine for a row costs more than to read it.
        """
        rows = (one.start.row for one in ranges if one.start is not None)
        self._rows = list(dict.fromkeys(rows))
        self._places = {row: at for at, row in enumerate(self._rows)}

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Yield the cells of a range in order."""
        held = (cell for cell in self._cells(range) if families.wanted(cell.family))
        return merge(self._run.scan(range, families), held, key=order)

    def _cells(self, range: Range) -> Iterable[Cell]:
        row = None if range.start is None else range.start.row
        if row is None or row not in self._places or not _is_in_row(range, row):
            return self._raw([range])
        if row not in self._held:
            self._read_ahead(self._places[row])
        return filter(range.contains, self._held[row])

    def _read_ahead(self, first: int) -> None:
        rows = self._rows[first : first + ROWS_AHEAD]
        self._held = {row: [] for row in rows}
        for cell in self._raw([Range.row(row) for row in rows]):
            self._held[cell.row].append(cell)

    def _raw(self, ranges: Sequence[Range]) -> Iterator[Cell]:
        return chain.from_iterable(self._engine.read_raw(self._table, ranges, **self._how))


def _is_in_row(range: Range, row: bytes) -> bool:
    """Return whether a range ends with a row: a range that was expected lies in one row."""
    end = range.end
    if end is None:
        return False
    return end.row == row or (end.row == row + b"\0" and not end.family and not range.end_inclusive)


def _batches(cells: Iterator[Cell], size: int, watch: Watch) -> Iterator[CellBatch]:
    while part := list(islice(cells, size)):
        watch.check()
        yield CellBatch.from_cells(part)
