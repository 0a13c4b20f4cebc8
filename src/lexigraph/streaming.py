"""Streaming values: large values that are read and written piece by piece, like files.

Below every layer but ``errors``. A :class:`StreamingValue` says where bytes are and how many; it
never holds them. Two are equal if they are the same stored bytes. :func:`stream` is what is given
to be stored: it is read once, block by block.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol, cast

from lexigraph.errors import InvalidOption, InvalidValue, UsageError, show

__all__ = ["GivenStream", "StreamReader", "StreamingValue", "stream"]

CHUNKS: Final = 1
"""The bytes are cells of a table."""
FILE: Final = 2
"""The bytes are a file."""
BLOCK_BYTES: Final = 1 << 20
"""How much is read and written at a time."""


class StreamReader(Protocol):
    """Reads the bytes of one streaming value."""

    def read_into(self, offset: int, buffer: memoryview) -> int:
        """Read some bytes from an offset on; return how many, at least one."""
        ...

    def block(self, offset: int) -> bytes:
        """Return some bytes from an offset on, as many as are read best, at least one."""
        ...

    def close(self) -> None:
        """Release what it holds."""
        ...


class StreamSource(Protocol):
    """Opens streaming values of one graph, as one reader."""

    def reader(self, value: StreamingValue) -> StreamReader:
        """Return what reads the bytes of a value."""
        ...


class StreamingValue:
    """A large value of a record: it is opened and read like a file, never as a whole by itself.

    It stays readable for as long as its bytes are stored, also after the value was replaced. Give
    it as the value of another record to copy the bytes there.

    >>> import lexigraph as lg
    >>> graph = lg.open(":memory:")
    >>> _ = graph.add_vertex("film", video=lg.stream(b"0123456789"))
    >>> video = graph.vertex("film").one()["video"]
    >>> video, video.read_range(2, 5)
    (<stream 10 bytes>, b'234')
    >>> with video.open() as file:
    ...     file.seek(8), file.read()
    (8, b'89')
    """

    __slots__ = ("_chunk_bytes", "_id", "_place", "_size", "_source")

    def __init__(
        self,
        id: bytes,  # noqa: A002 - what it is
        size: int,
        place: int,
        chunk_bytes: int,
        source: StreamSource | None = None,
    ) -> None:
        self._id, self._size, self._place, self._chunk_bytes = id, size, place, chunk_bytes
        self._source = source

    @property
    def size(self) -> int:
        """The number of bytes."""
        return self._size

    @property
    def stored_as(self) -> tuple[bytes, int, int, int]:
        """Its id, its size, the place of the bytes and the size of chunks, as they are stored."""
        return self._id, self._size, self._place, self._chunk_bytes

    def read_by(self, source: StreamSource) -> StreamingValue:
        """Return the same value, whose bytes are read by a source."""
        return StreamingValue(*self.stored_as, source)

    def open(self) -> BinaryIO:
        """Return a binary file object to read, with ``seek``; close it, or use ``with``."""
        raw = _StreamFile(self, self._reader())
        return cast(BinaryIO, io.BufferedReader(raw, self._chunk_bytes or BLOCK_BYTES))

    def read_range(self, start: int, stop: int) -> bytes:
        """Return the bytes from ``start`` up to ``stop``, fewer if the value ends before."""
        for name, one in (("start", start), ("stop", stop)):
            if isinstance(one, bool) or not isinstance(one, int) or one < 0:
                raise InvalidOption(f"{name} is a number of bytes, 0 or more, not {show(one)}")
        with self.open() as file:
            file.seek(min(start, self._size))
            return file.read(max(0, min(stop, self._size) - start))

    def blocks(self) -> Iterator[bytes]:
        """Yield all its bytes, block by block."""
        reader, at = self._reader(), 0
        try:
            while at < self._size:
                block = reader.block(at)
                at += len(block)
                yield block
        finally:
            reader.close()

    def save_to(self, path: str | os.PathLike[str]) -> int:
        """Write the bytes to a file, which is made or replaced; return how many."""
        if not isinstance(path, str | os.PathLike):
            raise InvalidOption(f"a path is needed, not {show(path)}")
        with Path(path).open("wb") as file:
            for block in self.blocks():
                file.write(block)
        return self._size

    def _reader(self) -> StreamReader:
        if self._source is None:
            raise UsageError(
                "this streaming value does not know its graph: it was copied or sent elsewhere",
                hint="Read the property again: graph.vertex(id).one()[name].",
            )
        return self._source.reader(self)

    def __eq__(self, other: object) -> bool:
        """Return whether both are the same stored bytes."""
        if not isinstance(other, StreamingValue):
            return NotImplemented
        return self.stored_as == other.stored_as

    def __hash__(self) -> int:
        """Return a hash that fits equality."""
        return hash(self._id)

    def __reduce__(self) -> Any:
        """Send where the bytes are, without what reads them."""
        return StreamingValue, self.stored_as

    def __repr__(self) -> str:
        """Show the size."""
        return f"<stream {self._size:,} byte{'' if self._size == 1 else 's'}>"


class _StreamFile(io.RawIOBase):
    """The bytes of a value as a raw file."""

    def __init__(self, value: StreamingValue, reader: StreamReader) -> None:
        self._size, self._reader, self._at = value.size, reader, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}.get(whence)
        if start is None or start + offset < 0:
            raise InvalidOption(f"cannot seek to {offset} from {whence}")
        self._at = start + offset
        return self._at

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")[: max(0, self._size - self._at)]
        if not view:
            return 0
        count = self._reader.read_into(self._at, view)
        self._at += count
        return count

    def close(self) -> None:
        if not self.closed:
            self._reader.close()
        super().close()


class GivenStream:
    """Bytes that are to be stored as a streaming value; made by :func:`stream`."""

    __slots__ = ("_given", "_is_read", "size")

    def __init__(self, given: Any, size: int | None) -> None:
        self._given, self._is_read = given, False
        self.size = size
        """The number of bytes, if it is known before they are read."""

    def blocks(self) -> Iterator[bytes]:
        """Yield the bytes in blocks; a file object or an iterator can be read once."""
        given = self._given
        if isinstance(given, StreamingValue):
            return given.blocks()
        if isinstance(given, bytes | bytearray | memoryview):
            whole = memoryview(given).cast("B")
            ends = range(0, len(whole), BLOCK_BYTES)
            return (bytes(whole[start : start + BLOCK_BYTES]) for start in ends)
        if isinstance(given, Path):
            return _file_blocks(given)
        if self._is_read:
            raise UsageError(
                "this stream was read before: a file object or an iterator is read once",
                hint="Pass a path, or call lg.stream(...) again with a new file object.",
            )
        self._is_read = True
        return _read_blocks(given) if hasattr(given, "read") else _checked(iter(given))

    def __repr__(self) -> str:
        """Show what was given."""
        return f"<given stream: {show(self._given, 60)}>"


def stream(source: Any) -> Any:
    """Make a streaming value of a path, a binary file object, bytes or an iterator of bytes.

    Give it where a value of a record is given; it is read and stored piece by piece when the
    record is. To copy a streaming value, give it as it is.

    >>> import lexigraph as lg
    >>> graph = lg.open(":memory:")
    >>> _ = graph.add_vertex("log", text=lg.stream(f"line {n}\\n".encode() for n in range(3)))
    >>> graph.vertex("log").one()["text"].size
    21
    """
    if isinstance(source, GivenStream):
        return source
    if isinstance(source, StreamingValue):
        return GivenStream(source, source.size)
    if isinstance(source, bytes | bytearray | memoryview):
        return GivenStream(source, memoryview(source).nbytes)
    if isinstance(source, str | os.PathLike):
        path = Path(os.fsdecode(source))
        if not path.is_file():
            raise InvalidValue(
                f"there is no file {show(str(path))}",
                hint="Check the path. To store text itself as a stream, encode it: "
                "lg.stream(text.encode()).",
            )
        return GivenStream(path, path.stat().st_size)
    if callable(getattr(source, "read", None)) or isinstance(source, Iterable):
        return GivenStream(source, None)
    raise InvalidValue(
        "a stream is made of a path, a binary file object, bytes or an iterator of bytes, "
        f"not {show(source)}"
    )


def _file_blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from _read_blocks(file)


def _read_blocks(file: Any) -> Iterator[bytes]:
    return _checked(iter(lambda: file.read(BLOCK_BYTES), b""))


def _checked(blocks: Iterator[Any]) -> Iterator[bytes]:
    for one in blocks:
        if isinstance(one, bytes):
            yield one
        elif isinstance(one, bytearray | memoryview):
            yield bytes(one)
        elif one is None or one == "":
            # What a file object in text mode, or one that does not block, gives at its end.
            return
        else:
            raise InvalidValue(
                f"a stream consists of bytes, not {type(one).__name__}: {show(one)}",
                hint="Open files in binary mode: open(path, 'rb').",
            )
