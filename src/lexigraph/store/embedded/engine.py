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
from lexigraph.cells.mutations import MutationBatch
from lexigraph.cells.ranges import Range
from lexigraph.codec import codec_for
from lexigraph.errors import InvalidOption, UnsupportedError, nearest, show
from lexigraph.keyplan.columns.native import columns_text, ends_parts
from lexigraph.security import ALL, All, Authorizations
from lexigraph.store.answers.vertices import Vertices
from lexigraph.store.arguments import (
    ReadSince,
    read_columns,
    read_conditional,
    read_spec,
)
from lexigraph.store.conditions import ConditionalMutation, Outcome
from lexigraph.store.embedded.arguments import conditional_parts, read_level
from lexigraph.store.embedded.base import EmbeddedBase
from lexigraph.store.embedded.frames import EmbeddedFrameReader
from lexigraph.store.embedded.hops import EmbeddedEdgeReader, is_text
from lexigraph.store.embedded.native import (
    batch_parts,
    load_parts,
    range_parts,
    spec_parts,
    spec_text,
    tokens,
)
from lexigraph.store.embedded.records import EmbeddedRecordReader
from lexigraph.store.embedded.rows import EmbeddedRowReader
from lexigraph.store.embedded.scan import NativeReader, native_stages
from lexigraph.store.load_files import Loading
from lexigraph.store.operators import (
    AssembledReader,
    Declined,
    EdgeReader,
    FollowEdges,
    FollowReferences,
    FrameReader,
    ReadFrames,
    ReadRecords,
    ReadRows,
    RowReader,
)
from lexigraph.store.readers import ScanningRowReader
from lexigraph.store.reports import LoadReport
from lexigraph.store.scan.edges import read_direction, read_groups, vertex_codec
from lexigraph.store.scan.reading import ScanPlan
from lexigraph.store.scan.results import Watch
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.snapshot import Snapshot
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

    def _write(
        self,
        batches: Mapping[str, MutationBatch],
        writer: Authorizations | All,
        unchanged: ReadSince | None,
        durability: str | None,
    ) -> int:
        level = read_level(durability)
        reads = self._reads(unchanged)
        ready = self._parts(batches)
        commit: int = self._native.write(ready, tokens(writer), level, reads, self._now())
        return commit

    def _write_made(
        self,
        tables: list[str],
        make: Callable[[int], Mapping[str, MutationBatch]],
        writer: Authorizations | All,
        unchanged: ReadSince | None,
        durability: str | None,
    ) -> int:
        commit: int = self._native.write_made(
            list(map(self._name, tables)),
            lambda timestamp: self._parts(make(timestamp)),
            tokens(writer),
            read_level(durability),
            self._reads(unchanged),
            self._now(),
        )
        return commit

    def _parts(self, batches: Mapping[str, MutationBatch]) -> list[tuple[str, Any]]:
        return [(self._name(name), batch_parts(batch)) for name, batch in batches.items()]

    def _reads(self, unchanged: ReadSince | None) -> Any:
        if unchanged is None:
            return None
        ranges = [(name, range_parts(item)) for name, item in unchanged[1]]
        return self._own(unchanged[0]), ranges

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

    def _load(
        self, table: str, batches: Iterable[tuple[str, MutationBatch]], how: Loading
    ) -> LoadReport:
        cells, timestamp = self._native.load(
            self._name(table),
            ((self._name(name), load_parts(batch)) for name, batch in batches),
            how.is_sorted,
            how.memory_limit_bytes,
            how.progress,
            tokens(how.writer),
            self._now(),
        )
        return LoadReport(table, cells, timestamp)

    def _scan(
        self,
        table: str,
        spec: ScanSpec,
        snapshot: Snapshot | None,
        batch_cells: int,
        watch: Watch,
    ) -> Iterator[CellBatch]:
        at = None if snapshot is None else self._own(snapshot)
        ready, _ = self._native.prepare_scan(self._name(table), *spec_parts(spec), at)
        if ready is not None:
            return self._whole(table, spec, ready, at, batch_cells, watch)
        # Raises what is wrong with the scan.
        self._plan(table, spec, at)
        return self._placed(table, spec, at, batch_cells, watch)

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
            reader = NativeReader(self._native, name, moment, clock, watch, self.threads)
            if done == len(plan.stages):
                yield from reader.raw_batches(spec, 4096, stages)
            else:
                now = self._native.now(name, moment, clock)
                yield from reader.placed_batches(plan, done, 4096, now, None)

    def count_run(self, plan: ScanPlan) -> int:
        """Return how many stages of a scan, from the bottom, the core runs."""
        self.check_open()
        return native_stages(plan)

    def _prepare_rows(self, operator: ReadRows) -> RowReader:
        asked, wanted = self.check_granted(operator.authorizations), read_columns(operator.columns)
        slow = ScanningRowReader(self, self._name(operator.table), asked, wanted)
        native, _ = self._native.row_reader(operator.table, tokens(asked), wanted)
        # Without one, a stage of the table is not the core's.
        return slow if native is None else EmbeddedRowReader(native, slow, self._clock)

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
        spec = replace(read_spec(spec), authorizations=self.check_granted(authorizations))
        reader = self.prepare(FollowEdges(table, plan, direction, groups, spec), snapshot=snapshot)
        if isinstance(reader, Declined):
            # Raises what is wrong with the scan, if anything is.
            self._plan(table, spec, None if snapshot is None else self._own(snapshot))
            raise UnsupportedError(reader.reason, hint="Follow the edges by scans instead.")
        return reader.expand(
            seeds, steps=steps, within=within, snapshot=snapshot, timeout_s=timeout_s
        )

    def _prepare_edges(
        self, operator: FollowEdges, snapshot: Snapshot | None
    ) -> EdgeReader | Declined:
        plan, spec = operator.plan, read_spec(operator.spec)
        direction, groups = read_direction(operator.direction), read_groups(operator.groups)
        self.check_granted(spec.authorizations)
        at = None if snapshot is None else self._own(snapshot)
        plans = {**self._settings(operator.table, at).plans, **spec.plans}
        if not isinstance(plan, str) or plan not in plans:
            raise InvalidOption(f"there is no key plan {show(plan)}", near=nearest(plan, plans))
        codec = vertex_codec(plans[plan], plan)
        if isinstance(codec, Declined):
            return codec
        text = spec_text(spec, with_sets=True)
        native, reason = self._native.edge_reader(
            operator.table, text, plan, direction, groups, at, is_text(codec), self.threads
        )
        return Declined(reason) if native is None else EmbeddedEdgeReader(self, native, codec)

    def _prepare_frames(
        self, operator: ReadFrames, snapshot: Snapshot | None
    ) -> FrameReader | Declined:
        spec = read_spec(operator.spec)
        self.check_granted(spec.authorizations)
        ready, reason = self._native.prepare_frames(
            self._name(operator.table),
            *spec_parts(spec),
            operator.plan,
            columns_text(operator.columns),
            ends_parts(operator.ends),
            None if snapshot is None else self._own(snapshot),
        )
        return Declined(reason) if ready is None else EmbeddedFrameReader(self, ready)

    def _prepare_records(
        self, operator: ReadRecords, snapshot: Snapshot | None
    ) -> AssembledReader | Declined:
        asked = self.check_granted(operator.authorizations)
        native, reason = self._native.record_reader(
            self._name(operator.table),
            tokens(asked),
            list(operator.families),
            operator.prepared,
            None if snapshot is None else self._own(snapshot),
        )
        return Declined(reason) if native is None else EmbeddedRecordReader(self, native)

    def _prepare_references(
        self, operator: FollowReferences, snapshot: Snapshot | None
    ) -> EdgeReader | Declined:
        self.check_granted(operator.authorizations)
        codec = codec_for(operator.codec)
        native, reason = self._native.reference_reader(
            self._name(operator.table),
            operator.prepared,
            list(operator.spans),
            None if snapshot is None else self._own(snapshot),
            is_text(codec),
            self.threads,
        )
        return Declined(reason) if native is None else EmbeddedEdgeReader(self, native, codec)

    def moment(self, snapshot: Snapshot | None) -> tuple[Any, int | None]:
        """Return what the native module reads, and the clock by which it does."""
        at = None if snapshot is None else self._own(snapshot)
        return at, None if self._clock is None else self._clock.now()

    def _whole(
        self, table: str, spec: ScanSpec, ready: Any, at: Any, batch_cells: int, watch: Watch
    ) -> Iterator[CellBatch]:
        self.check_open()
        if self._cut_every is None:
            reader = NativeReader(self._native, table, at, self._now(), watch, self.threads)
            for batch in reader.batches(ready, batch_cells):
                yield batch
                self.check_open()
            return
        with self._moment(at) as moment:
            reader = NativeReader(self._native, table, moment, self._now(), watch, self.threads)
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
            reader = NativeReader(self._native, table, moment, clock, watch, self.threads)
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
