"""Removing elements: delete markers in one commit, or row by row, and the merges that they ask for.

Layer ``layout``. In a group with times of its own, a marker also hides what is added later with an
older time. So a note is stored with the markers, and what it says is merged once they are there.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import replace

from lexigraph.errors import LexigraphError
from lexigraph.layout.observe.changed import Changed
from lexigraph.layout.stored.catalogue import CATALOGUE
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.stored.pending import LEASE_MICROS, Note, spans_of
from lexigraph.layout.write.removal.doomed import Doomed
from lexigraph.layout.write.removal.doomed_cells import DoomedCells
from lexigraph.layout.write.sinks import Commit
from lexigraph.store.spi import Unchanged

CHUNK_KEYS = 1000
"""How many keys of elements are deleted at once on an engine that stores row by row."""
_LOG = logging.getLogger("lexigraph.graph")


class Removal:
    """Removes the elements that a writer was told to delete."""

    def __init__(self, stored: StoredGraph, doomed: Doomed | DoomedCells) -> None:
        self._stored, self._engine, self._doomed = stored, stored.engine, doomed
        self._note: Note | None = None

    def changed(self) -> Changed:
        """Return the deletes, and the note that belongs to them; ``settle`` after the commit."""
        self._note, changed = self._owed(), self._doomed.changed()
        if self._note is not None:
            changed.beside[CATALOGUE] = self._stored.pending.write_note(self._note).batch()
        return changed

    def commit(self, commit: Commit, if_unchanged: Unchanged) -> int:
        """Remove all of them in one commit; return its time. Conflict if they were changed."""
        timestamp = commit.store(self.changed(), if_unchanged=if_unchanged)
        self.settle()
        return timestamp

    def by_row(self, commit: Commit) -> int | None:
        """Remove them some at a time; an error says how many are gone."""
        doomed, pending, now = self._doomed, self._stored.pending, self._engine.now
        assert isinstance(doomed, Doomed)
        note = self._note = self._owed(until=now() + LEASE_MICROS)
        timestamp, gone = None, 0
        try:
            for part in doomed.parts(CHUNK_KEYS):
                if note is not None and (not gone or note.until < now() + LEASE_MICROS // 2):
                    note = replace(note, until=now() + LEASE_MICROS)
                    pending.store(note)
                timestamp = commit.store(part.changed())
                gone += part.count
        except LexigraphError as error:
            if note is not None:
                with suppress(LexigraphError):
                    pending.release(note)
            error.context["deleted"] = gone
            error.hint = (
                f"{gone} of {doomed.count} elements are certainly deleted. "
                f"Call the same delete again to remove the rest. {error.hint}".rstrip()
            )
            raise
        self.settle()
        return timestamp

    def settle(self) -> None:
        """Let elements with older times of their own be added again.

        A marker hides whatever is older than itself, until a merge has taken both away. The delete
        is done already, and the next writer does what is noted: so a failure is only logged.
        """
        if self._note is None:
            return
        try:
            self._stored.pending.merge(self._note, own=True)
        except LexigraphError as error:
            _LOG.warning(
                "graph %s: the merge after a delete was skipped: %s", self._stored.name, error
            )

    def _owed(self, *, until: int = 0) -> Note | None:
        """Return what is to be merged once these are deleted; ``None`` for nothing."""
        rows, labels = self._doomed.late()
        if not rows:
            return None
        spans = {table: spans_of(self._engine, table, held) for table, held in rows.items()}
        return Note(spans, frozenset(labels), until)
