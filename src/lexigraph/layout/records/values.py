"""The value of a cell of a record: state, flags, what the flags announce, content.

Layer ``layout``. Reading accepts exactly what writing gives and raises nothing but InvalidBytes.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from lexigraph.codec.base import take
from lexigraph.codec.selfdescribing import ANY
from lexigraph.codec.varint import decode_uvarint, encode_uvarint
from lexigraph.errors import InvalidBytes, InvalidValue
from lexigraph.layout.records.facts import (
    STATES,
    EdgeShape,
    ExistenceFact,
    Fact,
    FactState,
    LabelFact,
    MetadataFact,
    NamedValues,
    ValueFact,
)
from lexigraph.layout.records.subjects import EdgeSubject, ReferenceSubject, Subject

FRESH: Final = 0x01
STAMPED: Final = 0x02
NOTED: Final = 0x04
EXPIRING: Final = 0x08
_FLAGS: Final = FRESH | STAMPED | NOTED | EXPIRING
_SIGN: Final = 1 << 63


class Header(NamedTuple):
    """What a value says before its content."""

    state: FactState
    ended: int | None
    stamp: int | None
    note: Any
    ttl: int | None


def encode_time(time: int) -> bytes:
    """Write a time so that bytes sort like times.

    >>> encode_time(1).hex()
    '8000000000000001'
    """
    if not -_SIGN <= time < _SIGN:
        raise InvalidValue(f"a time has 64 bits, not {time}")
    return (time + _SIGN).to_bytes(8, "big")


def decode_time(data: bytes, offset: int) -> int:
    """Read 8 bytes of time."""
    return int.from_bytes(take(data, offset, 8, "time"), "big") - _SIGN


def encode_fact_value(fact: Fact) -> bytes:
    """Write the value of a fact."""
    if fact.state not in STATES[type(fact)]:
        raise InvalidValue(f"a {type(fact).__name__} is never {fact.state.name.lower()}")
    ended = fact.ended if isinstance(fact, ExistenceFact) else None
    flags, announced = 0, b""
    if ended is not None:
        if fact.state is not FactState.SAID or ended >= fact.time:
            raise InvalidValue("only what is said ends other facts, and only older ones")
        flags, announced = FRESH, encode_time(ended)
    if fact.stamp is not None:
        flags, announced = flags | STAMPED, announced + encode_time(fact.stamp)
    if fact.note is not None:
        note = ANY.encode_value(fact.note)
        flags, announced = flags | NOTED, announced + encode_uvarint(len(note)) + note
    if fact.ttl is not None:
        if not _may_expire(type(fact), fact.state, fact.subject) or fact.ttl < 1:
            raise InvalidValue("only existences, labels and values that are said expire")
        flags, announced = flags | EXPIRING, announced + encode_time(fact.ttl)
    return bytes((fact.state, flags)) + announced + _encode_content(fact)


def decode_header(
    data: bytes, kind: type[Fact], time: int, subject: Subject
) -> tuple[Header, bytes]:
    """Read what stands before the content of a fact of this time; return it and the content."""
    state, flags = take(data, 0, 2, "fact")
    if state not in STATES[kind]:
        raise InvalidBytes(f"a {kind.__name__} does not have the state {state:02x}")
    if flags & ~_FLAGS:
        raise InvalidBytes(f"the flags {flags:02x} do not exist")
    offset, ended, stamp, note, ttl = 2, None, None, None, None
    if flags & FRESH:
        if kind is not ExistenceFact or state != FactState.SAID:
            raise InvalidBytes("only an existence that is said ends other facts")
        ended, offset = decode_time(data, offset), offset + 8
        if ended >= time:
            raise InvalidBytes("an existence ends older facts only")
    if flags & STAMPED:
        stamp, offset = decode_time(data, offset), offset + 8
    if flags & NOTED:
        length, offset = decode_uvarint(data, offset)
        note = ANY.decode_value(take(data, offset, length, "a note"))
        offset += length
        if note is None:
            raise InvalidBytes("a note is never null")
    if flags & EXPIRING:
        if not _may_expire(kind, FactState(state), subject):
            raise InvalidBytes("only existences, labels and values that are said expire")
        ttl, offset = decode_time(data, offset), offset + 8
        if ttl < 1:
            raise InvalidBytes("a time to live is at least a microsecond")
    return Header(FactState(state), ended, stamp, note, ttl), data[offset:]


def _may_expire(kind: type[Fact], state: FactState, subject: Subject) -> bool:
    if state is FactState.SAID:
        return kind in (ExistenceFact, LabelFact, ValueFact)
    # In a reference it stands for an existence of another shape, which may expire.
    return (
        state is FactState.DELETED
        and kind is ExistenceFact
        and isinstance(subject, ReferenceSubject)
    )


def decode_value(content: bytes, state: FactState) -> Any:
    """Read the content of a value or of metadata."""
    if state is not FactState.SAID:
        refuse_content(content)
        return None
    value = ANY.decode_value(content)
    if value is None:
        raise InvalidBytes("a value is never null")
    return value


def decode_existence(
    content: bytes, state: FactState, subject: Subject
) -> tuple[EdgeShape | None, NamedValues]:
    """Read the content of an existence: the shape of an edge, the signature of a reference."""
    if state is not FactState.SAID or not isinstance(subject, EdgeSubject | ReferenceSubject):
        refuse_content(content)
        return None, ()
    if isinstance(subject, ReferenceSubject):
        pairs = _read_pairs(ANY.decode_value(content)) if content else ()
        if content and not pairs:
            raise InvalidBytes("a signature without properties has no bytes")
        return None, pairs
    shape = ANY.decode_value(content)
    if not isinstance(shape, tuple) or len(shape) != 5:
        raise InvalidBytes("a shape is a tuple of five")
    label, source, destination, directed, properties = shape
    if type(label) is not str or type(directed) is not bool:
        raise InvalidBytes("a shape has a label and says whether it is directed")
    return EdgeShape(label, source, destination, directed, _read_pairs(properties)), ()


def refuse_content(content: bytes) -> None:
    """Refuse bytes where a fact has no content."""
    if content:
        raise InvalidBytes(f"{len(content)} bytes follow a fact that has no content")


def _encode_content(fact: Fact) -> bytes:
    if fact.state is not FactState.SAID:
        return b""
    if isinstance(fact, ValueFact | MetadataFact):
        if fact.value is None:
            raise InvalidValue(f"a value of {fact.name!r} is never null")
        return ANY.encode_value(fact.value)
    if not isinstance(fact, ExistenceFact):
        return b""
    if isinstance(fact.subject, ReferenceSubject):
        pairs = _check_pairs(fact.signature)
        return ANY.encode_value(pairs) if pairs else b""
    if not isinstance(fact.subject, EdgeSubject):
        return b""
    shape = fact.shape
    if shape is None:
        raise InvalidValue("the existence of an edge has a shape")
    pairs = _check_pairs(shape.properties)
    return ANY.encode_value((shape.label, shape.source, shape.destination, shape.directed, pairs))


def _check_pairs(pairs: NamedValues) -> NamedValues:
    names = [name.encode() for name, _ in pairs]
    if sorted(set(names)) != names:
        raise InvalidValue("properties of a shape are ordered by name, each once")
    return pairs


def _read_pairs(value: Any) -> NamedValues:
    if not isinstance(value, tuple) or not all(
        isinstance(pair, tuple) and len(pair) == 2 and type(pair[0]) is str for pair in value
    ):
        raise InvalidBytes("properties of a shape are pairs of name and value")
    names = [name.encode() for name, _ in value]
    if sorted(set(names)) != names:
        raise InvalidBytes("properties of a shape are ordered by name, each once")
    return value
