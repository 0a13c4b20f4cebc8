"""References to streaming values: where the bytes of a large value are, and how many.

Codec layer. One form of 29 bytes, for values only: a streaming value has no order, so it is never
part of a key. Bytes: place, id (16), size (8), size of chunks (4, 0 if the bytes are a file).
"""

from __future__ import annotations

from typing import Final

from lexigraph.codec.base import Codec, wrong_type
from lexigraph.codec.kinds.integers import check_width
from lexigraph.errors import InvalidBytes, InvalidValue
from lexigraph.streaming import CHUNKS, FILE, StreamingValue

LENGTH: Final = 29


class StreamCodec(Codec[StreamingValue]):
    """References, as values.

    >>> value = StreamingValue(bytes(16), 3, FILE, 0)
    >>> STREAM.decode_value(STREAM.encode_value(value))
    <stream 3 bytes>
    """

    name = "stream"

    def encode(self, value: StreamingValue) -> bytes:
        """Refuse: there are no keys."""
        raise InvalidValue(
            "a streaming value has no key: it is not ordered and not compared",
            hint="Keep what you look for in a property of its own, such as its name or hash.",
        )

    def decode(self, data: bytes) -> StreamingValue:
        """Refuse: there are no keys."""
        raise InvalidBytes("a streaming value has no key")

    def encode_value(self, value: StreamingValue) -> bytes:
        """Write place, id, size and size of chunks."""
        if not isinstance(value, StreamingValue):
            raise wrong_type(self.name, "StreamingValue", value)
        own, size, place, chunk_bytes = value.stored_as
        return b"".join(
            (bytes([place]), own, size.to_bytes(8, "big"), chunk_bytes.to_bytes(4, "big"))
        )

    def decode_value(self, data: bytes) -> StreamingValue:
        """Read place, id, size and size of chunks."""
        check_width(data, LENGTH, self.name)
        place, size = data[0], int.from_bytes(data[17:25], "big")
        chunk_bytes = int.from_bytes(data[25:], "big")
        if place not in (CHUNKS, FILE) or (chunk_bytes > 0) != (place == CHUNKS) or size >> 63:
            raise InvalidBytes(f"place {place:02x}, size and size of chunks do not make a stream")
        return StreamingValue(data[1:17], size, place, chunk_bytes)


STREAM = StreamCodec()
