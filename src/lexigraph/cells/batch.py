"""Cells in columns: how they go in and out of an engine, thousands at a time.

Layer ``cells``. The shape is Arrow's: five byte columns with offsets, int64 timestamps, delete
flags of one byte each. A batch is immutable, its columns are equally long, and a delete marker is
a flag, never a special value.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from typing import Any, overload

from lexigraph.cells.arrow import arrow_from_columns, columns_from_arrow
from lexigraph.cells.cell import Cell
from lexigraph.cells.columns import BytesColumn, read_int64
from lexigraph.errors import InvalidValue, show

_BYTE_COLUMNS = ("row", "family", "qualifier", "visibility", "value")


class CellBatch:
    """Some cells as columns, in the order they were given.

    >>> batch = CellBatch.from_cells([Cell(b"ann", b"age", timestamp=5, value=b"41")])
    >>> len(batch), batch[0].value, batch
    (1, b'41', CellBatch(1 cells, 8 bytes))
    """

    __slots__ = ("deleted", "family", "qualifier", "row", "timestamp", "value", "visibility")

    row: BytesColumn
    family: BytesColumn
    qualifier: BytesColumn
    visibility: BytesColumn
    value: BytesColumn
    timestamp: memoryview
    deleted: bytes

    def __init__(
        self,
        row: BytesColumn,
        family: BytesColumn,
        qualifier: BytesColumn,
        visibility: BytesColumn,
        timestamp: Any,
        deleted: bytes,
        value: BytesColumn,
    ) -> None:
        self.row, self.family, self.qualifier = row, family, qualifier
        self.visibility, self.value = visibility, value
        self.timestamp = read_int64(timestamp, "timestamps")
        if not isinstance(deleted, bytes | bytearray | memoryview):
            raise InvalidValue(f"delete flags are bytes of 0 or 1, not {show(deleted)}")
        self.deleted = bytes(deleted)
        for name in self.__slots__:
            if len(getattr(self, name)) != len(row):
                raise InvalidValue(
                    f"column {name!r} has {len(getattr(self, name))} entries, 'row' has {len(row)}"
                )
        if self.deleted.strip(b"\0\1"):
            raise InvalidValue("delete flags are bytes of 0 or 1")

    @staticmethod
    def from_cells(cells: Iterable[Cell]) -> CellBatch:
        """Build a batch, keeping the order."""
        columns = list(zip(*cells, strict=False)) or [()] * 7
        if len(columns) != len(Cell._fields):
            raise InvalidValue(f"a cell has {len(Cell._fields)} entries, not {len(columns)}")
        row, family, qualifier, visibility, timestamp, deleted, value = columns
        return CellBatch(
            BytesColumn.of(row),
            BytesColumn.of(family),
            BytesColumn.of(qualifier),
            BytesColumn.of(visibility),
            timestamp,
            bytes(map(bool, deleted)),
            BytesColumn.of(value),
        )

    @staticmethod
    def trusted(
        row: BytesColumn,
        family: BytesColumn,
        qualifier: BytesColumn,
        visibility: BytesColumn,
        timestamp: memoryview,
        deleted: bytes,
        value: BytesColumn,
    ) -> CellBatch:
        """Take columns that the native core made, without checking them."""
        batch = CellBatch.__new__(CellBatch)
        batch.row, batch.family, batch.qualifier = row, family, qualifier
        batch.visibility, batch.value = visibility, value
        batch.timestamp, batch.deleted = timestamp, deleted
        return batch

    @staticmethod
    def concat(batches: Iterable[CellBatch]) -> CellBatch:
        """Join batches, one after the other.

        >>> len(CellBatch.concat([CellBatch.from_cells([Cell(b"a")]), CellBatch.from_cells([])]))
        1
        """
        listed = list(batches)
        row, family, qualifier, visibility, value = (
            BytesColumn.concat(getattr(batch, name) for batch in listed) for name in _BYTE_COLUMNS
        )
        timestamp = array("q")
        for batch in listed:
            timestamp.frombytes(batch.timestamp.cast("B"))
        deleted = b"".join(batch.deleted for batch in listed)
        times = memoryview(timestamp).toreadonly()
        return CellBatch.trusted(row, family, qualifier, visibility, times, deleted, value)

    def chosen(self, flags: bytes | bytearray) -> CellBatch:
        """Return the cells whose flag is not 0.

        >>> [cell.row for cell in CellBatch.from_cells([Cell(b"a"), Cell(b"b")]).chosen(b"\\0\\1")]
        [b'b']
        """
        row, family, qualifier, visibility, value = (
            BytesColumn.of(compress(getattr(self, name).to_list(), flags)) for name in _BYTE_COLUMNS
        )
        timestamp = memoryview(array("q", compress(self.timestamp, flags))).toreadonly()
        deleted = bytes(compress(self.deleted, flags))
        return CellBatch.trusted(row, family, qualifier, visibility, timestamp, deleted, value)

    @staticmethod
    def from_buffers(parts: Sequence[bytes]) -> CellBatch:
        """Return the cells that the native module made, without looking at any of them.

        Offsets and data of row, family, qualifier, visibility and value, then times and flags.
        """
        row, family, qualifier, visibility, value = (
            BytesColumn.from_buffers(parts[at], parts[at + 1]) for at in range(0, 10, 2)
        )
        times = memoryview(parts[10]).cast("q")
        return CellBatch.trusted(row, family, qualifier, visibility, times, parts[11], value)

    def to_buffers(self) -> tuple[Any, ...]:
        """Return the same parts for the native module, none of them copied."""
        columns = (getattr(self, name) for name in _BYTE_COLUMNS)
        parts = [part for column in columns for part in (column.offsets, column.data)]
        return (*parts, self.timestamp, self.deleted)

    def cells(self) -> Iterator[Cell]:
        """Yield the cells as tuples."""
        return map(
            Cell,
            self.row,
            self.family,
            self.qualifier,
            self.visibility,
            self.timestamp,
            map(bool, self.deleted),
            self.value,
        )

    def __iter__(self) -> Iterator[Cell]:
        """Yield the cells as tuples."""
        return self.cells()

    def __len__(self) -> int:
        """Return the number of cells."""
        return len(self.row)

    @overload
    def __getitem__(self, index: int) -> Cell: ...
    @overload
    def __getitem__(self, index: slice) -> CellBatch: ...
    def __getitem__(self, index: int | slice) -> Cell | CellBatch:
        """Return one cell, or a slice that shares the data."""
        if isinstance(index, slice):
            return CellBatch(*(getattr(self, name)[index] for name in Cell._fields))
        cell = Cell(*(getattr(self, name)[index] for name in Cell._fields))
        return cell._replace(deleted=bool(cell.deleted))

    def __eq__(self, other: object) -> bool:
        """Compare cell by cell."""
        return isinstance(other, CellBatch) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    @property
    def size_bytes(self) -> int:
        """How many bytes keys and values have together, without timestamps and flags."""
        return sum(getattr(self, name).size_bytes for name in _BYTE_COLUMNS)

    def to_arrow(self) -> Any:
        """Return a ``pyarrow.RecordBatch``; byte columns and timestamps are not copied."""
        return arrow_from_columns(self)

    @staticmethod
    def from_arrow(data: Any) -> CellBatch:
        """Read a ``pyarrow`` record batch or table with the seven columns of a cell."""
        columns, _ = columns_from_arrow(data, nullable_timestamps=False)
        return CellBatch(**columns)

    def __repr__(self) -> str:
        """Show how much it holds."""
        return f"CellBatch({len(self)} cells, {self.size_bytes} bytes)"
