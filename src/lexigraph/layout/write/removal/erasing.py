"""Erasing elements: markers with a note that all tables are to be merged, until nothing is left.

Layer ``layout``. A delete hides and a merge removes cells: each step leaves a right store, so an
erasure that ends half-way is called again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.cells.mutations import MutationBatch
from lexigraph.layout.log.forgetting import forget_log
from lexigraph.layout.observe.changed import Changed
from lexigraph.layout.records.families import EXISTENCE
from lexigraph.layout.stored.catalogue import CATALOGUE
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.stored.pending import LEASE_MICROS, Note
from lexigraph.layout.write.record_commit import DELETED
from lexigraph.layout.write.removal.doomed import Doomed
from lexigraph.layout.write.removal.removing import CHUNK_KEYS
from lexigraph.layout.write.sinks import Commit
from lexigraph.security import ALL
from lexigraph.streaming import StreamingValue


class ErasedColumns:
    """The columns of records that are to be erased, with the elements that they are of."""

    def __init__(self) -> None:
        self._newest: dict[tuple[str, bytes, bytes, bytes, bytes], Cell] = {}
        self.streams: dict[StreamingValue, None] = {}
        """The streaming values that go with them."""
        self.elements = 0
        """How many vertices and edges there were."""
        self.groups: Counter[str] = Counter()
        """How many had each label."""
        self.labels: set[bytes] = set()
        """The visibilities under which they existed."""

    def __len__(self) -> int:
        """Return the number of columns."""
        return len(self._newest)

    def add(self, table: str, cell: Cell) -> None:
        """Take the column of a cell; all its versions up to the newest that was given go."""
        key = (table, cell.row, cell.family, cell.qualifier, cell.visibility)
        if cell.family == EXISTENCE:
            self.labels.add(cell.visibility)
        known = self._newest.get(key)
        if known is None or known.timestamp < cell.timestamp:
            self._newest[key] = cell

    def count(self, labels: Counter[str]) -> None:
        """Count an element with these labels."""
        self.elements += 1
        self.groups += labels

    def parts(self, size: int) -> Iterator[Changed]:
        """Yield the markers, so many at a time.

        Each has the time of the newest version, so that facts of a time to come go too.
        """
        left, counted = iter(self._newest.items()), Counter({DELETED: self.elements})
        while held := list(islice(left, size)):
            tables: dict[str, list[Cell]] = {}
            for (table, *_), cell in held:
                tables.setdefault(table, []).append(cell._replace(deleted=True, value=b""))
            beside = {
                table: MutationBatch(CellBatch.from_cells(cells)) for table, cells in tables.items()
            }
            labels = frozenset(self.labels)
            yield Changed(beside=beside, deleted_count=+counted, erases=True, labels=labels)
            counted.clear()


def erase_cells(stored: StoredGraph, doomed: Doomed, records: ErasedColumns) -> None:
    """Delete elements under every label, and merge all tables of the graph."""
    # What was logged before names them, and what others log until they are gone.
    forget_log(stored)
    note = _mark(stored, doomed, records)
    forget_log(stored)
    for table in stored.needed_tables():
        stored.engine.compact(table)
    stored.pending.remove(note)


def _mark(stored: StoredGraph, doomed: Doomed, records: ErasedColumns) -> Note:
    """Write markers, and the note that all tables are to be merged."""
    commit, pending = Commit(stored, ALL), stored.pending
    tables: dict[str, None] = dict.fromkeys(stored.all_tables())
    if stored.engine.capabilities.transactions:
        note = Note(tables)
        if doomed.keys or records:
            changed = _erased(doomed)
            for marks in records.parts(len(records)):
                changed.beside |= marks.beside
                changed.deleted_count += marks.deleted_count
                changed.labels |= marks.labels
            changed.beside[CATALOGUE] = pending.write_note(note).batch()
            commit.store(changed)
        return note
    note = Note(tables, until=stored.engine.now() + LEASE_MICROS)
    if doomed.keys or records:
        pending.store(note)
    for keys in doomed.parts(CHUNK_KEYS):
        commit.store(_erased(keys))
    for changed in records.parts(CHUNK_KEYS):
        commit.store(changed)
    return note


def _erased(doomed: Doomed) -> Changed:
    changed = doomed.changed()
    labels = set[bytes]().union(*(batch.labels() for batch in changed.deleted.values()))
    changed.erases, changed.labels = True, frozenset(labels)
    return changed
