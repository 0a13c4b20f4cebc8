"""Unsigned lengths in as few bytes as they need.

Codec layer. Little-endian base 128, at most five bytes, only the shortest form: a length has one
encoding.
"""

from __future__ import annotations

from lexigraph.errors import InvalidBytes, InvalidValue

_LIMIT = 1 << 32


def encode_uvarint(number: int) -> bytes:
    """Write a length below 2**32.

    >>> encode_uvarint(300).hex()
    'ac02'
    """
    if not 0 <= number < _LIMIT:
        raise InvalidValue(f"a length lies between 0 and 2**32 - 1, not {number}")
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def decode_uvarint(data: bytes, offset: int) -> tuple[int, int]:
    """Read a length; give it and the offset after it.

    >>> decode_uvarint(b"\\xac\\x02", 0)
    (300, 2)
    """
    number = 0
    for position, byte in enumerate(data[offset : offset + 5]):
        number |= (byte & 0x7F) << 7 * position
        if byte < 0x80:
            if number >= _LIMIT or (byte == 0 and position > 0):
                break
            return number, offset + position + 1
    raise InvalidBytes(f"the length is not in its shortest form at byte {offset}")


def split_lengths(data: bytes) -> list[bytes]:
    """Cut bytes that are nothing but lengths and as many bytes each.

    >>> split_lengths(b"\\x01a\\x02bc")
    [b'a', b'bc']
    """
    items, offset = [], 0
    while offset < len(data):
        length, start = decode_uvarint(data, offset)
        offset = start + length
        if offset > len(data):
            raise InvalidBytes(f"{length} bytes are announced at byte {start}, but fewer follow")
        items.append(data[start:offset])
    return items


def join_lengths(items: list[bytes]) -> bytes:
    """Write each item after its length.

    >>> join_lengths([b"a", b"bc"])
    b'\\x01a\\x02bc'
    """
    return b"".join(encode_uvarint(len(item)) + item for item in items)
