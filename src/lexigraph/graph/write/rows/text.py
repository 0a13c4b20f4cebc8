"""Columns of text read by the type of a field: how the fields of a CSV file become values.

Layer ``graph``. Values that cannot be read become null, and are listed with the reason; none is
guessed. Whole columns are read by pyarrow, without a Python object for a value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal, InvalidOperation
from heapq import merge
from importlib import import_module
from typing import Any

from lexigraph.errors import UnsupportedError, show
from lexigraph.graph.write.rows.values import reader_of
from lexigraph.graph.write.rows.zones import localise

Bad = Iterable[tuple[int, str]]
"""Rows of a column that do not fit, and why."""

_WHOLE = r"^-?[0-9]+$"
_PATTERNS = {
    "int": _WHOLE,
    "float": r"(?i)^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?$|^[+-]?(inf|infinity|nan)$",
    "bool": r"(?i)^(true|false|0|1)$",
    "date": r"^\d{4}-\d\d-\d\d$",
    "datetime": r"^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?)?(Z|[+-]\d\d(:?\d\d)?)?$",
}
_ZONED = r":\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d(:?\d\d)?)$"
_AS = {
    "int": "a whole number of 64 bits",
    "float": "a number",
    "bool": "true or false",
    "date": "a date, such as 2026-01-31",
    "datetime": "a time, such as 2026-01-31T12:30:00Z",
    "naive_datetime": "a time without a zone, such as 2026-01-31T12:30:00",
    "time": "a time of day, such as 12:30:00",
    "decimal": "a decimal number",
    "ip": "an IP address, such as 10.0.0.1 or fe80::1",
    "uuid": "a UUID, such as 12345678-1234-5678-1234-567812345678",
}


def read_text(
    column: Any, codec: str, *, timezone: str | None, truncate_to_date: bool, name: str
) -> tuple[Any, Bad]:
    """Read a column of text as values of a codec; ``name`` is what the caller calls it."""
    pa, pc = import_module("pyarrow"), import_module("pyarrow.compute")
    if codec in ("str", "any"):
        return column, []
    if codec in ("ip", "uuid"):
        return _parsed(pa, pc, column.combine_chunks(), codec)
    if codec == "bytes":
        return column.cast(pa.binary()), []
    kind = "int" if codec.startswith("int") else codec.removesuffix("32")
    array = pc.utf8_trim_whitespace(column.combine_chunks())
    array = pc.if_else(pc.equal(array, ""), pa.scalar(None, pa.string()), array)
    if kind == "date" and truncate_to_date:
        moments = pc.match_substring_regex(array, _PATTERNS["datetime"])
        array = pc.if_else(moments, pc.utf8_slice_codeunits(array, 0, 10), array)
    if kind == "datetime":
        return _moments(pa, pc, array, timezone)
    readers: dict[str, Callable[[Any], Any]] = {
        "int": lambda one: one.cast(pa.int64()),
        "float": lambda one: one.cast(pa.float64()),
        "bool": lambda one: one.cast(pa.bool_()),
        "date": lambda one: one.cast(pa.date32()),
        "naive_datetime": lambda one: one.cast(pa.timestamp("us")),
        "time": lambda one: _times(pa, pc, one),
        "decimal": lambda one: _decimals(pa, one),
    }
    if kind not in readers:
        raise UnsupportedError(
            f"column {name!r} is text, and values of the type {codec!r} are not read from text",
            hint="Read the file with another library, make the values, and pass dicts or a frame.",
        )
    read, bad = _each(pa, pc, array, readers[kind], _PATTERNS.get(kind))
    fix = ""
    if kind == "date" and not truncate_to_date:
        fix = "; for the days of times, pass truncate_to_date=True"
    # Lazily: if no row may be skipped, only the first reason is needed.
    return read, ((at, f"{_not(kind, array[at].as_py())}{fix}") for at in bad)


def _parsed(pa: Any, pc: Any, column: Any, codec: str) -> tuple[Any, Bad]:
    """Leave out text that is not such a value; the rest is read with its row."""
    array = pc.utf8_trim_whitespace(column)
    read = reader_of(codec)
    assert read is not None
    found = [one or None for one in array.to_pylist()]
    bad = [at for at, one in enumerate(found) if one is not None and isinstance(read(one), str)]
    wrong = set(bad)
    kept = pa.array([None if at in wrong else one for at, one in enumerate(found)], pa.string())
    return kept, ((at, _not(codec, found[at] or "")) for at in bad)


def _not(kind: str, text: str) -> str:
    wanted = _AS[kind]
    if kind == "int" and not text.lstrip("+-").isdigit():
        wanted = "a whole number"
    return f"it is not {wanted}: {show(text)}"


def _moments(pa: Any, pc: Any, array: Any, timezone: str | None) -> tuple[Any, Bad]:
    zoned = pc.match_substring_regex(array, _ZONED)
    nothing = pa.scalar(None, pa.string())
    utc = pa.timestamp("us", "UTC")
    pattern = _PATTERNS["datetime"]
    aware, bad = _each(pa, pc, pc.if_else(zoned, array, nothing), lambda one: one.cast(utc), None)
    local = pc.if_else(zoned, nothing, array)
    naive, wrong = _each(pa, pc, local, lambda one: one.cast(pa.timestamp("us")), pattern)
    reasons = ((at, _not("datetime", array[at].as_py())) for at in sorted(bad + wrong))
    skipped: Bad
    if timezone is not None:
        moments, skipped = localise(naive, timezone)
        aware = pc.coalesce(aware, moments)
    else:
        skipped = (
            (at, "it names no time zone; pass assume_timezone=, the zone that it is in")
            for at in pc.indices_nonzero(pc.is_valid(naive)).to_pylist()
        )
    return aware, merge(reasons, skipped)


def _each(
    pa: Any, pc: Any, array: Any, read: Callable[[Any], Any], pattern: str | None
) -> tuple[Any, list[int]]:
    """Read an array; what cannot be read is null, and its places are listed."""
    try:
        return read(array), []
    except pa.ArrowInvalid:
        pass
    bad: list[int] = []
    if pattern is not None:
        # What has another form goes at once; only what is left is looked at more closely.
        fits = pc.fill_null(pc.match_substring_regex(array, pattern), fill_value=True)
        bad = pc.indices_nonzero(pc.invert(fits)).to_pylist()
        array = pc.if_else(fits, array, pa.scalar(None, pa.string()))
    found, rest = _halves(pa, array, read, 0)
    return found, sorted([*bad, *rest])


def _halves(pa: Any, array: Any, read: Callable[[Any], Any], first: int) -> tuple[Any, list[int]]:
    try:
        return read(array), []
    except pa.ArrowInvalid:
        if len(array) == 1:
            return read(pa.nulls(1, pa.string())), [first]
    middle = len(array) // 2
    left, bad = _halves(pa, array[:middle], read, first)
    right, more = _halves(pa, array[middle:], read, first + middle)
    return pa.concat_arrays([left, right]), [*bad, *more]


def _times(pa: Any, pc: Any, array: Any) -> Any:
    moments = pc.binary_join_element_wise("1970-01-01 ", array, "").cast(pa.timestamp("us"))
    return moments.cast(pa.time64("us"))


def _decimals(pa: Any, array: Any) -> Any:
    try:
        found = [None if one is None else Decimal(one) for one in array.to_pylist()]
        return pa.array(found, pa.decimal256(76, 18))
    except (InvalidOperation, OverflowError):
        raise pa.ArrowInvalid("not decimal numbers") from None
