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
from lexigraph.layout.log.entries import SubjectChanges
from lexigraph.layout.log.facts import changes_of
from lexigraph.layout.observe.changed import Batches, Changed
from lexigraph.layout.observe.committing import store
from lexigraph.layout.observe.guarded import Guards
from lexigraph.layout.records.bound import BoundRecords
from lexigraph.layout.records.claims.claiming import Claims
from lexigraph.layout.records.claims.places import claims_of
from lexigraph.layout.records.fact_reader import EngineFacts
from lexigraph.layout.records.subjects import EdgeSubject, RowSubject, Subject, VertexSubject
from lexigraph.layout.records.write.changes import (
    AddEdge,
    AddVertex,
    AddVertices,
    AppendValue,
    DeleteElement,
    PutValue,
    RecordChange,
)
from lexigraph.layout.records.write.constraints import judged_references
from lexigraph.layout.records.write.report import RecordReport
from lexigraph.layout.records.write.writer import RecordWriter
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.stored.record_names import UsedName
from lexigraph.layout.streams.placing import Placer, StreamPlace
from lexigraph.layout.streams.store import Streams
from lexigraph.security import All, Authorizations
from lexigraph.store.snapshot import Snapshot
from lexigraph.streaming import GivenStream

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

    def __init__(
        self, bound: BoundRecords, writer: RecordWriter, names: MutationBatch, streams: Streams
    ) -> None:
        self._bound, self.writer, self._names = bound, writer, names
        self._streams = streams
        self.guards = Guards()
        self.tables = [bound.names_table, *bound.tables.values()]
        if writer.removes and streams.is_there():
            self.tables.append(streams.table)

    @property
    def looked(self) -> bool:
        """Whether it was looked at all that a log has to know."""
        return self.writer.records.logged

    def logged(self, commit: int) -> list[SubjectChanges]:
        """Return what a commit of this time writes to vertices and edges, without values."""
        written = self.writer.written(commit)
        # Rows of tables under elements are not in the log.
        return [changes_of(one) for one in written if not isinstance(one.row.subject, RowSubject)]

    def batches(self, timestamp: int) -> dict[str, MutationBatch]:
        """Return them by the engine's table."""
        made = {self._bound.names_table: self._names} if len(self._names) else {}
        cells = self.writer.cells(timestamp)
        made |= {self._bound.tables[part]: batch for part, batch in cells.items()}
        removed = self.writer.removed_streams
        return made | ({self._streams.table: self._streams.markers(removed)} if removed else {})

    def settle(self) -> None:
        """Remove the files of streaming values that the commit has removed."""
        self._streams.remove_files(value for value, _ in self.writer.removed_streams)


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
    place: StreamPlace | None = None,
) -> RecordWriter:
    """Return a writer that looks at a snapshot; what it reads is appended to ``read``."""
    bound, engine = bound_records(stored), stored.engine
    facts = EngineFacts(engine, bound.tables, bound.rows, snapshot, read, groups=bound.groups)
    # As far as is known. If it is not true any more, the log says so and all is judged again.
    logged = bool(stored.listeners.added) or stored.indexes.last_logged
    return RecordWriter(bound.rows, facts, authorizations, bound.groups, place, logged=logged)


def take_all(writer: RecordWriter, changes: Sequence[RecordChange]) -> None:
    """Let a writer take changes; rows of what is added are read at once."""
    slim, whole = looked_at(changes)
    writer.records.look_at(whole)
    writer.records.look_at_presence(slim)
    added = (one.shape for one in changes if isinstance(one, AddEdge))
    writer.records.look_at_references(
        asked for shape in added for asked in judged_references(writer.records, shape)
    )
    if writer.records.logged:
        writer.records.look_beside(blind_subjects(changes))
    for change in changes:
        writer.take(change)


def blind_subjects(changes: Iterable[RecordChange]) -> list[VertexSubject | EdgeSubject]:
    """Return what is added without a look."""
    found: list[VertexSubject | EdgeSubject] = []
    for one in changes:
        if isinstance(one, AddVertex) and one.blind:
            found.append(VertexSubject(one.id))
        elif isinstance(one, AddEdge) and one.blind:
            found.append(EdgeSubject(one.id))
    return found


def looked_at(changes: Iterable[RecordChange]) -> tuple[list[VertexSubject], list[Subject]]:
    """Return the rows that changes look at, to read them together.

    Of a plain add of a vertex the presence is needed, of other adds and of deletes all.
    """
    slim: list[VertexSubject] = []
    whole: list[Subject] = []
    for one in changes:
        if isinstance(one, AddVertex) and not one.blind:
            (whole if one.replace else slim).append(VertexSubject(one.id))
        elif isinstance(one, AddEdge) and not one.blind:
            whole.append(EdgeSubject(one.id))
        elif isinstance(one, DeleteElement):
            whole.append(one.subject)
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
    return MadeRecords(bound_records(stored), writer, batch, stored.streams), fresh


def gives_streams(changes: Iterable[RecordChange]) -> bool:
    """Return whether changes bring streams to be stored."""
    for one in changes:
        if isinstance(one, AddVertex | AddEdge):
            if any(isinstance(value.value, GivenStream) for value in one.values):
                return True
        elif isinstance(one, PutValue | AppendValue) and isinstance(one.value.value, GivenStream):
            return True
    return False


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
        stored, placer = self._stored, Placer(self._stored.streams)
        stored.finish_merges()
        if gives_streams(batch.changes):
            self._store_streams(batch, placer)
        own: set[Subject] = set()
        for attempt in range(TRIES):
            with ExitStack() as opened:
                can = stored.engine.capabilities
                snapshot = opened.enter_context(stored.engine.snapshot()) if can.snapshots else None
                claims = None
                try:
                    if can.atomic_unit == "row":
                        claims = self._claims(batch)
                        opened.enter_context(claims.held())
                    return self._try(batch, changed, snapshot, placer, claims, own)
                except Conflict as conflict:
                    if attempt == TRIES - 1:
                        conflict.replace_hint(_TRY_AGAIN_SOME if own else _TRY_AGAIN)
                        raise
        raise AssertionError

    def _store_streams(self, batch: RecordBatch, placer: Placer) -> None:
        """Store streams before the commit: no snapshot is held while their bytes come."""
        stored = self._stored
        with ExitStack() as opened:
            can = stored.engine.capabilities
            snapshot = opened.enter_context(stored.engine.snapshot()) if can.snapshots else None
            # What is refused is refused before anything is read from a stream.
            take_all(
                record_writer(stored, self._authorizations, snapshot, [], placer.note),
                batch.changes,
            )
        placer.store_noted()
        placer.touch()

    def _claims(self, batch: RecordBatch) -> Claims:
        """Return what has to be claimed, by a look that the judgement does not depend on."""
        bound = bound_records(self._stored)
        looking = record_writer(self._stored, self._authorizations, None, [])
        wanted = claims_of(looking.records, bound.rows, batch.changes)
        return Claims(
            self._stored.engine, bound, self._authorizations, wanted, self._write_for_others
        )

    def _write_for_others(self, batches: Batches) -> None:
        """Store what another writer has left undone, as the owner."""
        store(self._stored, Changed(beside=dict(batches)), self._stored.engine.grants)

    def _try(
        self,
        batch: RecordBatch,
        changed: Changed | None,
        snapshot: Snapshot | None,
        placer: Placer,
        claims: Claims | None,
        own: set[Subject],
    ) -> RecordsStored:
        stored, read = self._stored, list[tuple[str, Range]]()
        writer = record_writer(stored, self._authorizations, snapshot, read, placer.place)
        writer.records.own = frozenset(own)
        if claims is not None:
            wanted = claims_of(writer.records, bound_records(stored).rows, batch.changes)
            if not claims.cover(wanted):
                raise Conflict("another writer has changed an edge that is to get a new label")
        take_all(writer, batch.changes)
        made, fresh = made_records(stored, writer, batch.used, snapshot, read)
        if claims is not None:
            made.guards = Guards(claims.guards())
        whole = Changed() if changed is None else changed.copied()
        note_counts(whole, batch.changes, writer.report)
        checks = snapshot is not None and read and stored.engine.capabilities.transactions
        unchanged = (snapshot, read) if checks and snapshot is not None else None
        try:
            timestamp = store(stored, whole, self._authorizations, unchanged, made)
        except Conflict:
            if claims is not None:
                own |= claims.among(made.guards.written) & writer.records.added
            raise
        stored.learnt.learn(fresh)
        made.settle()
        return RecordsStored(writer.report, timestamp)


_TRY_AGAIN = (
    "Nothing was written: others keep changing these records. Try again, or change fewer at once."
)
_TRY_AGAIN_SOME = (
    "Some of these records were written, and others keep changing the rest. Try again: what is "
    "there is updated, or refused if you said new=True."
)
