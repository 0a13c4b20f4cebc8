"""Columns as an engine packed them: read without an object of Python for each value.

Layer ``plan``. Values come out exactly as elements have them. With ``pyarrow`` a column stays
packed while rows are sorted or left out; without it, it becomes a list at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from importlib import import_module
from typing import Any

from lexigraph.codec import codec_for
from lexigraph.store.answers.frames import FrameBuffers

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NAIVE_EPOCH = datetime(1970, 1, 1)
_FIRST_DAY = date(1970, 1, 1).toordinal()

KINDS = {
    "str": "text",
    "bool": "flag",
    "bytes": "binary",
    "int": "int64",
    "float": "float",
    "date": "date",
    "datetime": "micros",
    "naive_datetime": "micros",
}
"""By codec: how an engine packs such values. All others come in the form of the codec ``any``."""
_FORMATS: dict[str, Any] = {"int64": "q", "float": "d", "date": "i", "micros": "q"}
_ARROW = {
    "text": "string",
    "binary": "binary",
    "any": "binary",
    "flag": "bool_",
    "int64": "int64",
    "float": "float64",
    "date": "int32",
    "micros": "int64",
}
_WIDE = {"string": "large_string", "binary": "large_binary"}
_LARGE_BYTES = 1 << 30
"""From here on, offsets of 32 bits may not be enough for all parts of a column together."""
_CONVERT: dict[str, Callable[[Any], Any]] = {
    "date": lambda days: date.fromordinal(_FIRST_DAY + days),
    "datetime": lambda micros: _EPOCH + timedelta(microseconds=micros),
    "naive_datetime": lambda micros: _NAIVE_EPOCH + timedelta(microseconds=micros),
}


@lru_cache(maxsize=1)
def arrow() -> Any:
    """Return ``pyarrow``, or ``None`` if it is not installed."""
    try:
        return import_module("pyarrow")
    except ImportError:
        return None


def kind_of(codec: str) -> str:
    """Return the kind by which an engine packs values of a codec.

    >>> kind_of("date"), kind_of("uuid")
    ('date', 'any')
    """
    return KINDS.get(codec, "any")


def reader_for(codec: str, *, is_map: bool = False) -> Callable[[Any], Any] | None:
    """Return what makes a value of what a column holds; ``None`` if they are the same."""
    if kind_of(codec) == "any":
        read = codec_for("any").decode_value
        return (lambda stored: dict(read(stored))) if is_map else read
    return _CONVERT.get(codec)


class PackedColumn:
    """Values in an array of Arrow. What a sort compares are the entries of the array."""

    __slots__ = ("_read", "array", "sorts")

    def __init__(self, array: Any, read: Callable[[Any], Any] | None, *, sorts: bool) -> None:
        self.array, self._read = array, read
        self.sorts = sorts
        """Whether the entries are in the order of the values."""

    def __len__(self) -> int:
        """Return how many values there are."""
        return len(self.array)

    def __getitem__(self, part: slice) -> PackedColumn:
        """Return values that follow each other."""
        return PackedColumn(self.array[part], self._read, sorts=self.sorts)

    def take(self, numbers: Any) -> PackedColumn:
        """Return some values, in this order; numbers are an array of Arrow."""
        return PackedColumn(self.array.take(numbers), self._read, sorts=self.sorts)

    def to_list(self) -> list[Any]:
        """Return the values."""
        return _converted(self.array.to_pylist(), self._read)

    @staticmethod
    def joined(parts: Sequence[PackedColumn]) -> PackedColumn:
        """Make one column of several."""
        arrays = [one.array for one in parts]
        pa = arrow()
        kinds = {str(one.type) for one in arrays}
        wide = next((_WIDE[one] for one in kinds if one in _WIDE), None)
        size = sum(one.nbytes for one in arrays)
        if wide is not None and (len(kinds) > 1 or size > _LARGE_BYTES):
            arrays = [one.cast(getattr(pa, wide)()) for one in arrays]
        array = pa.concat_arrays(arrays)
        return PackedColumn(array, parts[0]._read, sorts=parts[0].sorts)


def unpack(made: FrameBuffers, rows: int, kind: str, read: Callable[[Any], Any] | None) -> Any:
    """Make a column of what an engine filled."""
    pa = arrow()
    if pa is None:
        return _converted(_listed(made, kind)[:rows], read)
    buffers: list[bytes | memoryview | None] = [made.present]
    buffers += [made.data] if made.offsets is None else [made.offsets, made.data]
    held = [None if one is None else pa.py_buffer(one) for one in buffers]
    array = pa.Array.from_buffers(getattr(pa, _ARROW[kind])(), made.length, held, made.nulls)
    return PackedColumn(array[:rows], read, sorts=kind != "any")


def as_numbers(rows: Any) -> Any:
    """Return row numbers as an array of Arrow."""
    pa = arrow()
    return pa.array(rows, pa.int64()) if isinstance(rows, list) else rows


def _converted(values: list[Any], read: Callable[[Any], Any] | None) -> list[Any]:
    if read is None:
        return values
    return [None if one is None else read(one) for one in values]


def _listed(made: FrameBuffers, kind: str) -> list[Any]:
    """Read buffers without Arrow."""
    size = made.length
    if made.offsets is not None:
        ends = memoryview(made.offsets).cast("i")
        data = bytes(made.data)
        parts: list[Any] = [data[ends[at] : ends[at + 1]] for at in range(size)]
        values = [str(one, "utf-8") for one in parts] if kind == "text" else parts
    elif kind == "flag":
        values = [_bit(made.data, at) for at in range(size)]
    else:
        values = memoryview(made.data).cast(_FORMATS[kind]).tolist()[:size]
    if made.present is None or not made.nulls:
        return values
    present = made.present
    return [one if _bit(present, at) else None for at, one in enumerate(values)]


def _bit(data: bytes | memoryview, at: int) -> bool:
    return bool(data[at >> 3] >> (at & 7) & 1)
