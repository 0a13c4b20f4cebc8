"""What a codec is: one type's key, part and value bytes.

Codec layer; everything here is built on this class. Invariants of every codec: byte order of keys
is value order; equal values have one key; no part is a prefix of another part; decoders accept
only what their encoder writes and raise nothing but InvalidBytes. docs/formats/codec.md has the
bytes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import wraps
from typing import Any, Generic, TypeVar

from lexigraph.codec.escape import escape, split_terminated
from lexigraph.errors import InvalidBytes, InvalidValue, show

T = TypeVar("T")


class Codec(ABC, Generic[T]):
    """Order-preserving bytes for one type; subclass it to store a type of your own.

    ``encode`` and ``decode`` are enough. Set ``width`` if all keys have one length; otherwise parts
    are escaped and terminated.

    >>> class Version(Codec[str]):
    ...     name = "version"
    ...     width = 2
    ...     def encode(self, value):
    ...         return bytes(int(number) for number in value.split("."))
    ...     def decode(self, data):
    ...         return f"{data[0]}.{data[1]}"
    >>> Version().encode("1.10") > Version().encode("1.9")
    True
    """

    name: str
    width: int | None = None
    self_delimiting: bool = False

    def __init_subclass__(cls, **options: Any) -> None:
        """Let every decoder see bytes only, those of users too."""
        super().__init_subclass__(**options)
        for name in ("decode", "decode_part", "decode_value"):
            if name in cls.__dict__:
                setattr(cls, name, _of_bytes(cls.__dict__[name]))

    @abstractmethod
    def encode(self, value: T) -> bytes:
        """Return the key bytes: ordered and canonical. Refuse other values with InvalidValue."""

    @abstractmethod
    def decode(self, data: bytes) -> T:
        """Read key bytes; refuse with InvalidBytes what ``encode`` does not write."""

    def encode_part(self, value: T) -> bytes:
        """Return the bytes inside a longer key: prefix-free, in the same order."""
        key = self.encode(value)
        if self.self_delimiting or self.width is not None:
            return key
        return escape(key) + b"\x00"

    def decode_part(self, data: bytes, offset: int = 0) -> tuple[T, int]:
        """Read one part from ``offset``; give the value and the offset after it."""
        if type(data) is not bytes:
            data = _read_bytes(data, self.name)
        if self.width is not None:
            key = take(data, offset, self.width, self.name)
            return self.decode(key), offset + self.width
        key, end = split_terminated(data, offset)
        return self.decode(key), end

    def encode_value(self, value: T) -> bytes:
        """Return the bytes to store as a value: faithful, not ordered."""
        return self.encode(value)

    def decode_value(self, data: bytes) -> T:
        """Read what ``encode_value`` wrote."""
        return self.decode(data)

    def __repr__(self) -> str:
        """Show the name."""
        return f"<codec {self.name}>"


def _of_bytes(decode: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(decode)
    def checked(self: Codec[Any], data: Any, *offset: int, **named: int) -> Any:
        if type(data) is not bytes:
            data = _read_bytes(data, self.name)
        return decode(self, data, *offset, **named)

    return checked


def _read_bytes(data: Any, name: str) -> bytes:
    if isinstance(data, bytes | bytearray | memoryview):
        return bytes(data)
    raise InvalidBytes(
        f"codec {name!r} reads bytes, not {type(data).__name__}: {show(data)}",
        hint="Pass the bytes that the codec wrote; text must be encoded first.",
    )


class DelimitedCodec(Codec[T]):
    """A codec whose keys are prefix-free by themselves: its parts are its keys."""

    self_delimiting = True

    @abstractmethod
    def decode_part(self, data: bytes, offset: int = 0) -> tuple[T, int]:
        """Read one part from ``offset``; give the value and the offset after it."""

    def decode(self, data: bytes) -> T:
        """Read a key that takes up all of ``data``."""
        value, end = self.decode_part(data, 0)
        refuse_rest(data, end, self.name)
        return value


def take(data: bytes, offset: int, count: int, name: str) -> bytes:
    """Cut ``count`` bytes out at ``offset``, or say that they are not there.

    >>> take(b"abcd", 1, 2, "int16")
    b'bc'
    """
    if offset < 0 or offset + count > len(data):
        raise InvalidBytes(
            f"codec {name!r} reads {count} bytes at byte {offset}, but there are {len(data)} in all"
        )
    return data[offset : offset + count]


def refuse_rest(data: bytes, end: int, name: str) -> None:
    """Refuse bytes after the end of a whole key or value.

    >>> refuse_rest(b"abc", 3, "int")
    """
    if end != len(data):
        raise InvalidBytes(f"codec {name!r} read {end} bytes, but {len(data) - end} more follow")


def wrong_type(name: str, expected: str, value: Any) -> InvalidValue:
    """Build the error for a value of another type.

    >>> print(wrong_type("int", "int", "1"))
    codec 'int' holds int, not str: '1'
    """
    given = type(value).__name__
    return InvalidValue(
        f"codec {name!r} holds {expected}, not {given}: {show(value)}",
        expected=expected,
        value=value,
    )
