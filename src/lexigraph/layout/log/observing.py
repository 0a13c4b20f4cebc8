"""The observer that writes the log: one entry in each commit of a graph that has cursors.

Layer ``layout``. It looks at what the commit writes and reads nothing: the writer of records looks
at the conditions of what it changes, if there is a log.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lexigraph.cells.mutations import MutationBatch
from lexigraph.errors import Conflict
from lexigraph.layout.log.entries import (
    ADDED,
    DELETED,
    ERASE,
    LOAD,
    RESTORED,
    LogEntry,
    SummaryKeys,
)
from lexigraph.layout.log.rows import entry_cells
from lexigraph.layout.observe.changed import Changed
from lexigraph.layout.observe.context import Context
from lexigraph.layout.observe.contract import Observed, Observer

if TYPE_CHECKING:
    from lexigraph.layout.log.change_log import ChangeLog


class LogObserver(Observer):
    """Writes the log of one graph."""

    def __init__(self, log: ChangeLog) -> None:
        self._log = log

    def observe(self, changed: Changed, context: Context) -> Iterator[Observed]:
        """Yield the entry of a commit; of a load at its end."""
        if changed.of_load:
            return
        self._log.prune_if_due()
        if changed.bulk:
            entry = entry_of(changed, 0)
            yield Observed({self._log.table: entry_cells(entry, None)})
        elif changed.made is not None or changed:
            if changed.made is not None and not changed.made.looked:
                # The writer knows by now, and looks at all when it is asked again.
                raise Conflict("a cursor of changes was made at the same time")
            yield Observed(made=_MadeEntry(self._log, changed))


class _MadeEntry:
    """The entry of one commit, once it has a time."""

    def __init__(self, log: ChangeLog, changed: Changed) -> None:
        self._log, self._changed = log, changed
        self.tables = [log.table]

    def batches(self, timestamp: int) -> dict[str, MutationBatch]:
        """Return its cells."""
        entry = entry_of(self._changed, timestamp)
        if not entry:
            return {}
        made = entry_cells(entry, timestamp)
        self._log.note_written(len(entry), made.cells.size_bytes)
        return {self._log.table: made}


def entry_of(changed: Changed, commit: int) -> LogEntry:
    """Return what a commit of this time changes."""
    if changed.bulk:
        return LogEntry(LOAD, counts=dict(changed.added_count), labels=list(changed.labels))
    if changed.erases:
        return LogEntry(ERASE, counts=dict(changed.deleted_count), labels=list(changed.labels))
    entry = LogEntry()
    for what, held in (
        (DELETED, changed.deleted),
        (ADDED, changed.added),
        (RESTORED, changed.restored),
    ):
        for group, batch in held.items():
            entry.summaries.append(SummaryKeys(group, what, batch.cells))
    if changed.made is not None:
        entry.subjects = changed.made.logged(commit)
    return entry
