"""Storing a write together with what its observers add, and telling them of it afterwards.

Layer ``layout``. The only place that calls observers, so that all paths into a graph have the same
order: observe, commit, committed.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from threading import RLock
from typing import TYPE_CHECKING

from lexigraph.cells.mutations import MutationBatch
from lexigraph.errors import Conflict
from lexigraph.layout.observe.changed import (
    Batches,
    Changed,
    Made,
    MadeOfRecords,
    join_batches,
)
from lexigraph.layout.observe.context import Moment
from lexigraph.layout.observe.contract import Observed, Observer, Phase
from lexigraph.layout.observe.guarded import write_guarded
from lexigraph.layout.stored.indexes import UNGUARDED
from lexigraph.security import All, Authorizations
from lexigraph.store.conditions import Outcome
from lexigraph.store.spi import Unchanged

if TYPE_CHECKING:
    from lexigraph.layout.stored.graph import StoredGraph

TRIES = 20
"""How often observers are asked again if what they read was changed by others."""
_LOG = logging.getLogger("lexigraph.graph")


class Listeners:
    """Observers that one process has added to a graph, and the commits that they have to hear of.

    While anybody listens, commits are stored one at a time, so that all are heard in order.
    """

    def __init__(self) -> None:
        self.added: list[Observer] = []
        self._lock = RLock()
        self._unheard: deque[tuple[list[Observer], Changed, int]] = deque()
        self._calling = False

    def commit(
        self, observers: Iterable[Observer], write: Callable[[], tuple[Changed, int]]
    ) -> int:
        """Store changes by a function that returns them with their time; return the time."""
        hearing = _hearing(observers)
        with self.turn(hearing):
            changed, timestamp = write()
            self.call(hearing, changed, timestamp)
        return timestamp

    def turn(self, observers: Iterable[Observer]) -> AbstractContextManager[object]:
        """Return what keeps other commits out until all have heard of one, if anybody listens.

        It is entered before the engine is told to commit, never while the engine holds a lock.
        """
        return self._lock if _hearing(observers) else nullcontext()

    def call(self, observers: Iterable[Observer], changed: Changed, timestamp: int) -> None:
        """Call observers after a commit, in its turn."""
        hearing = _hearing(observers)
        if not hearing:
            return
        with self._lock:
            self._unheard.append((hearing, changed, timestamp))
            # What a listener writes itself is heard after all have heard of the commit before.
            if not self._calling:
                self._call_all()

    def _call_all(self) -> None:
        self._calling = True
        interrupts: list[BaseException] = []
        try:
            while self._unheard:
                hearing, changed, timestamp = self._unheard.popleft()
                for one in hearing:
                    try:
                        _call(one, changed, timestamp)
                    except BaseException as error:
                        interrupts.append(error)
        finally:
            self._calling = False
        if interrupts:
            raise interrupts[0]


def _hearing(observers: Iterable[Observer]) -> list[Observer]:
    return [one for one in observers if type(one).committed is not Observer.committed]


def _call(observer: Observer, changed: Changed, timestamp: int) -> None:
    try:
        observer.committed(changed, timestamp)
    except Exception:
        _LOG.exception("an observer failed after commit %d, which is stored", timestamp)


def store(
    stored: StoredGraph,
    changed: Changed,
    authorizations: Authorizations | All,
    if_unchanged: Unchanged | None = None,
    made: MadeOfRecords | None = None,
) -> int:
    """Store changes with what observers add; return the time of the commit.

    ``made`` are cells of the same commit that are made of its time. The commit counts only if the
    graph has then the indexes that were asked; else all are asked again. With
    ``if_unchanged``, Conflict if what was read has changed. If only what observers read has
    changed, they are asked again.
    """
    changed.made = made

    def write() -> tuple[Changed, int]:
        if if_unchanged is None and stored.engine.capabilities.buffers:
            with UNGUARDED:
                free = stored.indexes.may_buffer(stored)
                return changed, _store_observed(stored, changed, authorizations, None, free=free)
        return changed, _store_observed(stored, changed, authorizations, if_unchanged)

    return stored.listeners.commit(stored.listeners.added, write)


def _store_observed(
    stored: StoredGraph,
    changed: Changed,
    authorizations: Authorizations | All,
    if_unchanged: Unchanged | None,
    *,
    free: bool = False,
) -> int:
    for attempt in range(TRIES):
        with Moment(stored, authorizations, if_unchanged) as moment:
            added = list(observe(moment.watch_indexes(unguarded=free), changed, moment))
            try:
                return _write(stored, changed, added, authorizations, moment.unchanged())
            except Conflict:
                retries = if_unchanged is None and moment.ranges and attempt < TRIES - 1
                if not retries:
                    raise
    raise AssertionError


def observe(observers: Iterable[Observer], changed: Changed, moment: Moment) -> Iterator[Observed]:
    """Yield what observers add to a commit of these changes."""
    for one in observers:
        yield from one.observe(changed, moment.context(one.reads_as))


def observed_cells(
    stored: StoredGraph, changed: Changed, moment: Moment
) -> dict[str, MutationBatch]:
    """Return all cells of a commit of these changes, with what observers add, by table.

    The indexes are those of the snapshot, as questions of a transaction find them.
    """
    declared = stored.indexes.at(stored, moment.snapshot())
    observers = stored.observers(declared)
    added = [one.batches for one in observe(observers, changed, moment)]
    return join_batches([changed.batches(stored.table_of), *added])


def _write(
    stored: StoredGraph,
    changed: Changed,
    added: Sequence[Observed],
    authorizations: Authorizations | All,
    unchanged: Unchanged | None,
) -> int:
    engine, made = stored.engine, _joined(changed, added)
    guards = None if changed.made is None else changed.made.guards

    def write(batches: Batches, made: Made | None, unchanged: Unchanged | None = None) -> int:
        if made is None:
            return engine.write(batches, if_unchanged=unchanged, authorizations=authorizations)
        if guards:
            return write_guarded(engine, batches, made.batches, guards, authorizations)
        tables, later = dict.fromkeys([*batches, *made.tables]), made.batches
        return engine.write_made(
            tables,
            lambda timestamp: join_batches([batches, later(timestamp)]),
            if_unchanged=unchanged,
            authorizations=authorizations,
        )

    batches = changed.batches(stored.table_of)
    _write_conditions(stored, added, authorizations)
    if engine.capabilities.atomic_unit != "row":
        whole = join_batches([batches, *(one.batches for one in added)])
        return write(whole, made, unchanged)
    timestamp = 0
    for phase in Phase:
        parts = [one.batches for one in added if one.phase is phase]
        of_phase = join_batches([batches, *parts] if phase is Phase.WITH else parts)
        if phase is Phase.AFTER and timestamp:
            # So that they do not hide what others have written since the elements.
            of_phase = {
                table: MutationBatch(batch.at(timestamp)) for table, batch in of_phase.items()
            }
        with_phase = made if phase is Phase.WITH else None
        if of_phase or with_phase is not None:
            written = write(of_phase, with_phase)
            timestamp = written if phase is Phase.WITH else timestamp
    return timestamp


class _JoinedMade:
    """What several have made of the time of a commit."""

    def __init__(self, parts: Sequence[Made]) -> None:
        self._parts = parts
        self.tables = [table for part in parts for table in part.tables]

    def batches(self, timestamp: int) -> Batches:
        """Return the cells of all."""
        return join_batches([part.batches(timestamp) for part in self._parts])


def _joined(changed: Changed, added: Sequence[Observed]) -> Made | None:
    own = () if changed.made is None else (changed.made,)
    parts = [*own, *(one.made for one in added if one.made is not None)]
    return _JoinedMade(parts) if len(parts) > 1 else next(iter(parts), None)


def _write_conditions(
    stored: StoredGraph, added: Sequence[Observed], authorizations: Authorizations | All
) -> None:
    for one in added:
        for table, mutations in one.conditions.items():
            outcomes = stored.engine.conditional_write(
                table, mutations, authorizations=authorizations
            )
            if any(outcome is not Outcome.ACCEPTED for outcome in outcomes):
                raise Conflict(
                    "another writer changed what this write depends on",
                    hint="Nothing of this write was stored. Try again.",
                )
