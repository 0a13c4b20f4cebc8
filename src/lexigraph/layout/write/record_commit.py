"""Storing changes of records: looked at in one snapshot, written if nothing of it has changed.

Layer ``layout``. A commit may add elements of summary groups too. Where others changed what was
looked at, the changes are judged again over the new state; if the engine's atomic unit is the row,
the row of an edge is written before its references.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from lexigraph.cells.mutations import MutationBatch
from lexigraph.cells.ranges import Range
from lexigraph.errors import Conflict, UnsupportedError
from lexigraph.layout.observe.changed import Changed
from lexigraph.layout.observe.committing import store
from lexigraph.layout.records.bound import BoundRecords
from lexigraph.layout.records.fact_reader import EngineFacts
from lexigraph.layout.records.subjects import EdgeSubject, Subject, VertexSubject
from lexigraph.layout.records.write.changes import (
    AddEdge,
    AddVertex,
    AddVertices,
    DeleteElement,
    RecordChange,
)
from lexigraph.layout.records.write.report import RecordReport
from lexigraph.layout.records.write.writer import RecordWriter
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.stored.record_names import UsedName
from lexigraph.security import All, Authorizations
from lexigraph.store.snapshot import Snapshot

TRIES = 20
DELETED = "records"
"""What deleted records are counted under: a vertex may have several labels, or none."""


@dataclass(slots=True)
class RecordBatch:
    """Changes that belong together, with the names that they use and no class declares."""

    changes: list[RecordChange] = field(default_factory=list)
    used: list[UsedName] = field(default_factory=list)

    def __len__(self) -> int:
        """Return the number of changes."""
        return len(self.changes)


@dataclass(frozen=True, slots=True)
class RecordsStored:
    """What a commit of records did; ``timestamp`` is ``None`` if it is still to come."""

    report: RecordReport
    timestamp: int | None = None

    __hash__ = None  # type: ignore[assignment]


class MadeRecords:
    """The cells of one commit, once it has a time: names first, then edges, then vertices."""

    def __init__(self, bound: BoundRecords, writer: RecordWriter, names: MutationBatch) -> None:
        self._bound, self.writer, self._names = bound, writer, names
        self.tables = [bound.names_table, *bound.tables.values()]

    def batches(self, timestamp: int) -> dict[str, MutationBatch]:
        """Return them by the engine's table."""
        made = {self._bound.names_table: self._names} if len(self._names) else {}
        cells = self.writer.cells(timestamp)
        return made | {self._bound.tables[part]: batch for part, batch in cells.items()}


def bound_records(stored: StoredGraph) -> BoundRecords:
    """Return the records of a graph; UnsupportedError if it has no tables for them."""
    if stored.records is None:
        raise UnsupportedError(
            f"graph {stored.name!r} has no groups of records",
            hint="Add a class without summary=True: graph.admin.evolve([Person]).",
        )
    return stored.records


def record_writer(
    stored: StoredGraph,
    authorizations: Authorizations | All,
    snapshot: Snapshot | None,
    read: list[tuple[str, Range]],
) -> RecordWriter:
    """Return a writer that looks at a snapshot; what it reads is appended to ``read``."""
    bound, engine = bound_records(stored), stored.engine
    facts = EngineFacts(engine, bound.tables, bound.rows, snapshot, read, groups=bound.groups)
    return RecordWriter(bound.rows, facts, authorizations, bound.groups)


def take_all(writer: RecordWriter, changes: Sequence[RecordChange]) -> None:
    """Let a writer take changes; rows of what is added are read at once."""
    slim, whole = looked_at(changes)
    writer.records.look_at(whole)
    writer.records.look_at_presence(slim)
    for change in changes:
        writer.take(change)


def looked_at(changes: Iterable[RecordChange]) -> tuple[list[VertexSubject], list[Subject]]:
    """Return the rows of adds that are not blind: of which the presence is needed, or all."""
    slim: list[VertexSubject] = []
    whole: list[Subject] = []
    for one in changes:
        if isinstance(one, AddVertex) and not one.blind:
            (whole if one.replace else slim).append(VertexSubject(one.id))
        elif isinstance(one, AddEdge) and not one.blind:
            whole.append(EdgeSubject(one.id))
    return slim, whole


def made_records(
    stored: StoredGraph,
    writer: RecordWriter,
    used: Iterable[UsedName],
    snapshot: Snapshot | None,
    read: list[tuple[str, Range]],
) -> tuple[MadeRecords, list[UsedName]]:
    """Return what a commit writes for records, and the names that it teaches."""
    fresh = stored.learnt.fresh(used, snapshot, read)
    batch = stored.learnt.batch(fresh)
    return MadeRecords(bound_records(stored), writer, batch), fresh


def note_counts(changed: Changed, changes: Iterable[RecordChange], report: RecordReport) -> None:
    """Count what changes add and delete, for those who hear of the commit."""
    for one in changes:
        if isinstance(one, AddEdge):
            changed.added_count[one.shape.label] += 1
        elif isinstance(one, AddVertex):
            changed.added_count.update(one.labels)
        elif isinstance(one, AddVertices):
            changed.added_count[one.label] += len(one.ids)
    if report.deleted and any(isinstance(one, DeleteElement) for one in changes):
        changed.deleted_count[DELETED] += report.deleted


class RecordCommit:
    """Stores each batch of changes at once, in one commit if the engine can."""

    def __init__(self, stored: StoredGraph, authorizations: Authorizations | All) -> None:
        self._stored, self._authorizations = stored, authorizations

    def write(self, batch: RecordBatch, changed: Changed | None = None) -> RecordsStored:
        """Store changes, and what ``changed`` adds to summary groups; retry if others interfere."""
        stored = self._stored
        stored.finish_merges()
        for attempt in range(TRIES):
            with ExitStack() as opened:
                can = stored.engine.capabilities
                snapshot = opened.enter_context(stored.engine.snapshot()) if can.snapshots else None
                try:
                    return self._try(batch, changed, snapshot)
                except Conflict as conflict:
                    if attempt == TRIES - 1:
                        conflict.replace_hint(
                            "Nothing was written: others keep changing these records. Try again, "
                            "or change fewer at once."
                        )
                        raise
        raise AssertionError

    def _try(
        self, batch: RecordBatch, changed: Changed | None, snapshot: Snapshot | None
    ) -> RecordsStored:
        stored, read = self._stored, list[tuple[str, Range]]()
        writer = record_writer(stored, self._authorizations, snapshot, read)
        take_all(writer, batch.changes)
        made, fresh = made_records(stored, writer, batch.used, snapshot, read)
        whole = Changed() if changed is None else changed.copied()
        note_counts(whole, batch.changes, writer.report)
        checks = snapshot is not None and read and stored.engine.capabilities.transactions
        unchanged = (snapshot, read) if checks and snapshot is not None else None
        timestamp = store(stored, whole, self._authorizations, unchanged, made)
        stored.learnt.learn(fresh)
        return RecordsStored(writer.report, timestamp)
