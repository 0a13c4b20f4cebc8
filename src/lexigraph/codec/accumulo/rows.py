"""Whole rows and whole column families packed into one value, as Accumulo's iterators pack them.

Codec layer. All lengths, the count included, are signed 32-bit, timestamps signed 64-bit. A packed
family leaves out the family, which stands in the key of the packed cell.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from lexigraph.codec.base import refuse_rest, take
from lexigraph.errors import InvalidBytes, InvalidValue


class RowCell(NamedTuple):
    """A cell of a packed row: everything but the row itself."""

    family: bytes
    qualifier: bytes
    visibility: bytes
    timestamp: int
    value: bytes


class FamilyCell(NamedTuple):
    """A cell of a packed column family: everything but row and family."""

    qualifier: bytes
    visibility: bytes
    timestamp: int
    value: bytes


def pack_row(cells: Iterable[RowCell]) -> bytes:
    """Pack the cells of a row, in their order.

    >>> pack_row([RowCell(b"f", b"q", b"", 1, b"v")]).hex()
    '00000001000000016600000001710000000000000000000000010000000176'
    """
    packed = [_field(cell.family) + _pack(cell[1:]) for cell in cells]
    return len(packed).to_bytes(4, "big") + b"".join(packed)


def unpack_row(data: bytes) -> list[RowCell]:
    """Take a packed row apart.

    >>> unpack_row(pack_row([RowCell(b"f", b"q", b"", 1, b"v")]))
    [RowCell(family=b'f', qualifier=b'q', visibility=b'', timestamp=1, value=b'v')]
    """
    cells = []
    count, offset = _read_count(data)
    for _ in range(count):
        family, offset = _read_field(data, offset)
        rest, offset = _unpack(data, offset)
        cells.append(RowCell(family, *rest))
    refuse_rest(data, offset, "whole row")
    return cells


def pack_family(cells: Iterable[FamilyCell]) -> bytes:
    """Pack the cells of a column family, in their order.

    >>> pack_family([FamilyCell(b"q", b"", 1, b"v")]).hex()
    '0000000100000001710000000000000000000000010000000176'
    """
    packed = [_pack(cell) for cell in cells]
    return len(packed).to_bytes(4, "big") + b"".join(packed)


def unpack_family(data: bytes) -> list[FamilyCell]:
    """Take a packed column family apart.

    >>> unpack_family(b"\\x00\\x00\\x00\\x00")
    []
    """
    cells = []
    count, offset = _read_count(data)
    for _ in range(count):
        cell, offset = _unpack(data, offset)
        cells.append(cell)
    refuse_rest(data, offset, "whole column family")
    return cells


def _pack(cell: tuple[bytes, bytes, int, bytes]) -> bytes:
    qualifier, visibility, timestamp, value = cell
    if not -(1 << 63) <= timestamp < 1 << 63:
        raise InvalidValue("a timestamp lies between -2**63 and 2**63 - 1")
    time = timestamp.to_bytes(8, "big", signed=True)
    return _field(qualifier) + _field(visibility) + time + _field(value)


def _field(data: bytes) -> bytes:
    if len(data) >= 1 << 31:
        raise InvalidValue(f"a field of a packed row has at most 2**31 - 1 bytes, not {len(data)}")
    return len(data).to_bytes(4, "big") + data


def _unpack(data: bytes, offset: int) -> tuple[FamilyCell, int]:
    qualifier, offset = _read_field(data, offset)
    visibility, offset = _read_field(data, offset)
    timestamp = int.from_bytes(take(data, offset, 8, "packed cell"), "big", signed=True)
    value, offset = _read_field(data, offset + 8)
    return FamilyCell(qualifier, visibility, timestamp, value), offset


def _read_count(data: bytes) -> tuple[int, int]:
    count = int.from_bytes(take(data, 0, 4, "packed cells"), "big", signed=True)
    if count < 0:
        raise InvalidBytes(f"the number of packed cells is {count}")
    return count, 4


def _read_field(data: bytes, offset: int) -> tuple[bytes, int]:
    size = int.from_bytes(take(data, offset, 4, "packed cell"), "big", signed=True)
    if size < 0:
        raise InvalidBytes(f"the length at byte {offset} is {size}")
    return take(data, offset + 4, size, "packed cell"), offset + 4 + size
