"""The writer of records: changes in, cells out.

Layer ``layout``. Section 6 of ``spec/facts.md``. Nobody else makes facts of records. Changes of one
commit see each other and are judged when they are taken; what they write is dated when the commit
has a time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.cells.mutations import MutationBatch
from lexigraph.codec.selfdescribing import ANY
from lexigraph.errors import UsageError, show
from lexigraph.layout.records.cells import read_facts, write_cell
from lexigraph.layout.records.fact_reader import FactReader
from lexigraph.layout.records.facts import AnyFact
from lexigraph.layout.records.groups import RecordGroups
from lexigraph.layout.records.rows import EDGES, VERTICES, RecordRows
from lexigraph.layout.records.subjects import EdgeSubject
from lexigraph.layout.records.under import adding as rows_added
from lexigraph.layout.records.under import ending as rows_ended
from lexigraph.layout.records.under.changes import DeleteRows, PutRows
from lexigraph.layout.records.write import adding, deleting, hiding, moving, values
from lexigraph.layout.records.write import changes as kinds
from lexigraph.layout.records.write.pending import PendingRecords
from lexigraph.layout.records.write.report import RecordReport
from lexigraph.layout.records.write.rows import FactMarker, PendingRow
from lexigraph.layout.records.write.static import check_static
from lexigraph.layout.streams.placing import StreamPlace
from lexigraph.security import All, Authorizations
from lexigraph.streaming import StreamingValue

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
    PutRows: rows_added.put_rows,
    DeleteRows: rows_ended.delete_rows,
}


_OwnAndBeside = tuple[PendingRow, list[AnyFact], list[AnyFact]]


class WrittenRow(NamedTuple):
    """What a commit writes to the row of a vertex or edge itself."""

    row: PendingRow
    facts: list[AnyFact]
    cells: list[Cell]


_WrittenRows = list[WrittenRow]


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
        place: StreamPlace | None = None,
        *,
        logged: bool = False,
    ) -> None:
        self._rows = rows
        self.removed_streams: list[tuple[StreamingValue, bytes]] = []
        """Streaming values that what was made last removes for good, with their visibilities."""
        self.records = PendingRecords(rows, reader, caller, groups, place, logged=logged)
        """Reads what is stored, with what is not written yet on top."""
        self._last: tuple[int, _WrittenRows] | None = None

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
            check_static(self.records, change)
            take(self.records, change)
        self._last = None

    @property
    def removes(self) -> bool:
        """Whether anything is removed for good."""
        return any(row.removes for row in self.records.changed)

    def facts(self, commit: int) -> list[AnyFact]:
        """Return the facts that a commit of this time writes."""
        self.records.whole_rows()
        written, _ = self._written(commit)
        facts = [fact for _, own, beside in written for fact in (*own, *beside)]
        for table in (EDGES, VERTICES):
            facts += read_facts(self._rows, table, self.records.cells.cells(table, commit))
        return facts

    def written(self, commit: int) -> list[WrittenRow]:
        """Return the same by the rows of vertices and edges, with the cells, for a log."""
        if self._last is None or self._last[0] != commit:
            self.cells(commit)
        assert self._last is not None
        return self._last[1]

    def cells(self, commit: int) -> dict[str, MutationBatch]:
        """Return the cells of a commit of this time by table, and markers for what is removed."""
        written, markers = self._written(commit)
        tables: dict[str, list[Cell]] = {}
        held: list[WrittenRow] = []
        for row, own, beside in written:
            cells = [write_cell(self._rows, fact) for fact in own]
            tables.setdefault(self._rows.table_of(row.subject), []).extend(cells)
            held.append(WrittenRow(row, own, cells))
            for fact in beside:
                tables.setdefault(VERTICES, []).append(write_cell(self._rows, fact))
        for fact, time in markers:
            cell = write_cell(self._rows, fact)._replace(timestamp=time, deleted=True, value=b"")
            tables.setdefault(self._rows.table_of(fact.subject), []).append(cell)
        batches = {table: [CellBatch.from_cells(cells)] for table, cells in tables.items()}
        for table, batch in self.records.cells.batches(commit).items():
            batches.setdefault(table, []).append(batch)
        self._last = commit, held
        # The row of an edge comes before its references, if not all is written at once.
        parts = {
            table: [MutationBatch(CellBatch.concat(several))] for table, several in batches.items()
        }
        for one in self.records.ready:
            parts.setdefault(VERTICES, []).append(one.cells)
        return {
            table: MutationBatch.concat(parts[table])
            for table in (EDGES, VERTICES)
            if table in parts
        }

    def _written(self, commit: int) -> tuple[list[_OwnAndBeside], list[FactMarker]]:
        """Return for each row its own facts and those of references, and all markers."""
        found: list[_OwnAndBeside] = []
        markers: list[FactMarker] = []
        self.removed_streams = []
        for row in self.records.changed:
            written, marked = row.written(commit)
            self.removed_streams += row.removed_streams(written)
            markers += marked
            references: list[AnyFact] = []
            if isinstance(row.subject, EdgeSubject):
                changed, beside = self.records.references_of.changed(
                    row.subject.id, row.stored, written, marked
                )
                references = [one for held in changed.values() for one in held]
                markers += beside
            found.append((row, written, references))
        return found, markers
