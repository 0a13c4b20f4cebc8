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

from lexigraph.codec import Codec, codec_for
from lexigraph.codec.selfdescribing import ANY
from lexigraph.errors import Conflict, InvalidValue, UsageError
from lexigraph.graph.read.seeds import ids_in
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.stored.indexes import BUILDING
from lexigraph.layout.write.removal.erasing import erase_cells
from lexigraph.layout.write.sinks import Commit
from lexigraph.layout.write.writer import Writer
from lexigraph.plan import Keys
from lexigraph.plan.logical.elements import EdgeSeed
from lexigraph.plan.targets.traces import Traces
from lexigraph.schema.keys import misfit
from lexigraph.security import ALL
from lexigraph.store.reports import Purged

_TRIES = 20

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
    """How many of each group; a record counts under every label that it ever had and that
    its history still says."""
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
        # Where there are records, their ids may be of more kinds than those of summaries.
        records = stored.records
        if records is not None:
            self._codec: Codec[Any] = codec_for(records.rows.vertex_codec)
        else:
            self._codec = Keys(stored.layout).vertex_codec
        # Only the owner sees every label.
        self._engine.check_granted(ALL)

    def erase(self, vertices: Sequence[Any], edges: Iterable[Any] = ()) -> EraseReport:
        """Erase them; Locked, with nothing deleted, if anybody else has the store open.

        ``edges`` are ids of edges that are records.
        """
        given: list[EdgeSeed] = []
        asked = {self._encode(one): one for one in ids_in(vertices, given)}
        vertices, ids = list(asked.values()), self._edge_ids(edges)
        if given:
            raise UsageError(
                "an edge cannot be erased by itself, unless it is a record",
                hint="Erase one of its ends, by its id. If the edge is a record, pass its id: "
                "graph.admin.erase(edges=[7]).",
            )
        if not vertices and not ids:
            raise UsageError("no vertex to erase", hint="Write graph.admin.erase('ann').")
        traces = Traces(self._stored, vertices, ids)
        self._check_built()
        self._engine.check_alone()
        self._stored.finish_merges()
        found: Counter[str] = Counter()
        elements = cells = 0
        for _ in range(_TRIES):
            writer = Writer(self._stored, Commit(self._stored, ALL))
            traces.find(writer)
            records = traces.find_records()
            if not writer.doomed.keys:
                # Entries of elements that a merge removed.
                traces.erase_entries()
            # Files first: as long as cells refer to them, an erasure that ended is called again.
            self._stored.streams.remove_files(records.streams)
            erase_cells(self._stored, writer.doomed, records)
            if not writer.doomed.keys and not records:
                break
            found.update(writer.doomed.groups)
            found.update(records.groups)
            elements += writer.doomed.count + records.elements
            cells += writer.doomed.columns + len(records)
        else:
            raise Conflict(
                "other writers keep adding elements of the vertices to erase",
                hint="Stop these writers, and call erase again.",
            )
        purged = self._engine.purge(self._stored.needed_tables(), traces.patterns)
        mentions = traces.count_mentions()
        return EraseReport(
            vertices=traces.present,
            absent=traces.absent,
            deleted=elements,
            groups=dict(sorted(found.items())),
            cells=cells,
            splits=purged.splits,
            mentions=mentions,
            size_bytes=purged.size_bytes,
            unreached=tuple(self._unreached(purged, mentions)),
        )

    def _check_built(self) -> None:
        """Raise Conflict while others may add entries of elements that they read before."""
        indexes = self._stored.indexes.now(self._stored).indexes
        building = [one.name for one in indexes if one.state == BUILDING]
        if building and not self._engine.capabilities.transactions:
            raise Conflict(
                f"an index is being built: {', '.join(building)}",
                hint="Wait for it. If nobody builds it, drop it or create it again.",
            )

    def _edge_ids(self, edges: Iterable[Any]) -> list[Any]:
        if isinstance(edges, str | bytes) or not isinstance(edges, Iterable):
            raise UsageError(
                f"edges= takes a list of ids of edges, not {edges!r}",
                hint="Write graph.admin.erase(edges=[7]).",
            )
        found = {ANY.encode(one): one for one in edges}
        if found and self._stored.records is None:
            raise UsageError(
                f"graph {self._stored.name!r} has no records, so its edges have no ids",
                hint="Erase one of their ends, by its id.",
            )
        return list(found.values())

    def _encode(self, vertex: Any) -> bytes:
        try:
            return self._codec.encode(vertex)
        except InvalidValue as error:
            if "expected" not in error.context:
                raise
            raise InvalidValue(f"a vertex of this graph: {misfit(error)}") from None

    def _unreached(self, purged: Purged, mentions: int | None) -> Iterator[str]:
        if mentions:
            yield f"cells of other elements that contain the bytes of an id: {mentions}"
        elif mentions is None:
            yield "properties of other elements that mention an id: it is too short to look for"
        yield from _ALWAYS
        if not purged.whole:
            yield from _CLUSTER
