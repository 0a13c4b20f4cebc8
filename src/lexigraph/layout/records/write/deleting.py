"""Deleting elements and labels: softly, or for good.

Layer ``layout``. Judged over what the caller can read; the rest stays for those who see it. A soft
delete ends what the caller sees. A hard one removes every version that the caller can read, also of
what ended before, and leaves markers for the engine.
"""

from __future__ import annotations

from collections.abc import Iterable

from lexigraph.layout.records.facts import AnyFact, FactState, LabelFact, ValueFact
from lexigraph.layout.records.subjects import EdgeSubject, VertexSubject
from lexigraph.layout.records.under.ending import end_with
from lexigraph.layout.records.write.changes import DeleteElement, DeleteLabel
from lexigraph.layout.records.write.pending import PendingRecords
from lexigraph.layout.records.write.values import end_value
from lexigraph.layout.records.write.view import RowView


def delete_element(records: PendingRecords, change: DeleteElement) -> None:
    """Delete a vertex with the edges at it that the caller can read, or an edge."""
    subject = change.subject
    ended: list[VertexSubject | EdgeSubject] = []
    if _end(records, subject, change, change.visibility, ended) and isinstance(
        subject, VertexSubject
    ):
        edges = records.seen_edges(subject.id, "delete")
        records.look_at(edges)
        for edge in edges:
            _end(records, edge, change, None, ended)
    end_with(records, ended[:1], change, change.visibility)
    end_with(records, ended[1:], change, None)


def _end(
    records: PendingRecords,
    subject: VertexSubject | EdgeSubject,
    change: DeleteElement,
    visibility: bytes | None,
    ended: list[VertexSubject | EdgeSubject],
) -> bool:
    """End what the caller can read of a row and note it; return whether its edges end with it.

    They do if the whole vertex is deleted, also if it was added again after the time of the delete.
    If one visibility of it is deleted, they stay as long as the caller sees it under another.
    """
    view = records.view(subject)
    was_seen = view.seen
    if not _end_facts(records, view, subject, change, visibility):
        return False
    ended.append(subject)
    left = records.view(subject)
    records.report.deleted += was_seen and not left.seen
    if change.hard and not left.exists:
        # Before that they protect what the caller cannot see.
        row = records.row(subject)
        for fact in left.protecting:
            row.end(fact, FactState.REMOVED, change.time)
    return visibility is None or not left.seen


def _end_facts(
    records: PendingRecords,
    view: RowView,
    subject: VertexSubject | EdgeSubject,
    change: DeleteElement,
    visibility: bytes | None,
) -> bool:
    row = records.row(subject)
    seen: Iterable[AnyFact] = (*view.live, *view.facts) if view.seen else ()
    facts = [
        one for one in (view.left if change.hard else seen) if visibility in (None, one.visibility)
    ]
    for fact in facts:
        if isinstance(fact, ValueFact):
            end_value(records, row, fact, change.time, hard=change.hard, note=change.note)
        else:
            records.check_time(fact, change.time)
            state = FactState.REMOVED if change.hard else FactState.DELETED
            row.end(fact, state, change.time, note=change.note)
    return bool(facts)


def delete_label(records: PendingRecords, change: DeleteLabel) -> None:
    """Delete a label of a vertex."""
    view, row = records.view(change.vertex), records.row(change.vertex)
    for fact in view.left if change.hard else view.facts:
        if (
            isinstance(fact, LabelFact)
            and fact.label == change.label
            and change.visibility in (None, fact.visibility)
        ):
            records.check_time(fact, change.time)
            state = FactState.REMOVED if change.hard else FactState.DELETED
            row.end(fact, state, change.time, note=change.note)
