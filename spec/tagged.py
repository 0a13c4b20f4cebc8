"""Typed values as JSON that every language reads without rounding: section 7 of the codec page.

Shared by the maker of spec/codec.json and by its tests. Numbers are text and floats are their
bits, so that no JSON reader can change them.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from ipaddress import IPv4Address, IPv6Address
from typing import Any
from uuid import UUID

from lexigraph.codec import Codec, codec_for, list_codec, part_codec, tuple_codec
from lexigraph.codec.kinds.streams import STREAM
from lexigraph.streaming import StreamingValue
from lexigraph.types import BigInt, Float32, GeoPoint, Int8, Int16, Int32, Int64

_MICRO = timedelta(microseconds=1)
_EPOCH = datetime(1970, 1, 1)
_INTEGERS: dict[str, type[int]] = {
    "int8": Int8,
    "int16": Int16,
    "int32": Int32,
    "int64": Int64,
    "bigint": BigInt,
    "int": int,
}
_SPECIAL = {"inf": Decimal("Infinity"), "-inf": Decimal("-Infinity"), "nan": Decimal("NaN")}


def to_json(value: Any) -> dict[str, Any]:
    """Write a value with its type."""
    if value is None:
        return {"t": "null"}
    if isinstance(value, bool):
        return {"t": "bool", "v": value}
    for name, kind in _INTEGERS.items():
        if isinstance(value, kind):
            return {"t": name, "v": str(int(value))}
    if isinstance(value, Float32):
        return {"t": "float32", "v": struct.pack(">f", value).hex()}
    if isinstance(value, float):
        return {"t": "float", "v": struct.pack(">d", value).hex()}
    if isinstance(value, Decimal):
        return {"t": "decimal", "v": _decimal_text(value)}
    if isinstance(value, str):
        return {"t": "str", "v": value}
    if isinstance(value, bytes):
        return {"t": "bytes", "v": value.hex()}
    if isinstance(value, (tuple, list)):
        return {"t": type(value).__name__, "v": [to_json(item) for item in value]}
    if isinstance(value, GeoPoint):
        lat, lon = (struct.pack(">d", d).hex() for d in (value.latitude, value.longitude))
        return {"t": "geo", "lat": lat, "lon": lon}
    if isinstance(value, StreamingValue):
        return {"t": "stream", "v": STREAM.encode_value(value).hex()}
    if isinstance(value, UUID):
        return {"t": "uuid", "v": value.hex}
    if isinstance(value, (IPv4Address, IPv6Address)):
        return {"t": "ip", "v": value.packed.hex()}
    return _moment_to_json(value)


def from_json(tagged: dict[str, Any]) -> Any:
    """Read what ``to_json`` wrote."""
    kind, text = tagged["t"], tagged.get("v")
    if kind in _INTEGERS:
        return _INTEGERS[kind](int(str(text)))
    if kind in ("tuple", "list"):
        items = [from_json(item) for item in tagged["v"]]
        return tuple(items) if kind == "tuple" else items
    if kind == "geo":
        return GeoPoint(_double(tagged["lat"]), _double(tagged["lon"]))
    if kind == "ip":
        data = bytes.fromhex(str(text))
        return IPv4Address(data) if len(data) == 4 else IPv6Address(data)
    readers: dict[str, Callable[[Any], Any]] = {
        "null": lambda _: None,
        "bool": bool,
        "float": _double,
        "float32": lambda bits: Float32(struct.unpack(">f", bytes.fromhex(bits))[0]),
        "decimal": lambda text: _SPECIAL.get(text) or Decimal(text),
        "str": str,
        "bytes": bytes.fromhex,
        "uuid": UUID,
        "stream": lambda text: STREAM.decode_value(bytes.fromhex(text)),
    }
    return readers[kind](text) if kind in readers else _moment_from_json(tagged)


def codec_from_json(described: Any) -> Codec[Any]:
    """Build a codec from its name or description."""
    if isinstance(described, str):
        return codec_for(described)
    if "tuple" in described:
        return tuple_codec(*(_part(part) for part in described["tuple"]))
    return list_codec(_part(described["list"])) if "list" in described else _part(described["part"])


def part(codec: Any, *, desc: bool = False, nulls: str | None = None) -> dict[str, Any]:
    """Describe one part."""
    return {"codec": codec, "desc": desc, "nulls": nulls}


def _part(described: dict[str, Any]) -> Codec[Any]:
    inner = codec_from_json(described["codec"])
    return part_codec(inner, descending=described["desc"], nulls=described["nulls"])


def _decimal_text(value: Decimal) -> str:
    if not value.is_finite():
        return "nan" if value.is_nan() else "-inf" if value.is_signed() else "inf"
    sign, digits, exponent = value.as_tuple()
    tail = f"E{exponent}" if exponent else ""
    return ("-" if sign else "") + "".join(map(str, digits)) + tail


def _double(bits: str) -> float:
    (number,) = struct.unpack(">d", bytes.fromhex(bits))
    return float(number)


def _moment_to_json(value: Any) -> dict[str, Any]:
    if isinstance(value, datetime):
        micros = (value.replace(tzinfo=None) - _EPOCH) // _MICRO
        offset = value.utcoffset()
        if offset is None:
            return {"t": "naive_datetime", "v": str(micros)}
        shift = offset // _MICRO
        return {"t": "datetime", "v": str(micros - shift), "offset": str(shift)}
    if isinstance(value, date):
        return {"t": "date", "v": str((value - _EPOCH.date()).days)}
    if isinstance(value, timedelta):
        return {"t": "timedelta", "v": str(value // _MICRO)}
    offset = value.utcoffset()
    clock = (value.hour * 60 + value.minute) * 60 + value.second
    return {
        "t": "time",
        "v": str(clock * 1_000_000 + value.microsecond),
        "offset": None if offset is None else str(offset // _MICRO),
    }


def _moment_from_json(tagged: dict[str, Any]) -> Any:
    kind, number = tagged["t"], int(tagged["v"])
    if kind == "date":
        return _EPOCH.date() + timedelta(days=number)
    if kind == "timedelta":
        return timedelta(microseconds=number)
    offset = tagged.get("offset")
    zone = UTC if offset is None else timezone(timedelta(microseconds=int(offset)))
    if kind == "time":
        clock = (_EPOCH + timedelta(microseconds=number)).time()
        return clock if offset is None else clock.replace(tzinfo=zone)
    if kind == "naive_datetime":
        return _EPOCH + timedelta(microseconds=number)
    if kind != "datetime":
        raise ValueError(f"{kind!r} is no type of tagged values")
    return (_EPOCH + timedelta(microseconds=number + int(offset or 0))).replace(tzinfo=zone)
