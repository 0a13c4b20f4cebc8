"""Ranges of keys: prefixes, successors, and bounds on the parts of a composite key.

Codec layer. A range is (start, end): start inclusive, end exclusive, ``None`` for no upper bound.
Because parts are prefix-free, the range of a prefix holds exactly the keys with those parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from lexigraph.codec.base import Codec
from lexigraph.codec.composite import Descending, Nullable, TupleCodec
from lexigraph.codec.escape import complement
from lexigraph.errors import InvalidValue

KeyRange = tuple[bytes, bytes | None]


class Bound(NamedTuple):
    """One end of a range of values."""

    value: Any
    inclusive: bool = True


def successor(key: bytes) -> bytes:
    """Return the least key after ``key``.

    >>> successor(b"a")
    b'a\\x00'
    """
    return key + b"\x00"


def following_prefix(prefix: bytes) -> bytes | None:
    """Return the least key after all keys with this prefix, or ``None`` if there is none.

    >>> following_prefix(b"a\\xff"), following_prefix(b"\\xff")
    (b'b', None)
    """
    stripped = prefix.rstrip(b"\xff")
    return stripped[:-1] + bytes([stripped[-1] + 1]) if stripped else None


def prefix_range(prefix: bytes) -> KeyRange:
    """Return the range of all keys with this prefix.

    >>> prefix_range(b"ab")
    (b'ab', b'ac')
    """
    return prefix, following_prefix(prefix)


def tuple_range(codec: TupleCodec, values: Sequence[Any]) -> KeyRange:
    """Return the range of the tuples that begin with these values.

    >>> from lexigraph.codec import codec_for, tuple_codec
    >>> tuple_range(tuple_codec(codec_for("str"), codec_for("int")), ["a"])
    (b'a\\x00', b'a\\x01')
    """
    return prefix_range(codec.encode_prefix(values))


def bounded_range(
    codec: TupleCodec,
    values: Sequence[Any],
    *,
    lower: Bound | None = None,
    upper: Bound | None = None,
) -> KeyRange:
    """Return the range of the tuples that begin with these values and whose next part is bounded.

    ``lower`` and ``upper`` are meant in the order of values, also where the part is descending.
    With a bound, nulls of that part lie outside. When nothing can match, start and end are equal.

    >>> from lexigraph.codec import codec_for, descending, tuple_codec
    >>> days = tuple_codec(codec_for("str"), descending(codec_for("int8")))
    >>> [key.hex() for key in bounded_range(days, ["a"], lower=Bound(1), upper=Bound(3))]
    ['61007c', '61007f']
    """
    prefix = codec.encode_prefix(values)
    if lower is None and upper is None:
        return prefix_range(prefix)
    if len(values) >= len(codec.parts):
        raise InvalidValue(f"{codec.name!r} has no part {len(values) + 1} to bound")
    part = codec.parts[len(values)]
    present, reverse = _present(part)
    first, last = (upper, lower) if reverse else (lower, upper)
    start: bytes | None = prefix + present
    end = following_prefix(prefix + present)
    if first is not None:
        edge = prefix + _encode_bound(part, first)
        start = edge if first.inclusive else following_prefix(edge)
    if last is not None:
        edge = prefix + _encode_bound(part, last)
        end = following_prefix(edge) if last.inclusive else edge
    if start is None or (end is not None and start > end):
        return prefix, prefix
    return start, end


def _encode_bound(part: Codec[Any], bound: Bound) -> bytes:
    if bound.value is None and _is_nullable(part):
        raise InvalidValue(
            "null cannot be a bound of a range", hint="Leave the bound out, or ask for null itself."
        )
    return part.encode_part(bound.value)


def _is_nullable(part: Codec[Any]) -> bool:
    if isinstance(part, Descending):
        return _is_nullable(part.inner)
    return isinstance(part, Nullable)


def _present(part: Codec[Any]) -> tuple[bytes, bool]:
    # What every non-null value of the part begins with, and whether bytes run against values.
    if isinstance(part, Nullable):
        inner, reverse = _present(part.inner)
        return part.present + inner, reverse
    if isinstance(part, Descending):
        inner, reverse = _present(part.inner)
        return complement(inner), not reverse
    return b"", False
