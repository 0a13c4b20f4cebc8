"""Codecs made from codecs: descending, nullable, tuples and lists.

Codec layer. All rest on one fact: parts are prefix-free. So a complement reverses the order
exactly, a tuple is its parts one after the other, and the keys with the first k parts are the
tuples with those k values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from lexigraph.codec.base import Codec, DelimitedCodec, T, take, wrong_type
from lexigraph.codec.escape import complement
from lexigraph.codec.varint import join_lengths, split_lengths
from lexigraph.errors import InvalidBytes, InvalidOption, InvalidValue

Nulls = Literal["first", "last"]


class Descending(DelimitedCodec[T]):
    """Another codec in reverse order; made by :func:`descending`."""

    def __init__(self, inner: Codec[T]) -> None:
        self.inner = _check_codec(inner)
        self.name = f"descending({inner.name})"
        self.width = inner.width

    def encode(self, value: T) -> bytes:
        """Write the complement of the inner part."""
        return complement(self.inner.encode_part(value))

    def decode_part(self, data: bytes, offset: int = 0) -> tuple[T, int]:
        """Read the complement of the inner part."""
        if not 0 <= offset <= len(data):
            raise InvalidBytes(f"byte {offset} lies outside the {len(data)} bytes given")
        end = None if self.width is None else offset + self.width
        value, used = self.inner.decode_part(complement(data[offset:end]), 0)
        return value, offset + used

    def encode_value(self, value: T) -> bytes:
        """Write the inner value: values have no order."""
        return self.inner.encode_value(value)

    def decode_value(self, data: bytes) -> T:
        """Read the inner value."""
        return self.inner.decode_value(data)


class Nullable(DelimitedCodec[T | None]):
    """Another codec with null before or after all values; made by :func:`nullable`."""

    def __init__(self, inner: Codec[T], nulls: Nulls) -> None:
        if nulls not in ("first", "last"):
            raise InvalidOption(f"nulls must be 'first' or 'last', not {nulls!r}")
        self.inner = _check_codec(inner)
        self.name = f"nullable({inner.name},{nulls})"
        self.null, self.present = (b"\x00", b"\x01") if nulls == "first" else (b"\x01", b"\x00")

    def encode(self, value: T | None) -> bytes:
        """Write a byte that says whether there is a value, then its part."""
        return self.null if value is None else self.present + self.inner.encode_part(value)

    def decode_part(self, data: bytes, offset: int = 0) -> tuple[T | None, int]:
        """Read the byte, then the part if there is one."""
        marker = take(data, offset, 1, self.name)
        if marker == self.null:
            return None, offset + 1
        if marker != self.present:
            raise InvalidBytes(f"codec {self.name!r} starts with 00 or 01, not {marker.hex()}")
        value, end = self.inner.decode_part(data, offset + 1)
        return self._refuse_null(value), end

    def encode_value(self, value: T | None) -> bytes:
        """Write 00 for null, else 01 and the inner value."""
        return b"\x00" if value is None else b"\x01" + self.inner.encode_value(value)

    def decode_value(self, data: bytes) -> T | None:
        """Read 00, or 01 and the inner value."""
        if data == b"\x00":
            return None
        if data[:1] != b"\x01":
            raise InvalidBytes(f"a value of {self.name!r} is 00, or starts with 01")
        return self._refuse_null(self.inner.decode_value(data[1:]))

    def _refuse_null(self, value: T) -> T:
        # The inner codec may know null as well, but null is never written through it.
        if value is None:
            raise InvalidBytes(f"codec {self.name!r} writes null without a value after it")
        return value


class TupleCodec(DelimitedCodec[tuple[Any, ...]]):
    """A fixed number of parts, each with its codec; made by :func:`tuple_codec`."""

    def __init__(self, parts: Sequence[Codec[Any]]) -> None:
        self.parts = tuple(_check_codec(part) for part in parts)
        self.name = f"tuple({','.join(part.name for part in parts)})"
        widths = [part.width for part in parts]
        known = [width for width in widths if width is not None]
        self.width = sum(known) if len(known) == len(widths) else None

    def encode(self, value: Sequence[Any]) -> bytes:
        """Write all parts one after the other."""
        self._check(value)
        return self.encode_prefix(value)

    def encode_prefix(self, values: Sequence[Any]) -> bytes:
        """Write the first ``len(values)`` parts."""
        if len(values) > len(self.parts):
            raise InvalidValue(f"{self.name!r} has {len(self.parts)} parts, not {len(values)}")
        return b"".join(
            part.encode_part(item) for part, item in zip(self.parts, values, strict=False)
        )

    def decode_part(self, data: bytes, offset: int = 0) -> tuple[tuple[Any, ...], int]:
        """Read all parts."""
        values = []
        for part in self.parts:
            value, offset = part.decode_part(data, offset)
            values.append(value)
        return tuple(values), offset

    def encode_value(self, value: Sequence[Any]) -> bytes:
        """Write the length and value of each part."""
        self._check(value)
        pairs = zip(self.parts, value, strict=True)
        return join_lengths([part.encode_value(item) for part, item in pairs])

    def decode_value(self, data: bytes) -> tuple[Any, ...]:
        """Read the length and value of each part."""
        items = split_lengths(data)
        if len(items) != len(self.parts):
            raise InvalidBytes(f"{self.name!r} has {len(self.parts)} parts, not {len(items)}")
        pairs = zip(self.parts, items, strict=True)
        return tuple(part.decode_value(item) for part, item in pairs)

    def _check(self, value: object) -> None:
        if not isinstance(value, (tuple, list)):
            raise wrong_type(self.name, "tuple", value)
        if len(value) != len(self.parts):
            raise InvalidValue(f"{self.name!r} has {len(self.parts)} parts, not {len(value)}")


class ListCodec(DelimitedCodec[list[T]]):
    """Any number of items of one codec, a shorter list first; made by :func:`list_codec`."""

    def __init__(self, item: Codec[T]) -> None:
        self.item = _check_codec(item)
        self.name = f"list({item.name})"

    def encode(self, value: Sequence[T]) -> bytes:
        """Write 01 before each item, 00 at the end."""
        self._check(value)
        return b"".join(b"\x01" + self.item.encode_part(item) for item in value) + b"\x00"

    def decode_part(self, data: bytes, offset: int = 0) -> tuple[list[T], int]:
        """Read items up to the 00."""
        items = []
        while (marker := take(data, offset, 1, self.name)) == b"\x01":
            item, offset = self.item.decode_part(data, offset + 1)
            items.append(item)
        if marker != b"\x00":
            raise InvalidBytes(f"byte {offset} of {self.name!r} is neither 00 nor 01")
        return items, offset + 1

    def encode_value(self, value: Sequence[T]) -> bytes:
        """Write the length and value of each item."""
        self._check(value)
        return join_lengths([self.item.encode_value(item) for item in value])

    def decode_value(self, data: bytes) -> list[T]:
        """Read the length and value of each item."""
        return [self.item.decode_value(item) for item in split_lengths(data)]

    def _check(self, value: object) -> None:
        if not isinstance(value, (tuple, list)):
            raise wrong_type(self.name, "list", value)


def _check_codec(codec: Codec[T]) -> Codec[T]:
    if not isinstance(codec, Codec):
        raise InvalidValue(
            f"a codec is made from codecs, not from {type(codec).__name__}",
            hint="Find a codec by its name first: codec_for('str').",
        )
    return codec


def descending(codec: Codec[T]) -> Descending[T]:
    """Reverse the order of a codec.

    >>> from lexigraph.codec import codec_for
    >>> descending(codec_for("str")).encode("a").hex()
    '9eff'
    """
    return Descending(codec)


def nullable(codec: Codec[T], nulls: Nulls = "first") -> Nullable[T]:
    """Let a codec hold ``None``, before or after everything else.

    >>> from lexigraph.codec import codec_for
    >>> nullable(codec_for("int"), "last").encode(None)
    b'\\x01'
    """
    return Nullable(codec, nulls)


def tuple_codec(*parts: Codec[Any]) -> TupleCodec:
    """Put codecs side by side: ordered by the first part, then the second, and so on.

    >>> from lexigraph.codec import codec_for
    >>> tuple_codec(codec_for("str"), descending(codec_for("int8"))).encode(("a", 1)).hex()
    '61007e'
    """
    return TupleCodec(parts)


def list_codec(item: Codec[T]) -> ListCodec[T]:
    """Hold any number of items of one codec.

    >>> from lexigraph.codec import codec_for
    >>> list_codec(codec_for("bool")).encode([True, False]).hex()
    '0101010000'
    """
    return ListCodec(item)
