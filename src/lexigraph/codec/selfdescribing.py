"""Values that say their own type: one type byte, then the payload.

Codec layer. In keys a number's width, and whether a sequence was list or tuple, do not count: 1
as int, Int8 or Int64 is one key. In values everything comes back as it was. Nesting is limited,
so that neither a value nor hostile bytes can exhaust the stack.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from ipaddress import IPv4Address, IPv6Address
from typing import Any
from uuid import UUID

from lexigraph.codec import typebytes
from lexigraph.codec.base import Codec, DelimitedCodec, take, wrong_type
from lexigraph.codec.kinds import basics, daytimes, decimals, floats, geo, integers, moments
from lexigraph.codec.kinds.streams import STREAM
from lexigraph.codec.varint import join_lengths, split_lengths
from lexigraph.errors import InvalidBytes, InvalidValue
from lexigraph.streaming import StreamingValue
from lexigraph.types import BigInt, Float32, GeoPoint, Int8, Int16, Int32, Int64

MAX_DEPTH = 32

_END = b"\x00"
_TYPES = (
    "None, bool, int, float, Decimal, str, bytes, date, time, datetime, timedelta, UUID, "
    "an IP address, GeoPoint, or a tuple or list of these"
)

# Subclasses stand before their base: the first match counts. Datetimes need a look at their offset.
_BY_CLASS: list[tuple[type | tuple[type, ...], int]] = [
    (bool, typebytes.BOOL),
    (Int8, typebytes.INT8),
    (Int16, typebytes.INT16),
    (Int32, typebytes.INT32),
    (Int64, typebytes.INT64),
    (BigInt, typebytes.BIGINT),
    (int, typebytes.INT),
    (Float32, typebytes.FLOAT32),
    (float, typebytes.FLOAT),
    (Decimal, typebytes.DECIMAL),
    (str, typebytes.STR),
    ((bytes, bytearray, memoryview), typebytes.BYTES),
    (datetime, typebytes.DATETIME),
    (date, typebytes.DATE),
    (time, typebytes.TIME),
    (timedelta, typebytes.TIMEDELTA),
    (UUID, typebytes.UUID),
    ((IPv4Address, IPv6Address), typebytes.IP),
    (GeoPoint, typebytes.GEO),
    (tuple, typebytes.TUPLE),
    (list, typebytes.LIST),
    (StreamingValue, typebytes.STREAM),
]

_PAYLOADS: dict[int, Codec[Any]] = {
    typebytes.NULL: basics.NULL,
    typebytes.BOOL: basics.BOOL,
    typebytes.INT: integers.INT,
    typebytes.INT8: integers.INT8,
    typebytes.INT16: integers.INT16,
    typebytes.INT32: integers.INT32,
    typebytes.INT64: integers.INT64,
    typebytes.BIGINT: integers.INT,
    typebytes.FLOAT: floats.FLOAT,
    typebytes.FLOAT32: floats.FLOAT32,
    typebytes.DECIMAL: decimals.DECIMAL,
    typebytes.STR: basics.STR,
    typebytes.BYTES: basics.BYTES,
    typebytes.DATE: moments.DATE,
    typebytes.TIME: daytimes.TIME,
    typebytes.NAIVE_DATETIME: moments.NAIVE_DATETIME,
    typebytes.DATETIME: moments.DATETIME,
    typebytes.TIMEDELTA: moments.TIMEDELTA,
    typebytes.UUID: basics.UUID_CODEC,
    typebytes.IP: basics.IP,
    typebytes.GEO: geo.GEO,
}

_REBUILD: dict[int, Callable[[Any], Any]] = {
    typebytes.INT8: Int8,
    typebytes.INT16: Int16,
    typebytes.INT32: Int32,
    typebytes.INT64: Int64,
    typebytes.BIGINT: BigInt,
    typebytes.FLOAT32: Float32,
}


class AnyCodec(DelimitedCodec[Any]):
    """Values of every type; keys are ordered by type first, then by value.

    >>> codec = AnyCodec()
    >>> codec.encode(Int8(1)).hex(), codec.encode(("a", 1)).hex()
    ('308101', '9848610030810100')
    >>> codec.decode_value(codec.encode_value([Int8(1), Decimal("1.00")]))
    [Int8(1), Decimal('1.00')]
    """

    name = "any"

    def encode(self, value: Any) -> bytes:
        """Write type byte and key part."""
        return self._encode_key(value, 0)

    def decode_part(self, data: bytes, offset: int = 0) -> tuple[Any, int]:
        """Read type byte and key part."""
        return self._decode_key(data, offset, 0)

    def encode_value(self, value: Any) -> bytes:
        """Write type byte and value."""
        return self._encode_value(value, 0)

    def decode_value(self, data: bytes) -> Any:
        """Read type byte and value."""
        return self._decode_value(data, 0)

    def _encode_key(self, value: Any, depth: int) -> bytes:
        value, kind = _classify(value)
        kind = typebytes.KEY_TYPE.get(kind, kind)
        if kind == typebytes.STREAM:
            return STREAM.encode(value)
        if kind != typebytes.TUPLE:
            return bytes([kind]) + _PAYLOADS[kind].encode_part(value)
        _check_depth(depth, InvalidValue)
        return bytes([kind]) + b"".join(self._encode_key(i, depth + 1) for i in value) + _END

    def _decode_key(self, data: bytes, offset: int, depth: int) -> tuple[Any, int]:
        kind = take(data, offset, 1, self.name)[0]
        offset += 1
        if kind == typebytes.TUPLE:
            _check_depth(depth, InvalidBytes)
            items = []
            while take(data, offset, 1, self.name) != _END:
                item, offset = self._decode_key(data, offset, depth + 1)
                items.append(item)
            return tuple(items), offset + 1
        if kind not in _PAYLOADS or kind in typebytes.KEY_TYPE:
            raise InvalidBytes(f"byte {offset - 1} is {kind:02x}, which is not a key type")
        return _PAYLOADS[kind].decode_part(data, offset)

    def _encode_value(self, value: Any, depth: int) -> bytes:
        value, kind = _classify(value)
        if kind == typebytes.STREAM:
            # Inside others nobody would find it: its bytes would never be removed.
            if depth:
                raise InvalidValue(
                    "a streaming value is not part of a tuple or list",
                    hint="Give it as a value of its own; key= tells several of one name apart.",
                )
            return bytes([kind]) + STREAM.encode_value(value)
        if kind not in (typebytes.TUPLE, typebytes.LIST):
            return bytes([kind]) + _PAYLOADS[kind].encode_value(value)
        _check_depth(depth, InvalidValue)
        return bytes([kind]) + join_lengths([self._encode_value(i, depth + 1) for i in value])

    def _decode_value(self, data: bytes, depth: int) -> Any:
        kind = take(data, 0, 1, self.name)[0]
        rest = data[1:]
        if kind in (typebytes.TUPLE, typebytes.LIST):
            _check_depth(depth, InvalidBytes)
            items = [self._decode_value(item, depth + 1) for item in split_lengths(rest)]
            return tuple(items) if kind == typebytes.TUPLE else items
        if kind == typebytes.STREAM and not depth:
            return STREAM.decode_value(rest)
        if kind not in _PAYLOADS:
            raise InvalidBytes(f"the bytes start with {kind:02x}, which is not a value type")
        value = _PAYLOADS[kind].decode_value(rest)
        return _REBUILD[kind](value) if kind in _REBUILD else value


def _classify(value: Any) -> tuple[Any, int]:
    while isinstance(value, Enum):
        value = value.value
    if value is None:
        return value, typebytes.NULL
    for classes, kind in _BY_CLASS:
        if isinstance(value, classes):
            if isinstance(value, datetime) and value.utcoffset() is None:
                return value, typebytes.NAIVE_DATETIME
            return value, kind
    raise wrong_type("any", _TYPES, value)


def _check_depth(depth: int, error: type[InvalidValue] | type[InvalidBytes]) -> None:
    if depth >= MAX_DEPTH:
        raise error(f"tuples and lists nest at most {MAX_DEPTH} deep")


ANY = AnyCodec()
