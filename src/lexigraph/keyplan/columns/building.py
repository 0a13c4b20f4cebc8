"""A column while it is made: buffers as Arrow lays them out.

Layer ``keyplan``. The meaning of ``native/core/src/frames/builder.rs``: same bytes, same refusals.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from ipaddress import IPv4Address, IPv6Address
from sys import byteorder
from typing import Any
from uuid import UUID

from lexigraph.codec import codec_for
from lexigraph.keyplan.columns.frames import FrameBuffers
from lexigraph.keyplan.columns.kinds import INTEGERS, Kind, Unheld
from lexigraph.types import Float32, GeoPoint

_EPOCH_DAYS = date(1970, 1, 1).toordinal()
_NAIVE_EPOCH = datetime(1970, 1, 1)
_MICRO = timedelta(microseconds=1)


class ColumnBuilder:
    """A column while it is made.

    >>> column = ColumnBuilder(Kind.named("int8"))
    >>> column.push(7); column.push(None)
    >>> column.take()[:3]
    (2, 1, b'\\x01')
    """

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self._push = _PUSHERS[kind.word]
        self._children = [ColumnBuilder(one) for one in kind.inside]
        self._start()

    def _start(self) -> None:
        self.present: list[bool] = []
        self.offsets = array("i", [0])
        self.data = bytearray()
        self.flags: list[bool] = []

    def push(self, value: Any) -> None:
        """Add a value; ``None`` is null."""
        if value is None:
            self._push_null()
        else:
            self._push(self, value)

    def push_bytes(self, data: bytes) -> None:
        """Add an entry of any length."""
        self.data += data
        self.offsets.append(len(self.data))
        self.present.append(True)

    def push_fixed(self, data: bytes) -> None:
        """Add an entry of the width of the kind."""
        self.data += data
        self.present.append(True)

    def push_items(self, items: Any) -> None:
        """Add a list of values for the column inside."""
        [child] = self._children
        for item in items:
            child.push(item)
        self.offsets.append(len(child.present))
        self.present.append(True)

    def push_struct(self, values: tuple[Any, ...]) -> None:
        """Add a value for each column inside."""
        for child, value in zip(self._children, values, strict=True):
            child.push(value)
        self.present.append(True)

    def push_flag(self, *, flag: bool) -> None:
        """Add a bit."""
        self.flags.append(flag)
        self.present.append(True)

    def take(self) -> FrameBuffers:
        """Return the entries so far; it goes on empty."""
        length, nulls = len(self.present), self.present.count(False)
        made = FrameBuffers(
            length,
            nulls,
            _bits(self.present) if nulls else None,
            self.offsets.tobytes() if self.kind.has_offsets else None,
            _bits(self.flags) if self.kind.word == "flag" else bytes(self.data),
            [child.take() for child in self._children],
        )
        self._start()
        return made

    def _push_null(self) -> None:
        self.present.append(False)
        if self.kind.has_offsets:
            self.offsets.append(self.offsets[-1])
        elif self.kind.word == "flag":
            self.flags.append(False)
        else:
            self.data += bytes(self.kind.width)
            for child in self._children:
                child.push(None)


def _bits(flags: list[bool]) -> bytes:
    packed = bytearray((len(flags) + 7) // 8)
    for at, flag in enumerate(flags):
        packed[at // 8] |= flag << at % 8
    return bytes(packed)


def _push_text(column: ColumnBuilder, value: Any) -> None:
    if not isinstance(value, str):
        raise Unheld(value)
    column.push_bytes(value.encode())


def _push_binary(column: ColumnBuilder, value: Any) -> None:
    if not isinstance(value, bytes):
        raise Unheld(value)
    column.push_bytes(value)


def _push_address(column: ColumnBuilder, value: Any) -> None:
    if not isinstance(value, IPv4Address | IPv6Address):
        raise Unheld(value)
    # Later versions of Python show the last four bytes of such an address as those of IPv4.
    mapped = getattr(value, "ipv4_mapped", None)
    column.push_bytes((str(value) if mapped is None else f"::ffff:{mapped}").encode())


def _push_any(column: ColumnBuilder, value: Any) -> None:
    column.push_bytes(codec_for("any").encode_value(value))


def _push_flag(column: ColumnBuilder, value: Any) -> None:
    if not isinstance(value, bool):
        raise Unheld(value)
    column.push_flag(flag=value)


def _push_integer(column: ColumnBuilder, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise Unheld(value, large=isinstance(value, Decimal))
    try:
        signed = column.kind.word != "uint64"
        packed = int(value).to_bytes(column.kind.width, byteorder, signed=signed)
    except OverflowError:
        raise Unheld(value, large=True) from None
    column.push_fixed(packed)


def _push_float(column: ColumnBuilder, value: Any) -> None:
    if not isinstance(value, float | Float32):
        raise Unheld(value)
    column.push_fixed(struct.pack("=d", float(value)))


def _push_decimal(column: ColumnBuilder, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise Unheld(value)
    digits, scale = column.kind.digits, column.kind.scale
    found = _unscaled(Decimal(int(value)) if isinstance(value, int) else value, digits, scale)
    if found is None:
        raise Unheld(value, large=True)
    column.push_fixed(found.to_bytes(column.kind.width, byteorder, signed=True))


def _unscaled(value: Decimal, digits: int, scale: int) -> int | None:
    sign, figures, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        return None
    if not value:
        return 0
    if value.adjusted() >= digits - scale:
        return None
    if exponent < -scale:
        gone = -scale - exponent
        if gone >= len(figures) or any(figures[-gone:]):
            return None
        figures, exponent = figures[:-gone], -scale
    number = int("".join(map(str, figures))) * 10 ** (exponent + scale)
    return int(-number if sign else number)


def _push_date(column: ColumnBuilder, value: Any) -> None:
    if not isinstance(value, date) or isinstance(value, datetime):
        raise Unheld(value)
    column.push_fixed(struct.pack("=i", value.toordinal() - _EPOCH_DAYS))


def _push_micros(column: ColumnBuilder, value: Any) -> None:
    micros = _micros(value)
    if micros is None or not -(2**63) <= micros < 2**63:
        raise Unheld(value, large=True)
    column.push_fixed(struct.pack("=q", micros))


def _micros(value: Any) -> int | None:
    if isinstance(value, datetime):
        naive = value.replace(tzinfo=None) - (value.utcoffset() or timedelta())
        return (naive - _NAIVE_EPOCH) // _MICRO
    if isinstance(value, time):
        if value.tzinfo is not None:
            # Arrow knows no time of day in a zone.
            return None
        seconds = (value.hour * 60 + value.minute) * 60 + value.second
        return seconds * 1_000_000 + value.microsecond
    if isinstance(value, timedelta):
        return value // _MICRO
    if isinstance(value, int) and not isinstance(value, bool):
        return int(value)
    return None


def _push_uuid(column: ColumnBuilder, value: Any) -> None:
    if not isinstance(value, UUID):
        raise Unheld(value)
    column.push_fixed(value.bytes)


def _push_point(column: ColumnBuilder, value: Any) -> None:
    if not isinstance(value, GeoPoint):
        raise Unheld(value)
    column.push_struct((value.latitude, value.longitude))


def _push_list(column: ColumnBuilder, value: Any) -> None:
    if not isinstance(value, tuple | list):
        raise Unheld(value)
    column.push_items(value)


def _push_map(column: ColumnBuilder, value: Any) -> None:
    if not isinstance(value, Mapping | tuple | list):
        raise Unheld(value)
    column.push_items(value.items() if isinstance(value, Mapping) else value)


_PUSHERS: dict[str, Callable[[ColumnBuilder, Any], None]] = {
    "text": _push_text,
    "binary": _push_binary,
    "key": _push_binary,
    "ip": _push_address,
    "any": _push_any,
    "flag": _push_flag,
    **dict.fromkeys(INTEGERS, _push_integer),
    "float": _push_float,
    "decimal": _push_decimal,
    "date": _push_date,
    "micros": _push_micros,
    "uuid": _push_uuid,
    "point": _push_point,
    "list": _push_list,
    "map": _push_map,
    "entry": ColumnBuilder.push_struct,
}
