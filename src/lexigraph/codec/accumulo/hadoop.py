"""Hadoop's variable-length integers.

Codec layer; needed to read and write what Accumulo's combiners store. One byte for -112 to 127;
else a first byte with sign and length, then the magnitude. As in Java, longer forms than needed
are read too.
"""

from __future__ import annotations

from lexigraph.codec.base import take
from lexigraph.codec.kinds.integers import check_int
from lexigraph.errors import InvalidBytes, InvalidValue

_WRAP = 1 << 64
_HALF = 1 << 63


def encode_vlong(number: int) -> bytes:
    """Write a signed 64-bit integer.

    >>> [encode_vlong(number).hex() for number in (127, 128, -112, -113)]
    ['7f', '8f80', '90', '8770']
    """
    check_int(number, "vlong")
    if not -_HALF <= number < _HALF:
        raise InvalidValue("a vlong holds -2**63 to 2**63 - 1")
    if -112 <= number <= 127:
        return number.to_bytes(1, "big", signed=True)
    magnitude = number if number >= 0 else ~number
    size = (magnitude.bit_length() + 7) // 8
    head = (-112 if number >= 0 else -120) - size
    return head.to_bytes(1, "big", signed=True) + magnitude.to_bytes(size, "big")


def decode_vlong(data: bytes, offset: int = 0) -> tuple[int, int]:
    """Read a signed 64-bit integer; give it and the offset after it.

    >>> decode_vlong(bytes.fromhex("8770"))
    (-113, 2)
    """
    first = int.from_bytes(take(data, offset, 1, "vlong"), "big", signed=True)
    if first >= -112:
        return first, offset + 1
    negative = first < -120
    size = -120 - first if negative else -112 - first
    number = int.from_bytes(take(data, offset + 1, size, "vlong"), "big")
    # Eight bytes with the top bit set wrap around, as they do in Java.
    signed = number - _WRAP if number >= _HALF else number
    return (~signed if negative else signed), offset + 1 + size


def decode_vint(data: bytes, offset: int = 0) -> tuple[int, int]:
    """Read a vlong that must fit into 32 bits.

    >>> decode_vint(b"\\x05")
    (5, 1)
    """
    number, end = decode_vlong(data, offset)
    if not -(1 << 31) <= number < 1 << 31:
        raise InvalidBytes(f"the vint at byte {offset} does not fit into 32 bits")
    return number, end
