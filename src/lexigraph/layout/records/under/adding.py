"""Adding rows to a table under an element that the caller sees.

Layer ``layout``. Nothing that is stored of the rows is read: what is not given stays, and what is
given is the newest. A value with a time of its own is written as facts of elements are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexigraph.codec.escape import escape
from lexigraph.codec.kinds.basics import STR
from lexigraph.codec.selfdescribing import ANY
from lexigraph.codec.varint import encode_uvarint
from lexigraph.errors import InvalidValue, UnsupportedError, UsageError, show
from lexigraph.layout.records.facts import FactState, ValueFact
from lexigraph.layout.records.subjects import RowSubject, VertexSubject
from lexigraph.layout.records.under.changes import PutRows
from lexigraph.layout.records.under.pending import HeldRow
from lexigraph.layout.records.values import NOTED
from lexigraph.streaming import GivenStream, StreamingValue

if TYPE_CHECKING:
    from lexigraph.layout.records.write.changes import GivenValue
    from lexigraph.layout.records.write.pending import PendingRecords

_END = b"\x00"
_STREAMS = (GivenStream, StreamingValue)


def put_rows(records: PendingRecords, change: PutRows) -> None:
    """Add rows, or update them."""
    subject = change.subject
    # Whether a vertex is seen does not depend on its values.
    if isinstance(subject, VertexSubject):
        view = records.presence(subject)
    else:
        view = records.view(subject)
    records.check_seen(subject, view)
    visibility = view.shown.visibility if change.visibility is None else change.visibility
    held, dated = _encoded(change, visibility)
    for at, value in dated:
        _put_fact(records, change, at, value, visibility)
    table, prefix = records.rows.table_of(subject), records.rows.under_prefix(subject, change.table)
    for number, (key, columns) in enumerate(held):
        if not columns:
            continue
        if records.holds_row(table, prefix + key):
            for column, stored in columns.items():
                row = records.row_under(RowSubject(subject, change.table, change.ids[number]))
                records.say_cell(row, column, stored)
        else:
            records.cells.put(table, prefix + key, columns)
    records.report.added_rows += len(held)


def _encoded(
    change: PutRows, visibility: bytes
) -> tuple[list[tuple[bytes, HeldRow]], list[tuple[int, GivenValue | tuple[str, Any]]]]:
    """Return each row's key with its cells, and the values that have a time of their own."""
    held: list[tuple[bytes, HeldRow]] = [(ANY.encode(one), {}) for one in change.ids]
    dated: list[tuple[int, GivenValue | tuple[str, Any]]] = []
    header, encode = _header(change.note), _encode
    given = [False] * len(held)
    for name, values in change.columns.items():
        column = (qualifier_of_column(name), visibility)
        for at, value in enumerate(values):
            if value is None:
                continue
            given[at] = True
            if change.time is not None:
                dated.append((at, (name, value)))
                continue
            try:
                held[at][1][column] = header + encode(value)
            except InvalidValue as error:
                place = f"row {show(change.ids[at])}, column {name!r}"
                raise InvalidValue(f"{place}: {error.args[0]}") from None
    for one in change.values:
        value, given[one.row] = one.value, True
        if value.metadata:
            raise UnsupportedError(
                f"a value of a row has no metadata, and {value.name!r} was given some",
                hint="Put it into a column of its own, or set it as a property of the element.",
            )
        if value.time is not None or change.time is not None:
            dated.append((one.row, value))
            continue
        own = visibility if value.visibility is None else value.visibility
        column = (qualifier_of_column(value.name) + (value.key or b""), own)
        held[one.row][1][column] = header + encode(value.value)
    if not all(given):
        empty = change.ids[given.index(False)]
        raise UsageError(
            f"the row {show(empty)} has no value",
            hint="A row is what its columns hold: give it at least one value.",
        )
    return held, dated


def _put_fact(
    records: PendingRecords,
    change: PutRows,
    at: int,
    given: GivenValue | tuple[str, Any],
    visibility: bytes,
) -> None:
    own, key, time = visibility, b"", change.time
    if isinstance(given, tuple):
        name, value = given
    else:
        name, value, key = given.name, given.value, given.key or b""
        own = visibility if given.visibility is None else given.visibility
        time = change.time if given.time is None else given.time
    subject = RowSubject(change.subject, change.table, change.ids[at])
    fact = ValueFact(
        subject=subject,
        time=0,
        state=FactState.SAID,
        visibility=own,
        note=change.note,
        name=name,
        key=key,
        value=value,
    )
    _encode(value)
    records.check_time(fact, time)
    records.row_under(subject).say(fact, time)


def _encode(value: Any) -> bytes:
    if type(value) in _STREAMS:
        raise UnsupportedError(
            "a row of a table under an element has no streaming values",
            hint="Set it as a property of the element, and put the name of that into the row.",
        )
    return ANY.encode_value(value)


def qualifier_of_column(name: str) -> bytes:
    """Return what the qualifiers of a column's cells start with; the key follows.

    >>> qualifier_of_column("place")
    b'place\\x00'
    """
    return escape(STR.encode(name)) + _END


def _header(note: Any) -> bytes:
    if note is None:
        return bytes((FactState.SAID, 0))
    content = ANY.encode_value(note)
    return bytes((FactState.SAID, NOTED)) + encode_uvarint(len(content)) + content
