"""Data frames as elements: Arrow tables, what can be made one (Polars, pandas), and files.

Layer ``graph``. Columns are called as ids and properties are, in the schema or in the class; a null
is an absent property, and a column that is not there has the default of the class. pyarrow is
imported when a frame is given and not before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from itertools import repeat
from types import MappingProxyType
from typing import Any, Protocol

from lexigraph.errors import UnsupportedError, UsageError, show
from lexigraph.extras import install_hint
from lexigraph.graph.write.rows.files import TEXT, RowNumbers, is_path, iter_file
from lexigraph.graph.write.rows.values import ReadValue
from lexigraph.schema import ClassElement, Group, Schema, class_defaults, class_names

_NO_READERS: Mapping[str, ReadValue] = MappingProxyType({})


def is_frame(data: Any) -> bool:
    """Return whether data comes in columns: a data frame, or the path of a file."""
    if is_path(data) or _is_lazy(data):
        return True
    return hasattr(data, "__arrow_c_stream__") or _is_record_batch(data) or _is_pandas(data)


def group_of_frame(data: Any, group: Any, schema: Schema) -> str:
    """Give the group that the rows of a frame are elements of."""
    if group is None and len(schema.groups) == 1:
        [group] = schema.groups
    name = group if isinstance(group, str) else getattr(group, "group", None)
    if not isinstance(name, str):
        raise UsageError(
            f"the rows of a data frame need a group, not {show(group)}",
            hint=f"Pass group=..., one of: {', '.join(schema.groups)}.",
        )
    return schema.group(name).name


@dataclass(frozen=True, slots=True)
class RowClass:
    """What a class says of rows: what they have where they do not say it, and its own names."""

    defaults: Mapping[str, Any] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    __hash__ = None  # type: ignore[assignment]

    @staticmethod
    def of(given: Any, group: Group) -> RowClass:
        """Read the class of a group; the group's name alone says nothing."""
        if not (isinstance(given, type) and issubclass(given, ClassElement)):
            return RowClass()
        held = {name: one for name, one in class_defaults(given).items() if one is not None}
        # Stored groups may have properties that this class does not know.
        known = {one.name for one in group.properties}
        names = {at: name for at, name in class_names(given).items() if at not in known}
        return RowClass(held, names)

    def schema_names(self, names: Iterable[str]) -> list[str]:
        """Give names of columns as the schema has them."""
        given = list(names)
        found = [self.names.get(name, name) for name in given]
        for name, known in zip(given, found, strict=True):
            if found.count(known) > 1:
                raise UsageError(
                    f"{name!r} and {known!r} are the same field, and both have a column"
                    if name != known
                    else f"there are two columns called {name!r}",
                    hint="Rename or drop one of them.",
                )
        return found

    def row(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Give a row by the names of the schema, with the defaults.

        What is given by both names keeps them, and does not fit.
        """
        named = {at: name for at, name in self.names.items() if at in given and name not in given}
        return {**self.defaults, **{named.get(name, name): one for name, one in given.items()}}


class RowShape(Protocol):
    """What names the columns of a group, see ``rows.shaping``."""

    of: RowClass

    def names(self, given: list[str]) -> list[str | None]:
        """Return the field that each column is; ``None`` for columns to leave out."""
        ...


def iter_tables(
    frames: Iterable[Any], rows: int, shape: RowShape, numbers: RowNumbers
) -> Iterator[Any]:
    """Yield frames and files as Arrow tables of so many rows at most, with columns for defaults.

    A stream of batches is read as they are needed, never whole; small ones are put together.
    """
    arrow = _arrow()
    for table in _cut(arrow, frames, rows, shape, numbers):
        filled = table
        for name, value in shape.of.defaults.items():
            if name not in table.column_names:
                filled = filled.append_column(name, _repeated(arrow, name, value, len(table)))
        yield filled


def _cut(
    arrow: Any, frames: Iterable[Any], rows: int, shape: RowShape, numbers: RowNumbers
) -> Iterator[Any]:
    waiting: list[Any] = []
    count = 0
    for batch in _iter_named(arrow, frames, shape, numbers):
        if waiting and not waiting[0].schema.equals(batch.schema, check_metadata=True):
            yield arrow.Table.from_batches(waiting)
            waiting, count = [], 0
        start = 0
        while count + len(batch) - start >= rows:
            waiting.append(batch.slice(start, rows - count))
            start += rows - count
            yield arrow.Table.from_batches(waiting)
            waiting, count = [], 0
        if start < len(batch):
            waiting.append(batch.slice(start))
            count += len(batch) - start
    if waiting:
        yield arrow.Table.from_batches(waiting)


def _iter_named(
    arrow: Any, frames: Iterable[Any], shape: RowShape, numbers: RowNumbers
) -> Iterator[Any]:
    for frame in frames:
        read = iter_file(frame, numbers) if is_path(frame) else _batches(arrow, frame)
        for batch in read:
            numbers.rows += len(batch)
            yield _named(batch, shape)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A value of a column that Python cannot hold. No codec takes it, so its row does not fit."""

    reason: str

    def __repr__(self) -> str:
        """Show why."""
        return f"<unreadable: {self.reason}>"


def rows_of(
    group: str, table: Any, readers: Mapping[str, ReadValue] = _NO_READERS
) -> Iterator[dict[str, Any]]:
    """Yield the rows of an Arrow table as elements of a group; some values may be Unreadable.

    ``readers`` read the values of columns whose types Arrow does not have.
    """
    names = table.column_names
    columns = [
        _values(column, readers.get(name))
        for name, column in zip(names, table.columns, strict=True)
    ]
    for values in zip(*columns, strict=True) if columns else repeat((), len(table)):
        yield {**dict(zip(names, values, strict=True)), "group": group}


def frame_columns(data: Any) -> dict[str, list[Any]]:
    """Return the columns of a data frame as lists; some values may be Unreadable."""
    if is_path(data):
        raise UsageError(
            f"rows come from a data frame, not from the file {show(data)}",
            hint="Read the file first: polars.read_csv(path).",
        )
    arrow = _arrow()
    batches = list(_batches(arrow, data))
    found: dict[str, list[Any]] = {}
    for batch in batches:
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            found.setdefault(name, []).extend(_values(arrow.chunked_array([column]), None))
    return found


def gathered(table: Any, rows: list[int]) -> Any:
    """Return some rows of a table, in their order."""
    arrow = _arrow()
    try:
        return table.take(rows)
    except arrow.ArrowNotImplementedError:
        # Arrow gathers no views of text, but puts pieces of tables together.
        pieces = [table.slice(at, 1) for at in rows]
        return arrow.concat_tables(pieces) if pieces else table.slice(0, 0)


def _values(column: Any, reader: ReadValue | None) -> list[Any]:
    try:
        return _read(column, reader)
    except _no_values():
        # Some value of it: each is looked at alone, so that the others count.
        chunks = column.chunks
        return [_value(chunk.slice(at, 1), reader) for chunk in chunks for at in range(len(chunk))]


def _value(alone: Any, reader: ReadValue | None) -> Any:
    try:
        [value] = _read(alone, reader)
    except _no_values() as failure:
        return Unreadable(str(failure))
    return value


def _read(values: Any, reader: ReadValue | None) -> list[Any]:
    # What a column says of itself need not be so: offsets, indices, UTF-8.
    values.validate(full=True)
    types, kind = _arrow().types, values.type
    if types.is_temporal(kind) and getattr(kind, "unit", None) == "ns":
        values = values.cast(_of_micros(kind))
    found: list[Any] = values.to_pylist()
    if types.is_map(kind):
        return [None if one is None else _mapping(one, reader) for one in found]
    return found if reader is None else [None if one is None else reader(one) for one in found]


def _mapping(pairs: list[tuple[Any, Any]], reader: ReadValue | None) -> dict[Any, Any]:
    made = dict(pairs) if reader is None else {reader(key): number for key, number in pairs}
    if len(made) < len(pairs):
        raise ValueError("a map has a key twice")
    return made


def _of_micros(kind: Any) -> Any:
    """Give a type of nanoseconds as Python has it; what is finer does not fit."""
    arrow = _arrow()
    if arrow.types.is_timestamp(kind):
        return arrow.timestamp("us", kind.tz)
    return arrow.time64("us") if arrow.types.is_time(kind) else arrow.duration("us")


def _no_values() -> tuple[type[Exception], ...]:
    """What Arrow raises where a value does not fit into Python."""
    return (_arrow().ArrowException, ValueError, OverflowError, LookupError, TypeError)


def _named(batch: Any, shape: RowShape) -> Any:
    names = batch.schema.names
    if not names and len(batch):
        raise UsageError(
            "the data frame has rows and no columns", hint="It needs at least a column for each id."
        )
    found = shape.names(names)
    # What a library keeps about its own types is not ours; what says that all is text is.
    metadata = TEXT if batch.schema.metadata == TEXT else None
    kept = [at for at, name in enumerate(found) if name is not None]
    named = batch.select(kept).rename_columns([found[at] for at in kept])
    return named.replace_schema_metadata(metadata)


def _batches(arrow: Any, data: Any) -> Iterator[Any]:
    if _is_lazy(data):
        for frame in _collected(data):
            yield from _batches(arrow, frame)
        return
    try:
        if _is_pandas(data):
            data = arrow.Table.from_pandas(data, preserve_index=False)
        if isinstance(data, arrow.Table):
            batches = data.to_batches()
        elif _is_record_batch(data):
            batches = [arrow.record_batch(data)]
        else:
            batches = arrow.RecordBatchReader.from_stream(data)
    except (arrow.ArrowInvalid, arrow.ArrowTypeError, arrow.ArrowNotImplementedError) as failure:
        raise UsageError(
            f"{type(data).__name__} cannot be read as a table: {failure}",
            hint="Pass a table with a column for each id and property.",
        ) from None
    yield from batches


def _repeated(arrow: Any, name: str, value: Any, rows: int) -> Any:
    listed = list(value) if isinstance(value, set | frozenset) else value
    try:
        return arrow.repeat(arrow.scalar(listed), rows)
    except (arrow.ArrowInvalid, arrow.ArrowTypeError, arrow.ArrowNotImplementedError):
        raise UsageError(
            f"the table has no column {name!r}, and Arrow cannot hold its default, {show(value)}",
            hint=f"Add a column {name!r} to the table; a null in it means an absent value.",
        ) from None


def _collected(lazy: Any) -> Iterator[Any]:
    """Yield a LazyFrame as frames, in streaming batches where its version of Polars has them."""
    polars = import_module("polars")
    try:
        if hasattr(lazy, "collect_batches"):
            yield from lazy.collect_batches()
        else:
            yield lazy.collect()
    except polars.exceptions.PolarsError as failure:
        raise UsageError(
            f"the LazyFrame cannot be collected: {failure}",
            hint="Call its collect() to see where it fails.",
        ) from None


def _is_lazy(data: Any) -> bool:
    return type(data).__module__.partition(".")[0] == "polars" and hasattr(data, "collect")


def _is_record_batch(data: Any) -> bool:
    return hasattr(data, "__arrow_c_array__") and hasattr(data, "schema")


def _is_pandas(data: Any) -> bool:
    return type(data).__module__.partition(".")[0] == "pandas" and hasattr(data, "columns")


def _arrow() -> Any:
    try:
        return import_module("pyarrow")
    except ImportError as missing:
        raise UnsupportedError(
            f"data frames need pyarrow, which cannot be imported: {missing}",
            hint=install_hint("arrow"),
        ) from None
