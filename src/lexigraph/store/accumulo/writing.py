"""Writing to tables of Accumulo: batches, conditions on a row, and loads from sorted files.

Layer ``store``, only for ``accumulo``. Everything is checked before anything is sent: what Accumulo
refuses half-way stays half-written.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.cells.mutations import MutationBatch
from lexigraph.cells.ranges import Range
from lexigraph.errors import Authorization, ClusterError, ConstraintError, UnsupportedError
from lexigraph.security import All, Authorizations, LabelCache, Visibility
from lexigraph.store.accumulo import permissions
from lexigraph.store.accumulo.base import AccumuloBase
from lexigraph.store.accumulo.bridge.frames import condition_cells, to_frame
from lexigraph.store.accumulo.bridge.jvm import translated
from lexigraph.store.accumulo.checks.table_report import read_reports
from lexigraph.store.accumulo.table_properties import DURABILITIES, MARKED, to_properties
from lexigraph.store.accumulo.times import spread_times
from lexigraph.store.arguments import (
    ReadSince,
    one_table,
    read_conditional,
    read_durability,
)
from lexigraph.store.clock import in_unit
from lexigraph.store.conditions import ConditionalMutation, Outcome, judge
from lexigraph.store.constraints import check_batch, check_values
from lexigraph.store.load_files import Loading
from lexigraph.store.reports import LoadReport
from lexigraph.store.scan.runs import Run
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.settings import TableSettings

MAX_VALUE_BYTES = 16 << 20
"""The largest value: servers and clients hold several copies of what crosses."""
_ROWS_AT_ONCE = 500
"""How many rows with conditions are sent together."""
_Sent = tuple[Any, Any]
"""The frames of a row's cells and of its conditions."""
_COPIES = 4
"""How often a part that is sorted is in memory: as cells, as a frame, in Java, and its order."""


class AccumuloWriter(AccumuloBase):
    """A cluster that can be written to."""

    def _write(
        self,
        batches: Mapping[str, MutationBatch],
        writer: Authorizations | All,
        unchanged: ReadSince | None,
        durability: str | None,
    ) -> int:
        # All are checked before any is written; each row is written atomically. A batch that a
        # server did not acknowledge may be written in part, or twice when it is sent again.
        _refuse_unchanged(unchanged)
        return self._write_at(self.tick(), batches, writer, durability)

    def _write_made(
        self,
        tables: list[str],
        make: Callable[[int], Mapping[str, MutationBatch]],
        writer: Authorizations | All,
        unchanged: ReadSince | None,
        durability: str | None,
    ) -> int:
        # The time is that of this client: a cluster has no commits.
        _refuse_unchanged(unchanged)
        for name in tables:
            self._settings(name)
        commit = self.tick()
        self._write_at(commit, make(commit), writer, durability)
        return commit

    def _write_at(
        self,
        commit: int,
        batches: Mapping[str, MutationBatch],
        writer: Authorizations | All,
        durability: str | None,
    ) -> int:
        for name, batch in batches.items():
            _check(name, self._settings(name), batch, writer)
        if len(batches) > 1:
            # One table refuses a batch as a whole; of several, the first would be written.
            self.check_permitted(batches, permissions.WRITE)
        last = commit
        for name, batch in batches.items():
            if len(batch):
                cells, time = spread_times(batch, self._time_in(name, commit))
                last = max(last, self._reach(name, time))
                self._send(name, cells, read_durability(durability))
        return last

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
        settings = self._settings(table)
        if settings.scan_stages:
            raise UnsupportedError(
                f"table {table!r} has scan stages, which Accumulo does not apply to conditions",
                hint="Use conditional writes on a table without scan stages.",
            )
        outcomes: list[Outcome] = []
        sent: list[_Sent] = []
        for one in listed:
            ready = self._prepared(table, settings, one, writer)
            if ready is not None and len(sent) < _ROWS_AT_ONCE:
                sent.append(ready)
                continue
            # What is not sent with others is judged after them.
            outcomes += self._send_if(table, sent, writer)
            sent = [] if ready is None else [ready]
            if ready is None:
                outcomes.append(self._write_alone(table, settings, one, writer))
        return outcomes + self._send_if(table, sent, writer)

    def _load(
        self, table: str, batches: Iterable[tuple[str, MutationBatch]], how: Loading
    ) -> LoadReport:
        # Sorted in parts that keep to the memory limit, and merged to one file for each partition;
        # what is being made lies on the cluster's file system.
        wanted = how.files
        settings = self._settings(table)
        commit = self.tick()
        time = self._time_in(table, commit)
        last: Cell | None = None
        count = 0
        directory = self._load_directory(table)
        with self._permitted(table, *permissions.LOADING):
            load = self._bridge.load(self._remote(table), directory)
        try:
            for batch in one_table(table, batches):
                _check(table, settings, batch, how.writer)
                if how.is_sorted:
                    cells = batch.at(time)
                    if len(cells):
                        Run.sorted_already(cells if last is None else chain([last], cells))
                        last = cells[len(cells) - 1]
                else:
                    # Each batch has times of its own, as if they were written one by one.
                    cells, reached = spread_times(batch, time)
                    if b"\0" in batch.timed:
                        commit = max(commit, self._reach(table, reached))
                        time = reached + 1
                self._mark(table, cells)
                for part in _parts(cells, how.memory_limit_bytes // _COPIES):
                    with translated():
                        load.add(_direct(to_frame(part)))
                count += len(cells)
                if how.progress is not None:
                    how.progress(count, 0)
            with self._permitted(table, *permissions.LOADING):
                load.commit(
                    wanted.min_partitions,
                    wanted.max_partitions,
                    None if wanted.failures is None else os.fspath(wanted.failures),
                )
        finally:
            with translated():
                load.close()
        return LoadReport(table, count, commit)

    def _prepared(
        self,
        table: str,
        settings: TableSettings,
        mutation: ConditionalMutation,
        writer: Authorizations | All,
    ) -> _Sent | None:
        """Return a row that the servers can judge; ``None`` if it has to be judged here."""
        batch = mutation.batch()
        try:
            _check(table, settings, batch, writer)
        except ConstraintError:
            return None
        labels = LabelCache(self._tokens(writer), settings.default_visibility)
        seen = (one.visibility for one in mutation.conditions)
        if not (len(batch) and mutation.conditions) or not all(
            Visibility.is_valid(label) and labels.can_see(label) for label in seen
        ):
            return None
        cells = batch.at(self._time_in(table, self.tick()))
        self._mark(table, cells)
        conditions, timed = condition_cells(mutation)
        return _direct(to_frame(cells)), _direct(to_frame(conditions, timed))

    def _send_if(
        self, table: str, rows: list[_Sent], writer: Authorizations | All
    ) -> list[Outcome]:
        if not rows:
            return []
        cells, conditions = zip(*rows, strict=True)
        with self._permitted(table, permissions.READ, permissions.WRITE):
            found = self._bridge.writeIf(
                self._remote(table), list(cells), list(conditions), list(self._tokens(writer))
            )
        return [Outcome(str(one)) for one in found]

    def _write_alone(
        self,
        table: str,
        settings: TableSettings,
        mutation: ConditionalMutation,
        writer: Authorizations | All,
    ) -> Outcome:
        batch, tokens = mutation.batch(), self._tokens(writer)
        try:
            _check(table, settings, batch, writer)
        except ConstraintError:
            judged = self._judge(table, settings, mutation, tokens)
            return Outcome.VIOLATED if judged is Outcome.ACCEPTED else judged
        if mutation.conditions:
            return self._judge(table, settings, mutation, tokens)
        self._send(table, batch.at(self._time_in(table, self.tick())), None)
        return Outcome.ACCEPTED

    def _tokens(self, writer: Authorizations | All) -> Authorizations:
        return self.readable() if isinstance(writer, All) else writer

    def _judge(
        self,
        table: str,
        settings: TableSettings,
        mutation: ConditionalMutation,
        tokens: Authorizations,
    ) -> Outcome:
        # For mutations that change nothing: what is read here may have changed when it is told.
        def first_cell(item: Range) -> Cell | None:
            with self.scan(table, ScanSpec(ranges=[item], authorizations=tokens)) as batches:
                return next(chain.from_iterable(batches), None)

        return judge(mutation, tokens, settings.default_visibility, first_cell)

    def tick(self) -> int:
        """Return a time for cells that several calls write as one commit."""
        with self._lock:
            return self._clock.tick()

    def _mark(self, name: str, cells: CellBatch) -> None:
        # Before the first marker is there, so that no flush behind it combines what it parts.
        settings = self._settings(name) if 1 in cells.deleted else None
        if settings is None or not settings.merge_stages or MARKED in self._raw_properties(name):
            return
        wanted = to_properties(settings, marked=True)
        try:
            with self._permitted(name, permissions.ALTER):
                self._admin.changeProperties(self._remote(name), json.dumps(wanted), [])
        except Authorization as refused:
            raise Authorization(
                f"the first delete on table {name!r} has to change its merge settings: {refused}",
                hint=f"{refused.hint} Or let a user with that permission run the first delete.",
            ) from None

    def _send(self, name: str, cells: CellBatch, level: str | None) -> None:
        self._mark(name, cells)
        durability = None if level is None else DURABILITIES[level].upper()
        with self._permitted(name, permissions.WRITE):
            self._bridge.write(self._remote(name), _direct(to_frame(cells)), durability)

    def _time_in(self, name: str, commit: int) -> int:
        unit = self._settings(name).time_unit
        with self._lock:
            time = in_unit(commit, unit, self._last.get(name))
            self._last[name] = time
            return time

    def _reach(self, name: str, time: int) -> int:
        # What this client commits next comes behind all times that it has given. Those in
        # milliseconds run ahead table by table.
        micros = time if self._settings(name).time_unit == "micros" else 0
        with self._lock:
            self._last[name] = max(time, self._last.get(name, time))
            self._clock.reach(micros)
        return micros

    def _load_directory(self, table: str) -> str:
        # Accumulo tells its settings to administrators alone; a server knows where its files are.
        try:
            [told] = read_reports(self, table, Range.row(b""))
        except ClusterError as error:
            raise self.explained(error) from None
        return str(told["volumes"]).split(",")[0]


def _check(
    table: str, settings: TableSettings, batch: MutationBatch, writer: Authorizations | All
) -> None:
    check_batch(table, settings, batch, writer)
    check_values(table, batch, MAX_VALUE_BYTES)


def _parts(cells: CellBatch, limit_bytes: int) -> Iterator[CellBatch]:
    # As a frame has them: of each cell 40 bytes of offsets, a time and flags.
    size = cells.size_bytes + 50 * len(cells)
    count = max(1, len(cells) * limit_bytes // max(1, size))
    if len(cells) <= count:
        yield cells
        return
    for start in range(0, len(cells), count):
        yield cells[start : start + count]


def _direct(frame: bytearray) -> Any:
    import jpype

    return jpype.nio.convertToDirectBuffer(frame)


def _refuse_unchanged(unchanged: ReadSince | None) -> None:
    if unchanged is not None:
        raise UnsupportedError(
            "if_unchanged is not supported on Accumulo, which has no snapshots",
            hint="Use conditional_write, which checks and writes one row atomically.",
        )
