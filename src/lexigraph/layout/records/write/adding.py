"""Adding elements: upsert, with looking first or blindly.

Layer ``layout``. An add ends nothing: what is not given, or ``None``, stays; only ``replace``
deletes values. All facts of an add have one time, so that its existence covers its values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexigraph.cells.cell import MIN_TIMESTAMP
from lexigraph.errors import UniqueViolation, UsageError, show
from lexigraph.layout.records.facts import (
    EdgeShape,
    ExistenceFact,
    FactState,
    LabelFact,
    ValueFact,
)
from lexigraph.layout.records.subjects import EdgeSubject, VertexSubject
from lexigraph.layout.records.write.changes import AddEdge, AddVertex, AddVertices
from lexigraph.layout.records.write.columns import Lifetime
from lexigraph.layout.records.write.constraints import check_multiplicity
from lexigraph.layout.records.write.pending import PendingRecords
from lexigraph.layout.records.write.rows import PendingRow
from lexigraph.layout.records.write.value_keys import GivenKeys
from lexigraph.layout.records.write.values import check_no_shape, put_value
from lexigraph.layout.records.write.view import RowView


def add_vertex(records: PendingRecords, change: AddVertex) -> None:
    """Add a vertex or update it."""
    subject = VertexSubject(change.id)
    records.check_id(change.id)
    row, view = _look(records, subject, change)
    under = _life_of(records, subject, change.labels, view)
    floor = _say_existence(records, row, change, None, under)
    for label in dict.fromkeys(change.labels):
        fact = LabelFact(
            subject=subject, time=0, visibility=change.visibility, note=change.note, label=label
        )
        own = records.groups.ttl_of_labels(subject, (label,))
        row.say(fact, change.time, floor, life=replace(under, own=own))
    _add_values(records, row, change, floor, under)


def add_vertices(records: PendingRecords, change: AddVertices) -> None:
    """Add vertices whose cells are ready; whether each is seen is all that is looked at."""
    # A log has to know who sees each of them now.
    shown = None if records.logged else records.shown(change.ids)
    unknown: dict[VertexSubject, bytes] = {}
    for one, visibility in zip(change.ids, change.visibilities, strict=True):
        if shown is not None and one not in shown:
            _count_added(records, VertexSubject(one))
        elif shown is not None and shown[one] == visibility:
            records.report.updated += 1
        else:
            # Another visibility than the one that is shown may be live as well.
            unknown[VertexSubject(one)] = visibility
    records.look_at_presence(unknown)
    for subject, visibility in unknown.items():
        _count(records, records.presence(subject), subject, visibility)
    records.take_ready(change)
    if records.logged:
        records.whole_rows()


def add_edge(records: PendingRecords, change: AddEdge) -> None:
    """Add an edge or update it; another shape than before ends the old references."""
    subject = EdgeSubject(change.id)
    shape = records.references_of.normalised(change.shape)
    for given in change.values:
        check_no_shape(records.groups, shape, given.name)
    check_multiplicity(records, subject, shape)
    row, view = _look(records, subject, change)
    for one in () if view is None else view.live:
        if one.shape is not None:
            records.groups.check_same_ttl(one.shape.label, shape.label)
    under = _life_of(records, subject, (shape.label,), view)
    floor = _say_existence(records, row, change, shape, under)
    _add_values(records, row, change, floor, under)


def _life_of(
    records: PendingRecords,
    subject: VertexSubject | EdgeSubject,
    labels: Sequence[str],
    view: RowView | None,
) -> Lifetime:
    """Return how long the labels and values of an add live, if they have no limit of their own."""
    live = [] if view is None else view.live
    until = MIN_TIMESTAMP if view is None else view.lasting
    # Without a class an add changes what is there, and does not prolong it.
    under = 0 if live and not labels else records.groups.ttl_of_labels(subject, labels)
    return Lifetime(None, under, until)


def _look(
    records: PendingRecords, subject: VertexSubject | EdgeSubject, change: AddVertex | AddEdge
) -> tuple[PendingRow, RowView | None]:
    vertex = isinstance(subject, VertexSubject)
    if change.blind and (change.new or change.replace):
        raise UsageError(
            "a blind add does not look, so it can neither refuse nor replace what is there",
            hint="Leave blind=True out.",
        )
    if change.blind and not records.row(subject, look=False).looked:
        _count_added(records, subject)
        return records.row(subject, look=False), None
    # What an add writes does not depend on stored values, unless it replaces them.
    slim = not change.replace
    if isinstance(subject, VertexSubject) and slim:
        view = records.presence(subject)
    else:
        view, slim = records.view(subject), False
    seen = view.seen and subject not in records.own
    if seen and change.new:
        raise UniqueViolation(
            f"the {'vertex' if vertex else 'edge'} {show(change.id)} is there already",
            hint="Leave new=True out to update it, or give another id.",
            id=change.id,
        )
    _count(records, view, subject, change.visibility)
    if change.replace:
        _delete_others(records, view, subject, change)
    return records.row(subject, look=not slim), view


def _count(
    records: PendingRecords,
    view: RowView,
    subject: VertexSubject | EdgeSubject,
    visibility: bytes,
) -> None:
    if view.seen:
        records.report.updated += 1
        other = all(one.visibility != visibility for one in view.live)
        records.report.second_visibility += other
    else:
        _count_added(records, subject)


def _count_added(records: PendingRecords, subject: VertexSubject | EdgeSubject) -> None:
    records.added.add(subject)
    if isinstance(subject, VertexSubject):
        records.report.added_vertices += 1
    else:
        records.report.added_edges += 1


def _say_existence(
    records: PendingRecords,
    row: PendingRow,
    change: AddVertex | AddEdge,
    shape: EdgeShape | None,
    under: Lifetime,
) -> int:
    """Write the existence, and return the time before which nothing of the add is dated."""
    fact = ExistenceFact(
        subject=row.subject, time=0, visibility=change.visibility, note=change.note, shape=shape
    )
    # One that is there already keeps its own time: what lives longer is seen longer.
    life = replace(under, until=MIN_TIMESTAMP) if under.under else under
    records.check_time(fact, change.time, life)
    records.note_ends(fact)
    time = row.say(fact, change.time, life=life)
    return MIN_TIMESTAMP if time.own is not None else time.floor


def _add_values(
    records: PendingRecords,
    row: PendingRow,
    change: AddVertex | AddEdge,
    floor: int,
    under: Lifetime,
) -> None:
    keys = GivenKeys(row.subject, records.groups)
    for given in change.values:
        if given.value is not None:
            visibility = change.visibility if given.visibility is None else given.visibility
            time = change.time if given.time is None else given.time
            key = keys.key(given, visibility)
            fact = ValueFact(
                subject=row.subject,
                time=0,
                visibility=visibility,
                note=change.note,
                name=given.name,
                key=key,
                value=given.value,
            )
            life = replace(under, own=records.groups.ttl_of(row.subject, given.name))
            if time != change.time:
                # It lives as long as its existence, whose time to live counts from another time.
                life = life.from_time(records.now if change.time is None else change.time)
            put_value(records, row, fact, given, time, floor, life)


def _delete_others(
    records: PendingRecords,
    view: RowView,
    subject: VertexSubject | EdgeSubject,
    change: AddVertex | AddEdge,
) -> None:
    keys = GivenKeys(subject, records.groups)
    given = set()
    for one in change.values:
        if one.value is not None:
            visibility = change.visibility if one.visibility is None else one.visibility
            given.add((one.name, keys.key(one, visibility), visibility))
    row = records.row(subject)
    for value in view.values:
        if (value.name, value.key, value.visibility) not in given:
            records.check_time(value, change.time)
            row.end(value, FactState.DELETED, change.time, note=change.note)
            records.report.deleted_values += 1
