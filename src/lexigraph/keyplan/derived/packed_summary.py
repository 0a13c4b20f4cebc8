"""Results of a summary that several servers made in part, packed into the values of cells.

Layer ``keyplan``. A server gives what it made of a range as one cell, whose bytes are in section 1
of ``docs/formats/accumulo.md``. Results of one row merge by state, in any order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lexigraph.cells.cell import Cell
from lexigraph.codec import codec_for
from lexigraph.codec.base import take
from lexigraph.codec.varint import decode_uvarint
from lexigraph.keyplan.derived.summary import FigureStates, Summary

_WHAT = "packed summary"


def merge_packed(summary: Summary, values: Iterable[bytes]) -> Iterator[Cell]:
    """Yield the cells that ``summarise`` would have given for all ranges at once."""
    found: dict[bytes, tuple[FigureStates, int]] = {}
    for value in values:
        for row, timestamp, result in _unpack(value):
            states = summary.read(result, timestamp)
            if row in found:
                held, newest = found[row]
                states, timestamp = summary.merge(held, states), max(newest, timestamp)
            found[row] = states, timestamp
    for row, (states, timestamp) in sorted(found.items(), key=lambda item: item[0]):
        yield Cell(row, b"", b"", b"", timestamp, False, summary.write(states))


def _unpack(value: bytes) -> Iterator[tuple[bytes, int, bytes]]:
    offset = 0
    while offset < len(value):
        row, offset = _read_bytes(value, offset)
        timestamp, offset = codec_for("int64").decode_part(value, offset)
        result, offset = _read_bytes(value, offset)
        yield row, timestamp, result


def _read_bytes(value: bytes, offset: int) -> tuple[bytes, int]:
    length, start = decode_uvarint(value, offset)
    return take(value, start, length, _WHAT), start + length
