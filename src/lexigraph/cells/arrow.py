"""Batches of cells to and from Arrow, through ``pyarrow`` where it is installed.

Layer ``cells``. ``pyarrow`` is imported when a batch is converted and never before. Byte columns
go out without a copy; what comes in is checked in full, because a wrong offset in foreign memory
would be read as somebody else's bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

from lexigraph.cells.columns import BytesColumn
from lexigraph.errors import InvalidValue, UnsupportedError
from lexigraph.extras import install_hint

if TYPE_CHECKING:
    from lexigraph.cells.batch import CellBatch

_NAMES = ("row", "family", "qualifier", "visibility", "timestamp", "deleted", "value")


def import_pyarrow() -> Any:
    """Import ``pyarrow``, or say how to get it."""
    try:
        return import_module("pyarrow")
    except ImportError:
        raise UnsupportedError(
            "Arrow batches need pyarrow, which is not installed",
            hint=install_hint("arrow"),
        ) from None


def is_arrow(thing: Any) -> bool:
    """Return whether something offers its data as Arrow does, without importing ``pyarrow``."""
    return hasattr(thing, "__arrow_c_array__") or hasattr(thing, "__arrow_c_stream__")


def record_batches(thing: Any) -> Iterator[Any]:
    """Yield the record batches of a batch, table or stream, one at a time."""
    pa = import_pyarrow()
    try:
        if hasattr(thing, "__arrow_c_stream__"):
            yield from pa.RecordBatchReader.from_stream(thing)
        else:
            yield pa.record_batch(thing)
    except (TypeError, ValueError, pa.ArrowInvalid) as failure:
        raise InvalidValue(f"not a valid Arrow batch: {failure}") from None


def cell_schema() -> Any:
    """Return the schema of a batch of cells."""
    pa = import_pyarrow()
    kinds = {"timestamp": pa.int64(), "deleted": pa.bool_()}
    return pa.schema([(name, kinds.get(name, pa.large_binary())) for name in _NAMES])


def arrow_from_columns(batch: CellBatch, timed: bytes | None = None) -> Any:
    """Build a record batch; timestamps whose ``timed`` flag is 0 become null."""
    pa = import_pyarrow()
    columns = []
    for name in _NAMES:
        column = getattr(batch, name)
        if isinstance(column, BytesColumn):
            buffers = [None, pa.py_buffer(column.offsets), pa.py_buffer(column.data)]
            columns.append(pa.Array.from_buffers(pa.large_binary(), len(column), buffers))
        elif name == "deleted":
            columns.append(_flags(pa, column))
        else:
            times = pa.Array.from_buffers(
                pa.int64(), len(column), [None, pa.py_buffer(memoryview(column))]
            )
            columns.append(times if timed is None else _masked(pa, times, timed))
    return pa.RecordBatch.from_arrays(columns, names=list(_NAMES))


def columns_from_arrow(
    data: Any, *, nullable_timestamps: bool
) -> tuple[dict[str, Any], bytes | None]:
    """Read the columns of a record batch or table, and which timestamps are given."""
    pa = import_pyarrow()
    table = _as_table(pa, data)
    missing = [name for name in _NAMES if name not in table.column_names]
    unknown = [name for name in table.column_names if name not in _NAMES]
    if missing or unknown or len(table.column_names) != len(_NAMES):
        raise InvalidValue(
            f"a batch of cells has the columns {', '.join(_NAMES)}; "
            f"missing: {missing or 'none'}, unknown: {unknown or 'none'}"
        )
    columns: dict[str, Any] = {}
    timed = None
    for name in _NAMES:
        column = table.column(name).combine_chunks()
        if name == "timestamp":
            if nullable_timestamps:
                timed = _flag_bytes(pa, column.is_valid())
                column = column.fill_null(0)
            times = _cast(pa, _full(column, name), pa.int64(), name)
            columns[name] = _fixed(times, 8).cast("q")
        elif name == "deleted":
            columns[name] = _flag_bytes(pa, _cast(pa, _full(column, name), pa.bool_(), name))
        else:
            columns[name] = _bytes_column(pa, _full(column, name), name)
    return columns, timed


def _as_table(pa: Any, data: Any) -> Any:
    try:
        table = data if isinstance(data, pa.Table) else pa.table(data)
        table.validate(full=True)
    except (TypeError, ValueError) as failure:
        raise InvalidValue(f"not a valid Arrow batch: {failure}") from None
    return table


def _full(column: Any, name: str) -> Any:
    if column.null_count:
        position = column.is_null().to_pylist().index(True)
        raise InvalidValue(f"column {name!r} is null at cell {position}; a cell has no nulls")
    return column


def _cast(pa: Any, column: Any, wanted: Any, name: str) -> Any:
    if name == "timestamp" and not pa.types.is_integer(column.type):
        raise InvalidValue(f"column 'timestamp' holds {column.type}, not integers")
    try:
        return column.cast(wanted)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as failure:
        raise InvalidValue(f"column {name!r} cannot be read as {wanted}: {failure}") from None


def _bytes_column(pa: Any, column: Any, name: str) -> BytesColumn:
    column = _cast(pa, column, pa.large_binary(), name)
    _, offsets, data = column.buffers()
    if not len(column):
        return BytesColumn.of([])
    view = memoryview(offsets).cast("B").cast("q")
    return BytesColumn(view[column.offset : column.offset + len(column) + 1], data or b"")


def _flag_bytes(pa: Any, column: Any) -> bytes:
    return bytes(_fixed(column.cast(pa.uint8()), 1))


def _fixed(column: Any, width: int) -> memoryview:
    # The numbers themselves, where Arrow has them; an empty column may have no buffer.
    data = column.buffers()[1] if len(column) else None
    view = memoryview(data if data is not None else b"").cast("B")
    return view[column.offset * width : (column.offset + len(column)) * width]


def _flags(pa: Any, flags: bytes) -> Any:
    column = pa.Array.from_buffers(pa.uint8(), len(flags), [None, pa.py_buffer(flags)])
    return column.cast(pa.bool_())


def _masked(pa: Any, times: Any, timed: bytes) -> Any:
    choose = import_module("pyarrow.compute").if_else
    return choose(_flags(pa, timed), times, pa.scalar(None, pa.int64()))
