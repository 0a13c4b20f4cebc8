"""The memory engine: small, obvious, and the executable specification of every other engine.

Layer ``store``. A table is a tuple of immutable runs inside an immutable state; a commit swaps in
new states for all its tables with one assignment, so readers need no lock and see all of it or
nothing. Writers take turns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from itertools import chain, islice
from threading import RLock
from typing import Any

from lexigraph.arguments import read_int
from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.cells.mutations import MutationBatch
from lexigraph.cells.ranges import Range
from lexigraph.errors import ConstraintError, InvalidOption, show
from lexigraph.security import ALL, All, Authorizations
from lexigraph.store.arguments import (
    ReadSince,
    read_cell_batches,
    read_conditional,
    read_new_settings,
    read_now,
    read_row_range,
    read_rows,
    read_settings,
)
from lexigraph.store.capabilities import Capabilities
from lexigraph.store.checking import check_settings, note_unused
from lexigraph.store.clock import Clock, HybridClock
from lexigraph.store.conditions import ConditionalMutation, Outcome, judge
from lexigraph.store.constraints import check_batch
from lexigraph.store.files.memory import MemoryFiles
from lexigraph.store.load_files import Loading
from lexigraph.store.memory.state import CommitLog, MemorySnapshot, TableState
from lexigraph.store.names import check_name, missing_table, name_taken
from lexigraph.store.reports import LoadReport, MergeReport, Purged, TableStats
from lexigraph.store.scan.merging import Merge
from lexigraph.store.scan.reading import ScanPlan
from lexigraph.store.scan.results import Watch
from lexigraph.store.scan.runs import MergedRuns, Run, join_small
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.settings import TableSettings
from lexigraph.store.snapshot import Snapshot
from lexigraph.store.spi import Engine
from lexigraph.store.stages.base import CellSource
from lexigraph.store.stages.spec import StageSpec
from lexigraph.store.table import Table

_CAPABILITIES = Capabilities("memory", loads_tables=True)


class MemoryEngine(Engine):
    """Tables in this process, gone with it.

    With ``join_runs=False`` every commit stays a separate run; with ``cut_every`` scans stop and
    resume after so many cells. Both are for tests and do not change answers.

    >>> with MemoryEngine() as engine:
    ...     table = engine.create_table("people")
    ...     _ = table.put("ann", "age", "", "41")
    ...     [cell.value for cell in table.scan()]
    [b'41']
    """

    upkeep = (
        "It keeps nothing when the process ends. Add the elements to a graph in a directory, which "
        "has backup, verify and vacuum."
    )

    def __init__(
        self,
        *,
        grants: Iterable[str | bytes] | All = ALL,
        clock: Clock | None = None,
        join_runs: bool = True,
        cut_every: int | None = None,
    ) -> None:
        super().__init__(grants=grants)
        self._clock = HybridClock(clock)
        self._join_runs = join_runs
        self._cut_every = None if cut_every is None else read_int(cut_every, "cut_every", least=1)
        self._files = MemoryFiles()
        self._tables: Mapping[str, TableState] = {}
        self._log = CommitLog()
        self._lock = RLock()

    @property
    def files(self) -> MemoryFiles:
        """Large values, in this process."""
        return self._files

    def now(self) -> int:
        """Return the time of readers: never before the last commit."""
        return self._clock.reading()

    @property
    def capabilities(self) -> Capabilities:
        """What this engine guarantees: everything but durability."""
        return _CAPABILITIES

    def tables(self) -> list[str]:
        """Return the names of all tables, sorted."""
        self.check_open()
        return sorted(self._tables)

    def create_table(self, name: str, settings: TableSettings | None = None) -> Table:
        """Create an empty table."""
        settings = read_settings(settings)
        check_settings(settings)
        self._add(name, lambda: TableState(settings))
        note_unused(name, settings, self.capabilities)
        return Table(self, name)

    def drop_table(self, name: str) -> None:
        """Remove a table; snapshots taken before still read it."""
        with self._lock:
            self._state(name)
            self._tables = {other: self._tables[other] for other in self._tables if other != name}

    def rename_table(self, name: str, new_name: str) -> None:
        """Rename a table."""
        with self._lock:
            state = self._state(name)
            self._add(new_name, lambda: state)
            self.drop_table(name)

    def clone_table(self, name: str, new_name: str) -> Table:
        """Create a table that shares the runs of another."""
        with self._lock:
            self._add(new_name, self._state(name).clone)
        return Table(self, new_name)

    def settings(self, name: str) -> TableSettings:
        """Return a table's settings."""
        # A copy: what a caller does to the options in it must not change the table.
        return deepcopy(self._state(name).settings)

    def configure_table(self, name: str, settings: TableSettings) -> None:
        """Replace a table's settings, all but its time unit; splits are added."""
        settings = read_new_settings(settings)
        check_settings(settings)
        with self._lock:
            state = self._state(name)
            if settings.time_unit != state.settings.time_unit:
                raise InvalidOption(
                    f"table {name!r} was created with time unit {state.settings.time_unit!r}, "
                    f"which cannot become {settings.time_unit!r}",
                    hint="Create another table with that unit and copy the cells.",
                )
            if settings.append_only and state.stats(name).delete_markers:
                raise InvalidOption(
                    f"table {name!r} holds delete markers and cannot become append-only",
                    hint="Compact the table first: a full merge removes its delete markers.",
                )
            changed = replace(state, settings=settings).split(state.settings.splits)
            self._publish({name: changed})

    def _write(
        self,
        batches: Mapping[str, MutationBatch],
        writer: Authorizations | All,
        unchanged: ReadSince | None,
        durability: str | None,
    ) -> int:
        with self._lock:
            for name, batch in batches.items():
                check_batch(name, self._state(name).settings, batch, writer)
            self._check_unchanged(unchanged)
            return self._commit(batches)

    def _write_made(
        self,
        tables: list[str],
        make: Callable[[int], Mapping[str, MutationBatch]],
        writer: Authorizations | All,
        unchanged: ReadSince | None,
        durability: str | None,
    ) -> int:
        with self._lock:
            for name in tables:
                self._state(name)
            self._check_unchanged(unchanged)
            timestamp = self._clock.tick()
            batches = make(timestamp)
            for name, batch in batches.items():
                check_batch(name, self._state(name).settings, batch, writer)
            return self._commit(batches, timestamp=timestamp)

    def _check_unchanged(self, unchanged: ReadSince | None) -> None:
        if unchanged is not None:
            snapshot, ranges = unchanged
            self._log.check_unchanged(self._own(snapshot), ranges, self._tables)

    def conditional_write(
        self,
        table: str,
        mutations: ConditionalMutation | Iterable[ConditionalMutation],
        *,
        authorizations: Iterable[str | bytes] | All = (),
    ) -> list[Outcome]:
        """Write rows whose conditions hold, one after another, each atomically."""
        writer = self.check_granted(authorizations)
        listed = read_conditional(mutations)
        with self._lock:
            self._state(table)
            return [self._write_if(table, mutation, writer) for mutation in listed]

    def import_sorted(
        self,
        table: str,
        batches: CellBatch | Iterable[CellBatch],
        *,
        authorizations: Iterable[str | bytes] | All = (),
    ) -> int:
        """Write cells that are already sorted, as one run."""
        writer = self.check_granted(authorizations)
        run = Run.sorted_already(chain.from_iterable(read_cell_batches(batches)))
        batch = MutationBatch(CellBatch.from_cells(run.cells))
        with self._lock:
            check_batch(table, self._state(table).settings, batch, writer)
            return self._commit({table: batch}, {table: run})

    def _load(
        self, table: str, batches: Iterable[tuple[str, MutationBatch]], how: Loading
    ) -> LoadReport:
        self._state(table)
        cells: dict[str, list[Cell]] = {table: []}
        timed: dict[str, bytearray] = {table: bytearray()}
        count = 0
        for name, batch in batches:
            cells.setdefault(name, []).extend(batch.cells)
            timed.setdefault(name, bytearray()).extend(batch.timed)
            count += len(batch)
            if how.progress is not None:
                how.progress(count, 0)
        if how.is_sorted:
            for held in cells.values():
                Run.sorted_already(held)
        whole = {
            name: MutationBatch(CellBatch.from_cells(held), bytes(timed[name]))
            for name, held in cells.items()
        }
        self.check_open()
        return LoadReport(table, count, self._write(whole, how.writer, None, None))

    def _scan(
        self,
        table: str,
        spec: ScanSpec,
        snapshot: Snapshot | None,
        batch_cells: int,
        watch: Watch,
    ) -> Iterator[CellBatch]:
        ScanPlan(spec, self._state(table, snapshot).settings)
        return self._batches(table, spec, snapshot, batch_cells, watch)

    def read_raw(
        self,
        table: str,
        ranges: Sequence[Range],
        stages: Sequence[StageSpec] = (),
        *,
        snapshot: Snapshot | None = None,
        authorizations: Authorizations | All = ALL,
    ) -> Iterator[CellBatch]:
        """Read cells through these stages in place of the table's own."""
        asked = self.check_granted(authorizations)
        state = self._state(table, snapshot)
        plain = replace(
            state, settings=replace(state.settings, scan_stages=stages, max_versions=None)
        )
        cells = self._cells(plain, ScanSpec(ranges=ranges, authorizations=asked))
        while part := list(islice(cells, 4096)):
            yield CellBatch.from_cells(part)

    def purge(self, tables: Iterable[str], patterns: Iterable[bytes]) -> Purged:
        """Remove split points that hold a pattern, and forget what commits touched."""
        held, count = list(patterns), 0
        with self._lock:
            for name in tables:
                state = self._state(name)
                before = state.settings.splits
                kept = tuple(row for row in before if not any(one in row for one in held))
                count += len(before) - len(kept)
                self._publish({name: replace(state, settings=replace(state.settings, splits=kept))})
            self._log.forget()
        return Purged(whole=True, splits=count)

    def snapshot(self) -> MemorySnapshot:
        """Return a snapshot of all tables."""
        self.check_open()
        with self._lock:
            return self._log.open_snapshot(self._tables, self._clock.last)

    def add_splits(self, table: str, rows: Iterable[bytes]) -> None:
        """Keep these rows as splits; nothing is divided in memory."""
        added = read_rows(rows)
        with self._lock:
            self._publish({table: self._state(table).split(added)})

    def splits(self, table: str) -> list[bytes]:
        """Return the splits, sorted."""
        return list(self._state(table).settings.splits)

    def compact(
        self,
        table: str,
        *,
        range: Range | None = None,
        now: int | None = None,
        runs: tuple[int, int] | None = None,
    ) -> MergeReport:
        """Merge all runs, or exactly those from ``runs[0]`` up to but without ``runs[1]``."""
        now = read_now(now)
        rows = read_row_range(range)
        if rows is not None and runs is not None:
            raise InvalidOption("a merge takes either a range of rows or some runs, not both")
        with self._lock:
            state = self._state(table)
            count = len(state.runs)
            first, last = (0, count) if runs is None else _read_pair(runs)
            if runs is not None and not 0 <= first < last <= count:
                raise InvalidOption(f"runs {first} to {last} of table {table!r}, which has {count}")
            chosen = state.runs[first:last]
            inside = chosen if rows is None else tuple(run.inside(rows) for run in chosen)
            merge = Merge(
                table,
                state.settings,
                [run for run in inside if len(run)],
                full=last - first == count,
                engine_timed=not state.client_timed,
                now=state.now(self._clock.merging()) if now is None else now,
                newest=state.last,
            )
            with self.hiding_cells():
                merged, report = merge.run()
            # Rows inside and outside share no column, so their order does not matter.
            kept = [merged] if rows is None else [merged, *(run.outside(rows) for run in chosen)]
            changed = (*state.runs[:first], *filter(len, kept), *state.runs[last:])
            self._publish({table: replace(state, runs=changed)})
            return report

    def stats(self, table: str) -> TableStats:
        """Count what a table holds."""
        return self._state(table).stats(table)

    def close(self) -> None:
        """Forget everything."""
        with self._lock:
            self.closed = True
            self._tables = {}
            self._log = CommitLog()

    def _state(self, name: str, snapshot: Snapshot | None = None) -> TableState:
        self.check_open()
        tables = self._tables if snapshot is None else self._own(snapshot).tables
        if not isinstance(name, str) or name not in tables:
            raise missing_table(name, tables)
        return tables[name]

    def _own(self, snapshot: Snapshot) -> MemorySnapshot:
        return self._log.check_own(snapshot)

    def _add(self, name: str, make: Callable[[], TableState]) -> None:
        self.check_open()
        check_name(name)
        with self._lock:
            if name in self._tables:
                raise name_taken(name)
            self._publish({name: make()})

    def _publish(self, changed: Mapping[str, TableState]) -> None:
        self._tables = {**self._tables, **changed}

    def _commit(
        self,
        batches: Mapping[str, MutationBatch],
        runs: Mapping[str, Run] | None = None,
        *,
        timestamp: int | None = None,
    ) -> int:
        timestamp = self._clock.tick() if timestamp is None else timestamp
        changed: dict[str, TableState] = {}
        written: list[tuple[int, Run]] = []
        for name, batch in batches.items():
            state = self._tables[name]
            time = state.next_time(timestamp)
            run = runs[name] if runs is not None else Run.written(batch.at(time))
            if not len(run):
                continue
            written.append((state.identity, run))
            kept = (*state.runs, run)
            changed[name] = replace(
                state,
                runs=join_small(kept) if self._join_runs else kept,
                last=time,
                client_timed=state.client_timed or 1 in batch.timed,
            )
        self._log.add(written)
        self._publish(changed)
        return timestamp

    def _write_if(
        self, table: str, mutation: ConditionalMutation, writer: Authorizations | All
    ) -> Outcome:
        state = self._state(table)

        def first_cell(item: Range) -> Cell | None:
            spec = ScanSpec(ranges=[item], authorizations=writer)
            return next(self._cells(state, spec), None)

        outcome = judge(mutation, writer, state.settings.default_visibility, first_cell)
        if outcome is not Outcome.ACCEPTED:
            return outcome
        batch = mutation.batch()
        try:
            check_batch(table, state.settings, batch, writer)
        except ConstraintError:
            return Outcome.VIOLATED
        self._commit({table: batch})
        return outcome

    def _batches(
        self,
        table: str,
        spec: ScanSpec,
        snapshot: Snapshot | None,
        batch_cells: int,
        watch: Watch,
    ) -> Iterator[CellBatch]:
        cells = self._cells(self._state(table, snapshot), spec, watch)
        while part := list(islice(cells, batch_cells)):
            yield CellBatch.from_cells(part)
            self.check_open()

    def _cells(
        self, state: TableState, spec: ScanSpec, watch: Watch | None = None
    ) -> Iterator[Cell]:
        plan = ScanPlan(spec, state.settings)
        now = state.now(self._clock.reading())
        source: CellSource = MergedRuns(state.runs)
        if watch is not None:
            source = watch.over(source)
        return plan.read(source, now=now, cut_every=self._cut_every)

    def __repr__(self) -> str:
        """Show how many tables there are."""
        held = "closed" if self.closed else f"{len(self._tables)} tables"
        return f"MemoryEngine({held})"


def _read_pair(runs: Any) -> tuple[int, int]:
    if not isinstance(runs, tuple | list) or len(runs) != 2:
        raise InvalidOption(f"runs are a pair of first and last, not {show(runs)}")
    return read_int(runs[0], "the first run"), read_int(runs[1], "the last run")
