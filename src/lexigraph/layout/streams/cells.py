"""The cells of streaming values: a head for each, and the chunks of those that are no files.

Layer ``layout``. Section 10 of ``spec/facts.md``. All cells of a value have its visibility, so its
bytes cannot be read without it. What is here is stored: never renumber, never rename.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Final, NamedTuple

from lexigraph.cells.cell import Cell
from lexigraph.cells.mutations import Mutations
from lexigraph.codec.kinds.streams import STREAM
from lexigraph.errors import InvalidBytes
from lexigraph.store import TableSettings
from lexigraph.streaming import CHUNKS, StreamingValue

STREAMS: Final = "streams"
"""The table, by its name among those of records."""
HEAD: Final = b"h"
BYTES: Final = b"b"
HOME: Final = b"home"
"""The row that names the folder of files. Ids have 16 bytes, so it is none of a value."""
CHUNK_BYTES: Final = 1 << 20
"""How long new chunks are; the last one of a value is shorter."""


class HeadState(IntEnum):
    """What a head says."""

    WRITING = 1
    WHOLE = 2
    COLLECTED = 3


class Head(NamedTuple):
    """The head of one value: its lease, and where its bytes are."""

    value: StreamingValue
    visibility: bytes
    state: HeadState
    time: int
    """When it was last written: nothing younger than an age limit is collected."""
    raw: bytes

    @property
    def id(self) -> bytes:
        """The id of the value."""
        return self.value.stored_as[0]


def stream_settings() -> TableSettings:
    """Return the settings of the table: heads lie apart, so they are read without the bytes."""
    return TableSettings(locality_groups={"heads": [HEAD], "bytes": [BYTES]})


def head_bytes(state: HeadState, value: StreamingValue) -> bytes:
    """Write the value of a head.

    >>> head_bytes(HeadState.WHOLE, StreamingValue(b"0123456789abcdef", 3, 2, 0)).hex()[:8]
    '02023031'
    """
    return bytes([state]) + STREAM.encode_value(value)


def read_head(cell: Cell) -> Head:
    """Read a head; InvalidBytes if it is none."""
    if not cell.value or cell.value[0] not in tuple(HeadState):
        raise InvalidBytes("the head of a streaming value says writing, whole or collected")
    value = STREAM.decode_value(cell.value[1:])
    state = HeadState(cell.value[0])
    return Head(value, cell.visibility, state, cell.timestamp, cell.value)


def chunk_key(number: int) -> bytes:
    """Return the qualifier of a chunk."""
    return number.to_bytes(4, "big")


def chunk_count(value: StreamingValue) -> int:
    """Return how many chunks a value has."""
    _, size, place, chunk_bytes = value.stored_as
    return -(-size // chunk_bytes) if place == CHUNKS else 0


def columns(value: StreamingValue) -> Iterator[tuple[bytes, bytes]]:
    """Yield family and qualifier of all cells of a value, the head last."""
    for number in range(chunk_count(value)):
        yield BYTES, chunk_key(number)
    yield HEAD, b""


def add_markers(mutations: Mutations, value: StreamingValue, visibility: bytes) -> None:
    """Add what deletes all cells of a value."""
    own = value.stored_as[0]
    for family, qualifier in columns(value):
        mutations.delete(own, family, qualifier, visibility=visibility)
