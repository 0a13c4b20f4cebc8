"""Accumulo's sixteen lexicoders, byte for byte.

Codec layer; for tables shared with Java programs. The bytes are fixed by Accumulo, also where ours
differ: UUIDs in signed order, -0.0 before 0.0. Decoders are stricter than Java's: they accept only
what an encoder writes. New tables use the codecs of ``codec_for`` instead.
"""

from __future__ import annotations

import struct
from abc import ABC, abstractmethod
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar
from uuid import UUID

from lexigraph.codec.base import wrong_type
from lexigraph.codec.escape import complement, escape, unescape
from lexigraph.codec.kinds import basics
from lexigraph.codec.kinds.integers import check_int, check_width
from lexigraph.errors import InvalidBytes, InvalidValue

T = TypeVar("T")
A = TypeVar("A")
B = TypeVar("B")

_MILLI = timedelta(milliseconds=1)


class Lexicoder(ABC, Generic[T]):
    """One of Accumulo's encodings."""

    @abstractmethod
    def encode(self, value: T) -> bytes:
        """Write the bytes that the Java class writes."""

    @abstractmethod
    def decode(self, data: bytes) -> T:
        """Read them; InvalidBytes for anything else."""


class _Unsigned(Lexicoder[int]):
    size: int

    def encode(self, value: int) -> bytes:
        """Write length and bytes; a negative number counts as Java's two's complement."""
        name, bits = type(self).__name__, 8 * self.size
        check_int(value, name)
        if not -(1 << bits - 1) <= value < 1 << bits:
            raise InvalidValue(f"{name} holds {bits} bits; the int given has {value.bit_length()}")
        data = (value & (1 << bits) - 1).to_bytes(self.size, "big")
        if data[0] < 0x80:
            data = data.lstrip(b"\x00")
            return bytes([len(data)]) + data
        data = data.lstrip(b"\xff")
        return bytes([2 * self.size - len(data)]) + data

    def decode(self, data: bytes) -> int:
        """Read an unsigned number."""
        rest = data[1:]
        filler = b"\xff" if data[:1] > bytes([self.size]) else b"\x00"
        number = int.from_bytes(rest[: self.size].rjust(self.size, filler), "big")
        # Wrong lengths, and longer forms than needed, show when the number is written again.
        if self.encode(number) != data:
            raise InvalidBytes(f"these bytes are not a value of {type(self).__name__}")
        return number


class ULongLexicoder(_Unsigned):
    """Unsigned 64-bit integers.

    >>> ULongLexicoder().encode(1).hex(), ULongLexicoder().encode(-1).hex()
    ('0101', '10')
    """

    size = 8


class UIntegerLexicoder(_Unsigned):
    """Unsigned 32-bit integers.

    >>> UIntegerLexicoder().encode(-1).hex()
    '08'
    """

    size = 4


class _Signed(Lexicoder[int]):
    unsigned: _Unsigned

    def encode(self, value: int) -> bytes:
        """Flip the sign bit, then write unsigned."""
        bias = 1 << 8 * self.unsigned.size - 1
        name = type(self).__name__
        check_int(value, name)
        if not -bias <= value < bias:
            raise InvalidValue(f"{name} holds {-bias} to {bias - 1}")
        return self.unsigned.encode(value + bias)

    def decode(self, data: bytes) -> int:
        """Read unsigned, then flip the sign bit."""
        return self.unsigned.decode(data) - (1 << 8 * self.unsigned.size - 1)


class LongLexicoder(_Signed):
    """Signed 64-bit integers.

    >>> LongLexicoder().encode(0).hex()
    '088000000000000000'
    """

    unsigned = ULongLexicoder()


class IntegerLexicoder(_Signed):
    """Signed 32-bit integers.

    >>> IntegerLexicoder().encode(-1).hex()
    '047fffffff'
    """

    unsigned = UIntegerLexicoder()


class DateLexicoder(Lexicoder[Any]):
    """Dates in milliseconds: takes aware datetimes or epoch milliseconds, gives milliseconds.

    Java's dates reach further than Python's, so decoding cannot promise a datetime.

    >>> from datetime import UTC
    >>> DateLexicoder().encode(datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)).hex()
    '0880000000000003e8'
    """

    _long = LongLexicoder()

    def encode(self, value: datetime | int) -> bytes:
        """Write milliseconds since 1970."""
        if isinstance(value, datetime):
            offset = value.utcoffset()
            if offset is None:
                raise wrong_type("DateLexicoder", "an aware datetime", value)
            since = value.replace(tzinfo=None) - datetime(1970, 1, 1) - offset
            if since % _MILLI:
                raise InvalidValue("DateLexicoder holds whole milliseconds; round the datetime")
            value = since // _MILLI
        return self._long.encode(value)

    def decode(self, data: bytes) -> int:
        """Read milliseconds since 1970."""
        return self._long.decode(data)


class _Real(Lexicoder[float]):
    unsigned: _Unsigned
    format: str

    def encode(self, value: float) -> bytes:
        """Flip the sign bit, or all bits of a negative number; then write unsigned."""
        if not isinstance(value, float):
            raise wrong_type(type(self).__name__, "float", value)
        try:
            packed = struct.pack(self.format, value)
        except OverflowError:
            raise InvalidValue(f"{type(self).__name__} cannot hold {value!r}") from None
        bits, top = int.from_bytes(packed, "big"), 1 << 8 * self.unsigned.size - 1
        return self.unsigned.encode(bits ^ (2 * top - 1 if bits & top else top))

    def decode(self, data: bytes) -> float:
        """Read unsigned, then flip the bits back."""
        ordered, top = self.unsigned.decode(data), 1 << 8 * self.unsigned.size - 1
        bits = ordered ^ (top if ordered & top else 2 * top - 1)
        (number,) = struct.unpack(self.format, bits.to_bytes(self.unsigned.size, "big"))
        return float(number)


class DoubleLexicoder(_Real):
    """64-bit floats; -0.0 before 0.0.

    >>> DoubleLexicoder().encode(1.0).hex()
    '08bff0000000000000'
    """

    unsigned = ULongLexicoder()
    format = ">d"


class FloatLexicoder(_Real):
    """32-bit floats; other numbers are rounded to the nearest.

    >>> FloatLexicoder().encode(-1.0).hex()
    '04407fffff'
    """

    unsigned = UIntegerLexicoder()
    format = ">f"


class BigIntegerLexicoder(Lexicoder[int]):
    """Integers of any size.

    >>> BigIntegerLexicoder().encode(256).hex()
    '800000028100'
    """

    def encode(self, value: int) -> bytes:
        """Write the signed length, then the two's complement with its top bit flipped."""
        check_int(value, type(self).__name__)
        size = (value if value >= 0 else ~value).bit_length() // 8 + 1
        if size >= 1 << 31:
            raise InvalidValue("BigIntegerLexicoder holds at most 2**31 - 1 bytes")
        head = (size if value >= 0 else -size) + (1 << 31)
        body = bytearray(value.to_bytes(size, "big", signed=True))
        body[0] ^= 0x80
        return head.to_bytes(4, "big") + bytes(body)

    def decode(self, data: bytes) -> int:
        """Read the two's complement; the length must agree."""
        body = bytearray(data[4:])
        if not body:
            raise InvalidBytes("BigIntegerLexicoder reads at least 5 bytes")
        body[0] ^= 0x80
        number = int.from_bytes(body, "big", signed=True)
        if self.encode(number) != data:
            raise InvalidBytes("these bytes are not a value of BigIntegerLexicoder")
        return number


class StringLexicoder(Lexicoder[str]):
    """Text as UTF-8.

    >>> StringLexicoder().encode("a")
    b'a'
    """

    def encode(self, value: str) -> bytes:
        """Write UTF-8."""
        return basics.STR.encode(value)

    def decode(self, data: bytes) -> str:
        """Read UTF-8."""
        return basics.STR.decode(data)


class TextLexicoder(StringLexicoder):
    """Hadoop text: the bytes of StringLexicoder.

    >>> TextLexicoder().encode("a")
    b'a'
    """


class BytesLexicoder(Lexicoder[bytes]):
    """Bytes as they are.

    >>> BytesLexicoder().encode(b"a")
    b'a'
    """

    def encode(self, value: bytes) -> bytes:
        """Write the bytes."""
        return basics.BYTES.encode(value)

    def decode(self, data: bytes) -> bytes:
        """Read the bytes."""
        return bytes(data)


class UuidLexicoder(Lexicoder[UUID]):
    """UUIDs in Java's order, where both halves are signed.

    >>> UuidLexicoder().encode(UUID(int=0)).hex()
    '80000000000000008000000000000000'
    """

    _flip = 1 << 127 | 1 << 63

    def encode(self, value: UUID) -> bytes:
        """Flip the top bit of both halves."""
        if not isinstance(value, UUID):
            raise wrong_type("UuidLexicoder", "UUID", value)
        return (value.int ^ self._flip).to_bytes(16, "big")

    def decode(self, data: bytes) -> UUID:
        """Flip the top bit of both halves back."""
        check_width(data, 16, "UuidLexicoder")
        return UUID(int=int.from_bytes(data, "big") ^ self._flip)


class ReverseLexicoder(Lexicoder[T]):
    """Another lexicoder in reverse order.

    >>> ReverseLexicoder(StringLexicoder()).encode("a").hex()
    '9eff'
    """

    def __init__(self, inner: Lexicoder[T]) -> None:
        self.inner = inner

    def encode(self, value: T) -> bytes:
        """Complement the escaped bytes and their end."""
        return complement(escape(self.inner.encode(value)) + b"\x00")

    def decode(self, data: bytes) -> T:
        """Undo the complement and the escaping."""
        if data[-1:] != b"\xff":
            raise InvalidBytes("ReverseLexicoder ends with ff")
        return self.inner.decode(unescape(complement(data[:-1])))


class ListLexicoder(Lexicoder[list[T]]):
    """A list of at least one item, joined by 00.

    >>> ListLexicoder(StringLexicoder()).encode(["a", "b"]).hex()
    '610062'
    """

    def __init__(self, item: Lexicoder[T]) -> None:
        self.item = item

    def encode(self, value: list[T]) -> bytes:
        """Join the escaped items."""
        _check_list(value, "ListLexicoder")
        if not value:
            raise InvalidValue("ListLexicoder cannot hold an empty list; SequenceLexicoder can")
        return b"\x00".join(escape(self.item.encode(item)) for item in value)

    def decode(self, data: bytes) -> list[T]:
        """Split at every 00."""
        return [self.item.decode(unescape(item)) for item in data.split(b"\x00")]


class SequenceLexicoder(Lexicoder[list[T]]):
    """A list of any length, each item ended by 00.

    >>> SequenceLexicoder(StringLexicoder()).encode(["a", "b"]).hex()
    '61006200'
    """

    def __init__(self, item: Lexicoder[T]) -> None:
        self.item = item

    def encode(self, value: list[T]) -> bytes:
        """End every escaped item with 00."""
        _check_list(value, "SequenceLexicoder")
        return b"".join(escape(self.item.encode(item)) + b"\x00" for item in value)

    def decode(self, data: bytes) -> list[T]:
        """Split after every 00."""
        *items, rest = data.split(b"\x00")
        if rest:
            raise InvalidBytes("SequenceLexicoder ends with 00")
        return [self.item.decode(unescape(item)) for item in items]


class PairLexicoder(Lexicoder[tuple[A, B]]):
    """Two values, joined by 00.

    >>> PairLexicoder(StringLexicoder(), LongLexicoder()).encode(("a", -1)).hex()
    '6100087fffffffffffffff'
    """

    def __init__(self, first: Lexicoder[A], second: Lexicoder[B]) -> None:
        self.first, self.second = first, second

    def encode(self, value: tuple[A, B]) -> bytes:
        """Join the two escaped values."""
        if not isinstance(value, (tuple, list)) or len(value) != 2:
            raise wrong_type("PairLexicoder", "a tuple of two", value)
        one, other = self.first.encode(value[0]), self.second.encode(value[1])
        return escape(one) + b"\x00" + escape(other)

    def decode(self, data: bytes) -> tuple[A, B]:
        """Split at the only 00."""
        fields = data.split(b"\x00")
        if len(fields) != 2:
            raise InvalidBytes(f"PairLexicoder reads 2 fields, not {len(fields)}")
        return self.first.decode(unescape(fields[0])), self.second.decode(unescape(fields[1]))


def _check_list(value: object, name: str) -> None:
    if not isinstance(value, (list, tuple)):
        raise wrong_type(name, "list", value)
