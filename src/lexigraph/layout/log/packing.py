"""Columns of an entry as bytes, and back.

Layer ``layout``; section 3 of ``spec/changes.md``. Reading accepts exactly what writing gives and
raises nothing but InvalidBytes.
"""

from __future__ import annotations

import json
import sys
import zlib
from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Any, Final

from lexigraph.cells.columns import BytesColumn
from lexigraph.errors import InvalidBytes

ZLIB, PLAIN = b"\1", b"\2"
"""The forms of an entry."""
_LEVEL: Final = 1
"""How hard zlib tries: keys are alike, so the fastest level takes most of them away."""
MOST_BYTES: Final = 1 << 30
"""The most that a part may have when it is unpacked: more is damage."""
U32 = "I" if array("I").itemsize == 4 else "L"


def pack(header: Any, columns: Sequence[bytes], *, shrinks: bool = True) -> bytes:
    """Return a header and columns as one byte string, which zlib shrinks unless told not to.

    >>> unpack(pack({"kind": "commit"}, [b"abc", b""]))
    ({'kind': 'commit'}, [b'abc', b''])
    """
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    sizes = numbers([len(text), len(columns), *map(len, columns)])
    whole = b"".join((sizes, text, *columns))
    return ZLIB + zlib.compress(whole, _LEVEL) if shrinks else PLAIN + whole


def unpack(data: bytes) -> tuple[Any, list[bytes]]:
    """Read what :func:`pack` wrote."""
    if data[:1] not in (ZLIB, PLAIN):
        raise InvalidBytes(f"an entry of changes starts with 01 or 02, not {data[:1].hex()}")
    try:
        plain = data.startswith(PLAIN)
        unpacked = data[1:] if plain else zlib.decompressobj().decompress(data[1:], MOST_BYTES)
        length, count = read_numbers(unpacked[:8])
        end = 8 + 4 * count
        ends = list(accumulate((length, *read_numbers(unpacked[8:end])), initial=end))
        if ends[-1] != len(unpacked):
            raise InvalidBytes("an entry of changes has another length than it says")
        parts = [unpacked[start:stop] for start, stop in pairwise(ends)]
        return json.loads(parts[0]), parts[1:]
    except (zlib.error, ValueError, RecursionError) as error:
        if isinstance(error, InvalidBytes):
            raise
        raise InvalidBytes(f"an entry of changes cannot be read: {error}") from None


def numbers(values: Iterable[int]) -> bytes:
    """Return numbers of 4 bytes each."""
    made = array(U32, values)
    if sys.byteorder == "big":
        made.byteswap()
    return made.tobytes()


def read_numbers(data: bytes) -> array[int]:
    """Read numbers of 4 bytes each."""
    made = array(U32)
    made.frombytes(data)
    if sys.byteorder == "big":
        made.byteswap()
    return made


def pack_strings(values: list[bytes]) -> tuple[bytes, bytes]:
    """Return byte strings as two columns: their lengths, and all of them joined."""
    return numbers(map(len, values)), b"".join(values)


def pack_column(column: BytesColumn) -> tuple[bytes, bytes]:
    """Return a column of cells as two: where each entry ends, and all of them joined.

    If all entries are equal, the first is empty and the second has one of them.
    """
    # Most columns that are not all equal show it at their ends.
    if len(column) and column[0] == column[-1]:
        distinct = column.distinct()
        if len(distinct) == 1:
            return b"", distinct.pop()
    first, last = column.offsets[0], column.offsets[-1]
    ends: Any = column.offsets[1:]
    if first or sys.byteorder == "big":
        moved = array("q", (end - first for end in ends))
        if sys.byteorder == "big":
            moved.byteswap()
        ends = moved
    return bytes(ends), bytes(column.data[first:last])


def read_column(ends: bytes, data: bytes, count: int) -> list[bytes]:
    """Read a column of cells."""
    if not ends:
        return [data] * count
    found = array("q")
    found.frombytes(ends)
    if sys.byteorder == "big":
        found.byteswap()
    if len(found) != count or found[-1] != len(data):
        raise InvalidBytes("a column of an entry of changes has another length than it says")
    return [data[start:end] for start, end in pairwise((0, *found))]


def read_strings(lengths: bytes, data: bytes) -> list[bytes]:
    """Read byte strings from their two columns."""
    ends = list(accumulate(read_numbers(lengths), initial=0))
    if ends[-1] != len(data):
        raise InvalidBytes("a column of an entry of changes has another length than it says")
    return [data[start:end] for start, end in pairwise(ends)]
