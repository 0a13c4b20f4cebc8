"""Frames: cells by column in one buffer, as they cross the bridge, and ranges beside them.

Layer ``store``, only for ``accumulo``. The bytes are those of ``docs/formats/accumulo.md``; nothing
here knows Java.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterable

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import MAX_TIMESTAMP, Cell, Key
from lexigraph.cells.columns import BytesColumn
from lexigraph.cells.ranges import Range
from lexigraph.errors import InvalidBytes
from lexigraph.store.conditions import ConditionalMutation

_MAGIC = b"LXF1\0\0\0\0"
_SIZE = struct.Struct("<i").pack
_REST = struct.Struct("<qb").pack
_ROW_ALONE = 3 * _SIZE(0) + _REST(MAX_TIMESTAMP, 0)
_HAS_START, _START_INCLUSIVE, _HAS_END, _END_INCLUSIVE = 1, 2, 4, 8


def to_frame(cells: CellBatch, timed: bytes | None = None) -> bytearray:
    """Write cells; without ``timed`` each has a time of its own.

    >>> from lexigraph.cells.cell import Cell
    >>> len(to_frame(CellBatch.from_cells([Cell(b"ann")])))
    128
    """
    count = len(cells)
    out = bytearray(_MAGIC + struct.pack("<q", count))
    for column in (cells.row, cells.family, cells.qualifier, cells.visibility, cells.value):
        first, last = column.offsets[0], column.offsets[-1]
        offsets = column.offsets
        out += array("q", [one - first for one in offsets]).tobytes() if first else bytes(offsets)
        _pad(out, column.data[first:last])
    out += bytes(cells.timestamp)
    _pad(out, cells.deleted)
    _pad(out, b"\1" * count if timed is None else timed)
    return out


def from_frame(frame: memoryview) -> CellBatch:
    """Read cells that the bridge made; they share the frame's memory.

    >>> from lexigraph.cells.cell import Cell
    >>> cells = [Cell(b"ann", b"age", timestamp=5, value=b"41")]
    >>> list(from_frame(memoryview(to_frame(CellBatch.from_cells(cells))))) == cells
    True
    """
    if frame[:8] != _MAGIC:
        raise InvalidBytes("a frame starts with LXF1 and four bytes of zero")
    (count,) = struct.unpack_from("<q", frame, 8)
    place = 16
    columns = []
    for _ in range(5):
        offsets = frame[place : place + 8 * (count + 1)].cast("q")
        place += 8 * (count + 1)
        size = offsets[-1]
        columns.append(BytesColumn.trusted(offsets, frame[place : place + size]))
        place += _padded(size)
    timestamps = frame[place : place + 8 * count].cast("q")
    place += 8 * count
    row, family, qualifier, visibility, value = columns
    deleted = bytes(frame[place : place + count])
    return CellBatch.trusted(row, family, qualifier, visibility, timestamps, deleted, value)


def condition_cells(mutation: ConditionalMutation) -> tuple[CellBatch, bytes]:
    """Return conditions as cells, a delete marker for what must be absent, and which have a time.

    >>> from lexigraph.store.conditions import Condition
    >>> cells, timed = condition_cells(ConditionalMutation("job", [Condition("lock")]))
    >>> cells[0].deleted, timed
    (True, b'\\x00')
    """
    cells = CellBatch.from_cells(
        Cell(
            mutation.row,
            one.family,
            one.qualifier,
            one.visibility,
            one.timestamp or 0,
            one.value is None,
            one.value or b"",
        )
        for one in mutation.conditions
    )
    return cells, bytes(one.timestamp is not None for one in mutation.conditions)


def pack_ranges(ranges: Iterable[Range]) -> bytes:
    """Write ranges, those that hold something.

    On its way to a server a key loses the flag of a marker and would be that of the put behind it,
    so a range from or to a marker is one from or to that put.

    >>> pack_ranges([Range()]).hex()
    '010000000a'
    """
    parts = list(filter(None, map(_pack_range, ranges)))
    return struct.pack("<i", len(parts)) + b"".join(parts)


def _pack_range(item: Range) -> bytes:
    start, end = item.start, item.end
    first = item.start_inclusive or (start is not None and start.deleted)
    last = item.end_inclusive and not (end is not None and end.deleted)
    flags = _START_INCLUSIVE * first | _END_INCLUSIVE * last
    out = b""
    if start is not None:
        flags |= _HAS_START
        out = _pack_key(start)
    if end is not None:
        flags |= _HAS_END
        packed = _pack_key(end)
        if out == packed and not (first and last):
            return b""
        out += packed
    return bytes((flags,)) + out


def _pack_key(key: Key) -> bytes:
    row, family, qualifier, visibility, timestamp, _ = key
    # Look-ups are of many rows, whose other parts are the same.
    if timestamp == MAX_TIMESTAMP and not (family or qualifier or visibility):
        return _SIZE(len(row)) + row + _ROW_ALONE
    parts = b"".join(_SIZE(len(part)) + part for part in key[:4])
    return parts + _REST(timestamp, 0)


def _pad(out: bytearray, data: bytes | memoryview) -> None:
    out += data
    out += bytes(_padded(len(data)) - len(data))


def _padded(size: int) -> int:
    return (size + 7) // 8 * 8
