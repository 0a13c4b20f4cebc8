"""Columns of an Arrow table as the native core takes them: a type, and buffers without a copy.

Layer ``layout``. Narrow types become the one wide type of their kind where nothing is lost, by
pyarrow and without a Python object for a value. What has no such type, or does not fit into it, is
``NoColumn``: its rows are read one by one.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

_UTC = frozenset({"UTC", "Etc/UTC", "Z", "+00:00"})

_TAKEN: dict[str, frozenset[str]] = {
    **{name: frozenset({name}) for name in ("str", "bytes", "int", "bool", "date", "datetime")},
    **{name: frozenset({name}) for name in ("naive_datetime", "time", "timedelta")},
    **{name: frozenset({name}) for name in ("decimal", "uuid")},
    **{f"int{bits}": frozenset({"int"}) for bits in (8, 16, 32, 64)},
    "float": frozenset({"float", "int"}),
    "float32": frozenset({"float"}),
}
"""The types of columns that each codec takes as they are; ``any`` takes all."""

_DECIMAL_BITS = 128
"""The width of the narrowest decimals that the core reads."""


class NoColumn(Exception):
    """Why a column is read row by row. It never leaves the package."""


class Column(NamedTuple):
    """A column of an Arrow table."""

    type: str
    """The codec whose values it holds."""
    array: Any
    utc: bool = True
    """Whether its moments, if it holds any, say that they are in UTC."""
    items: Column | None = None
    """The entries of lists, the keys of maps."""
    numbers: Column | None = None
    """The numbers that belong to the keys of maps."""

    def fits(self, codec: str, *, stored: bool, takes: frozenset[str] = frozenset()) -> bool:
        """Tell whether it holds values of a codec; ``stored`` ones also keep their offset.

        ``takes`` says whether ``list`` or ``map`` of such values fits as well.
        """
        if self.items is not None:
            # Members are stored as they are: no whole number becomes a float.
            exact = codec != "float" or self.items.type == "float"
            counts = self.numbers is None or self.numbers.type == "int"
            return self.type in takes and exact and counts and self.items.fits(codec, stored=stored)
        if not self.utc and (stored or codec == "any"):
            return False
        return codec == "any" or self.type in _TAKEN.get(codec, ())

    def parts(self) -> tuple[Any, ...]:
        """Return type, first row, width of offsets, and buffers; of lists and maps also entries."""
        array, kind = self.array, self.array.type
        is_ = import_module("pyarrow").types
        buffers = [None if one is None else _view(one) for one in array.buffers()]
        validity = buffers[0] if array.null_count else None
        if self.items is not None:
            numbers = None if self.numbers is None else self.numbers.parts()
            entries = (len(self.items.array), self.items.parts(), numbers)
            wide = is_.is_large_list(kind)
            return "list", array.offset, wide, validity, buffers[1], None, *entries
        wide = is_.is_large_string(kind) or is_.is_large_binary(kind)
        offsets = buffers[1] if len(buffers) > 2 else None
        name = f"decimal{kind.bit_width}:{kind.scale}" if is_.is_decimal(kind) else self.type
        return name, array.offset, wide, validity, offsets, buffers[-1]


def read_column(column: Any) -> Column | None:
    """Read a column of a table; ``None`` where every row of it is null."""
    pa = import_module("pyarrow")
    try:
        array = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
        if pa.types.is_null(array.type):
            return None
        if pa.types.is_fixed_size_list(array.type):
            array = array.cast(pa.list_(array.type.value_type))
        # All entries of its memory: offsets count from their first one.
        if pa.types.is_map(array.type):
            numbers = _read(pa, array.items)
            return Column("map", array, items=_read(pa, array.keys), numbers=numbers)
        if pa.types.is_list(array.type) or pa.types.is_large_list(array.type):
            return Column("list", array, items=_read(pa, array.values))
        return _read(pa, array)
    except pa.ArrowException as failure:
        raise NoColumn(f"{column.type} cannot be widened: {failure}") from None


def numbers_column(numbers: list[int]) -> Column:
    """Make a column of numbers."""
    pa = import_module("pyarrow")
    return Column("int", pa.array(numbers, pa.int64()))


def _read(pa: Any, array: Any) -> Column:
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    kind, is_ = array.type, pa.types
    if hasattr(pa, "UuidType") and isinstance(kind, pa.UuidType):
        return Column("uuid", array.storage)
    if is_.is_decimal(kind):
        small = kind.bit_width < _DECIMAL_BITS
        return Column("decimal", array.cast(pa.decimal128(38, kind.scale)) if small else array)
    if is_.is_string(kind) or is_.is_large_string(kind):
        return Column("str", array)
    if is_.is_binary(kind) or is_.is_large_binary(kind):
        return Column("bytes", array)
    if is_.is_string_view(kind):
        return Column("str", array.cast(pa.large_string()))
    if is_.is_binary_view(kind) or is_.is_fixed_size_binary(kind):
        return Column("bytes", array.cast(pa.large_binary()))
    if is_.is_integer(kind):
        return Column("int", array.cast(pa.int64()))
    if is_.is_floating(kind):
        return Column("float", array.cast(pa.float64()))
    if is_.is_boolean(kind):
        return Column("bool", array)
    if is_.is_date(kind):
        return Column("date", array.cast(pa.date32()).cast(pa.int32()).cast(pa.int64()))
    if is_.is_timestamp(kind):
        micros = array.cast(pa.timestamp("us", kind.tz)).cast(pa.int64())
        if kind.tz is None:
            return Column("naive_datetime", micros)
        return Column("datetime", micros, kind.tz in _UTC)
    if is_.is_time(kind):
        return Column("time", array.cast(pa.time64("us")).cast(pa.int64()))
    if is_.is_duration(kind):
        return Column("timedelta", array.cast(pa.duration("us")).cast(pa.int64()))
    raise NoColumn(f"there is no wide type for {kind}")


def _view(buffer: Any) -> memoryview:
    return memoryview(buffer).toreadonly().cast("B")
