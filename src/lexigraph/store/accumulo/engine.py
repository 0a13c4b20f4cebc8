"""The Accumulo engine: tables on a cluster, for any number of processes and machines.

Layer ``store``. A row is atomic and a batch is not; there is no snapshot. What Accumulo does itself
is left to it: deletes, columns, labels. Stages that its servers cannot run are run here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, takewhile

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.key_sets import KeySet
from lexigraph.errors import ClusterError, UsageError, show
from lexigraph.store.accumulo.reading import TableReader
from lexigraph.store.accumulo.stages import can_run, scan_iterators
from lexigraph.store.accumulo.writing import AccumuloWriter
from lexigraph.store.operators import Declined, EdgeReader, FollowEdges, FrameReader, ReadFrames
from lexigraph.store.scan.columns import prepare_decoded
from lexigraph.store.scan.edges import prepare_followed
from lexigraph.store.scan.reading import ScanPlan, default_label
from lexigraph.store.scan.results import Watch
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.snapshot import Snapshot
from lexigraph.store.stages.cells.intersect import Intersect
from lexigraph.store.stages.registry import stage_class


class AccumuloEngine(AccumuloWriter):
    """Tables on an Accumulo cluster.

    ``where`` is a URL such as ``accumulo://zk1:2181/instance``, a properties file, or properties;
    user and password come from there, from arguments or from the environment. ``namespace`` keeps
    tables apart from those of others. A call that takes longer than ``timeout_s`` seconds is
    Unreachable. The owner's view, ``ALL``, is whatever Accumulo lets the user read. With ``counts``
    servers tell what each stage of a scan did there, which is added to ``counted``.
    """

    def _scan(
        self,
        table: str,
        spec: ScanSpec,
        snapshot: Snapshot | None,
        batch_cells: int,
        watch: Watch,
    ) -> Iterator[CellBatch]:
        # Reads the table while it changes: cells may come from different moments.
        if snapshot is not None:
            raise UsageError(
                f"{show(snapshot)} is not a snapshot of this engine; Accumulo has no snapshots"
            )
        plan = ScanPlan(spec, self._settings(table))
        return self._told(self._batches(table, plan, batch_cells, watch))

    def _prepare_frames(
        self, operator: ReadFrames, snapshot: Snapshot | None
    ) -> FrameReader | Declined:
        return prepare_decoded(self, operator, self._settings(operator.table))

    def _prepare_edges(
        self, operator: FollowEdges, snapshot: Snapshot | None
    ) -> EdgeReader | Declined:
        return prepare_followed(self, operator, self._settings(operator.table))

    def count_run(self, plan: ScanPlan) -> int:
        """Return how many stages of a scan, from the bottom, the servers run.

        A summary is made by them in parts, which the client puts together; so stages above one,
        and a limit, which is theirs for each range alone, are the client's.
        """
        count = plan.split if plan.summary() is None else plan.split + 1
        return self._count_known(plan, count)

    def _count_known(self, plan: ScanPlan, count: int) -> int:
        settings, spec = plan.settings, plan.spec
        iterators = scan_iterators(
            plan.stages[:count],
            plans=plan.made_plans(),
            # Which stages run does not depend on what is in a set, and sets may be large.
            sets=dict.fromkeys(spec.sets, KeySet.of(())),
            now=0,
            unit=settings.time_unit,
            default_visibility=default_label(settings.default_visibility, spec),
            authorizations=spec.authorizations,
        )
        kinds = (stage_class(stage.name) for stage in plan.stages[:count])
        runs = (
            # Accumulo's client ends ranges at the last column, and these do not go inside a row.
            can_run(one["options"]) and not (spec.columns and issubclass(kind, Intersect))
            for one, kind in zip(iterators, kinds, strict=True)
        )
        return sum(1 for _ in takewhile(bool, runs))

    def _told(self, batches: Iterator[CellBatch]) -> Iterator[CellBatch]:
        try:
            yield from batches
        except ClusterError as error:
            raise self.explained(error) from None

    def _batches(
        self, table: str, plan: ScanPlan, batch_cells: int, watch: Watch
    ) -> Iterator[CellBatch]:
        self.check_open()
        settings = plan.settings
        now, done = self._now(settings, table), self.count_run(plan)
        reader = TableReader(
            self._bridge,
            self._remote(table),
            settings,
            self.readable,
            watch,
            threads=self._properties.numbers["accumulo.batchScannerThreads"],
            at_once=self._properties.numbers["accumulo.entriesForBatchScanner"],
            timeout_s=self._timeout_s,
            counted=self.counted,
            summary=plan.summary() if done > plan.split else None,
        )
        if done == len(plan.stages) and plan.spec.after is None:
            whole = replace(plan.spec, stages=plan.stages, ranges=plan.ranges)
            for batch in reader.batches(whole, batch_cells, now, plan.made_plans()):
                yield batch
                self.check_open()
            return
        # A limit bounds what each range gives on a server, and counts again in the client.
        bounded = done == plan.split and self._count_known(plan, done + 1) > done
        cells = reader.placed(plan, done, now, bounded=bounded)
        while part := list(islice(cells, batch_cells)):
            watch.check()
            yield CellBatch.from_cells(part)
            self.check_open()
