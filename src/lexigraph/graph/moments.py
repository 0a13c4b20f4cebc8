"""Sessions of one moment: snapshots, and transactions, which also write.

Layer ``graph``. Both see what was there when they began and nothing that came later; a transaction
tells of everything that it read, so that its write counts only if none of that has changed.
"""

from __future__ import annotations

from dataclasses import replace
from types import TracebackType
from typing import Any, Self

from lexigraph.closing import Closing
from lexigraph.errors import ReadOnly, UnsupportedError
from lexigraph.graph.access import Access
from lexigraph.graph.changes.feed import ChangeFeed, refuse_changes
from lexigraph.graph.session import WRITER, Session
from lexigraph.graph.users import NOBODY, User
from lexigraph.graph.write.add import AddReport
from lexigraph.graph.write.delete import refuse_parts
from lexigraph.graph.write.delete_report import DeleteReport
from lexigraph.graph.write.load import Loader
from lexigraph.graph.write.records.editing import RecordSink
from lexigraph.graph.write.records.options import RecordOptions
from lexigraph.graph.write.rows.options import RowOptions
from lexigraph.graph.write.transactions import Transaction
from lexigraph.plan import Scope
from lexigraph.security import All, Authorizations
from lexigraph.store.snapshot import Snapshot


class SnapshotSession(Closing, Session):
    """A session whose questions all see one moment; use it in ``with``."""

    def __init__(
        self,
        access: Access,
        authorizations: Authorizations | All,
        snapshot: Snapshot,
        *,
        timeout_s: float | None = None,
        who: User = NOBODY,
    ) -> None:
        super().__init__(access, authorizations, snapshot=snapshot, timeout_s=timeout_s, who=who)
        self._held = snapshot

    def _check_writer(self) -> None:
        raise ReadOnly(
            "a snapshot is read-only",
            hint="Write outside the snapshot, or use a transaction.",
        )

    def close(self) -> None:
        """Release the snapshot."""
        self._held.close()


class PastSession(Session):
    """A session whose questions all read the records as they were at one time."""

    def __init__(self, present: Session, as_of: int) -> None:
        super().__init__(
            present._access,
            present._authorizations,
            snapshot=present._snapshot,
            timeout_s=present._timeout_s,
            who=present._who,
        )
        self._present, self._as_of = present, as_of

    def _scope(self) -> Scope:
        return replace(self._present._scope(), as_of=self._as_of)

    def _check_writer(self) -> None:
        raise ReadOnly(
            "the past is read-only", hint="Write with a time of its own: add(..., time=...)."
        )

    def changes(self, name: str, *, after: str | None = None) -> ChangeFeed:
        """Raise: changes start from now."""
        raise refuse_changes("an earlier time")

    def snapshot(self) -> SnapshotSession:
        """Raise: a snapshot of the past is the past of a snapshot."""
        raise UnsupportedError(
            "an earlier time has no snapshots",
            hint="Take the snapshot first: graph.snapshot().as_of(...).",
        )


class TransactionSession(Session):
    """A session inside a transaction: it reads one moment, and writes when it ends.

    Its reads see what it added and deleted. If others changed anything that it read, it raises
    Conflict and writes nothing.
    """

    def __init__(
        self,
        access: Access,
        authorizations: Authorizations | All,
        *,
        own_labels: bool = False,
        timeout_s: float | None = None,
        who: User = NOBODY,
    ) -> None:
        self._transaction = Transaction(access.stored, authorizations, check=self._check_labels)
        super().__init__(
            access,
            authorizations,
            role=WRITER,
            own_labels=own_labels,
            timeout_s=timeout_s,
            snapshot=self._transaction.held.snapshot,
            who=who,
        )

    def _scope(self) -> Scope:
        held = self._transaction.held
        return self._access.scope(
            self._authorizations, self._snapshot, timeout_s=self._timeout_s, within=held
        )

    def _add(self, elements: Any, group: Any, options: RowOptions, how: RecordOptions) -> AddReport:
        # They are held in memory until the commit.
        records = None if self._access.stored.records is None else self._records()
        return self._transaction.add(
            elements, group=group, options=options, records=records, how=how
        )

    def _record_sink(self) -> RecordSink:
        self._transaction.held.check_open()
        return self._transaction.held.records

    def _refuse_in_transaction(self, what: str) -> None:
        raise UnsupportedError(
            f"{what} cannot be changed in a transaction", hint="Change it outside of it."
        )

    def _loader(self) -> Loader:
        raise UnsupportedError(
            "bulk loads do not work in a transaction: each load is its own commit",
            hint="Use add, which holds the rows in memory until the commit, or load outside the "
            "transaction.",
        )

    def delete(
        self, elements: Any, *, visibility: str | bytes | None = None, hard: bool = False
    ) -> DeleteReport:
        """Delete elements when the transaction commits; return how many there are."""
        if visibility is None:
            refuse_parts(elements)
        given, records = self._split(elements, visibility, hard=hard)
        if records is not None:
            return records
        return self._transaction.delete(given, visibility=visibility)

    def snapshot(self) -> SnapshotSession:
        """Raise: a snapshot would see neither the moment of the transaction nor its writes."""
        raise UnsupportedError(
            "a transaction has no snapshots: all its questions see one moment already",
            hint="Ask the transaction itself, or take a snapshot of the graph.",
        )

    def transaction(self) -> TransactionSession:
        """Raise: another transaction would not see what this one has written."""
        raise UnsupportedError(
            "a transaction cannot hold another one",
            hint="Read and write in this one, or start the other from the graph.",
        )

    def commit(self) -> int | None:
        """Write everything now; Conflict if what was read has changed."""
        return self._transaction.commit()

    def __enter__(self) -> Self:
        """Return the session itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Commit, unless something was raised."""
        self._transaction.__exit__(kind, error, trace)
