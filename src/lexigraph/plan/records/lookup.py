"""Vertices of records by their ids, planned once: the engine assembles their rows.

Layer ``plan``. For questions about vertices that ask for no conditions; the answer is that of the
branch of records, whose steps make the elements.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from lexigraph.layout.records.assembling.native import prepare_records
from lexigraph.layout.records.reading import RecordReading
from lexigraph.layout.records.rows import VERTICES
from lexigraph.plan.records.branch import RecordBranch
from lexigraph.plan.records.found import FoundRecord
from lexigraph.plan.scope import Scope
from lexigraph.store.operators import AssembledReader, Declined, ReadRecords

_OWN = b"\x01"


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
            yield from self.records.shown_vertices(one)


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
