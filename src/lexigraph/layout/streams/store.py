"""The streaming values of one graph: stored, opened, kept alive, removed.

Layer ``layout``. Bytes are written before the value that refers to them, in commits of their own.
Each stored value is referred to by one version of one property; nothing shares bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from time import monotonic
from typing import Any, Final
from uuid import uuid4

from lexigraph.cells.mutations import MutationBatch, Mutations
from lexigraph.cells.ranges import Range
from lexigraph.errors import Conflict, LexigraphError, UnsupportedError
from lexigraph.layout.records.write.ids import generate_id
from lexigraph.layout.streams.cells import (
    CHUNK_BYTES,
    HEAD,
    HOME,
    Head,
    HeadState,
    add_markers,
    head_bytes,
    read_head,
)
from lexigraph.layout.streams.chunks import ChunkReader, ChunkWriter, gone, in_chunks
from lexigraph.security import All, Authorizations
from lexigraph.store import Condition, ConditionalMutation, Engine, Outcome, ScanSpec
from lexigraph.store.files.spi import Files
from lexigraph.streaming import BLOCK_BYTES, FILE, GivenStream, StreamingValue, StreamReader

MAX_IN_TABLE: Final = 10 * 1024 * 1024
"""Values up to here are chunks of the table, unless a graph is opened with another limit."""
_BEAT_S: Final = 60.0
"""How often a long write says that it goes on."""


@dataclass(frozen=True, slots=True)
class StreamOptions:
    """Where a graph keeps large values: ``files`` in place of those of its engine."""

    files: Files | None = None
    max_in_table: int = MAX_IN_TABLE
    chunk_bytes: int = CHUNK_BYTES
    """How long new chunks are; others are for tests."""


class Streams:
    """The streaming values of one graph. ``make_table`` makes their table, if it is not there."""

    def __init__(
        self, engine: Engine, table: str, make_table: Callable[[], object], options: StreamOptions
    ) -> None:
        self.engine, self.table, self.options = engine, table, options
        self._make_table = make_table

    @property
    def files(self) -> Files | None:
        """Where values are that are too large for the table; ``None`` for nowhere."""
        return self.options.files or self.engine.files

    @cached_property
    def folder(self) -> str:
        """The folder of the files: no other graph has it, wherever the files are."""
        found = self._find_folder()
        if found is None:
            self._name_folder(f"{self.table}-{uuid4().hex[:12]}")
            # Another process may have been faster.
            found = self._find_folder()
        assert found is not None
        return found

    def is_there(self) -> bool:
        """Return whether the graph has ever had a streaming value."""
        return self.table in self.engine.tables()

    def put(self, given: GivenStream, visibility: bytes) -> StreamingValue:
        """Store bytes; return the value that is to refer to them."""
        most = self.options.max_in_table
        if given.size is not None and given.size > most:
            # Before anything is read or written.
            self._check_files()
        self._make_table()
        if given.size is not None and given.size > most:
            return self._put_file(given.blocks(), visibility)
        length = self.options.chunk_bytes
        chunks = in_chunks(given.blocks(), length)
        writer = ChunkWriter(self.engine, self.table, generate_id().bytes, visibility, length)
        try:
            for chunk in chunks:
                if writer.size + len(chunk) > most:
                    # Its size was not known: what is in the table moves to a file.
                    self._check_files()
                    value = self._put_file(chain(writer.written(), [chunk], chunks), visibility)
                    writer.discard()
                    return value
                writer.add(chunk)
            return writer.finish()
        except BaseException:
            writer.discard()
            raise

    def _put_file(self, blocks: Iterable[bytes], visibility: bytes) -> StreamingValue:
        files, own = self._check_files(), generate_id().bytes
        self._write_head(HeadState.WRITING, StreamingValue(own, 0, FILE, 0), visibility)
        try:
            size = files.put(self.folder, own.hex(), self._beating(blocks, own, visibility))
        except BaseException:
            with suppress(LexigraphError):
                files.delete(self.folder, own.hex())
                self.remove([(StreamingValue(own, 0, FILE, 0), visibility)])
            raise
        value = StreamingValue(own, size, FILE, 0)
        self._write_head(HeadState.WHOLE, value, visibility)
        return value

    def _beating(self, blocks: Iterable[bytes], own: bytes, visibility: bytes) -> Iterator[bytes]:
        last = monotonic()
        for block in blocks:
            yield block
            if monotonic() - last > _BEAT_S:
                self._write_head(HeadState.WRITING, StreamingValue(own, 0, FILE, 0), visibility)
                last = monotonic()

    def _check_files(self) -> Files:
        if self.files is None:
            raise UnsupportedError(
                f"the {self.engine.capabilities.engine} engine keeps streaming values of up to "
                f"{self.options.max_in_table:,} bytes in its tables, and no larger ones",
                hint="Open the graph with streams='s3://bucket/folder', or a folder that all "
                "clients share; or with a larger max_streaming_bytes.",
            )
        return self.files

    def reader(self, value: StreamingValue, authorizations: Authorizations | All) -> StreamReader:
        """Return what reads the bytes of a value, as somebody."""
        own, _, place, _ = value.stored_as
        if place != FILE:
            return ChunkReader(self.engine, self.table, authorizations, value)
        head = next(self.heads([Range.row(own)], authorizations), None)
        files = self.files
        file = None if head is None or files is None else files.open(self.folder, own.hex())
        if file is None:
            raise gone()
        return _FileReader(file)

    def bound(self, value: StreamingValue, authorizations: Authorizations | All) -> StreamingValue:
        """Return a value that somebody has read, ready to be opened."""
        return value.read_by(_Source(self, authorizations))

    def heads(
        self, ranges: Iterable[Range] = (), authorizations: Authorizations | All | None = None
    ) -> Iterator[Head]:
        """Yield the heads of values, by default of all as the owner sees them."""
        spec = ScanSpec(
            ranges=list(ranges) or [Range()],
            columns=[(HEAD, None)],
            authorizations=self.engine.grants if authorizations is None else authorizations,
        )
        with self.engine.scan(self.table, spec) as batches:
            for cell in chain.from_iterable(batches):
                if cell.row != HOME:
                    yield read_head(cell)

    def touch(self, value: StreamingValue, visibility: bytes) -> None:
        """Say that a value is about to be referred to; Conflict if it was collected meanwhile."""
        outcome = self.change_head(HeadState.WHOLE, value, visibility, HeadState.WHOLE)
        if outcome is not Outcome.ACCEPTED:
            raise Conflict(
                "the bytes of a streaming value were collected before anything referred to them",
                hint="Nothing was stored. Give the stream again.",
            )

    def change_head(
        self, state: HeadState, value: StreamingValue, visibility: bytes, was: HeadState
    ) -> Outcome:
        """Change what a head says, if it says what it is thought to say."""
        own = value.stored_as[0]
        was_bytes = head_bytes(was, value)
        change = ConditionalMutation(own, [Condition(HEAD, visibility=visibility, value=was_bytes)])
        change.put(HEAD, b"", head_bytes(state, value), visibility=visibility)
        [outcome] = self.engine.conditional_write(
            self.table, change, authorizations=self.engine.grants
        )
        return outcome

    def markers(self, values: Iterable[tuple[StreamingValue, bytes]]) -> MutationBatch:
        """Return what deletes values, each with its visibility, from the table."""
        mutations = Mutations()
        for value, visibility in values:
            add_markers(mutations, value, visibility)
        return mutations.batch()

    def remove(self, values: Iterable[tuple[StreamingValue, bytes]]) -> None:
        """Delete values from the table."""
        markers = self.markers(values)
        if len(markers):
            self.engine.write({self.table: markers})

    def remove_files(self, values: Iterable[StreamingValue]) -> None:
        """Delete the files of values; those of others have none."""
        for own, _, place, _ in (one.stored_as for one in values):
            if place == FILE and self.files is not None:
                self.files.delete(self.folder, own.hex())

    def drop_files(self) -> Callable[[], None]:
        """Return what removes all files of the graph, also when its tables are gone."""
        folder = self._find_folder() if self.is_there() else None
        files = self.files

        def drop() -> None:
            if folder is not None and files is not None:
                files.drop(folder)

        return drop

    def clear(self) -> None:
        """Remove all values; the folder keeps its name, which other processes may know."""
        if not self.is_there():
            return
        folder, drop = self._find_folder(), self.drop_files()
        self.engine.clear_table(self.table)
        if folder is not None:
            self._name_folder(folder)
        drop()

    def _name_folder(self, folder: str) -> None:
        change = ConditionalMutation(HOME, [Condition(HEAD)])
        change.put(HEAD, b"", folder)
        self.engine.conditional_write(self.table, change)

    def _find_folder(self) -> str | None:
        spec = ScanSpec(ranges=[Range.row(HOME)], columns=[(HEAD, None)])
        with self.engine.scan(self.table, spec) as batches:
            return next((cell.value.decode() for cell in chain.from_iterable(batches)), None)

    def _write_head(self, state: HeadState, value: StreamingValue, visibility: bytes) -> None:
        head = Mutations()
        own = value.stored_as[0]
        head.put(own, HEAD, b"", head_bytes(state, value), visibility=visibility)
        self.engine.write({self.table: head})


class _Source:
    """Opens values as one reader."""

    __slots__ = ("_as", "_streams")

    def __init__(self, streams: Streams, authorizations: Authorizations | All) -> None:
        self._streams, self._as = streams, authorizations

    def reader(self, value: StreamingValue) -> StreamReader:
        """Return what reads the bytes of a value."""
        return self._streams.reader(value, self._as)


class _FileReader:
    """Reads a file object with ``seek``."""

    __slots__ = ("_file",)

    def __init__(self, file: Any) -> None:
        self._file = file

    def read_into(self, offset: int, buffer: memoryview) -> int:
        """Read bytes from an offset on."""
        self._file.seek(offset)
        count: int | None = self._file.readinto(buffer)
        if not count:
            raise gone()
        return count

    def block(self, offset: int) -> bytes:
        """Return some bytes from an offset on."""
        self._file.seek(offset)
        found: bytes = self._file.read(BLOCK_BYTES)
        if not found:
            raise gone()
        return found

    def close(self) -> None:
        """Close the file."""
        self._file.close()
