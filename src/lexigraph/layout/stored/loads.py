"""Notes of writers that do not see new indexes: bulk loads that run, and writers that buffer.

Layer ``layout``. A load writes entries of indexes before its elements are there. As long as its
note says that it may still run, deletes remove no entries, and no index is built: what it loads
would be missing from it. A load that was killed is waited for until its note runs out. Commits
that stay in the memory of their process cannot depend on the catalogue; a writer that makes such
commits leaves a note for ever, which is void if nobody else has the store open.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import uuid4

from lexigraph.layout.table_names import CATALOGUE
from lexigraph.store import Engine, Mutations

LOADS, BUFFERS = b"load", b"buffer"
"""The families of notes, in the row of the graph."""
LEASE_MICROS = 600_000_000
"""How long a note lasts; a load renews its own with each part that it writes."""


@dataclass(slots=True)
class LoadNote:
    """The note of one load."""

    engine: Engine
    row: bytes
    id: str
    until: int = 0

    @staticmethod
    def begin(engine: Engine, graph: str) -> LoadNote:
        """Store a note."""
        note = LoadNote(engine, graph.encode(), uuid4().hex)
        note.renew()
        return note

    def renew(self) -> None:
        """Store that the load goes on, unless the note lasts for long."""
        now = self.engine.now()
        if self.until - now < LEASE_MICROS // 2:
            self.until = now + LEASE_MICROS
            text = str(self.until)
            self.engine.write({CATALOGUE: Mutations().put(self.row, LOADS, self.id, text)})

    def end(self) -> bool:
        """Remove the note; return whether it lasted until now."""
        lasted = self.engine.now() < self.until
        self.engine.write({CATALOGUE: Mutations().delete(self.row, LOADS, self.id)})
        return lasted


def is_running(value: bytes, now: int) -> bool:
    """Return whether a load may still run, by the value of its note."""
    return now < int(value)


def note_buffering(engine: Engine, row: bytes, writer: str) -> None:
    """Store that a writer makes commits which stay in the memory of its process."""
    engine.write({CATALOGUE: Mutations().put(row, BUFFERS, writer)}, durability="sync")


def forget_buffering(engine: Engine, row: bytes, writers: Iterable[bytes]) -> None:
    """Remove the notes of writers that are gone."""
    gone = Mutations()
    for writer in writers:
        gone.delete(row, BUFFERS, writer)
    if len(gone):
        engine.write({CATALOGUE: gone})
