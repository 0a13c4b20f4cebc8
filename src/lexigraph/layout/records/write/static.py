"""Static vertices: what may not change after the commit that added them.

Layer ``layout``; a rule of section 6 of ``spec/facts.md``. Judged over what is stored and what the
caller can read of it, so that nobody learns of a vertex that it cannot see.
"""

from __future__ import annotations

from lexigraph.errors import StaticViolation, show
from lexigraph.layout.records.facts import LabelFact
from lexigraph.layout.records.subjects import VertexSubject
from lexigraph.layout.records.write import changes as kinds
from lexigraph.layout.records.write.pending import PendingRecords

_CHANGES = (
    *(kinds.PutValue, kinds.AppendValue, kinds.DeleteValues, kinds.SetMetadata),
    *(kinds.MoveElement, kinds.MoveValue),
)


def check_static(records: PendingRecords, change: kinds.RecordChange) -> None:
    """Refuse a change of a vertex that is stored under a label that is static.

    Its edges are elements of their own. Deletes, hides and additional visibilities say nothing
    about what it is, and may follow.
    """
    static = records.groups.static
    subject = _changed(change) if static else None
    if subject is None:
        return
    view = records.stored_view(subject)
    held = {one.label for one in view.facts if isinstance(one, LabelFact)} & static
    if held:
        raise StaticViolation(
            f"the vertex {show(subject.id)} does not change: {show(min(held))} is static",
            hint="Delete it and add another one; or add an edge, which may follow.",
            label=min(held),
            vertex=subject.id,
        )


def _changed(change: kinds.RecordChange) -> VertexSubject | None:
    """Return the vertex whose labels, values or visibility change."""
    if isinstance(change, kinds.AddVertex):
        # A blind add promises that there is none.
        return None if change.blind else VertexSubject(change.id)
    if isinstance(change, kinds.AddLabel | kinds.DeleteLabel):
        hard = isinstance(change, kinds.DeleteLabel) and change.hard
        return None if hard else change.vertex
    if isinstance(change, _CHANGES) and isinstance(change.subject, VertexSubject):
        hard = isinstance(change, kinds.DeleteValues) and change.hard
        return None if hard else change.subject
    return None
