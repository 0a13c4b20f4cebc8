"""Transactions: a snapshot, what was read from it, and one write that depends on both.

Layer ``graph``. Reads see the snapshot and the transaction's own writes. A commit whose reads
have been overtaken is a Conflict, and nothing of it is stored; adding alone conflicts with nothing,
and what its reader cannot see conflicts with nothing either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack
from itertools import chain, zip_longest
from types import TracebackType
from typing import Any, Self

from lexigraph.errors import Closed, Conflict, UnsupportedError, UsageError
from lexigraph.graph.write.add import Adder, AddReport
from lexigraph.graph.write.delete import TRIES, Deleter
from lexigraph.graph.write.delete_report import DeleteReport
from lexigraph.graph.write.given import iter_given
from lexigraph.graph.write.identities import Identities
from lexigraph.graph.write.rows.options import NO_OPTIONS, RowOptions
from lexigraph.layout.stored.catalogue import CATALOGUE
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.write.doomed import Doomed
from lexigraph.layout.write.removing import Removal
from lexigraph.layout.write.sinks import Batches, Commit
from lexigraph.layout.write.writer import Check, Writer
from lexigraph.security import All
from lexigraph.store import Cell, CellBatch, MutationBatch, Range, ScanSpec, Snapshot
from lexigraph.store.scan.overlay import Overlay
from lexigraph.store.scan.runs import Run

_Column = tuple[Any, ...]
"""A table and the key of a column in it."""


class Transaction:
    """Reads and writes that happen together, or not at all.

    Use it with ``with``: it commits at the end, and stores nothing if anything is raised. ``check``
    sees every batch before it is kept, and refuses it by raising.
    """

    def __init__(
        self,
        stored: StoredGraph,
        authorizations: Iterable[str | bytes] | All = (),
        *,
        check: Check | None = None,
    ) -> None:
        engine = stored.engine
        if not engine.capabilities.transactions:
            raise UnsupportedError(
                f"engine {engine.capabilities.engine!r} has no transactions",
                hint="Write without a transaction; each row is stored atomically.",
            )
        self.stored, self._check = stored, check
        self.authorizations = engine.check_granted(authorizations)
        self.snapshot = engine.snapshot()
        self.closed = False
        self._read: list[tuple[str, Range]] = []
        self._puts: dict[str, list[tuple[Cell, int]]] = {}
        self._doomed = Doomed()
        self._deleted: set[_Column] = set()
        self.reads = Overlay(engine, self._pending)
        """What its questions read: the snapshot, and on top what it has not written yet."""
        self._runs: dict[str, Run] | None = None

    def record(self, table: str, ranges: Iterable[Range]) -> None:
        """Note that ranges of an engine's table were read: the commit depends on them."""
        self._check_open()
        self._read += [(table, one) for one in ranges]

    def add(
        self, elements: Any, *, group: Any = None, options: RowOptions = NO_OPTIONS
    ) -> AddReport:
        """Add elements when the transaction commits; they are held in memory until then."""
        self._check_open()
        writer = Writer(self.stored, self, check=self._check)
        return Adder(writer).add(elements, group=group, options=options)

    def delete(self, elements: Any, *, visibility: str | bytes | None = None) -> DeleteReport:
        """Delete elements when the transaction commits; return how many there are."""
        self._check_open()
        wanted = Identities(self.stored, iter_given(elements))
        found = Deleter(self.stored, self.authorizations).find(wanted, self.snapshot, visibility)
        self._check_duplicates(wanted)
        self._read += found.read
        self._doomed.join(found.doomed)
        self._runs = None
        for table, cells in found.doomed.cells().items():
            self._deleted |= {(table, *cell[:4]) for cell in cells}
        own = self._withdraw(wanted)
        return DeleteReport(own + found.doomed.groups, cells=found.doomed.columns)

    def commit(self) -> int | None:
        """Write everything; return the commit timestamp, ``None`` if there was nothing to write.

        Conflict if anything that was read has changed: begin again with a new transaction.
        """
        self._check_open()
        removal = Removal(self.stored, self._doomed)
        batches = self._batches(removal)
        try:
            if not batches:
                return None
            timestamp = self._store(batches)
        finally:
            self.close()
        removal.settle()
        return timestamp

    def _store(self, batches: Batches) -> int:
        engine, seen = self.stored.engine, self.snapshot
        commit = Commit(self.stored, self.authorizations)
        self.stored.finish_merges()
        with ExitStack() as later:
            for _ in range(TRIES):
                unchanged = (seen, self._read) if self._read else None
                try:
                    return commit.store(batches, if_unchanged=unchanged)
                except Conflict:
                    # What its reader cannot see must not show, in a conflict either.
                    seen = later.enter_context(engine.snapshot())
                    if isinstance(self.authorizations, All) or self._has_changed(seen):
                        raise
            raise Conflict(
                "other writers keep changing what this transaction reads",
                hint="Start the transaction again later.",
            )

    def _has_changed(self, now: Snapshot) -> bool:
        """Tell whether any of what was read looks different to its reader."""
        ranges: dict[str, list[Range]] = {}
        for table, one in self._read:
            ranges.setdefault(table, []).append(one)
        for table, read in ranges.items():
            spec = ScanSpec(ranges=read, authorizations=self.authorizations)
            scans = [
                chain.from_iterable(self.stored.engine.scan(table, spec, snapshot=at))
                for at in (self.snapshot, now)
            ]
            if any(before != after for before, after in zip_longest(*scans)):
                return True
        return False

    def close(self) -> None:
        """End it without writing anything more."""
        if not self.closed:
            self.closed = True
            self.snapshot.close()

    def _pending(self) -> dict[str, Run]:
        """Return what is not written yet, at the time that a commit now would have."""
        if self._runs is None:
            batches = self._batches(Removal(self.stored, self._doomed))
            batches.pop(CATALOGUE, None)
            # A marker hides nothing newer, and another writer's clock may be ahead.
            latest = (cell.timestamp for held in self._doomed.cells().values() for cell in held)
            time = max(self.stored.engine.now(), *latest, 0) + 1
            self._runs = {table: Run.written(batch.at(time)) for table, batch in batches.items()}
        return self._runs

    def write(self, batches: Batches) -> None:
        """Keep cells until the commit: a transaction is the sink of what it adds."""
        self._runs = None
        for table, batch in batches.items():
            for cell in batch.cells:
                if (table, *cell[:4]) in self._deleted:
                    raise UsageError(
                        "this transaction deletes the element, so it cannot add it too",
                        hint="Commit the delete first, then add it in another transaction.",
                    )
        for table, batch in batches.items():
            pairs = zip(batch.cells, batch.timed, strict=True)
            self._puts.setdefault(table, []).extend(pairs)

    def _check_duplicates(self, wanted: Identities) -> None:
        if not wanted.duplicates:
            return
        for puts in self._puts.values():
            for cell, _ in puts:
                element = self.stored.plan.decode(cell)
                if element is not None and element.once and wanted.match(element):
                    wanted.see(element)
        wanted.duplicates.check()

    def _withdraw(self, wanted: Identities) -> Counter[str]:
        """Take back what was added in this transaction itself; count it by group."""
        count: Counter[str] = Counter()
        plan = self.stored.plan
        for table, puts in self._puts.items():
            kept = []
            for cell, timed in puts:
                element = plan.decode(cell)
                if element is not None and wanted.match(element):
                    new = element.once and (table, *cell[:4]) not in self._deleted
                    count[element.group] += bool(new)
                else:
                    kept.append((cell, timed))
            self._puts[table] = kept
        return count

    def _batches(self, removal: Removal) -> dict[str, MutationBatch]:
        written = {table: list(puts) for table, puts in self._puts.items() if puts}
        for table, batch in removal.cells().items():
            pairs = zip(batch.cells, batch.timed, strict=True)
            written.setdefault(table, []).extend(pairs)
        return {
            table: MutationBatch(
                CellBatch.from_cells(cell for cell, _ in pairs),
                bytes(timed for _, timed in pairs),
            )
            for table, pairs in written.items()
        }

    def _check_open(self) -> None:
        if self.closed:
            raise Closed("this transaction has ended", hint="Start a new transaction.")

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
        if kind is None and not self.closed:
            self.commit()
        self.close()
