"""The changes of records that a transaction holds: judged when they come, stored at its end.

Layer ``layout``. They are the sink of what changes records in the transaction; its questions read
their cells on top of the snapshot, at the time that a commit now would have.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace

from lexigraph.cells.ranges import Range
from lexigraph.errors import Conflict, LexigraphError
from lexigraph.layout.observe.changed import Changed
from lexigraph.layout.records.write.changes import RecordChange
from lexigraph.layout.records.write.report import RecordReport
from lexigraph.layout.records.write.writer import RecordWriter
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.stored.record_names import UsedName
from lexigraph.layout.streams.placing import Placer
from lexigraph.layout.write.record_commit import (
    MadeRecords,
    RecordBatch,
    RecordsStored,
    made_records,
    note_counts,
    record_writer,
    take_all,
)
from lexigraph.security import All, Authorizations
from lexigraph.store.scan.runs import MergedRuns, Run
from lexigraph.store.snapshot import Snapshot


class HeldRecords:
    """Changes of records of one transaction."""

    def __init__(
        self,
        stored: StoredGraph,
        authorizations: Authorizations | All,
        snapshot: Snapshot,
        read: list[tuple[str, Range]],
        others: Callable[[Changed], object],
    ) -> None:
        self._others = others
        self._stored, self._authorizations = stored, authorizations
        self._snapshot, self._read = snapshot, read
        self._writer: RecordWriter | None = None
        self._placer = Placer(stored.streams)
        self._changes: list[RecordChange] = []
        self._used: list[UsedName] = []
        self._fresh: list[UsedName] = []
        self._runs: dict[str, MergedRuns] | None = None

    def write(self, batch: RecordBatch, changed: Changed | None = None) -> RecordsStored:
        """Judge changes and hold them; adds to summary groups go to those who hold them."""
        if self._writer is None:
            self._writer = record_writer(
                self._stored,
                self._authorizations,
                self._snapshot,
                self._read,
                self._placer.place,
            )
        before = replace(self._writer.report)
        take_all(self._writer, batch.changes)
        self._changes += batch.changes
        self._used += batch.used
        self._runs = None
        if changed:
            self._others(changed)
        counts = {
            one.name: getattr(self._writer.report, one.name) - getattr(before, one.name)
            for one in fields(RecordReport)
        }
        return RecordsStored(RecordReport(**counts))

    def __bool__(self) -> bool:
        """Return whether there is anything to write."""
        return bool(self._changes)

    def runs(self) -> dict[str, MergedRuns]:
        """Return the cells that lie on top of the snapshot, by the engine's table."""
        if self._runs is None:
            made, time = self.made(), self._stored.engine.now() + 1
            batches = {} if made is None else made.batches(time)
            self._runs = {
                table: MergedRuns([Run.written(batch.at(time))]) for table, batch in batches.items()
            }
        return self._runs

    def made(self) -> MadeRecords | None:
        """Return what the commit writes for records; ``None`` for nothing."""
        if self._writer is None or not self._changes:
            return None
        made, self._fresh = made_records(
            self._stored, self._writer, self._used, self._snapshot, self._read
        )
        return made

    def touch(self) -> None:
        """Keep the bytes of streams from being collected until the commit."""
        self._placer.touch()

    def note_counts(self, changed: Changed) -> None:
        """Count what is added and deleted, for those who hear of the commit."""
        if self._writer is not None:
            note_counts(changed, self._changes, self._writer.report)

    def learn(self) -> None:
        """Remember the names that the commit has taught."""
        self._stored.learnt.learn(self._fresh)

    def judge_again(self, snapshot: Snapshot) -> None:
        """Judge all changes over a later state, which looks the same to the caller."""
        if self._writer is None:
            return
        self._snapshot, self._runs = snapshot, None
        self._writer = record_writer(
            self._stored, self._authorizations, snapshot, self._read, self._placer.place
        )
        try:
            take_all(self._writer, self._changes)
        except LexigraphError:
            raise Conflict(
                "what this transaction changes was changed by another writer",
                hint="Run the whole transaction again: it then reads what has changed.",
            ) from None
