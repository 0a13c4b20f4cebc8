"""The embedded engine: tables in a directory, on LMDB, for any number of processes.

Layer ``store``. A thin face over the native core: arguments are read here as for every engine, all
work on cells is the core's. Names are checked and settings tried out in Python before the core
keeps them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.jsonfields import read_bool
from lexigraph.cells.mutations import Writable
from lexigraph.cells.ranges import Range
from lexigraph.errors import InvalidOption, UnsupportedError, nearest, show
from lexigraph.keyplan.vertices import Vertices
from lexigraph.security import ALL, All, Authorizations
from lexigraph.store.arguments import (
    read_batches,
    read_cell_batches,
    read_columns,
    read_conditional,
    read_count,
    read_loadable,
    read_progress,
    read_spec,
    read_timeout,
    read_unchanged,
)
from lexigraph.store.conditions import ConditionalMutation, Outcome
from lexigraph.store.embedded.arguments import conditional_parts, read_level
from lexigraph.store.embedded.base import EmbeddedBase
from lexigraph.store.embedded.frames import columns_text, ends_parts, read_frames
from lexigraph.store.embedded.hops import (
    EdgeReader,
    is_text,
    read_direction,
    read_groups,
    vertex_codec,
)
from lexigraph.store.embedded.native import batch_parts, range_parts, spec_parts, spec_text, tokens
from lexigraph.store.embedded.rows import EmbeddedRowReader
from lexigraph.store.embedded.scan import NativeReader, native_stages, runs_whole
from lexigraph.store.load_files import LoadFiles, read_files
from lexigraph.store.reports import LoadReport
from lexigraph.store.row_reader import RowReader, ScanningRowReader
from lexigraph.store.scan.frames import Frame, FrameColumn, FrameEnds
from lexigraph.store.scan.reading import ScanPlan
from lexigraph.store.scan.results import Scan, Watch
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.snapshot import Snapshot
from lexigraph.store.spi import LOAD_MEMORY_BYTES, Unchanged
from lexigraph.store.stages.spec import StageSpec


class EmbeddedEngine(EmbeddedBase):
    """Tables in a directory, kept when the process ends.

    Any number of processes and threads may read. Writers take turns; each waits up to
    ``lock_timeout_s``. ``durability`` is the default for writes: ``sync`` on disk, ``relaxed`` in
    the file, ``buffered`` in this process. A snapshot or scan may be used for
    ``max_snapshot_age_s``. A table is merged in the background when it has at least ``merge_cells``
    new cells, and at least as many as merged ones; with ``None``, only ``compact`` merges. Large
    scans use ``threads``, by default one for each core. ``force`` opens a directory on a network
    file system. ``cut_every`` is for tests: scans stop and resume after so many cells, which does
    not change answers.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as home, EmbeddedEngine(home) as engine:
    ...     table = engine.create_table("people")
    ...     _ = table.put("ann", "age", "", "41")
    ...     [cell.value for cell in table.scan()]
    [b'41']
    """

    def write(
        self,
        batches: Mapping[str, Writable],
        *,
        if_unchanged: Unchanged | None = None,
        durability: str | None = None,
        authorizations: Iterable[str | bytes] | All = (),
    ) -> int:
        """Write to one or more tables at once; ``durability`` sets how safe it is at return."""
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
        """Write cells that are already sorted."""
        cells = read_cell_batches(batches)
        return self.load(table, cells, sorted=True, authorizations=authorizations).timestamp

    def load(
        self,
        table: str,
        batches: Any,
        *,
        sorted: bool = False,
        memory_limit_bytes: int = LOAD_MEMORY_BYTES,
        files: LoadFiles | None = None,
        progress: Callable[[int, int], object] | None = None,
        authorizations: Iterable[str | bytes] | All = (),
    ) -> LoadReport:
        """Write many cells in one commit; above the memory limit they are sorted on disk."""
        writer = self.check_granted(authorizations)
        read_files(files)
        cells, timestamp = self._native.load(
            self._name(table),
            map(batch_parts, read_loadable(batches)),
            read_bool(sorted, "sorted"),
            read_count(memory_limit_bytes, "memory_limit_bytes"),
            read_progress(progress),
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
        name, spec = self._name(table), ScanSpec(ranges=ranges, authorizations=asked)
        at = None if snapshot is None else self._own(snapshot)
        with self._moment(at) as moment:
            clock = self._now()
            kept = replace(self._settings(name, moment), scan_stages=stages, max_versions=None)
            plan = ScanPlan(spec, kept)
            done, watch = native_stages(plan), Watch(table, None)
            reader = NativeReader(self._native, name, moment, clock, watch, self._threads)
            if done == len(plan.stages):
                yield from reader.raw_batches(spec, 4096, stages)
            else:
                now = self._native.now(name, moment, clock)
                yield from reader.placed_batches(plan, done, 4096, now, None)

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
        slow = ScanningRowReader(self, self._name(table), asked, wanted)
        try:
            native = self._native.row_reader(table, tokens(asked), wanted)
        except (InvalidOption, UnsupportedError):
            # A stage of the table is not the core's.
            return slow
        return EmbeddedRowReader(native, slow, self._clock)

    def expand(
        self,
        table: str,
        plan: str,
        seeds: Iterable[Any],
        *,
        steps: int = 1,
        within: bool = False,
        direction: str = "out",
        groups: str | Iterable[str] | None = None,
        spec: ScanSpec | None = None,
        authorizations: Iterable[str | bytes] | All = (),
        snapshot: Snapshot | None = None,
        timeout_s: float | None = None,
    ) -> Vertices:
        """Return the vertices that lie ``steps`` hops from the seeds, or ``within`` so many.

        Edges are those of a key plan of the table or of ``spec``. The stages and other fields of
        ``spec`` apply at every hop, except its ranges. The distance of a vertex is the fewest hops
        that reach it; that of seeds is 0. Undirected edges are followed in every direction.
        """
        reader = self.edge_reader(
            table,
            plan,
            direction=direction,
            groups=groups,
            spec=spec,
            authorizations=authorizations,
            snapshot=snapshot,
        )
        return reader.expand(
            seeds, steps=steps, within=within, snapshot=snapshot, timeout_s=timeout_s
        )

    def edge_reader(
        self,
        table: str,
        plan: str,
        *,
        direction: str = "out",
        groups: str | Iterable[str] | None = None,
        spec: ScanSpec | None = None,
        authorizations: Iterable[str | bytes] | All = (),
        snapshot: Snapshot | None = None,
    ) -> EdgeReader:
        """Prepare to follow edges many times, as :meth:`expand` does it once.

        ``snapshot`` is used for checks only; each call says what it reads.
        """
        spec = replace(read_spec(spec), authorizations=self.check_granted(authorizations))
        at = None if snapshot is None else self._own(snapshot)
        plans = {**self._settings(table, at).plans, **spec.plans}
        if not isinstance(plan, str) or plan not in plans:
            raise InvalidOption(f"there is no key plan {show(plan)}", near=nearest(plan, plans))
        codec = vertex_codec(plans[plan], plan)
        native = self._native.edge_reader(
            table,
            spec_text(spec, with_sets=True),
            plan,
            read_direction(direction),
            read_groups(groups),
            at,
            is_text(codec),
            self._threads,
        )
        return EdgeReader(self, native, codec)

    def frames(
        self,
        table: str,
        spec: ScanSpec,
        plan: str,
        columns: Sequence[FrameColumn],
        *,
        ends: FrameEnds | None = None,
        snapshot: Snapshot | None = None,
        batch_rows: int = 65_536,
        timeout_s: float | None = None,
    ) -> Iterator[Frame]:
        """Yield the elements of a scan as columns, some rows at a time.

        ``plan`` is the key plan of the scan's result. If the core cannot run or read something,
        UnsupportedError or InvalidOption is raised before anything is read.
        """
        read_count(batch_rows, "batch_rows")
        spec = read_spec(spec)
        self.check_granted(spec.authorizations)
        at, clock = self.moment(snapshot)
        scan = self._native.frame_scan(
            self._name(table),
            *spec_parts(spec),
            plan,
            columns_text(columns),
            ends_parts(ends),
            at,
            read_timeout(timeout_s),
            clock,
            self._threads,
        )
        return read_frames(scan, batch_rows)

    def moment(self, snapshot: Snapshot | None) -> tuple[Any, int | None]:
        """Return what the native module reads, and the clock by which it does."""
        at = None if snapshot is None else self._own(snapshot)
        return at, None if self._clock is None else self._clock.now()

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
