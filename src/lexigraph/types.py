"""Value types that Python lacks: integers with a width, 32-bit floats, points on the globe.

Below every layer but ``errors``. The number types are ordinary ``int`` and ``float`` to arithmetic
and comparison; only self-describing values remember which one they were, so that Gremlin's eight
numeric types (Int8, Int16, Int32, Int64, Float32, float, BigInt, Decimal) survive a round trip.
A value of these types is always within its range: the constructors refuse everything else. Also
``Text``, what people may give where bytes are meant.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Annotated, ClassVar, Self, TypeVar

from lexigraph.errors import InvalidValue, UsageError, show

__all__ = [
    "BigInt",
    "Float32",
    "GeoPoint",
    "Int8",
    "Int16",
    "Int32",
    "Int64",
    "Many",
    "Text",
    "to_bytes",
]

Text = str | bytes
"""Bytes, or text that stands for its UTF-8."""

T = TypeVar("T")
MANY = object()
"""Marks the annotation of a property with any number of values."""
Many = Annotated[list[T], MANY]
"""A property of a record with any number of values: ``emails: lg.Many[str]``."""


class _Integer(int):
    """An ``int`` that remembers how it is to be stored."""

    bits: ClassVar[int | None] = None

    def __new__(cls, value: int) -> Self:
        """Take an ``int``; refuse a ``bool`` and what the width cannot hold."""
        if not isinstance(value, int) or isinstance(value, bool):
            raise InvalidValue(f"{cls.__name__} holds an int, not {type(value).__name__}")
        if cls.bits is not None and not -(1 << cls.bits - 1) <= value < 1 << cls.bits - 1:
            raise InvalidValue(
                f"{cls.__name__} holds -2**{cls.bits - 1} to 2**{cls.bits - 1} - 1; "
                f"the int given has {value.bit_length()} bits",
                hint="Use a wider type, or BigInt for integers of any size.",
            )
        return super().__new__(cls, value)

    def __repr__(self) -> str:
        """Show the type, because it decides what is stored."""
        return f"{type(self).__name__}({int(self)})"


class Int8(_Integer):
    """A signed 8-bit integer (Gremlin's byte).

    >>> Int8(127) + 1
    128
    """

    bits = 8


class Int16(_Integer):
    """A signed 16-bit integer (Gremlin's short).

    >>> Int16(-5)
    Int16(-5)
    """

    bits = 16


class Int32(_Integer):
    """A signed 32-bit integer (Gremlin's int).

    >>> Int32(1) == 1
    True
    """

    bits = 32


class Int64(_Integer):
    """A signed 64-bit integer (Gremlin's long).

    >>> Int64(2**63)
    Traceback (most recent call last):
        ...
    lexigraph.errors.InvalidValue: Int64 holds -2**63 to 2**63 - 1; the int given has 64 bits
    """

    bits = 64


class BigInt(_Integer):
    """An integer of any size that is to be stored as such (Gremlin's bigint).

    >>> BigInt(2**70) == 2**70
    True
    """


class Float32(float):
    """A 32-bit float: the nearest one to the number given.

    >>> Float32(0.1) == 0.1
    False
    """

    def __new__(cls, value: float) -> Self:
        """Round to 32 bits; refuse what would become infinite."""
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise InvalidValue(f"Float32 holds a float, not {type(value).__name__}")
        try:
            (rounded,) = struct.unpack(">f", struct.pack(">f", float(value)))
        except OverflowError as error:
            raise InvalidValue(
                "the number is too large for a 32-bit float (at most about 3.4e38)",
                hint="Use float, which has 64 bits.",
            ) from error
        return super().__new__(cls, rounded)

    def __repr__(self) -> str:
        """Show the type, because it decides what is stored."""
        return f"Float32({float(self)!r})"


@dataclass(frozen=True, slots=True)
class GeoPoint:
    """A point on the globe: latitude and longitude in degrees.

    >>> GeoPoint(52.5, 13.4)
    GeoPoint(latitude=52.5, longitude=13.4)
    """

    latitude: float
    longitude: float

    def __post_init__(self) -> None:
        """Refuse what is not on the globe; -180 and 180 degrees stay two points."""
        for name, limit in (("latitude", 90.0), ("longitude", 180.0)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise InvalidValue(f"{name} is a number of degrees, not {type(value).__name__}")
            if not -limit <= value <= limit:
                raise InvalidValue(f"{name} lies between -{limit:g} and {limit:g} degrees")
            object.__setattr__(self, name, float(value))


def to_bytes(text: Text, *, what: str, error: type[UsageError] = InvalidValue) -> bytes:
    """Return text as UTF-8 and bytes as they are; anything else is the caller's mistake.

    >>> to_bytes("é", what="term")
    b'\\xc3\\xa9'
    """
    if isinstance(text, bytes):
        return text
    if isinstance(text, bytearray | memoryview):
        return bytes(text)
    if not isinstance(text, str):
        raise error(f"a {what} is text or bytes, not {type(text).__name__}: {show(text)}")
    try:
        return text.encode()
    except UnicodeEncodeError as failure:
        raise error(
            f"a {what} must be text that UTF-8 can hold; character {failure.start} of "
            f"{show(text)} is half of a surrogate pair"
        ) from None
