"""Vertices of records by their ids, planned once: the engine assembles their rows.

Layer ``plan``. For questions about vertices that ask for no conditions; the answer is that of the
branch of records, whose steps make the elements.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from lexigraph.layout.records.assembling.native import prepare_records
from lexigraph.layout.records.reading import RecordReading
from lexigraph.layout.records.rows import VERTICES
from lexigraph.plan.records.branch import RecordBranch
from lexigraph.plan.records.found import FoundRecord
from lexigraph.plan.scope import Scope
from lexigraph.plan.sources.seeds import SeedSet
from lexigraph.store.operators import AssembledReader, Declined, ReadRecords

_OWN = b"\x01"


class FoundValues(NamedTuple):
    """Vertices in key order, and a column of values for each property that was asked for."""

    vertices: list[Any]
    columns: list[list[Any]]


@dataclass(frozen=True, slots=True)
class VertexLookup:
    """Reads vertices by their ids, as the scope that it was planned for; each call reads anew."""

    records: RecordBranch
    scope: Scope
    reader: AssembledReader

    def find(self, ids: Iterable[Any]) -> Iterator[FoundRecord]:
        """Yield the vertices of the answer, in key order, each once."""
        part = self.records.tables.rows.vertex_part
        rows = sorted({part(one) + _OWN for one in ids})
        for one in self.reader.rows(rows, snapshot=self.scope.snapshot):
            found = self.records.shown_vertex(one)
            if found is not None:
                yield found

    def find_one(self, vertex: Any) -> FoundRecord | None:
        """Return one vertex, or ``None`` if the reader sees none."""
        row = self.records.tables.rows.vertex_part(vertex) + _OWN
        for one in self.reader.rows((row,), snapshot=self.scope.snapshot):
            return self.records.shown_vertex(one)
        return None

    def values(self, vertices: Iterable[Any], names: Sequence[str]) -> FoundValues | None:
        """Return properties of vertices by column; ``None`` if elements have to be read."""
        groups, codec = self.records.vertex_groups, self.records.tables.vertex_codec
        label = groups[0].label if len(groups) == 1 else None
        # The engine reads rows without a look at the clock.
        if label is None or self.scope.timeout_s is not None or not groups[0].shows_plain(names):
            return None
        seeds = vertices if isinstance(vertices, SeedSet) else SeedSet(vertices, codec)
        if seeds.codec.name != codec.name:
            return None
        ids, snapshot = list(seeds), self.scope.snapshot
        places, columns, several = self.reader.vertex_values(
            seeds.keys, label, names, snapshot=snapshot
        )
        found = [ids[place] for place in places], columns
        if several:
            found = self._with_several(ids, several, *found, names)
        defaults = [groups[0].defaults.get(name) for name in names]
        return FoundValues(found[0], list(map(_filled, found[1], defaults)))

    def _with_several(
        self,
        ids: list[Any],
        several: list[int],
        single: list[Any],
        columns: list[list[Any]],
        names: Sequence[str],
    ) -> tuple[list[Any], list[list[Any]]]:
        """Add vertices that have several values of a name, of which they show the newest."""
        order = {self._key(one): place for place, one in enumerate(ids)}
        rows = list(zip(single, *columns, strict=True))
        for one in self.find([ids[place] for place in several]):
            held = one.properties
            rows.append((one.vertex, *(held.get(name) for name in names)))
        rows.sort(key=lambda row: order[self._key(row[0])])
        turned = [list(column) for column in zip(*rows, strict=True)]
        return (turned[0], turned[1:]) if turned else (single, columns)

    def _key(self, vertex: Any) -> bytes:
        return self.records.tables.rows.vertex_part(vertex)


def prepare_lookup(records: RecordBranch, scope: Scope) -> VertexLookup | Declined:
    """Prepare the engine to read vertices by their ids, or return why it does not."""
    reason = _keeps_from_rows(records, scope)
    if reason is not None:
        return Declined(reason)
    tables, hints = records.tables, records.vertex_hints
    reading = RecordReading(scope.authorizations, scope.as_of, hints)
    prepared, why = prepare_records(tables.rows, VERTICES, reading)
    if prepared is None:
        return Declined(why or "the native module does not read these records")
    operator = ReadRecords(tables.names[VERTICES], prepared, hints.families, scope.authorizations)
    reader = scope.engine.prepare(operator, snapshot=scope.snapshot)
    return reader if isinstance(reader, Declined) else VertexLookup(records, scope, reader)


def _keeps_from_rows(records: RecordBranch, scope: Scope) -> str | None:
    if scope.sees_nothing:
        return "the reader sees nothing of it"
    if records.tables.expires:
        # What is planned once may be read at many times.
        return "times to live are judged in the client"
    if records.tables.keeps_less:
        return "a history that keeps less than everything is judged in the client"
    if records.edge_groups:
        return "the question also asks for edges"
    if records.vertex_hints.reference_families:
        return "edges are fetched with their vertices"
    for one in records.vertex_groups:
        if one.predicates or one.calls or one.steps.last:
            return f"conditions on {one.name!r} are judged in the client"
    return None


def _filled(column: list[Any], default: Any) -> list[Any]:
    """Put the default of a property where a vertex has no value."""
    return column if default is None else [default if one is None else one for one in column]
