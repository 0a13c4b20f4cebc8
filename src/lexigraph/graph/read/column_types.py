"""What a column of a table holds: its Arrow type, and how values become entries of it.

Layer ``graph``. A column holds the values of a codec, ``list:`` and a codec, ``map:`` and the codec
of its keys (numbers belong to them), or ``uint64``; of streaming values it holds the sizes.
``None`` stands for values of no one type: then Arrow infers one from all of them. Otherwise the
type never follows from the values, so that an empty answer has it too. A value that its column
cannot hold exactly is an InvalidValue, never another value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from lexigraph.codec import codec_for, is_built_in
from lexigraph.errors import InvalidValue, show
from lexigraph.functions import traits_of
from lexigraph.schema.model import STREAM, Aggregate
from lexigraph.store.answers.frames import FrameBuffers

ColumnType = str | None

DIGITS, MAX_DIGITS = 38, 76
"""How many digits decimal columns have, and how many they can have."""
SCALE = 18
"""How many of the 38 digits of a ``Decimal`` are after the point; of more, half of them are."""

_KINDS = {
    "str": ("string", "text"),
    "int": ("int64", "int64"),
    "int8": ("int8", "int8"),
    "int16": ("int16", "int16"),
    "int32": ("int32", "int32"),
    "int64": ("int64", "int64"),
    "uint64": ("uint64", "uint64"),
    "float": ("float64", "float"),
    "float32": ("float64", "float"),
    "bool": ("bool_", "flag"),
    "bytes": ("binary", "binary"),
    "date": ("date32", "date"),
    STREAM: ("int64", "int64"),
    "ip": ("string", "ip"),
}
"""By codec: the Arrow type, and the word by which an engine makes such a column."""
_OF_ANY_CODEC = {"float": "float", "count": "int", "integers": "list:uint64"}
"""Kinds of results that do not depend on the codec, and what a column of them holds."""


class _Unheld(Exception):
    """A column cannot hold a value exactly."""


def held_by(codec: str, aggregate: Aggregate | None) -> ColumnType:
    """Return what a column of finished values holds; ``codec`` is that of one value.

    >>> held_by("str", Aggregate("set")), held_by("date", Aggregate("time-series"))
    ('list:str', 'map:date')
    """
    kind = "same" if aggregate is None else traits_of(aggregate.name).result_kind
    if kind in _OF_ANY_CODEC:
        return _OF_ANY_CODEC[kind]
    if codec == STREAM:
        return "list:stream" if kind == "list" else STREAM
    if codec in ("any", "null") or not is_built_in(codec):
        return None
    if kind == "same":
        return codec
    return f"{kind}:{codec}" if kind in ("list", "map") else None


def frame_kind(holds: ColumnType, digits: int | None = None) -> str:
    """Return the word by which an engine makes the column; ``any`` where Arrow infers its type.

    >>> frame_kind("map:date"), frame_kind("decimal")
    ('map:date:int64', 'decimal:38:18')
    """
    form, _, item = (holds or "").partition(":")
    if form == "list":
        return f"list:{frame_kind(item, digits)}"
    if form == "map":
        return f"map:{frame_kind(item, digits)}:{frame_kind('int', digits)}"
    if (room := _room(form, digits)) is not None:
        return f"decimal:{room[0]}:{room[1]}"
    if form in ("datetime", "naive_datetime", "time", "timedelta"):
        return "micros"
    if form in ("uuid", "geo"):
        return {"uuid": "uuid", "geo": "point"}[form]
    return _KINDS[form][1] if form in _KINDS else "any"


def arrow_type(pa: Any, holds: ColumnType, digits: int | None = None) -> Any:
    """Return the type of a column; ``None`` where Arrow infers it.

    ``int`` and the numbers of maps have 64 bits, or so many ``digits``. A ``Decimal`` has 38
    digits, 18 of them after the point; with more than 38 ``digits`` half of them are.
    """
    form, _, item = (holds or "").partition(":")
    if form == "list":
        return pa.list_(_inner_type(pa, item, digits))
    if form == "map":
        return pa.map_(_inner_type(pa, item, digits), arrow_type(pa, "int", digits))
    if (room := _room(form, digits)) is not None:
        return pa.decimal128(*room) if room[0] <= DIGITS else pa.decimal256(*room)
    if form == "datetime":
        return pa.timestamp("us", "UTC")
    if form == "naive_datetime":
        return pa.timestamp("us")
    if form == "time":
        return pa.time64("us")
    if form == "timedelta":
        return pa.duration("us")
    if form == "geo":
        return pa.struct([("latitude", pa.float64()), ("longitude", pa.float64())])
    if form == "uuid":
        return pa.uuid() if hasattr(pa, "uuid") else pa.binary(16)
    return getattr(pa, _KINDS[form][0])() if form in _KINDS else None


def make_array(
    pa: Any,
    values: Sequence[Any],
    holds: ColumnType,
    digits: int | None,
    name: str,
    rows: Sequence[Mapping[str, Any]] = (),
) -> Any:
    """Make the array of a column; ``rows`` are those of the values, to name one that is refused."""
    kind = arrow_type(pa, holds, digits)
    if kind is None:
        return _inferred(pa, values)
    plain = _plain_of(holds or "", digits)
    try:
        return _typed(pa, [None if value is None else plain(value) for value in values], kind)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError, _Unheld):
        pass
    for at, value in enumerate(values):
        try:
            _typed(pa, [None if value is None else plain(value)], kind)
        except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError, _Unheld):
            where = f", the value of {_shown_ids(rows[at])}" if rows else ""
            raise InvalidValue(
                f"column {name!r} of type {kind} cannot hold {show(value)}{where}",
                hint=_growing(holds or "", digits)
                + "iterate over the elements: Python holds every number exactly.",
                column=name,
            ) from None
    raise InvalidValue(f"column {name!r} cannot be converted to type {kind}")


def from_buffers(pa: Any, kind: Any, made: FrameBuffers) -> Any:
    """Make an array of the buffers that an engine filled."""
    if isinstance(kind, pa.BaseExtensionType):
        return pa.ExtensionArray.from_storage(kind, from_buffers(pa, kind.storage_type, made))
    types = pa.types
    inner: list[Any] = []
    if types.is_map(kind):
        inner = [pa.struct([kind.key_field, kind.item_field])]
    elif types.is_list(kind):
        inner = [kind.value_type]
    elif types.is_struct(kind):
        inner = [kind.field(at).type for at in range(kind.num_fields)]
    buffers: list[bytes | memoryview | None] = [made.present]
    buffers += [] if made.offsets is None else [made.offsets]
    buffers += [] if inner else [made.data]
    held = [None if one is None else pa.py_buffer(one) for one in buffers]
    children = [from_buffers(pa, *one) for one in zip(inner, made.children, strict=True)]
    return pa.Array.from_buffers(kind, made.length, held, made.nulls, children=children)


def values_of(pa: Any, made: FrameBuffers) -> list[Any]:
    """Read the values of a column of kind ``any``."""
    read = codec_for("any").decode_value
    stored = from_buffers(pa, pa.binary(), made).to_pylist()
    return [None if one is None else read(one) for one in stored]


def _room(codec: str, digits: int | None) -> tuple[int, int] | None:
    """Return how many digits a decimal column has, and how many of them are after the point."""
    if codec == "decimal":
        return (DIGITS, SCALE) if digits is None or digits <= DIGITS else (digits, digits // 2)
    return (digits, 0) if codec == "int" and digits is not None else None


def _inner_type(pa: Any, codec: str, digits: int | None) -> Any:
    # Arrow makes no lists of extension types.
    return pa.binary(16) if codec == "uuid" else arrow_type(pa, codec, digits)


def _typed(pa: Any, plain: list[Any], kind: Any) -> Any:
    if isinstance(kind, pa.BaseExtensionType):
        return pa.ExtensionArray.from_storage(kind, pa.array(plain, kind.storage_type))
    return pa.array(plain, kind)


def _inferred(pa: Any, values: Sequence[Any]) -> Any:
    """Make an array of values of no one type: of text if Arrow has no type for all of them."""
    values = [tuple(one.items()) if isinstance(one, Mapping) else one for one in values]
    kinds = set(map(_kind_of, _leaves(values)))
    # Arrow makes a date of a moment or a number if a date comes first.
    alike = len(kinds) < 2 or any(kinds <= one for one in _MIXED)
    try:
        if alike and not kinds & _NEVER:
            return pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        pass
    return pa.array([None if one is None else str(one) for one in values], pa.string())


_MIXED = (frozenset({"int", "float"}), frozenset({"int", "decimal"}))
"""Kinds of values for which Arrow has one type that changes none of them."""
_NEVER = frozenset({"far decimal", "time in a zone"})
"""Arrow does not survive a decimal of a million digits, and drops the zone of a time."""


def _leaves(values: Iterable[Any]) -> Iterator[Any]:
    for one in values:
        if isinstance(one, tuple | list):
            yield from _leaves(one)
        elif one is not None:
            yield one


def _kind_of(value: Any) -> str:
    if isinstance(value, Decimal):
        return "far decimal" if _is_far(value) else "decimal"
    if isinstance(value, datetime):
        return "moment" if value.tzinfo is None else "moment in a zone"
    if isinstance(value, time):
        return "time" if value.tzinfo is None else "time in a zone"
    plain = (bool, int, float, str, bytes, date)
    return next((kind for kind in plain if isinstance(value, kind)), type(value)).__name__


def _is_far(value: Decimal) -> bool:
    exponent = value.as_tuple().exponent
    if not isinstance(exponent, int):
        return False
    return value.adjusted() > MAX_DIGITS or exponent < -MAX_DIGITS


def _plain_of(holds: str, digits: int | None) -> Callable[[Any], Any]:
    """Return what turns a value of Python into one that Arrow takes for the column."""
    form, _, item = holds.partition(":")
    if form == "list":
        inner = _plain_of(item, digits)
        return lambda values: [None if one is None else inner(one) for one in values]
    if form == "map":
        key, number = _plain_of(item, digits), _plain_of("int", digits)
        return lambda held: [(key(one), number(count)) for one, count in held.items()]
    if (room := _room(form, digits)) is not None:
        return lambda value: _at_scale(Decimal(value), *room)
    return _PLAIN.get(form, lambda value: value)


def _at_scale(value: Decimal, digits: int, scale: int) -> Decimal:
    """Return the number without zeros that do not fit; raise if it has more than fits."""
    sign, figures, exponent = value.as_tuple()
    if not value:
        return Decimal(0)
    if not isinstance(exponent, int) or value.adjusted() >= digits - scale:
        raise _Unheld
    if exponent < -scale:
        gone = -scale - exponent
        if gone >= len(figures) or any(figures[-gone:]):
            raise _Unheld
        return Decimal((sign, figures[:-gone], -scale))
    return value


def _naive_time(value: Any) -> Any:
    # Arrow would drop the zone.
    if value.tzinfo is not None:
        raise _Unheld
    return value


def _address(value: Any) -> str:
    # Later versions of Python show the last four bytes of such an address as those of IPv4.
    mapped = getattr(value, "ipv4_mapped", None)
    return str(value) if mapped is None else f"::ffff:{mapped}"


_PLAIN: dict[str, Callable[[Any], Any]] = {
    "time": _naive_time,
    "uuid": lambda value: value.bytes,
    "ip": _address,
    "geo": lambda value: (value.latitude, value.longitude),
    STREAM: lambda value: value.size,
}


def _growing(holds: str, digits: int | None) -> str:
    parts = holds.split(":")
    if digits == MAX_DIGITS or not {"int", "decimal", "map"} & set(parts):
        return ""
    most = "decimal" in parts or digits is not None
    return f"Pass decimals={MAX_DIGITS if most else True} for a decimal column, or "


def _shown_ids(row: Mapping[str, Any]) -> str:
    ids = [name for name in ("vertex", "source", "destination") if row.get(name) is not None]
    if not ids:
        return show(dict(row))
    shown = ", ".join(f"{name}={show(row[name])}" for name in ids)
    return f"{row['group']}({shown})" if row.get("group") else f"({shown})"
