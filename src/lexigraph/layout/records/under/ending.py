"""Deleting rows of tables under an element, and what an element's delete means for them.

Layer ``layout``. Rows end with their element by one mark, without being touched. Only those whose
element lives on for somebody, or that go for good, are ended one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import TYPE_CHECKING, Any

from lexigraph.layout.records.assembling.assembler import column_of
from lexigraph.layout.records.assembling.versions import judge
from lexigraph.layout.records.facts import FactState, ValueFact
from lexigraph.layout.records.subjects import RowSubject
from lexigraph.layout.records.under.changes import DeleteRows
from lexigraph.layout.records.under.judging import ended_before

if TYPE_CHECKING:
    from lexigraph.layout.records.subjects import EdgeSubject, VertexSubject
    from lexigraph.layout.records.write.changes import DeleteElement
    from lexigraph.layout.records.write.pending import PendingRecords
    from lexigraph.layout.records.write.rows import PendingRow


def delete_rows(records: PendingRecords, change: DeleteRows) -> None:
    """Delete what the caller can read of some rows, or of a whole table."""
    view = records.view(change.subject)
    if not (view.allowed if change.hard else view.seen):
        return
    mark = RowSubject.mark_of(change.subject)
    [*marked] = records.rows_under([change.subject], mark.table, [mark.row])
    before = ended_before((one for row in marked for one in row.facts(records.now)), None)

    def is_meant(fact: ValueFact) -> bool:
        return (
            change.column in (None, fact.name)
            and change.key in (None, fact.key)
            and change.visibility in (None, fact.visibility)
            and (change.hard or view.covers_cell(fact, before))
        )

    for row in records.rows_under([change.subject], change.table, change.rows):
        records.report.deleted_rows += _end_cells(records, row, is_meant, change)


def end_with(
    records: PendingRecords,
    ended: Iterable[VertexSubject | EdgeSubject],
    change: DeleteElement,
    visibility: bytes | None,
) -> None:
    """End the rows under elements that a change has ended, as far as the caller can read them."""

    def is_meant(fact: ValueFact) -> bool:
        return visibility in (None, fact.visibility)

    subjects = list(ended)
    if not subjects:
        return
    # What this commit adds would be as new as an element that it adds again.
    for row in records.rows_under(subjects, stored=False):
        if not row.is_mark:
            _end_cells(records, row, is_meant, change, hard=False)
    lives = [one for one in subjects if records.view(one).lives]
    state = FactState.REMOVED if change.hard else FactState.DELETED
    records.end_rows([one for one in subjects if one not in lives], state, change.time)
    left = subjects if change.hard else lives
    for row in records.rows_under(left) if left else ():
        if not row.is_mark:
            _end_cells(records, row, is_meant, change)


def _end_cells(
    records: PendingRecords,
    row: PendingRow,
    is_meant: Callable[[ValueFact], bool],
    change: Any,
    *,
    hard: bool | None = None,
) -> bool:
    """End the cells of a row that are meant and readable; return whether there were any."""
    hard, found = change.hard if hard is None else hard, False
    for _, versions in groupby(row.facts(records.now), key=column_of):
        listed = list(versions)
        judged = judge(listed, None)
        # A hard delete also removes what ended before.
        one = judged.newest if hard else judged.said
        if not isinstance(one, ValueFact) or not records.reads(one) or not is_meant(one):
            continue
        records.check_time(one, change.time)
        state = FactState.REMOVED if hard else FactState.DELETED
        row.end(one, state, change.time, note=change.note)
        found = found or judged.said is not None
    return found
