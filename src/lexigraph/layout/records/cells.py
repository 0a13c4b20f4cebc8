"""Facts as cells of the layout ``records``, and back.

Layer ``layout``. Other layouts of records have other cells for the same facts. Reading accepts
exactly what writing gives and raises nothing but InvalidBytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from lexigraph.cells.cell import Cell
from lexigraph.codec.escape import escape, split_terminated
from lexigraph.codec.kinds.basics import STR
from lexigraph.codec.selfdescribing import ANY
from lexigraph.errors import InvalidBytes, InvalidValue
from lexigraph.layout.records.facts import (
    AnyFact,
    ExistenceFact,
    Fact,
    HideFact,
    LabelFact,
    MetadataFact,
    RequiredFact,
    ValueFact,
    ValueHideFact,
)
from lexigraph.layout.records.families import FAMILIES, FAMILY_OF
from lexigraph.layout.records.rows import RecordRows
from lexigraph.layout.records.subjects import Subject
from lexigraph.layout.records.values import (
    decode_existence,
    decode_header,
    decode_time,
    decode_value,
    encode_fact_value,
    encode_time,
    refuse_content,
)

_END = b"\x00"


def write_cell(rows: RecordRows, fact: AnyFact) -> Cell:
    """Return the cell of a fact.

    >>> from lexigraph.layout.records.subjects import VertexSubject
    >>> fact = LabelFact(subject=VertexSubject("ann"), time=5, label="Person")
    >>> write_cell(RecordRows("str"), fact)[:3]
    (b'ann\\x00\\x01', b'l', b'Person')
    """
    family = FAMILY_OF[type(fact.subject)].get(type(fact))
    if family is None:
        raise InvalidValue(f"a {type(fact.subject).__name__} does not have a {type(fact).__name__}")
    if isinstance(fact, RequiredFact) and fact.visibility:
        raise InvalidValue("an additional visibility is a cell that everybody can read")
    row, qualifier, value = rows.row_of(fact.subject), qualifier_of(fact), encode_fact_value(fact)
    return Cell(row, family, qualifier, fact.visibility, fact.time, False, value)


def read_facts(rows: RecordRows, table: str, cells: Iterable[Cell]) -> Iterator[AnyFact]:
    """Yield the fact of each cell of a table; the subject of a row is read once."""
    row: bytes | None = None
    for cell in cells:
        if row is None or cell.row != row:
            row, subject = cell.row, rows.subject_of(table, cell.row)
        yield _read(subject, cell)


def qualifier_of(fact: AnyFact) -> bytes:
    """Return the qualifier of a fact, which names it within its subject and family."""
    if isinstance(fact, LabelFact):
        return STR.encode(fact.label)
    if isinstance(fact, RequiredFact):
        return fact.expression
    if isinstance(fact, HideFact):
        return b"" if fact.cause is None else ANY.encode(fact.cause)
    if isinstance(fact, ExistenceFact):
        return b""
    start = escape(STR.encode(fact.name)) + _END
    if isinstance(fact, ValueFact):
        return start + fact.key
    start += escape(fact.key) + _END
    if isinstance(fact, ValueHideFact):
        return start + fact.value_visibility
    middle = escape(fact.value_visibility) + _END + encode_time(fact.value_time)
    return start + middle + STR.encode(fact.entry)


def _read(subject: Subject, cell: Cell) -> AnyFact:
    kind = FAMILIES[type(subject)].get(cell.family)
    if kind is None or cell.deleted:
        what = "delete marker" if cell.deleted else f"cell of the family {cell.family!r}"
        raise InvalidBytes(f"a {type(subject).__name__} does not have a {what}")
    header, content = decode_header(cell.value, kind, cell.timestamp, subject)
    common: dict[str, Any] = {
        "subject": subject,
        "time": cell.timestamp,
        "state": header.state,
        "visibility": cell.visibility,
        "stamp": header.stamp,
        "note": header.note,
        "ttl": header.ttl,
    }
    if kind is ExistenceFact:
        if cell.qualifier:
            raise InvalidBytes("the qualifier of an existence is empty")
        shape, signature = decode_existence(content, header.state, subject)
        return ExistenceFact(shape=shape, signature=signature, ended=header.ended, **common)
    if kind is ValueFact:
        name, key = _read_named(cell.qualifier)
        return ValueFact(name=name, key=key, value=decode_value(content, header.state), **common)
    if kind is MetadataFact:
        value = decode_value(content, header.state)
        return MetadataFact(value=value, **_read_entry(cell.qualifier), **common)
    refuse_content(content)
    return _read_plain(kind, cell, common)


def _read_plain(kind: type[Fact], cell: Cell, common: dict[str, Any]) -> AnyFact:
    if kind is LabelFact:
        return LabelFact(label=STR.decode(cell.qualifier), **common)
    if kind is HideFact:
        cause = ANY.decode(cell.qualifier) if cell.qualifier else None
        if cell.qualifier and cause is None:
            raise InvalidBytes("null is not a vertex")
        return HideFact(cause=cause, **common)
    if kind is RequiredFact:
        if cell.visibility:
            raise InvalidBytes("the cell of an additional visibility has a visibility")
        return RequiredFact(expression=cell.qualifier, **common)
    name, rest = _read_named(cell.qualifier)
    key, end = split_terminated(rest, 0)
    return ValueHideFact(name=name, key=key, value_visibility=rest[end:], **common)


def _read_named(qualifier: bytes) -> tuple[str, bytes]:
    name, end = split_terminated(qualifier, 0)
    return STR.decode(name), qualifier[end:]


def _read_entry(qualifier: bytes) -> dict[str, Any]:
    name, rest = _read_named(qualifier)
    key, end = split_terminated(rest, 0)
    visibility, end = split_terminated(rest, end)
    return {
        "name": name,
        "key": key,
        "value_visibility": visibility,
        "value_time": decode_time(rest, end),
        "entry": STR.decode(rest[end + 8 :]),
    }
