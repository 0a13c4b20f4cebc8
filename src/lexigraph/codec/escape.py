"""Escaping that lets variable-length bytes stand inside a key, and the complement of bytes.

Codec layer. The invariant: an escaped string holds no 00, so 00 ends it, and the order of
escaped, terminated strings is the order of the plain ones. The rule is Accumulo's: 00 -> 01 01,
01 -> 01 02.
"""

from __future__ import annotations

from lexigraph.errors import InvalidBytes

_COMPLEMENT = bytes(range(255, -1, -1))


def escape(data: bytes) -> bytes:
    """Replace 00 and 01, so that 00 is free to end the string.

    >>> escape(b"a\\x00b\\x01").hex()
    '610101620102'
    """
    return data.replace(b"\x01", b"\x01\x02").replace(b"\x00", b"\x01\x01")


def unescape(data: bytes) -> bytes:
    """Undo :func:`escape`; refuse what it does not write.

    >>> unescape(bytes.fromhex("610101620102"))
    b'a\\x00b\\x01'
    """
    if b"\x00" in data:
        raise InvalidBytes(
            f"byte {data.index(0)} of the escaped bytes is 00, which is allowed only as their end"
        )
    pieces = data.split(b"\x01")
    plain = bytearray(pieces[0])
    position = 1
    while position < len(pieces):
        piece = pieces[position]
        position += 1
        if piece[:1] == b"\x02":
            plain += b"\x01" + piece[1:]
        elif not piece and position < len(pieces):
            # 01 01 splits into an empty piece and what follows the second 01.
            plain += b"\x00" + pieces[position]
            position += 1
        else:
            raise InvalidBytes("an escape byte 01 is followed by neither 01 nor 02")
    return bytes(plain)


def split_terminated(data: bytes, offset: int) -> tuple[bytes, int]:
    """Read an escaped string and its 00 from ``offset``; give it plain, and where it ended.

    >>> split_terminated(b"ab\\x00rest", 0)
    (b'ab', 3)
    """
    end = data.find(b"\x00", offset) if 0 <= offset <= len(data) else -1
    if end < 0:
        raise InvalidBytes(f"the part that starts at byte {offset} has no 00 byte at its end")
    return unescape(data[offset:end]), end + 1


def complement(data: bytes) -> bytes:
    """Turn every byte b into ff - b, which reverses the order of prefix-free strings.

    >>> complement(b"\\x00\\x7f\\xff").hex()
    'ff8000'
    """
    return data.translate(_COMPLEMENT)
