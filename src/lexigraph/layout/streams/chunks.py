"""Writing and reading the chunks of one streaming value.

Layer ``layout``. A few chunks at a time are held, whatever the size of the value is. The head is
written with the first chunks, and says that the value is whole with the last ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from typing import Final

from lexigraph.cells.mutations import Mutations
from lexigraph.cells.ranges import Range
from lexigraph.errors import LexigraphError, PropertyNotFound
from lexigraph.layout.streams.cells import (
    BYTES,
    HEAD,
    HeadState,
    add_markers,
    chunk_key,
    head_bytes,
)
from lexigraph.security import All, Authorizations
from lexigraph.store import Engine, ScanSpec
from lexigraph.streaming import CHUNKS, StreamingValue

_FLUSH_BYTES: Final = 16 << 20
"""How much goes into one commit."""


def in_chunks(blocks: Iterable[bytes], size: int) -> Iterator[bytes]:
    """Yield the same bytes in pieces of one size, the last one shorter.

    >>> list(in_chunks([b"ab", b"cdefg", b"", b"h"], 3))
    [b'abc', b'def', b'gh']
    """
    held: list[bytes] = []
    length = 0
    for block in blocks:
        if not held and len(block) == size:
            yield block
            continue
        held.append(block)
        length += len(block)
        if length >= size:
            whole = b"".join(held)
            cut = length - length % size
            for start in range(0, cut, size):
                yield whole[start : start + size]
            held = [whole[cut:]] if cut < length else []
            length -= cut
    if length:
        yield b"".join(held)


class ChunkWriter:
    """Writes one value to the table."""

    def __init__(
        self, engine: Engine, table: str, own: bytes, visibility: bytes, chunk_bytes: int
    ) -> None:
        self._engine, self._table = engine, table
        self._own, self._visibility, self._chunk_bytes = own, visibility, chunk_bytes
        self._held = Mutations()
        self._unwritten, self._count = 0, 0
        self.size = 0
        """How many bytes it has so far."""

    def add(self, chunk: bytes) -> None:
        """Take the next chunk."""
        self._held.put(self._own, BYTES, chunk_key(self._count), chunk, visibility=self._visibility)
        self._count += 1
        self.size += len(chunk)
        self._unwritten += len(chunk)
        if self._unwritten >= _FLUSH_BYTES:
            self._write(HeadState.WRITING)

    def finish(self) -> StreamingValue:
        """Write the rest, and that it is whole."""
        self._write(HeadState.WHOLE)
        return self._value

    def written(self) -> Iterator[bytes]:
        """Yield the chunks so far, from the table."""
        if self._unwritten:
            self._write(HeadState.WRITING)
        reader = ChunkReader(self._engine, self._table, self._engine.grants, self._value)
        return (reader.chunk(number) for number in range(self._count))

    def discard(self) -> None:
        """Remove what was written; what is left if that fails is an orphan."""
        markers = Mutations()
        add_markers(markers, self._value, self._visibility)
        with suppress(LexigraphError):
            self._engine.write({self._table: markers})

    @property
    def _value(self) -> StreamingValue:
        return StreamingValue(self._own, self.size, CHUNKS, self._chunk_bytes)

    def _write(self, state: HeadState) -> None:
        head = head_bytes(state, self._value)
        self._held.put(self._own, HEAD, b"", head, visibility=self._visibility)
        self._engine.write({self._table: self._held})
        self._held, self._unwritten = Mutations(), 0


class ChunkReader:
    """Reads one value from the table, as somebody; holds one chunk."""

    def __init__(
        self,
        engine: Engine,
        table: str,
        authorizations: Authorizations | All,
        value: StreamingValue,
    ) -> None:
        self._engine, self._table, self._as = engine, table, authorizations
        self._value = value
        self._number, self._chunk = -1, b""

    def chunk(self, number: int) -> bytes:
        """Return a chunk; PropertyNotFound if it is not there for this reader."""
        own, size, _, chunk_bytes = self._value.stored_as
        ranges = [Range.exact(own, BYTES, chunk_key(number))]
        spec = ScanSpec(ranges=ranges, authorizations=self._as)
        with self._engine.scan(self._table, spec) as batches:
            found = [cell.value for cell in chain.from_iterable(batches)]
        if len(found) != 1 or len(found[0]) != min(chunk_bytes, size - number * chunk_bytes):
            raise gone()
        return found[0]

    def read_into(self, offset: int, buffer: memoryview) -> int:
        """Read bytes from an offset on, up to the end of a chunk."""
        _, _, _, chunk_bytes = self._value.stored_as
        number, start = divmod(offset, chunk_bytes)
        if number != self._number:
            self._chunk, self._number = self.chunk(number), number
        part = memoryview(self._chunk)[start : start + len(buffer)]
        buffer[: len(part)] = part
        return len(part)

    def block(self, offset: int) -> bytes:
        """Return the bytes from an offset on, up to the end of a chunk."""
        number, start = divmod(offset, self._value.stored_as[3])
        return self.chunk(number)[start:]

    def close(self) -> None:
        """Let go of the chunk."""
        self._number, self._chunk = -1, b""


def gone() -> PropertyNotFound:
    """Return the error for bytes that were removed, or that a reader may not read."""
    return PropertyNotFound(
        "the bytes of this streaming value are not there: the value was removed for good",
        hint="Read the property again. If the graph keeps large values at a URL, open it with the "
        "same streams=.",
    )
