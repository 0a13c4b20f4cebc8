"""What the annotation of a field says about its values.

Layer ``schema``. ``Annotated[T, "codec"]`` names a codec, one of your own too; the types below need
no name. ``T | None`` may be absent.
"""

from __future__ import annotations

import collections
import collections.abc
import types
import typing
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from ipaddress import IPv4Address, IPv6Address
from typing import Annotated, Any, Union
from uuid import UUID

from lexigraph.codec import Codec, codec_for
from lexigraph.errors import InvalidName, SchemaError, show
from lexigraph.schema.fields import Field
from lexigraph.schema.model import LIST, ONE, SET, ValueType
from lexigraph.streaming import StreamingValue
from lexigraph.types import MANY, BigInt, Float32, GeoPoint, Int8, Int16, Int32, Int64

_TYPES: dict[Any, ValueType] = {
    bool: ValueType("bool"),
    int: ValueType("int"),
    BigInt: ValueType("int"),
    **{width: ValueType("int", bits=width.bits) for width in (Int8, Int16, Int32, Int64)},
    float: ValueType("float"),
    Float32: ValueType("float", bits=32),
    Decimal: ValueType("decimal"),
    str: ValueType("str"),
    bytes: ValueType("bytes"),
    datetime: ValueType("datetime"),
    date: ValueType("date"),
    time: ValueType("time"),
    timedelta: ValueType("timedelta"),
    UUID: ValueType("uuid"),
    IPv4Address: ValueType("ip"),
    IPv6Address: ValueType("ip"),
    GeoPoint: ValueType("geo"),
    StreamingValue: ValueType("stream"),
    Any: ValueType("any"),
    object: ValueType("any"),
    tuple: ValueType("any"),
    list: ValueType("any"),
}
_ADDRESSES = {IPv4Address, IPv6Address}
_COLLECTIONS = {
    set,
    frozenset,
    list,
    dict,
    collections.Counter,
    collections.abc.Set,
    collections.abc.Mapping,
    collections.abc.Sequence,
    collections.abc.Collection,
    collections.abc.Iterable,
}


def value_type(annotation: Any, what: str, *, collects: bool = False) -> ValueType:
    """Return the type that an annotation means; of a field that collects, that of one member.

    >>> value_type(Int32 | None, "'n'")
    ValueType(codec='int', bits=32, optional=True, java=None)
    >>> value_type(set[str], "'tags'", collects=True).codec
    'str'
    """
    kind, optional = _strip(annotation)
    if collects and (member := member_of(kind)) is not None:
        kind, _ = _strip(member)
    found = _find(kind, what)
    return ValueType(found.codec, found.bits, optional)


def cardinality(annotation: Any) -> str:
    """Return how many values a property of a record has, by its annotation.

    >>> from lexigraph.types import Many
    >>> cardinality(Many[str]), cardinality(set[str] | None), cardinality(str)
    ('list', 'set', 'single')
    """
    kind, _ = _strip(annotation)
    if typing.get_origin(kind) is Annotated and MANY in typing.get_args(kind)[1:]:
        return LIST
    return SET if typing.get_origin(kind) in (set, frozenset, collections.abc.Set) else ONE


def member_of(annotation: Any) -> Any | None:
    """Return what a collection holds, or the keys of a map; ``None`` for other types."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Annotated and MANY in arguments[1:]:
        return member_of(arguments[0])
    if origin in _COLLECTIONS:
        return arguments[0]
    is_row = origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis
    return arguments[0] if is_row else None


def _strip(annotation: Any) -> tuple[Any, bool]:
    if typing.get_origin(annotation) is Field:
        (annotation,) = typing.get_args(annotation)
    if typing.get_origin(annotation) not in (Union, types.UnionType):
        return annotation, False
    members = [one for one in typing.get_args(annotation) if one is not type(None)]
    optional = len(members) < len(typing.get_args(annotation))
    if len(members) == 1:
        return members[0], optional
    # A member or a collection of them may be given to a field that collects.
    collections = [one for one in members if member_of(one) is not None]
    if len(collections) == 1 and len(members) == 2:
        return collections[0], optional
    return Union[tuple(members)], optional  # noqa: UP007 - made of values, not written


def _find(kind: Any, what: str) -> ValueType:
    if typing.get_origin(kind) is Annotated:
        base, *notes = typing.get_args(kind)
        for note in notes:
            if isinstance(note, Codec) or (isinstance(note, str) and _is_codec(note)):
                return ValueType(note if isinstance(note, str) else _registered(note, what))
        return _find(base, what)
    if typing.get_origin(kind) is Union and set(typing.get_args(kind)) == _ADDRESSES:
        return ValueType("ip")
    if typing.get_origin(kind) in (tuple, list):
        return ValueType("any")
    try:
        found = _TYPES.get(kind)
    except TypeError:
        found = None
    if found is None:
        shown = getattr(kind, "__name__", None) or show(kind)
        names = ", ".join(known.__name__ for known in _TYPES if isinstance(known, type))
        raise SchemaError(
            f"{what}: no codec is known for the type {shown}",
            hint=f"Use one of {names}, or Annotated[{shown}, 'name of a registered codec']. "
            "A set or a dict needs a collecting field: lg.set_of(), lg.frequencies().",
        )
    return found


def _is_codec(name: str) -> bool:
    try:
        codec_for(name)
    except InvalidName:
        return False
    return True


def _registered(codec: Codec[Any], what: str) -> str:
    if not _is_codec(codec.name) or codec_for(codec.name) is not codec:
        raise SchemaError(
            f"{what}: the codec {codec.name!r} is not registered",
            hint="Register it first: lexigraph.codec.register(codec).",
        )
    return codec.name
