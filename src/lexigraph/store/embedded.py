"""The embedded engine: tables in a directory, on LMDB, for any number of processes.

Layer ``store``. A thin face over the native core: arguments are read here as for every engine, all
work on cells is the core's. Names are checked and settings tried out in Python before the core
keeps them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from weakref import WeakSet

from lexigraph.errors import InvalidOption, UnsupportedError, UsageError, show
from lexigraph.security import ALL, All
from lexigraph.store.arguments import (
    read_batches,
    read_cell_batches,
    read_columns,
    read_conditional,
    read_count,
    read_loadable,
    read_new_settings,
    read_now,
    read_row_range,
    read_rows,
    read_settings,
    read_spec,
    read_timeout,
    read_unchanged,
)
from lexigraph.store.batch import CellBatch
from lexigraph.store.capabilities import Capabilities
from lexigraph.store.checking import check_settings, note_unused
from lexigraph.store.clock import Clock, check_clock
from lexigraph.store.columns import BytesColumn
from lexigraph.store.conditions import ConditionalMutation, Outcome
from lexigraph.store.embedded_admin import Reader, Verified, verify_directory
from lexigraph.store.embedded_arguments import (
    DURABILITIES,
    conditional_parts,
    read_level,
    read_path,
    read_span,
    settings_text,
)
from lexigraph.store.embedded_native import (
    batch_parts,
    load_native,
    range_parts,
    spec_parts,
    tokens,
)
from lexigraph.store.embedded_rows import EmbeddedRowReader
from lexigraph.store.embedded_scan import (
    NativeReader,
    check_merge_stages,
    native_stages,
    runs_whole,
)
from lexigraph.store.embedded_snapshot import EmbeddedSnapshot
from lexigraph.store.hops import Hops
from lexigraph.store.jsonbytes import bytes_to_json
from lexigraph.store.jsonfields import read_int
from lexigraph.store.merging import log_removed
from lexigraph.store.mutations import Writable
from lexigraph.store.names import check_name, missing_table
from lexigraph.store.ranges import Range
from lexigraph.store.reading import ScanPlan
from lexigraph.store.reports import LoadReport, MergeReport, StageCount, TableStats
from lexigraph.store.results import Scan, Watch
from lexigraph.store.row_reader import RowReader
from lexigraph.store.scan import ScanSpec
from lexigraph.store.settings import TableSettings
from lexigraph.store.snapshot import Snapshot
from lexigraph.store.spi import LOAD_MEMORY_BYTES, Engine, Unchanged
from lexigraph.store.table import Table


class EmbeddedEngine(Engine):
    """Tables in a directory, kept when the process ends.

    Any number of processes and threads may read; writers take turns, each waiting up to
    ``lock_timeout_s`` for the one before. ``durability`` is what a write promises that does not
    say: ``sync`` on disk, ``relaxed`` in the file, ``buffered`` in this process. A snapshot or scan
    may be used for ``max_snapshot_age_s``. A table is merged in the background once ``merge_cells``
    new cells, and an eighth of its size, have come in; ``None`` leaves that to ``compact``. Large
    scans use ``threads``, by default one for each core. ``force`` opens a directory on a network
    file system. ``cut_every`` makes scans stop and resume after so many cells, which changes no
    answer: for tests.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as home, EmbeddedEngine(home) as engine:
    ...     table = engine.create_table("people")
    ...     _ = table.put("ann", "age", "", "41")
    ...     [cell.value for cell in table.scan()]
    [b'41']
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        create: bool = True,
        read_only: bool = False,
        durability: str = "sync",
        lock_timeout_s: float = 30.0,
        max_snapshot_age_s: float = 3600.0,
        map_size_bytes: int = 1 << 40,
        merge_cells: int | None = 1_000_000,
        threads: int | None = None,
        force: bool = False,
        grants: Iterable[str | bytes] | All = ALL,
        clock: Clock | None = None,
        cut_every: int | None = None,
    ) -> None:
        super().__init__(grants=grants)
        self.path = read_path(path)
        self.read_only = read_only
        self._clock = check_clock(clock)
        self._threads = read_count(threads or min(os.cpu_count() or 1, 8), "threads")
        self._cut_every = None if cut_every is None else read_int(cut_every, "cut_every", least=1)
        self._readers: WeakSet[EmbeddedRowReader] = WeakSet()
        native = load_native()
        self._capabilities = Capabilities(
            "embedded",
            durabilities=DURABILITIES,
            persistent=True,
            many_processes=True,
            locality_groups=True,
            stages=frozenset(native.stage_names()),
        )
        self._native: Any = native.Engine(
            str(self.path),
            create=bool(create),
            read_only=bool(read_only),
            force=bool(force),
            durability=read_level(durability),
            lock_timeout_s=read_span(lock_timeout_s, "lock_timeout_s"),
            max_snapshot_age_s=read_span(max_snapshot_age_s, "max_snapshot_age_s"),
            map_size_bytes=read_count(map_size_bytes, "map_size_bytes"),
            merge_cells=None if merge_cells is None else read_count(merge_cells, "merge_cells"),
        )

    @property
    def capabilities(self) -> Capabilities:
        """What this engine guarantees."""
        return self._capabilities

    def tables(self) -> list[str]:
        """Return the names of all tables, sorted."""
        self.check_open()
        names: list[str] = self._native.tables()
        return names

    def create_table(self, name: str, settings: TableSettings | None = None) -> Table:
        """Make an empty table."""
        self.check_open()
        settings = read_settings(settings)
        check_settings(settings)
        check_merge_stages(settings)
        self._native.create_table(check_name(name), settings_text(settings), list(settings.splits))
        note_unused(name, settings, self.capabilities)
        return Table(self, name)

    def drop_table(self, name: str) -> None:
        """Remove a table; snapshots taken before still read it."""
        self._native.drop_table(self._name(name))

    def rename_table(self, name: str, new_name: str) -> None:
        """Give a table another name."""
        self._native.rename_table(self._name(name), check_name(new_name))

    def clone_table(self, name: str, new_name: str) -> Table:
        """Copy a table."""
        self._native.clone_table(self._name(name), check_name(new_name))
        return Table(self, new_name)

    def settings(self, name: str) -> TableSettings:
        """Return a table's settings."""
        return self._settings(name, None)

    def configure_table(self, name: str, settings: TableSettings) -> None:
        """Replace a table's settings, all but its time unit; splits are added."""
        settings = read_new_settings(settings)
        check_settings(settings)
        check_merge_stages(settings)
        before = self.settings(name)
        if settings.time_unit != before.time_unit:
            raise InvalidOption(
                f"table {name!r} was made with time unit {before.time_unit!r}, "
                f"which cannot become {settings.time_unit!r}",
                hint="Create another table with that unit and copy the cells.",
            )
        if settings.append_only and self.stats(name).delete_markers:
            raise InvalidOption(
                f"table {name!r} holds delete markers and cannot become append-only",
                hint="Compact the table first: a full merge ends its markers.",
            )
        self._native.configure_table(name, settings_text(settings))
        if settings.splits:
            self._native.add_splits(name, list(settings.splits))

    def write(
        self,
        batches: Mapping[str, Writable],
        *,
        if_unchanged: Unchanged | None = None,
        durability: str | None = None,
        authorizations: Iterable[str | bytes] | All = (),
    ) -> int:
        """Write to one or more tables at once; as safe as ``durability`` says when it returns."""
        self.check_open()
        level = read_level(durability)
        unchanged = read_unchanged(if_unchanged)
        writer = self.check_granted(authorizations)
        ready = [
            (self._name(name), batch_parts(batch)) for name, batch in read_batches(batches).items()
        ]
        reads = None
        if unchanged is not None:
            ranges = [(name, range_parts(item)) for name, item in unchanged[1]]
            reads = (self._own(unchanged[0]), ranges)
        commit: int = self._native.write(ready, tokens(writer), level, reads, self._now())
        return commit

    def conditional_write(
        self,
        table: str,
        mutations: ConditionalMutation | Iterable[ConditionalMutation],
        *,
        authorizations: Iterable[str | bytes] | All = (),
    ) -> list[Outcome]:
        """Write rows whose conditions hold, one after another, each atomically."""
        writer = self.check_granted(authorizations)
        listed = [conditional_parts(item) for item in read_conditional(mutations)]
        found = self._native.conditional_write(
            self._name(table), listed, tokens(writer), self._now()
        )
        return [Outcome(word) for word in found]

    def import_sorted(
        self,
        table: str,
        batches: CellBatch | Iterable[CellBatch],
        *,
        authorizations: Iterable[str | bytes] | All = (),
    ) -> int:
        """Write cells that are sorted already."""
        cells = read_cell_batches(batches)
        return self.load(table, cells, sorted=True, authorizations=authorizations).timestamp

    def load(
        self,
        table: str,
        batches: Any,
        *,
        sorted: bool = False,
        memory_limit_bytes: int = LOAD_MEMORY_BYTES,
        progress: Callable[[int, int], object] | None = None,
        authorizations: Iterable[str | bytes] | All = (),
    ) -> LoadReport:
        """Write much at once: sorted outside of memory, past the limit, in files of its own."""
        writer = self.check_granted(authorizations)
        cells, timestamp = self._native.load(
            self._name(table),
            map(batch_parts, read_loadable(batches)),
            bool(sorted),
            read_count(memory_limit_bytes, "memory_limit_bytes"),
            progress,
            tokens(writer),
            self._now(),
        )
        return LoadReport(table, cells, timestamp)

    def scan(
        self,
        table: str,
        spec: ScanSpec | None = None,
        *,
        snapshot: Snapshot | None = None,
        batch_cells: int = 4096,
        timeout_s: float | None = None,
    ) -> Scan:
        """Read a table; what is read is fixed when iteration starts."""
        read_count(batch_cells, "batch_cells")
        spec = read_spec(spec)
        watch = Watch(table, read_timeout(timeout_s))
        self.check_granted(spec.authorizations)
        at = None if snapshot is None else self._own(snapshot)
        if runs_whole(self._native, self._name(table), at, spec):
            return Scan(self._whole(table, spec, at, batch_cells, watch), watch)
        self._plan(table, spec, at)
        return Scan(self._placed(table, spec, at, batch_cells, watch), watch)

    def count_run(self, plan: ScanPlan) -> int:
        """Return how many stages of a scan, from the bottom, the core runs."""
        self.check_open()
        return native_stages(plan)

    def row_reader(
        self,
        table: str,
        *,
        authorizations: Iterable[str | bytes] | All = (),
        columns: Sequence[tuple[bytes, bytes | None]] = (),
    ) -> RowReader:
        """Prepare to read single rows of a table as they are now, many times."""
        asked, wanted = self.check_granted(authorizations), read_columns(columns)
        slow = super().row_reader(table, authorizations=asked, columns=wanted)
        try:
            native = self._native.row_reader(table, tokens(asked), list(wanted))
        except (InvalidOption, UnsupportedError):
            # A stage of the table is not the core's.
            return slow
        reader = EmbeddedRowReader(native, slow, self._clock)
        self._readers.add(reader)
        return reader

    def expand(
        self,
        table: str,
        plan: str,
        seeds: Iterable[bytes],
        *,
        hops: int,
        direction: str = "out",
        groups: Iterable[str] | None = None,
        within: bool = False,
        spec: ScanSpec | None = None,
        snapshot: Snapshot | None = None,
        timeout_s: float | None = None,
    ) -> BytesColumn:
        """Return the vertices some hops away, frontier by frontier in the core."""
        wanted = Hops.read(plan, seeds, hops, direction, groups, within=within)
        spec = read_spec(spec)
        self.check_granted(spec.authorizations)
        text, _ = spec_parts(spec)
        offsets, data = self._native.expand(
            self._name(table),
            text,
            wanted.plan,
            wanted.seeds,
            wanted.hops,
            wanted.direction,
            None if wanted.groups is None else sorted(wanted.groups),
            wanted.within,
            None if snapshot is None else self._own(snapshot),
            read_timeout(timeout_s),
            self._now(),
            self._threads,
        )
        return BytesColumn.trusted(memoryview(offsets).cast("q"), memoryview(data))

    def snapshot(self) -> EmbeddedSnapshot:
        """Fix what all tables hold now."""
        self.check_open()
        return EmbeddedSnapshot(self, self._native.snapshot())

    def add_splits(self, table: str, rows: Iterable[bytes]) -> None:
        """Keep these rows as hints where scans may be divided among threads."""
        self._native.add_splits(self._name(table), read_rows(rows))

    def splits(self, table: str) -> list[bytes]:
        """Return the splits, sorted."""
        return list(self.settings(table).splits)

    def compact(
        self, table: str, *, range: Range | None = None, now: int | None = None
    ) -> MergeReport:
        """Merge all cells of a table, or of a range of its rows, range by range."""
        rows = read_row_range(range)
        now = read_now(now)
        bounds = None
        if rows is not None:
            bounds = (rows.start and rows.start.row, rows.end and rows.end.row)
        found = self._native.compact(self._name(table), bounds, now, self._now())
        stages = tuple(StageCount(*counted) for counted in found.pop("stages"))
        report = MergeReport(table=table, stages=stages, **found)
        log_removed(report)
        return report

    def stats(self, table: str) -> TableStats:
        """Count what a table holds."""
        return TableStats(table=table, **self._native.stats(self._name(table)))

    def flush(self) -> None:
        """Put every commit so far on disk."""
        self.check_open()
        self._native.flush()

    def close(self) -> None:
        """Put every commit on disk and let go of the directory."""
        self.closed = True
        self._native.close()

    def readers(self) -> list[Reader]:
        """Return who reads the directory now, in any process, the oldest first."""
        self.check_open()
        return [Reader(*found) for found in self._native.readers()]

    def verify(self) -> Verified:
        """Read and check every block of the directory, in a process of its own.

        Damage raises Corruption; a damaged page may end the process that reads it, which then is
        not this one.
        """
        if not self.read_only:
            self.flush()
        self.check_open()
        return verify_directory(self.path)

    def backup(self, path: str | os.PathLike[str]) -> int:
        """Copy the directory, as it is now, into a new one; return the bytes written.

        Readers and writers go on meanwhile.
        """
        self.check_open()
        written: int = self._native.backup(str(read_path(path)))
        return written

    def vacuum(self) -> int:
        """Give free space back to the file system and return how many bytes.

        Nobody else may have the directory open, and no snapshot or scan may be held.
        """
        self.check_open()
        for reader in list(self._readers):
            reader.rest()
        before, after = self._native.vacuum()
        return int(before - after)

    def _settings(self, name: str, at: Any) -> TableSettings:
        text, splits = self._native.table(self._name(name), at)
        return TableSettings.from_json(
            {**json.loads(text), "splits": list(map(bytes_to_json, splits))}
        )

    def _name(self, name: Any) -> str:
        self.check_open()
        if not isinstance(name, str):
            raise missing_table(name, self.tables())
        return name

    def _own(self, snapshot: Snapshot) -> Any:
        if not isinstance(snapshot, EmbeddedSnapshot) or snapshot.engine is not self:
            raise UsageError(f"{show(snapshot)} is not a snapshot of this engine")
        return snapshot.native

    def _now(self) -> int | None:
        return None if self._clock is None else self._clock.now()

    def _whole(
        self, table: str, spec: ScanSpec, at: Any, batch_cells: int, watch: Watch
    ) -> Iterator[CellBatch]:
        self.check_open()
        if self._cut_every is None:
            reader = NativeReader(self._native, table, at, self._now(), watch, self._threads)
            for batch in reader.batches(spec, batch_cells):
                yield batch
                self.check_open()
            return
        with self._moment(at) as moment:
            reader = NativeReader(self._native, table, moment, self._now(), watch, self._threads)
            yield from reader.cut_batches(spec, batch_cells, self._cut_every)

    def _placed(
        self, table: str, spec: ScanSpec, at: Any, batch_cells: int, watch: Watch
    ) -> Iterator[CellBatch]:
        self.check_open()
        # Upper stages may read several times, and must read one moment.
        with self._moment(at) as moment:
            clock = self._now()
            plan = self._plan(table, spec, moment)
            now = self._native.now(table, moment, clock)
            reader = NativeReader(self._native, table, moment, clock, watch, self._threads)
            yield from reader.placed_batches(
                plan, native_stages(plan), batch_cells, now, self._cut_every
            )

    def _plan(self, table: str, spec: ScanSpec, at: Any) -> ScanPlan:
        return ScanPlan(spec, self._settings(table, at))

    @contextmanager
    def _moment(self, at: Any) -> Iterator[Any]:
        if at is not None:
            yield at
            return
        taken = self._native.snapshot()
        try:
            yield taken
        finally:
            taken.close()

    def __repr__(self) -> str:
        """Show the directory."""
        state = ", closed" if self.closed else ", read-only" if self.read_only else ""
        return f"EmbeddedEngine({str(self.path)!r}{state})"
