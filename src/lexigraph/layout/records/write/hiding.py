"""Hides and additional visibilities: of elements, of values.

Layer ``layout``. The visibility of a hide is the one it is for. Hiding a vertex also hides the
edges at it that the caller can read; the hide names the vertex, and showing it undoes exactly
those. Hides without a time of their own take effect, whatever the column has.
"""

from __future__ import annotations

from lexigraph.layout.records.facts import (
    FactState,
    HideFact,
    RequiredFact,
    ValueHideFact,
)
from lexigraph.layout.records.subjects import EdgeSubject, VertexSubject
from lexigraph.layout.records.write.changes import (
    Hide,
    HideValue,
    Release,
    Require,
    Show,
    ShowValue,
)
from lexigraph.layout.records.write.pending import PendingRecords
from lexigraph.layout.records.write.values import found_value
from lexigraph.security import Visibility


def hide(records: PendingRecords, change: Hide) -> None:
    """Hide an element for a visibility."""
    records.found(change.subject)
    records.report.hidden += 1
    _switch(records, change.subject, change, None)
    if isinstance(change.subject, VertexSubject):
        edges = records.seen_edges(change.subject.id, "hide")
        records.look_at(edges)
        for edge in edges:
            _switch(records, edge, change, change.subject)


def show(records: PendingRecords, change: Show) -> None:
    """Undo a hide; what it does not hide is left alone."""
    view = records.found(change.subject)
    if any(one.cause is None and one.visibility == change.visibility for one in view.hides):
        records.report.shown += 1
        _switch(records, change.subject, change, None)
    if isinstance(change.subject, VertexSubject):
        edges = _hidden_by(records, change.subject, change.visibility)
        records.look_at(edges)
        for edge in edges:
            hides = records.view(edge).hides
            if any(_is_caused(one, change.subject, change.visibility) for one in hides):
                _switch(records, edge, change, change.subject)


def _hidden_by(
    records: PendingRecords, vertex: VertexSubject, visibility: bytes
) -> dict[EdgeSubject, None]:
    """Return the edges that a hide of the vertex hid, also those that ended since."""
    return {
        EdgeSubject(fact.subject.edge): None  # type: ignore[union-attr]
        for fact in records.references(vertex.id)
        if isinstance(fact, HideFact) and _is_caused(fact, vertex, visibility)
    }


def _is_caused(fact: HideFact, vertex: VertexSubject, visibility: bytes) -> bool:
    return (
        fact.cause is not None
        and VertexSubject(fact.cause) == vertex
        and fact.visibility == visibility
    )


def _switch(
    records: PendingRecords,
    subject: VertexSubject | EdgeSubject,
    change: Hide | Show,
    cause: VertexSubject | None,
) -> None:
    fact = HideFact(
        subject=subject,
        time=0,
        state=FactState.SAID if isinstance(change, Hide) else FactState.UNDONE,
        visibility=change.visibility,
        note=change.note,
        cause=None if cause is None else cause.id,
    )
    records.check_time(fact, change.time)
    records.row(subject).switch(fact, change.time)


def hide_value(records: PendingRecords, change: HideValue | ShowValue) -> None:
    """Hide a value that the caller can read, or show it again."""
    found_value(records, change.subject, change.name, change.key, change.value_visibility)
    hides = isinstance(change, HideValue)
    fact = ValueHideFact(
        subject=change.subject,
        time=0,
        state=FactState.SAID if hides else FactState.UNDONE,
        visibility=change.visibility,
        note=change.note,
        name=change.name,
        key=change.key,
        value_visibility=change.value_visibility,
    )
    if hides or records.view(change.subject).said(fact) is not None:
        records.check_time(fact, change.time)
        records.row(change.subject).switch(fact, change.time)


def require(records: PendingRecords, change: Require | Release) -> None:
    """Add an additional visibility, or take it back."""
    view = records.found(change.subject)
    requires = isinstance(change, Require)
    if requires:
        # What nobody can parse would be satisfied by nobody but the owner.
        Visibility(change.expression)
    fact = RequiredFact(
        subject=change.subject,
        time=0,
        state=FactState.SAID if requires else FactState.UNDONE,
        note=change.note,
        expression=change.expression,
    )
    if requires or view.said(fact) is not None:
        records.check_time(fact, change.time)
        records.row(change.subject).switch(fact, change.time)
