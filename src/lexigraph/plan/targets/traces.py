"""All that is stored about some vertices, and what still mentions them: for an erasure.

Layer ``plan``, for the owner alone. Reads raw cells under every label, so that what a rule hides
is found too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.ranges import Range
from lexigraph.codec import Codec
from lexigraph.codec.selfdescribing import ANY
from lexigraph.errors import InvalidValue
from lexigraph.index.erasing import erase_entries
from lexigraph.keyplan import StoredElement
from lexigraph.layout import Wanted
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.write.changes import Delete
from lexigraph.layout.write.removal.erasing import ErasedColumns
from lexigraph.layout.write.writer import Writer
from lexigraph.plan.keys import Keys
from lexigraph.plan.targets.record_traces import RecordTraces

_MIN_SEARCHED = 4
"""Shorter ids are not looked for in other cells: their bytes would be found by chance."""


class Traces:
    """What the tables of a graph hold about some vertices, each given once."""

    def __init__(
        self, stored: StoredGraph, vertices: Sequence[Any], edges: Sequence[Any] = ()
    ) -> None:
        self._stored, self._vertices = stored, vertices
        self._records: RecordTraces | None = None
        if stored.records is not None:
            self._records = RecordTraces(
                stored.engine, stored.records, stored.streams, vertices, edges
            )
        self._asked, self._codec = self._find_asked(vertices)
        self._there: set[bytes] = set()
        fitting = list(self._asked.values())
        self._places = self._find_places(fitting) if fitting else []
        self.patterns = self._find_patterns(vertices, fitting)
        """The bytes by which they may be mentioned anywhere."""

    @property
    def present(self) -> int:
        """How many of the vertices something was found about."""
        there = {id(one) for key, one in self._asked.items() if key in self._there}
        if self._records is not None:
            there |= {id(one) for one in self._vertices if self._records.has(one)}
        return len(there)

    @property
    def absent(self) -> int:
        """How many of the vertices nothing was found about."""
        return len(self._vertices) - self.present

    def find_records(self) -> ErasedColumns:
        """Return the columns of records to erase."""
        return ErasedColumns() if self._records is None else self._records.find()

    def find(self, writer: Writer) -> None:
        """Give a writer all elements to delete; a time in the future is UnsupportedError."""
        for table, ranges in self._places:
            decode = self._stored.plan_in(table).decode
            for batch in self._stored.engine.read_raw(table, ranges):
                for cell in batch:
                    element = decode(cell)
                    if element is not None:
                        self._there.update(self._ends(element))
                        writer.take(Delete(element))

    def erase_entries(self) -> None:
        """Delete what indexes still hold about the vertices."""
        if self._asked:
            erase_entries(self._stored, self._asked.keys(), self._codec.encode)

    def count_mentions(self) -> int | None:
        """Count the cells that hold the bytes of an id; ``None`` if all ids are too short."""
        searched = [one for one in self.patterns if len(one) >= _MIN_SEARCHED]
        if not searched:
            return None
        return sum(
            _mentions(batch, searched)
            for table in self._stored.all_tables()
            for batch in self._stored.engine.read_raw(table, [Range()])
        )

    def _ends(self, element: StoredElement) -> Iterator[bytes]:
        for one in (element.vertex, element.source, element.destination):
            if one is not None:
                yield self._codec.encode(one)

    def _find_asked(self, vertices: Sequence[Any]) -> tuple[dict[bytes, Any], Codec[Any]]:
        """Return the vertices that summaries can have, by key: records may have other ids."""
        stored = self._stored
        if not stored.layout.schema.groups:
            return {}, ANY
        codec = Keys(stored.layout).vertex_codec
        found: dict[bytes, Any] = {}
        for one in vertices:
            with suppress(*(() if stored.records is None else (InvalidValue,))):
                found[codec.encode(one)] = one
        return found, codec

    def _find_places(self, vertices: Sequence[Any]) -> list[tuple[str, Sequence[Range]]]:
        wanted = Wanted(frozenset(self._stored.layout.schema.groups))
        tables: dict[str, list[Range]] = {}
        for place in self._stored.layout.around(vertices, wanted):
            tables.setdefault(self._stored.tables[place.table], []).extend(place.ranges)
        return [(table, Range.merge(ranges)) for table, ranges in tables.items()]

    def _find_patterns(self, vertices: Iterable[Any], fitting: Iterable[Any]) -> list[bytes]:
        layout = self._stored.layout
        held = (getattr(layout.part_of(name), "ends", None) for name in layout.schema.groups)
        written = {ends.fixed: ends for ends in held if ends is not None}.values()
        found = set() if self._records is None else self._records.patterns
        found |= {vertex.encode() for vertex in vertices if isinstance(vertex, str)}
        for vertex in fitting:
            for ends in written:
                found |= {ends.key(vertex), ends.encode(vertex)}
        return sorted(one for one in found if one)


def _mentions(batch: CellBatch, patterns: Sequence[bytes]) -> int:
    whole = b"".join(bytes(column.data) for column in (batch.row, batch.qualifier, batch.value))
    if not any(pattern in whole for pattern in patterns):
        return 0
    return sum(
        any(pattern in part for pattern in patterns for part in (cell.row, cell[2], cell.value))
        for cell in batch
    )
