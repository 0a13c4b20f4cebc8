"""What people give as values of records: plain values, or values with a visibility and metadata.

Layer ``graph``. Types are those of the class that declares a name; of other names every value that
can be stored as itself is taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from ipaddress import IPv4Address, IPv6Address
from typing import Any
from uuid import UUID

from lexigraph.codec import codec_for
from lexigraph.errors import InvalidOption, InvalidValue, UnsupportedError, show
from lexigraph.layout.records.write.changes import GivenMetadata, GivenValue
from lexigraph.schema import Property, ValueType
from lexigraph.schema.fields import is_text
from lexigraph.schema.keys import fitted, label_of, plain, time_of
from lexigraph.schema.model import LIST, ONE, SET, STREAM
from lexigraph.streaming import GivenStream, StreamingValue, stream
from lexigraph.types import GeoPoint

FREE = ValueType("any", optional=True)
"""The type of names that no class declares."""
_TYPES: list[tuple[tuple[type, ...], str]] = [
    ((bool,), "bool"),
    ((int,), "int"),
    ((float,), "float"),
    ((Decimal,), "decimal"),
    ((str,), "str"),
    ((bytes,), "bytes"),
    ((datetime,), "datetime"),
    ((date,), "date"),
    ((time,), "time"),
    ((timedelta,), "timedelta"),
    ((UUID,), "uuid"),
    ((IPv4Address, IPv6Address), "ip"),
    ((GeoPoint,), "geo"),
    ((GivenStream, StreamingValue), STREAM),
]


@dataclass(frozen=True, slots=True)
class PropertyValue:
    """One value of a property with what belongs to it; made by :func:`value`."""

    value: Any
    visibility: str | bytes | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    key: str | None = None
    time: Any = None

    __hash__ = None  # type: ignore[assignment]


def value(
    value: Any,
    *,
    visibility: str | bytes | None = None,
    metadata: Mapping[str, Any] | None = None,
    key: str | None = None,
    time: datetime | int | None = None,
) -> PropertyValue:
    """Give a value of a record a visibility, metadata, a key or a time of its own.

    Without a visibility it has that of the element it is added with. Metadata entries have the
    visibility of the value, unless they are such values themselves. ``key`` tells several values
    of one name apart.

    >>> value("Ann", visibility="hr", metadata={"source": "form"}).visibility
    'hr'
    """
    if metadata is not None and not isinstance(metadata, Mapping):
        raise InvalidOption(f"metadata is a mapping of names to values, not {show(metadata)}")
    return PropertyValue(value, visibility, dict(metadata or {}), key, time)


def type_name(given: Any) -> str:
    """Return the name of the type that is learnt of a value.

    >>> type_name(3), type_name(("a", 1))
    ('int', 'any')
    """
    return next((name for kinds, name in _TYPES if isinstance(given, kinds)), "any")


def read_values(name: str, given: Any, declared: Property | None) -> Iterator[GivenValue]:
    """Yield the values that are given for a name; none for ``None``. InvalidValue if one misfits.

    A list or a set is given as a collection. One value may be given as several, if each says its
    visibility or key.
    """
    held = ONE if declared is None else declared.cardinality
    kind = FREE if declared is None else declared.type
    for one in _members(given, held):
        wrapped = one if isinstance(one, PropertyValue) else PropertyValue(one)
        if wrapped.value is not None:
            yield GivenValue(
                name=name,
                value=_fit_value(kind, held, wrapped),
                key=read_key(wrapped.key),
                visibility=None if wrapped.visibility is None else label_of(wrapped.visibility),
                metadata=tuple(_entries(wrapped.metadata)),
                time=None if wrapped.time is None else time_of(wrapped.time),
                cardinality=held,
            )


def _fit_value(kind: ValueType, held: str, wrapped: PropertyValue) -> Any:
    """Return a value of a property: also a stream, which nothing else may be."""
    given = wrapped.value
    if not isinstance(given, GivenStream | StreamingValue):
        return fit(kind, given)
    if kind.codec not in (STREAM, "any"):
        raise InvalidValue(
            f"it takes {kind.codec}, not a stream",
            hint="Declare the property as lg.StreamingValue, or give the value itself.",
        )
    if held != ONE and wrapped.key is None:
        raise UnsupportedError(
            "streams in a list or a set need a key: they are not compared",
            hint="Give each one: lg.value(lg.stream(path), key='page 1').",
        )
    return stream(given)


def fit(kind: ValueType, given: Any) -> Any:
    """Return a value as it is stored; InvalidValue if it is not of its type."""
    if isinstance(given, GivenStream | StreamingValue):
        raise InvalidValue(
            "a stream is a value of a property: it is not an id, not metadata and not a note",
            hint="Store it as a property, and what names it here.",
        )
    if kind.codec == STREAM:
        raise InvalidValue(
            f"it takes a stream, not {type(given).__name__}: {show(given)}",
            hint="Wrap a path, a binary file object or bytes: lg.stream(path).",
        )
    found = plain(kind, fitted(kind, given))
    codec_for(kind.codec).encode_value(found)
    # Values of records say their own type, whatever codec a class names.
    codec_for("any").encode_value(found)
    return found


def read_key(key: Any) -> bytes | None:
    """Return the key of a value as it is stored."""
    if key is None:
        return None
    if not is_text(key):
        raise InvalidOption(f"the key of a value is text, not {show(key)}")
    return bytes(key.encode())


def read_text(name: Any, what: str) -> str:
    """Return a name; InvalidOption if it is not text."""
    if not is_text(name) or not name:
        raise InvalidOption(f"{what} is text, not {show(name)}")
    return str(name)


def read_note(note: Any) -> Any:
    """Return a note; InvalidValue if it cannot be stored."""
    return None if note is None else fit(FREE, note)


def _members(given: Any, cardinality: str) -> Iterable[Any]:
    if given is None:
        return ()
    if isinstance(given, PropertyValue):
        return (given,)
    several = isinstance(given, list | tuple | set | frozenset)
    if several and given and all(isinstance(one, PropertyValue) for one in given):
        return list(given)
    if cardinality == ONE:
        return (given,)
    if not several:
        what = {LIST: "a list", SET: "a set"}[cardinality]
        raise InvalidValue(f"it takes {what}, not {type(given).__name__}: {show(given)}")
    return list(given)


def _entries(metadata: Mapping[str, Any]) -> Iterator[GivenMetadata]:
    for key, one in metadata.items():
        read_text(key, "the name of a metadata entry")
        wrapped = one if isinstance(one, PropertyValue) else PropertyValue(one)
        seen_by = None if wrapped.visibility is None else label_of(wrapped.visibility)
        if wrapped.value is not None:
            yield GivenMetadata(key=key, value=fit(FREE, wrapped.value), visibility=seen_by)
