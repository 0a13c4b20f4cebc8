"""Changes of visibility, and of the labels of vertices and edges.

Layer ``layout``. A move ends the old existence and nothing else. References follow their edge.
"""

from __future__ import annotations

from dataclasses import replace

from lexigraph.errors import EdgeNotFound, UsageError, VertexNotFound, show
from lexigraph.layout.records.assembling.versions import judge
from lexigraph.layout.records.facts import ExistenceFact, FactState, LabelFact
from lexigraph.layout.records.subjects import VertexSubject
from lexigraph.layout.records.write.changes import AddLabel, MoveElement, MoveValue, Relabel
from lexigraph.layout.records.write.columns import Lifetime
from lexigraph.layout.records.write.constraints import check_multiplicity
from lexigraph.layout.records.write.pending import PendingRecords
from lexigraph.layout.records.write.values import found_value
from lexigraph.layout.records.write.view import RowView


def move_element(records: PendingRecords, change: MoveElement) -> None:
    """Change the visibility of an element."""
    if change.past and change.time is not None:
        raise UsageError(
            "a move of the past has no time of its own: it changes all times",
            hint="Leave time or past=True out.",
        )
    view = records.found(change.subject)
    old = _moved(view, change)
    if old.visibility == change.to:
        return
    records.report.moved += 1
    row = records.row(change.subject)
    if change.past:
        row.move_past(old, change.to)
        return
    records.check_time(old, change.time)
    new = replace(
        old, visibility=change.to, stamp=None, note=change.note, ended=_ended(records, old, change)
    )
    # A move does not prolong what expires.
    life = Lifetime(under=0, until=view.lasts[old.visibility])
    # Both have one time, also if the new existence ended after the commit's time.
    floor = max(row.column(old).end_floor(), row.column(new).end_floor())
    row.end(old, FactState.MOVED, change.time, floor=floor, note=change.note)
    row.say(new, change.time, floor, life=life)
    records.note_ends(new)


def _moved(view: RowView, change: MoveElement) -> ExistenceFact:
    if change.frm is None:
        return view.shown
    for one in view.live:
        if one.visibility == change.frm:
            return one
    vertex = isinstance(change.subject, VertexSubject)
    error = VertexNotFound if vertex else EdgeNotFound
    raise error(
        f"the {'vertex' if vertex else 'edge'} {show(change.subject.id)} does not have the "
        f"visibility {show(change.frm)}",
        near=[one.visibility.decode("utf-8", "backslashreplace") for one in view.live],
    )


def _ended(records: PendingRecords, old: ExistenceFact, change: MoveElement) -> int | None:
    """Return up to when the new existence ends what is older: a move brings nothing back."""
    row = records.row(change.subject)
    new = replace(old, visibility=change.to)
    facts = row.facts(records.now)
    ends = []
    for one in (old, new):
        versions = [
            fact
            for fact in facts
            if isinstance(fact, ExistenceFact) and fact.visibility == one.visibility
        ]
        ends.append(judge(versions, change.time))
    end, own = ends[0].end, ends[1].end
    if ends[1].said is not None or end is None or (own is not None and own >= end):
        return None
    # What is dated back may not end what is newer than itself.
    return end if change.time is None else min(end, change.time - 1)


def move_value(records: PendingRecords, change: MoveValue) -> None:
    """Change the visibility of a value; hides of the old one do not hide the new one."""
    value = found_value(records, change.subject, change.name, change.key, change.frm)
    if change.frm == change.to:
        return
    records.check_time(value, change.time)
    records.report.moved += 1
    row, view = records.row(change.subject), records.view(change.subject)
    metadata = tuple(
        replace(one, value_visibility=change.to, stamp=None) for one in view.metadata(value)
    )
    # The bytes of a stream have its visibility, so they are copied: the past keeps its own.
    moved = records.stored_value(value.value, change.to)
    new = replace(value, visibility=change.to, stamp=None, note=change.note, value=moved)
    floor = max(row.column(value).end_floor(), row.column(new).said_floor())
    row.end(value, FactState.DELETED, change.time, floor=floor, note=change.note)
    life = Lifetime(under=0, until=value.expires)
    row.say(new, change.time, floor, metadata=metadata, life=life)


def add_label(records: PendingRecords, change: AddLabel) -> None:
    """Add a label to a vertex."""
    view = records.found(change.vertex)
    fact = LabelFact(
        subject=change.vertex,
        time=0,
        visibility=change.visibility,
        note=change.note,
        label=change.label,
    )
    own = records.groups.ttl_of_labels(change.vertex, (change.label,))
    life = Lifetime(own, 0, view.lasting)
    records.check_time(fact, change.time, life)
    records.row(change.vertex).say(fact, change.time, life=life)


def relabel(records: PendingRecords, change: Relabel) -> None:
    """Change the label of an edge, under each visibility that the caller can read."""
    view, row = records.found(change.edge), records.row(change.edge)
    for old in view.live:
        if old.shape is None or old.shape.label == change.label:
            continue
        records.groups.check_same_ttl(old.shape.label, change.label)
        shape = replace(old.shape, label=change.label)
        lost = {name for name, _ in shape.properties}
        lost -= {*records.groups.edge(change.label).shape_names}
        if lost:
            raise UsageError(
                f"{', '.join(sorted(lost))}: in the shape of {old.shape.label!r}, not in that of "
                f"{change.label!r}",
                hint="Add the edge again with its id, the new label and all its values.",
            )
        shape = records.references_of.normalised(shape)
        check_multiplicity(records, change.edge, shape)
        new = ExistenceFact(
            subject=change.edge,
            time=0,
            visibility=old.visibility,
            note=change.note,
            shape=shape,
        )
        life = Lifetime(under=0, until=view.lasts[old.visibility])
        records.check_time(new, change.time, life)
        records.note_ends(new)
        row.say(new, change.time, life=life)
        records.report.updated += 1
