"""Reading records: ranges of rows become assembled elements, as the reader of a scope sees them.

Layer ``plan``. The one place where facts are assembled for questions: as whom and as of when is
said by the scope, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.ranges import Range
from lexigraph.layout.records.assembling.assembler import assemble
from lexigraph.layout.records.assembling.native import assemble_cells
from lexigraph.layout.records.cells import read_facts
from lexigraph.layout.records.elements import RecordElement
from lexigraph.layout.records.facts import AnyFact
from lexigraph.layout.records.reading import FetchHints, RecordReading
from lexigraph.layout.records.rows import EDGES
from lexigraph.layout.records.tables import RecordTables
from lexigraph.plan.branches.cells import BATCH_CELLS, read_batches
from lexigraph.plan.branches.scans import TableScan
from lexigraph.plan.scope import Scope
from lexigraph.store import ScanSpec


@dataclass(slots=True)
class RecordScan:
    """One scan of records, for explanations: where it reads, and how many cells it has read."""

    what: str
    table: str
    ranges: int
    families: tuple[str, ...]
    cells: int = 0


@dataclass(slots=True)
class RecordReader:
    """Reads records of one graph at one moment."""

    tables: RecordTables
    scope: Scope
    scans: list[RecordScan] = field(default_factory=list)
    """The scans so far."""
    keeps_scans: bool = False
    """Whether it notes them, for explanations."""

    def read(
        self,
        what: str,
        table: str,
        ranges: Sequence[Range],
        hints: FetchHints,
        batch_cells: int = BATCH_CELLS,
    ) -> Iterator[RecordElement]:
        """Yield the records of some rows, in the order of rows."""
        if not ranges:
            return iter(())
        families = hints.families if table == EDGES else _families(hints, what)
        batches = self.batches(what, table, ranges, families, batch_cells)
        scope = self.scope
        reading = reading_of(self.tables, scope, hints)
        if not self.tables.keeps_less:
            return assemble_cells(self.tables.rows, table, batches, reading)
        facts = read_facts(self.tables.rows, table, chain.from_iterable(batches))
        return assemble(self.tables.retained(facts, scope.time), reading)

    def facts(
        self, what: str, table: str, ranges: Sequence[Range], families: tuple[bytes, ...] = ()
    ) -> Iterator[AnyFact]:
        """Yield the facts of some rows, all versions that are kept."""
        cells = chain.from_iterable(self.batches(what, table, ranges, families))
        return self.tables.retained(read_facts(self.tables.rows, table, cells), self.scope.time)

    def batches(
        self,
        what: str,
        table: str,
        ranges: Sequence[Range],
        families: tuple[bytes, ...],
        batch_cells: int = BATCH_CELLS,
    ) -> Iterator[CellBatch]:
        """Yield the cells that the reader may see, in batches."""
        scope = self.scope
        spec = ScanSpec(
            ranges=ranges,
            columns=[(family, None) for family in families],
            authorizations=scope.authorizations,
            now=scope.now,
        )
        name = self.tables.names[table]
        batches = read_batches(TableScan(name, spec), scope, batch_cells)
        if not self.keeps_scans:
            return batches
        noted = RecordScan(what, name, len(ranges), tuple(one.decode() for one in families))
        self.scans.append(noted)
        return _counted(batches, noted)


def reading_of(tables: RecordTables, scope: Scope, hints: FetchHints) -> RecordReading:
    """Return as whom, as of when and when records are read."""
    now = scope.time if tables.expires else None
    return RecordReading(scope.authorizations, scope.as_of, hints, now)


def _families(hints: FetchHints, what: str) -> tuple[bytes, ...]:
    if what == REFERENCES:
        return hints.reference_families
    return (*hints.families, *hints.reference_families)


REFERENCES, OWN_ROWS, EDGE_ROWS = "references", "vertices", "edge rows"
"""What scans of records are for."""


def _counted(batches: Iterable[CellBatch], noted: RecordScan) -> Iterator[CellBatch]:
    for batch in batches:
        noted.cells += len(batch)
        yield batch
