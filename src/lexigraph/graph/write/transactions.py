"""Transactions: a snapshot, what was read from it, and one write that depends on both.

Layer ``graph``. Reads see the snapshot and the transaction's own writes. A commit whose reads
have been overtaken is a Conflict, and nothing of it is stored; adding alone conflicts with nothing,
and what its reader cannot see conflicts with nothing either.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

from lexigraph.errors import Conflict, UnsupportedError
from lexigraph.graph.write.add import Adder, AddReport
from lexigraph.graph.write.delete import TRIES, Deleter
from lexigraph.graph.write.delete_report import DeleteReport
from lexigraph.graph.write.records.editing import RecordEditor
from lexigraph.graph.write.records.options import NO_RECORD_OPTIONS, RecordOptions
from lexigraph.graph.write.rows.options import NO_OPTIONS, RowOptions
from lexigraph.layout.observe.changed import Changed
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.write.given import iter_given
from lexigraph.layout.write.sinks import Commit
from lexigraph.layout.write.uncommitted import Uncommitted
from lexigraph.layout.write.writer import LabelsCheck, Writer
from lexigraph.plan import Scope
from lexigraph.plan.targets.identities import Identities
from lexigraph.plan.targets.seen import has_changed
from lexigraph.schema.keys import label_of
from lexigraph.security import All

_AGAIN = "Run the whole transaction again: it then reads what has changed."


class Transaction:
    """Reads and writes that happen together, or not at all.

    Use it with ``with``: it commits at the end, and stores nothing if anything is raised. ``check``
    sees the labels of every batch before it is kept, and refuses it by raising.
    """

    def __init__(
        self,
        stored: StoredGraph,
        authorizations: Iterable[str | bytes] | All = (),
        *,
        check: LabelsCheck | None = None,
    ) -> None:
        engine = stored.engine
        if not engine.capabilities.transactions:
            raise UnsupportedError(
                f"engine {engine.capabilities.engine!r} has no transactions",
                hint="Write without a transaction; each row is stored atomically.",
            )
        self.stored, self._check = stored, check
        self.authorizations = engine.check_granted(authorizations)
        self.held = Uncommitted(stored, self.authorizations)
        """What it has read, and what it is going to write."""

    def add(
        self,
        elements: Any,
        *,
        group: Any = None,
        options: RowOptions = NO_OPTIONS,
        records: RecordEditor | None = None,
        how: RecordOptions = NO_RECORD_OPTIONS,
    ) -> AddReport:
        """Add elements when the transaction commits; they are held in memory until then."""
        self.held.check_open()
        writer = Writer(self.stored, self.held, check=self._check)
        adder = Adder(writer, records=records, how=how)
        return adder.add(elements, group=group, options=options)

    def delete(self, elements: Any, *, visibility: str | bytes | None = None) -> DeleteReport:
        """Delete elements when the transaction commits; return how many there are."""
        held = self.held
        held.check_open()
        wanted = Identities(self.stored, iter_given(elements))
        label = None if visibility is None else label_of(visibility)
        found = Deleter(self.stored, self.authorizations).find(wanted, held.snapshot, visibility)
        if wanted.duplicates:
            for element in held.added(wanted):
                wanted.see(element)
            wanted.duplicates.check()
        held.delete(found.doomed, found.read)
        own = held.withdraw(wanted, label)
        return DeleteReport(own + found.doomed.groups, cells=found.doomed.columns)

    def commit(self) -> int | None:
        """Write everything; return the commit timestamp, ``None`` if there was nothing to write.

        Conflict if anything that was read has changed: begin again with a new transaction.
        """
        self.held.check_open()
        removal = self.held.removal()
        changed = self.held.changed(removal)
        try:
            if not changed and not self.held.records:
                return None
            timestamp = self._store(changed)
        finally:
            self.close()
        removal.settle()
        return timestamp

    def _store(self, changed: Changed) -> int:
        engine, read, seen = self.stored.engine, self.held.read, self.held.snapshot
        commit, records = Commit(self.stored, self.authorizations), self.held.records
        self.stored.finish_merges()
        records.note_counts(changed)
        records.touch()
        with ExitStack() as later:
            for _ in range(TRIES):
                try:
                    made = records.made()
                    timestamp = commit.store(
                        changed, if_unchanged=(seen, read) if read else None, made=made
                    )
                    records.learn()
                    if made is not None:
                        made.settle()
                    return timestamp
                except Conflict as error:
                    # What its reader cannot see must not show, in a conflict either; nor do notes
                    # of loads and indexes that others leave beside it.
                    seen = later.enter_context(engine.snapshot())
                    before = Scope.over(self.stored, self.authorizations, self.held.snapshot)
                    if has_changed(read, before, seen):
                        raise Conflict(str(error), hint=_AGAIN) from None
                    records.judge_again(seen)
            raise Conflict(
                "other writers keep changing what this transaction reads",
                hint="Start the transaction again later.",
            )

    def close(self) -> None:
        """End it without writing anything more."""
        self.held.close()

    def __enter__(self) -> Self:
        """Return the transaction itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Commit, unless something was raised."""
        if kind is None and not self.held.closed:
            self.commit()
        self.close()
