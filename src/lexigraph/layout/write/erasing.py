"""Erasing elements: markers with a note that all tables are to be merged, until nothing is left.

Layer ``layout``. A delete hides and a merge removes cells: each step leaves a right store, so an
erasure that ends half-way is called again.
"""

from __future__ import annotations

from lexigraph.layout.stored.catalogue import CATALOGUE
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.stored.pending import LEASE_MICROS, Note
from lexigraph.layout.write.doomed import Doomed
from lexigraph.layout.write.removing import CHUNK_KEYS
from lexigraph.layout.write.sinks import Commit
from lexigraph.security import ALL


def erase_cells(stored: StoredGraph, doomed: Doomed) -> None:
    """Delete elements under every label, and merge all tables of the graph."""
    note = _mark(stored, doomed)
    for table in stored.needed_tables():
        stored.engine.compact(table)
    stored.pending.remove(note)


def _mark(stored: StoredGraph, doomed: Doomed) -> Note:
    """Write markers, and the note that all tables are to be merged."""
    commit, pending = Commit(stored, ALL), stored.pending
    tables: dict[str, None] = dict.fromkeys(stored.all_tables())
    if stored.engine.capabilities.transactions:
        note = Note(tables)
        if doomed.keys:
            changed = doomed.changed()
            changed.beside[CATALOGUE] = pending.write_note(note).batch()
            commit.store(changed)
        return note
    note = Note(tables, until=stored.engine.now() + LEASE_MICROS)
    if doomed.keys:
        pending.store(note)
    for part in doomed.parts(CHUNK_KEYS):
        commit.store(part.changed())
    return note
