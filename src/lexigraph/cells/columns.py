"""One column of byte strings, shaped as Arrow shapes it: offsets and one block of data.

Layer ``cells``. Offsets are signed 64-bit, one more than there are entries, never falling, and
never outside the data; a column that was built is right, so readers need not check again. Slices
share the data.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise
from operator import sub
from typing import Any

from lexigraph.cells.native import find_native
from lexigraph.errors import InvalidValue, show


class BytesColumn:
    """An immutable column of byte strings.

    >>> column = BytesColumn.of([b"ann", b"", b"bob"])
    >>> column[2], list(column[1:])
    (b'bob', [b'', b'bob'])
    """

    __slots__ = ("data", "offsets")

    def __init__(self, offsets: Any, data: Any) -> None:
        self.offsets = read_int64(offsets, "offsets")
        self.data = _read_bytes(data)
        if not len(self.offsets):
            raise InvalidValue("a column needs one offset more than it has entries")
        listed = self.offsets.tolist()
        # Sorting what is sorted is one pass without Python's loop.
        if listed[0] < 0 or listed != sorted(listed):
            raise _falling(listed)
        if listed[-1] > len(self.data):
            raise InvalidValue(
                f"offset {listed[-1]} lies outside the data of {len(self.data)} bytes"
            )

    @staticmethod
    def trusted(offsets: memoryview, data: memoryview) -> BytesColumn:
        """Take offsets and data that the native core made, which are right, without a look."""
        return _trusted(offsets, data)

    @staticmethod
    def from_buffers(offsets: bytes, data: bytes) -> BytesColumn:
        """Return a column that the native module made, without looking at it."""
        return _trusted(memoryview(offsets).cast("q"), memoryview(data))

    @staticmethod
    def of(entries: Iterable[bytes]) -> BytesColumn:
        """Build a column from byte strings."""
        parts = list(entries)
        if not set(map(type, parts)) <= {bytes}:
            for position, part in enumerate(parts):
                if not isinstance(part, bytes):
                    raise InvalidValue(f"entry {position} must be bytes, not {show(part)}")
        offsets = array("q", accumulate(map(len, parts), initial=0))
        return _trusted(memoryview(offsets).toreadonly(), memoryview(b"".join(parts)))

    @staticmethod
    def concat(columns: Iterable[BytesColumn]) -> BytesColumn:
        """Join columns, one after the other.

        >>> list(BytesColumn.concat([BytesColumn.of([b"a", b"b"]), BytesColumn.of([b"c"])[:1]]))
        [b'a', b'b', b'c']
        """
        offsets, parts = array("q", [0]), []
        for column in columns:
            first, last = column.offsets[0], column.offsets[-1]
            base = offsets[-1] - first
            moved = column.offsets[1:].tolist()
            offsets.extend([offset + base for offset in moved] if base else moved)
            parts.append(column.data[first:last])
        return _trusted(memoryview(offsets).toreadonly(), memoryview(b"".join(parts)))

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self.offsets) - 1

    def __getitem__(self, index: int | slice) -> Any:
        """Return one entry, or a slice that shares the data."""
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step != 1:
                raise InvalidValue(f"a column can be sliced in steps of 1 only, not {step}")
            return _trusted(self.offsets[start : max(start, stop) + 1], self.data)
        if not -len(self) <= index < len(self):
            raise IndexError(f"entry {index} of a column of {len(self)}")
        index %= len(self)
        return bytes(self.data[self.offsets[index] : self.offsets[index + 1]])

    def __iter__(self) -> Iterator[bytes]:
        """Yield the entries as bytes."""
        first, last = self.offsets[0], self.offsets[-1]
        data = bytes(self.data[first:last])
        start = 0
        for offset in self.offsets[1:]:
            yield data[start : offset - first]
            start = offset - first

    def to_list(self) -> list[bytes]:
        """Return all entries at once, which is faster than one after the other.

        >>> BytesColumn.of([b"a", b"bob"])[1:].to_list()
        [b'bob']
        """
        first = self.offsets[0]
        data = bytes(self.data[first : self.offsets[-1]])
        ends = self.offsets.tolist()
        if first:
            ends = [offset - first for offset in ends]
        return [data[start:end] for start, end in pairwise(ends)]

    def distinct(self) -> set[bytes]:
        """Return the entries, each once.

        >>> sorted(BytesColumn.of([b"a", b"a", b"b", b"a"]).distinct())
        [b'a', b'b']
        """
        if not self.size_bytes:
            return {b""} if len(self) else set()
        native = find_native()
        return set(self if native is None else native.distinct(self.offsets, self.data))

    @property
    def is_distinct(self) -> bool:
        """Whether no entry comes twice.

        >>> BytesColumn.of([b"a", b"b"]).is_distinct, BytesColumn.of([b"a", b"a"]).is_distinct
        (True, False)
        """
        native = find_native()
        if native is None:
            return len(set(self)) == len(self)
        return bool(native.is_distinct(self.offsets, self.data))

    @property
    def longest(self) -> int:
        """How many bytes the longest entry has.

        >>> BytesColumn.of([b"a", b"bob", b""]).longest
        3
        """
        native = find_native()
        if native is not None:
            return int(native.longest(self.offsets, self.data))
        ends = self.offsets.tolist()
        return max(map(sub, ends[1:], ends), default=0) if self.size_bytes else 0

    def __eq__(self, other: object) -> bool:
        """Compare entry by entry, however they are laid out."""
        return isinstance(other, BytesColumn) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    @property
    def size_bytes(self) -> int:
        """How many bytes the entries have together."""
        return int(self.offsets[-1] - self.offsets[0])

    def __repr__(self) -> str:
        """Show how much it holds."""
        return f"BytesColumn({len(self)} entries, {self.size_bytes} bytes)"


def _falling(offsets: list[int]) -> InvalidValue:
    before = [0, *offsets]
    position = next(place for place, offset in enumerate(offsets) if offset < before[place])
    return InvalidValue(
        f"offset {position} is {offsets[position]}, below the one before: {before[position]}"
    )


def _trusted(offsets: memoryview, data: memoryview) -> BytesColumn:
    column = BytesColumn.__new__(BytesColumn)
    column.offsets, column.data = offsets, data
    return column


def read_int64(values: Any, what: str) -> memoryview:
    """View signed 64-bit integers: any buffer of them, or a list of numbers.

    >>> read_int64([1, -2], "timestamps")[1]
    -2
    """
    try:
        view = memoryview(values)
    except TypeError:
        return _pack_int64(values, what)
    if view.format in ("q", "l") and view.itemsize == 8 and view.ndim == 1:
        return view.toreadonly()
    if view.nbytes % 8 or not view.contiguous:
        raise InvalidValue(f"{what} have 8 bytes each, and {view.nbytes} is not a multiple of 8")
    return view.toreadonly().cast("B").cast("q")


def _pack_int64(values: Any, what: str) -> memoryview:
    try:
        return memoryview(array("q", values)).toreadonly()
    except (TypeError, OverflowError) as failure:
        raise InvalidValue(f"{what} must be signed 64-bit integers: {failure}") from None


def _read_bytes(data: Any) -> memoryview:
    try:
        return memoryview(data).toreadonly().cast("B")
    except TypeError as failure:
        raise InvalidValue(f"column data must be contiguous bytes: {failure}") from None
