"""Merges that deletes still owe: noted together with the delete, done before the next write.

Layer ``layout``. In a group with ``lg.timestamp()``, a delete marker also hides what is added later
with an older time, until a merge of its rows has removed it. A note in the catalogue says so from
the moment that the marker is there, so a process that ends between the two hides nothing: every
writer does what is noted before it writes.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

from lexigraph.errors import Authorization, TableNotFound
from lexigraph.layout.stored.catalogue import CATALOGUE
from lexigraph.store import Cell, Engine, Mutations, Range
from lexigraph.store.operators import RowReader

LEASE_MICROS = 600_000_000
"""How long nobody else removes the note of a delete that is stored row by row: it may still run."""
MAX_SPANS = 100
"""How many spans of rows a note lists; beyond it, one span holds them all."""
_MAX_LABELS = 16
_NOTE, _ROWS = b"merge", b"merge-rows"

RowsBetween = tuple[bytes, bytes]
"""Rows from the first to the last, both included."""


@dataclass(frozen=True, slots=True)
class Note:
    """Rows that are to be merged, by table; ``None`` stands for the whole table."""

    spans: Mapping[str, list[RowsBetween] | None]
    labels: frozenset[bytes] = frozenset()
    """The labels of what was deleted: its rows are shown to no other readers."""
    until: int = 0
    """Before this time, in microseconds, the delete may still write markers."""
    id: str = field(default_factory=lambda: uuid4().hex)


class PendingMerges:
    """The notes of one graph."""

    def __init__(self, engine: Engine, graph: str) -> None:
        self._engine, self._row = engine, graph.encode()
        self._reader: RowReader | None = None

    def write_note(self, note: Note) -> Mutations:
        """Return the note as what is to be written to the catalogue."""
        tables = {"tables": list(note.spans), "until": note.until}
        made = Mutations().put(self._row, _NOTE, note.id, json.dumps(tables))
        # Rows hold ids. Readers without the labels of what was deleted merge whole tables instead.
        if len(note.labels) <= _MAX_LABELS:
            rows = {
                table: None if spans is None else [[one.hex() for one in span] for span in spans]
                for table, spans in note.spans.items()
            }
            label = b"&".join(b"(" + one + b")" for one in sorted(note.labels))
            made.put(self._row, _ROWS, note.id, json.dumps(rows), visibility=label)
        return made

    def store(self, note: Note) -> None:
        """Store a note before the delete that it is about."""
        self._engine.write({CATALOGUE: self.write_note(note)})

    def release(self, note: Note) -> None:
        """Store that the delete of a note writes nothing more."""
        self.store(replace(note, until=0))

    def finish(self) -> None:
        """Do all merges that are noted; call it before a write to groups with times."""
        cells = self._cells()
        if not cells:
            return
        notes = _notes(cells)
        for note in notes:
            self.merge(note)
        # Who removed their note could not see them.
        for left in {cell.qualifier.decode() for cell in cells} - {note.id for note in notes}:
            with suppress(Authorization):
                self._remove(left)

    def merge(self, note: Note, *, own: bool = False) -> None:
        """Merge what a note says and remove it, unless the delete of somebody else still runs."""
        for table, spans in note.spans.items():
            try:
                merge_spans(self._engine, table, spans)
            except TableNotFound:
                # The graph was dropped and made again.
                continue
        if own or note.until <= self._engine.now():
            # Who may write elements only leaves the note to others: merging twice changes nothing.
            with suppress(Authorization):
                self._remove(note.id)

    def remove(self, note: Note) -> None:
        """Remove a note whose tables have been merged, if it was stored."""
        self._remove(note.id)

    def forget(self) -> None:
        """Remove all notes: what they are about is gone."""
        self._remove()

    def _remove(self, id: str | None = None) -> None:  # noqa: A002 - what a note calls it
        gone = Mutations()
        for cell in self._cells():
            if id is None or cell.qualifier == id.encode():
                gone.delete(self._row, cell.family, cell.qualifier, visibility=cell.visibility)
        if len(gone):
            self._engine.write({CATALOGUE: gone})

    def _cells(self) -> list[Cell]:
        if self._reader is None:
            columns = [(_NOTE, None), (_ROWS, None)]
            self._reader = self._engine.row_reader(
                CATALOGUE, authorizations=self._engine.grants, columns=columns
            )
        return self._reader.row(self._row)


def _notes(cells: Iterable[Cell]) -> list[Note]:
    rows = {one.qualifier: json.loads(one.value) for one in cells if one.family == _ROWS}
    notes = []
    for cell in cells:
        if cell.family == _NOTE:
            said = json.loads(cell.value)
            known = rows.get(cell.qualifier, {})
            spans = {table: _spans(known.get(table)) for table in said["tables"]}
            notes.append(Note(spans, until=said["until"], id=cell.qualifier.decode()))
    return notes


def _spans(listed: Any) -> list[RowsBetween] | None:
    if listed is None:
        return None
    return [(bytes.fromhex(first), bytes.fromhex(last)) for first, last in listed]


def spans_of(engine: Engine, table: str, rows: Iterable[bytes]) -> list[RowsBetween]:
    """Return the spans to merge so that all these rows are."""
    listed = sorted(rows)
    if not engine.capabilities.row_merges:
        # Whatever the range, its tablets are merged as a whole: so each of them once.
        splits = engine.splits(table)
        listed = sorted({bisect_left(splits, row): row for row in listed}.values())
    if len(listed) <= MAX_SPANS:
        return [(row, row) for row in listed]
    return [(listed[0], listed[-1])]


def merge_spans(engine: Engine, table: str, spans: Iterable[RowsBetween] | None) -> None:
    """Merge rows, so that no marker in them hides what is written with an older time."""
    if spans is None:
        engine.compact(table)
        return
    for first, last in spans:
        engine.compact(table, range=Range.rows(first, last))
