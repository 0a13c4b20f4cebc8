"""Changes of single values: set, append, delete, metadata.

Layer ``layout``. The element must be there for the caller; what it cannot read is not there.
"""

from __future__ import annotations

from dataclasses import replace

from lexigraph.cells.cell import MIN_TIMESTAMP
from lexigraph.codec.selfdescribing import ANY
from lexigraph.errors import CardinalityViolation, PropertyNotFound, UsageError, nearest
from lexigraph.layout.records.facts import EdgeShape, FactState, MetadataFact, ValueFact
from lexigraph.layout.records.groups import RecordGroups
from lexigraph.layout.records.write.changes import (
    AppendValue,
    ChangedRecord,
    DeleteValues,
    GivenValue,
    PutValue,
    SetMetadata,
)
from lexigraph.layout.records.write.columns import FOREVER, Lifetime
from lexigraph.layout.records.write.pending import PendingRecords
from lexigraph.layout.records.write.rows import PendingRow
from lexigraph.layout.records.write.value_keys import (
    GivenKeys,
    check_given,
    key_of,
    next_occurrence,
)
from lexigraph.layout.records.write.view import RowView
from lexigraph.schema.model import LIST, ONE


def put_value(
    records: PendingRecords,
    row: PendingRow,
    fact: ValueFact,
    given: GivenValue,
    own: int | None,
    floor: int = MIN_TIMESTAMP,
    life: Lifetime = FOREVER,
) -> None:
    """Write a value with its metadata, which has the time of the value."""
    check_given(given)
    records.check_time(fact, own, life)
    fact = replace(fact, value=records.stored_value(fact.value, fact.visibility))
    metadata = tuple(
        MetadataFact(
            subject=fact.subject,
            time=0,
            visibility=fact.visibility if one.visibility is None else one.visibility,
            name=fact.name,
            key=fact.key,
            value_visibility=fact.visibility,
            value_time=0,
            entry=one.key,
            value=one.value,
        )
        for one in given.metadata
    )
    row.say(fact, own, floor, metadata=metadata, life=life)


def set_value(records: PendingRecords, change: PutValue | AppendValue) -> None:
    """Set a value of an element, or append one to a list."""
    view, given = records.found(change.subject), change.value
    shape = view.shown.shape
    if shape is not None:
        check_no_shape(records.groups, shape, given.name)
    if given.value is None:
        return
    visibility = view.shown.visibility if given.visibility is None else given.visibility
    if isinstance(change, AppendValue):
        given = _appended(view, given, visibility)
    key = GivenKeys(change.subject, records.groups).key(given, visibility)
    fact = ValueFact(
        subject=change.subject,
        time=0,
        visibility=visibility,
        note=change.note,
        name=given.name,
        key=key,
        value=given.value,
    )
    row = records.row(change.subject)
    life = Lifetime(records.groups.ttl_of(change.subject, given.name), 0, view.lasting)
    put_value(records, row, fact, given, given.time, life=life)


def _appended(view: RowView, given: GivenValue, visibility: bytes) -> GivenValue:
    if given.cardinality == ONE and given.key is None:
        raise CardinalityViolation(
            f"{given.name!r} has one value, so no value is appended to it",
            hint="Set the value, or declare the property as a list or a set.",
        )
    if given.cardinality != LIST or given.key is not None:
        return given
    held = (
        one.key for one in view.values if (one.name, one.visibility) == (given.name, visibility)
    )
    occurrence = next_occurrence(given.value, held)
    return replace(given, key=key_of(LIST, given.value, occurrence))


def check_no_shape(groups: RecordGroups, shape: EdgeShape, name: str) -> None:
    """Refuse a value of a name that is part of the shape of an edge."""
    if name in groups.edge(shape.label).shape_names:
        raise UsageError(
            f"{name!r} belongs to the shape of {shape.label!r}: it is not a value of its own",
            hint="Add the edge again with its id and another shape.",
        )


def delete_values(records: PendingRecords, change: DeleteValues) -> None:
    """Delete the values of a name that the caller can read, softly or for good."""
    view = records.view(change.subject)
    if not view.allowed:
        return
    row = records.row(change.subject)
    left = [one for one in view.left if isinstance(one, ValueFact)]
    for value in left if change.hard else view.values:
        if (
            value.name == change.name
            and change.key in (None, value.key)
            and change.visibility in (None, value.visibility)
        ):
            end_value(records, row, value, change.time, hard=change.hard, note=change.note)
            records.report.deleted_values += 1


def end_value(
    records: PendingRecords,
    row: PendingRow,
    value: ValueFact,
    own: int | None,
    *,
    hard: bool,
    note: object,
) -> None:
    """Delete a value, or remove it with its metadata."""
    records.check_time(value, own)
    if hard:
        row.forget_metadata(value)
    state = FactState.REMOVED if hard else FactState.DELETED
    row.end(value, state, own, note=note)


def set_metadata(records: PendingRecords, change: SetMetadata) -> None:
    """Set or delete a metadata entry of the present version of a value."""
    named = (change.name, change.key, change.visibility)
    value = found_value(records, change.subject, *named)
    ANY.encode_value(change.value)
    row = records.row(change.subject)
    fact = MetadataFact(
        subject=change.subject,
        time=0,
        visibility=change.entry_visibility,
        name=change.name,
        key=change.key,
        value_visibility=change.visibility,
        value_time=value.time,
        entry=change.entry,
        value=change.value,
    )
    changes = row.column(value).changes
    for number, version in reversed(list(enumerate(changes))):
        if version.fact.state is FactState.SAID and version.time.at(records.now) == value.time:
            # The value itself is of this commit: its metadata is written with it.
            place = (change.entry, change.entry_visibility)
            kept = [one for one in version.metadata if (one.entry, one.visibility) != place]
            new = (*kept, *(() if change.value is None else (fact,)))
            changes[number] = replace(version, metadata=new)
            return
    if change.value is not None:
        row.say(fact, None)
    elif records.view(change.subject).said(fact) is not None:
        row.end(fact, FactState.UNDONE, None)


def found_value(
    records: PendingRecords, subject: ChangedRecord, name: str, key: bytes, visibility: bytes
) -> ValueFact:
    """Return a value that the caller can read; raise PropertyNotFound if there is none."""
    view = records.found(subject)
    for value in view.values:
        if (value.name, value.key, value.visibility) == (name, key, visibility):
            return value
    named = [one for one in view.values if one.name == name]
    if not named:
        names = [one.name for one in view.values]
        raise PropertyNotFound(f"there is no value of {name!r}", near=nearest(name, names))
    under = sorted({_shown(one.visibility) for one in named})
    raise PropertyNotFound(
        f"there is no value of {name!r} with this key under the visibility "
        f"{_shown(visibility)}, but under {', '.join(under)}",
        hint="Name the visibility of the value with of=, and its key with key=.",
    )


def _shown(visibility: bytes) -> str:
    return repr(visibility.decode(errors="replace"))
