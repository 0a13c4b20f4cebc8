"""Erasing vertices for good: every cell about them, and the traces that deletes and merges leave.

Layer ``graph``, for the owner alone. A delete hides and a merge removes cells, but bytes of their
keys stay in separators, splits, logs and free pages: an erasure writes the tables anew. Each step
leaves a right store, so an erasure that ends half-way is called again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lexigraph.errors import Conflict, InvalidValue, UsageError
from lexigraph.graph.read.seeds import EdgeSeed, ids_in
from lexigraph.keyplan import Element
from lexigraph.layout import Wanted
from lexigraph.layout.stored.catalogue import CATALOGUE
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.stored.pending import LEASE_MICROS, Note
from lexigraph.layout.write.changes import Delete
from lexigraph.layout.write.doomed import Doomed
from lexigraph.layout.write.removing import CHUNK_KEYS
from lexigraph.layout.write.sinks import Commit
from lexigraph.layout.write.writer import Writer
from lexigraph.plan import Keys
from lexigraph.schema.keys import misfit
from lexigraph.security import ALL
from lexigraph.store import CellBatch, Range
from lexigraph.store.reports import Purged

_TRIES = 20
_MIN_SEARCHED = 4
"""Shorter ids are not looked for in other cells: their bytes would be found by chance."""

_ALWAYS = (
    "backups and other copies of the directory that were made before",
    "sums, sketches and other merged values of other elements that it contributed to",
    "the memory of processes, and blocks of the disk that the file system has freed",
)
_CLUSTER = (
    "write-ahead logs and old files of Accumulo, until its garbage collector has removed them",
    "split points of its tables, which Accumulo keeps in its metadata table",
    "cells under labels that Accumulo did not grant to this user, and cells that a rule hides",
)


@dataclass(frozen=True, slots=True)
class EraseReport:
    """What an erasure removed, and what it could not reach."""

    vertices: int
    """How many of the vertices there was something about: an element, or an edge at it."""
    deleted: int
    """How many elements there were: the vertices and all their edges, under all labels."""
    groups: Mapping[str, int] = field(default_factory=dict)
    """How many of each group."""
    cells: int = 0
    """How many stored columns they had."""
    splits: int = 0
    """How many split points held an id and were removed."""
    mentions: int | None = 0
    """How many cells of other elements still contain the bytes of an id: text or sets that mention
    it. ``None`` if all ids are shorter than 4 bytes, which are not looked for."""
    size_bytes: int | None = None
    """The size of the new file; ``None`` if there is none."""
    absent: int = 0
    """How many vertices there was nothing about."""
    unreached: tuple[str, ...] = ()
    """What may still hold an id, in words."""

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        """Show it as lines for a record of the request."""
        gone = ", ".join(f"{count} {name}" for name, count in self.groups.items()) or "none"
        lines = [f"erased: vertices {self.vertices}, elements {self.deleted} ({gone})"]
        if self.absent:
            lines.append(f"not there: vertices {self.absent}")
        return "\n".join([*lines, *(f"not reached: {one}" for one in self.unreached)])


class Eraser:
    """Erases vertices of one graph."""

    def __init__(self, stored: StoredGraph) -> None:
        self._stored, self._engine = stored, stored.engine
        self._codec = Keys(stored.layout).vertex_codec
        # Only the owner sees every label.
        self._engine.check_granted(ALL)

    def erase(self, vertices: Sequence[Any]) -> EraseReport:
        """Erase them; Locked, with nothing deleted, if anybody else has the store open."""
        edges: list[EdgeSeed] = []
        asked = {self._encode(one): one for one in ids_in(vertices, edges)}
        vertices = list(asked.values())
        if edges:
            raise UsageError(
                "an edge cannot be erased by itself", hint="Erase one of its ends, by its id."
            )
        if not vertices:
            raise UsageError("no vertex to erase", hint="Write graph.admin.erase('ann').")
        places = self._places(vertices)
        there: set[bytes] = set()
        self._engine.check_alone()
        self._stored.finish_merges()
        found: Counter[str] = Counter()
        cells = 0
        for _ in range(_TRIES):
            doomed = self._find(places, there)
            note = self._delete(doomed)
            for table in (*self._stored.tables.values(), CATALOGUE):
                self._engine.compact(table)
            self._stored.pending.remove(note)
            if not doomed.keys:
                break
            found.update(doomed.groups)
            cells += doomed.columns
        else:
            raise Conflict(
                "other writers keep adding elements of the vertices to erase",
                hint="Stop these writers, and call erase again.",
            )
        patterns = self._patterns(vertices)
        purged = self._engine.purge([*self._stored.tables.values(), CATALOGUE], patterns)
        mentions = self._count_mentions(patterns)
        return EraseReport(
            vertices=len(asked.keys() & there),
            absent=len(asked.keys() - there),
            deleted=found.total(),
            groups=dict(sorted(found.items())),
            cells=cells,
            splits=purged.splits,
            mentions=mentions,
            size_bytes=purged.size_bytes,
            unreached=tuple(self._unreached(purged, mentions)),
        )

    def _places(self, vertices: Sequence[Any]) -> list[tuple[str, Sequence[Range]]]:
        wanted = Wanted(frozenset(self._stored.schema.groups))
        tables: dict[str, list[Range]] = {}
        for place in self._stored.layout.around(vertices, wanted):
            tables.setdefault(self._stored.tables[place.table], []).extend(place.ranges)
        return [(table, Range.merge(ranges)) for table, ranges in tables.items()]

    def _find(self, places: Iterable[tuple[str, Sequence[Range]]], there: set[bytes]) -> Doomed:
        """Find all elements, also those that a rule hides; a time in the future is Unsupported.

        ``there`` gets the vertices that they are about.
        """
        writer = Writer(self._stored, Commit(self._stored, ALL))
        for table, ranges in places:
            for batch in self._engine.read_raw(table, ranges):
                for cell in batch:
                    element = self._stored.plan.decode(cell)
                    if element is not None:
                        there.update(self._ends(element))
                        writer.take(Delete(element))
        return writer.doomed

    def _encode(self, vertex: Any) -> bytes:
        try:
            return self._codec.encode(vertex)
        except InvalidValue as error:
            if "expected" not in error.context:
                raise
            raise InvalidValue(f"a vertex of this graph: {misfit(error)}") from None

    def _ends(self, element: Element) -> Iterator[bytes]:
        for one in (element.vertex, element.source, element.destination):
            if one is not None:
                yield self._codec.encode(one)

    def _delete(self, doomed: Doomed) -> Note:
        """Write markers, and the note that all tables are to be merged."""
        engine, pending = self._engine, self._stored.pending
        tables: dict[str, None] = dict.fromkeys(self._stored.tables.values())
        if engine.capabilities.transactions:
            note = Note(tables)
            if doomed.keys:
                batches = doomed.markers()
                batches[CATALOGUE] = pending.write_note(note).batch()
                engine.write(batches, authorizations=ALL)
            return note
        note = Note(tables, until=engine.now() + LEASE_MICROS)
        if doomed.keys:
            pending.store(note)
        for part in doomed.parts(CHUNK_KEYS):
            engine.write(part.markers(), authorizations=ALL)
        return note

    def _patterns(self, vertices: Sequence[Any]) -> list[bytes]:
        ends = getattr(self._stored.layout, "ends", None)
        found: set[bytes] = set()
        for vertex in vertices:
            if isinstance(vertex, str):
                found.add(vertex.encode())
            if ends is not None:
                found |= {ends.key(vertex), ends.encode(vertex)}
        return sorted(one for one in found if one)

    def _count_mentions(self, patterns: Iterable[bytes]) -> int | None:
        searched = [one for one in patterns if len(one) >= _MIN_SEARCHED]
        if not searched:
            return None
        return sum(
            _mentions(batch, searched)
            for table in self._stored.tables.values()
            for batch in self._engine.read_raw(table, [Range()])
        )

    def _unreached(self, purged: Purged, mentions: int | None) -> Iterator[str]:
        if mentions:
            yield f"cells of other elements that contain the bytes of an id: {mentions}"
        elif mentions is None:
            yield "properties of other elements that mention an id: it is too short to look for"
        yield from _ALWAYS
        if not purged.whole:
            yield from _CLUSTER


def _mentions(batch: CellBatch, patterns: Sequence[bytes]) -> int:
    whole = b"".join(bytes(column.data) for column in (batch.row, batch.qualifier, batch.value))
    if not any(pattern in whole for pattern in patterns):
        return 0
    return sum(
        any(pattern in part for pattern in patterns for part in (cell.row, cell[2], cell.value))
        for cell in batch
    )
