"""The writer of records: changes in, cells out.

Layer ``layout``. Section 6 of ``spec/facts.md``. Nobody else makes facts of records. Changes of one
commit see each other and are judged when they are taken; what they write is dated when the commit
has a time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.cells.mutations import MutationBatch
from lexigraph.codec.selfdescribing import ANY
from lexigraph.errors import UsageError, show
from lexigraph.layout.records.cells import write_cell
from lexigraph.layout.records.fact_reader import FactReader
from lexigraph.layout.records.facts import AnyFact
from lexigraph.layout.records.groups import RecordGroups
from lexigraph.layout.records.rows import EDGES, VERTICES, RecordRows
from lexigraph.layout.records.subjects import EdgeSubject
from lexigraph.layout.records.write import adding, deleting, hiding, moving, values
from lexigraph.layout.records.write import changes as kinds
from lexigraph.layout.records.write.pending import PendingRecords
from lexigraph.layout.records.write.report import RecordReport
from lexigraph.layout.records.write.rows import FactMarker
from lexigraph.security import All, Authorizations

_TAKEN: dict[type[Any], Callable[[PendingRecords, Any], None]] = {
    kinds.AddVertex: adding.add_vertex,
    kinds.AddVertices: adding.add_vertices,
    kinds.AddEdge: adding.add_edge,
    kinds.PutValue: values.set_value,
    kinds.AppendValue: values.set_value,
    kinds.DeleteValues: values.delete_values,
    kinds.SetMetadata: values.set_metadata,
    kinds.MoveElement: moving.move_element,
    kinds.MoveValue: moving.move_value,
    kinds.AddLabel: moving.add_label,
    kinds.DeleteLabel: deleting.delete_label,
    kinds.Relabel: moving.relabel,
    kinds.Hide: hiding.hide,
    kinds.Show: hiding.show,
    kinds.HideValue: hiding.hide_value,
    kinds.ShowValue: hiding.hide_value,
    kinds.DeleteElement: deleting.delete_element,
    kinds.Require: hiding.require,
    kinds.Release: hiding.require,
}


class RecordWriter:
    """Makes the cells of one commit. A change that is refused raises and writes nothing.

    >>> from lexigraph.layout.records.fact_reader import MemoryFacts
    >>> from lexigraph.security import ALL
    >>> rows = RecordRows("str")
    >>> writer = RecordWriter(rows, MemoryFacts(rows), ALL, RecordGroups("str"))
    >>> writer.take(kinds.AddVertex(id="ann", labels=("Person",)))
    >>> [cell.family for cell in writer.cells(7)["vertices"].cells]
    [b'e', b'l']
    """

    def __init__(
        self,
        rows: RecordRows,
        reader: FactReader,
        caller: Authorizations | All,
        groups: RecordGroups,
    ) -> None:
        self._rows = rows
        self.records = PendingRecords(rows, reader, caller, groups)
        """Reads what is stored, with what is not written yet on top."""

    @property
    def report(self) -> RecordReport:
        """What the changes did, in numbers."""
        return self.records.report

    def take(self, change: kinds.RecordChange) -> None:
        """Take a change, after those that were taken before: all of it, or an error and nothing."""
        take = _TAKEN.get(type(change))
        if take is None:
            raise UsageError(f"a change of records is needed, not {show(change)}")
        note = getattr(change, "note", None)
        if note is not None:
            ANY.encode_value(note)
        with self.records.whole_change():
            take(self.records, change)

    def facts(self, commit: int) -> list[AnyFact]:
        """Return the facts that a commit of this time writes."""
        self.records.whole_rows()
        return self._written(commit)[0]

    def cells(self, commit: int) -> dict[str, MutationBatch]:
        """Return the cells of a commit of this time by table, and markers for what is removed."""
        facts, markers = self._written(commit)
        tables: dict[str, list[Cell]] = {}
        for fact in facts:
            cell = write_cell(self._rows, fact)
            tables.setdefault(self._rows.table_of(fact.subject), []).append(cell)
        for fact, time in markers:
            cell = write_cell(self._rows, fact)._replace(timestamp=time, deleted=True, value=b"")
            tables.setdefault(self._rows.table_of(fact.subject), []).append(cell)
        # The row of an edge comes before its references, if not all is written at once.
        parts = {
            table: [MutationBatch(CellBatch.from_cells(cells))] for table, cells in tables.items()
        }
        for one in self.records.ready:
            parts.setdefault(VERTICES, []).append(one.cells)
        return {
            table: MutationBatch.concat(parts[table])
            for table in (EDGES, VERTICES)
            if table in parts
        }

    def _written(self, commit: int) -> tuple[list[AnyFact], list[FactMarker]]:
        facts: list[AnyFact] = []
        markers: list[FactMarker] = []
        for row in self.records.changed:
            written, marked = row.written(commit)
            facts += written
            markers += marked
            if isinstance(row.subject, EdgeSubject):
                found, beside = self.records.references_of.changed(
                    row.subject.id, row.stored, written, marked
                )
                facts += [one for held in found.values() for one in held]
                markers += beside
        return facts, markers
