"""Values of every codec for hypothesis, and the order they must have, said without any bytes."""

from __future__ import annotations

import struct
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from functools import cmp_to_key
from ipaddress import IPv4Address, IPv6Address
from typing import Any
from uuid import UUID

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from lexigraph.types import BigInt, Float32, GeoPoint, Int8, Int16, Int32, Int64

# No limit of time: machines differ, and a slow one must not fail.
quick, thorough = (
    settings(max_examples=count, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    for count in (50, 100)
)

SMALL = st.integers(-3, 3)


longs = st.integers(-(2**63), 2**63 - 1) | st.integers(-300, 300)


def ints(bits: int) -> st.SearchStrategy[int]:
    edge = 1 << bits - 1
    return st.integers(-edge, edge - 1) | SMALL


offsets = st.builds(
    lambda micros: timezone(timedelta(microseconds=micros)),
    st.sampled_from([0, 3_600_000_000, -3_600_000_000, 86_399_999_999, -86_399_999_999])
    | st.integers(-86_399_999_999, 86_399_999_999),
)
# Codecs drop fold, as docs/formats/codec.md says.
times = st.times().map(lambda found: found.replace(fold=0))
clocks = st.datetimes(datetime(2, 1, 2), datetime(9999, 12, 30)).map(
    lambda found: found.replace(fold=0)
) | st.sampled_from(
    [datetime(1970, 1, 1), datetime(1969, 12, 31, 23, 59, 59, 999999), datetime(2000, 2, 29)]
)
decimals = (
    st.decimals(allow_nan=False)
    | st.decimals(allow_nan=False, places=2, min_value=-10, max_value=10)
    | st.builds(lambda digits, exponent: Decimal(digits).scaleb(exponent), SMALL, SMALL)
    | st.sampled_from([Decimal(text) for text in ("0", "-0.00", "NaN", "1E+5", "10", "1.0")])
)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6) | st.text(
    "\x00\x01\x02ab", max_size=4
)
blobs = st.binary(max_size=6) | st.lists(st.sampled_from(b"\x00\x01\x02\xff"), max_size=4).map(
    bytes
)
degrees = st.sampled_from([0.0, -0.0, 1.0, -1.0, 45.5, 5e-324])

VALUES: dict[str, st.SearchStrategy[Any]] = {
    "null": st.none(),
    "bool": st.booleans(),
    "int8": ints(8),
    "int16": ints(16),
    "int32": ints(32),
    "int64": ints(64),
    "int": ints(64) | ints(128) | st.integers(-(1 << 1000), 1 << 1000),
    "float": st.floats() | st.sampled_from([0.0, -0.0, 1.0, 5e-324, -5e-324]),
    "float32": st.floats(width=32),
    "decimal": decimals,
    "str": texts,
    "bytes": blobs,
    "date": st.dates(),
    "datetime": st.builds(lambda clock, zone: clock.replace(tzinfo=zone), clocks, offsets),
    "naive_datetime": st.datetimes().map(lambda found: found.replace(fold=0)) | clocks,
    "time": times | st.builds(lambda clock, zone: clock.replace(tzinfo=zone), times, offsets),
    "timedelta": st.timedeltas() | st.builds(lambda micros: timedelta(microseconds=micros), SMALL),
    "uuid": st.uuids() | st.builds(lambda number: UUID(int=number), st.integers(0, 3)),
    "ip": st.ip_addresses() | st.sampled_from([IPv4Address(1), IPv6Address(1)]),
    "geo": st.builds(GeoPoint, st.floats(-90, 90) | degrees, st.floats(-180, 180) | degrees),
}

_sized = st.one_of(
    ints(8).map(Int8),
    ints(16).map(Int16),
    ints(32).map(Int32),
    ints(64).map(Int64),
    ints(80).map(BigInt),
    VALUES["float32"].map(Float32),
)
_plain = st.one_of(*(VALUES[name] for name in VALUES)) | _sized
VALUES["any"] = st.recursive(
    _plain,
    lambda inner: st.lists(inner, max_size=3) | st.lists(inner, max_size=3).map(tuple),
    max_leaves=5,
)

_RANKS = (
    (type(None), 0),
    (bool, 1),
    (int, 2),
    (float, 3),
    (Decimal, 4),
    (str, 5),
    (bytes, 6),
    (datetime, 9),
    (date, 7),
    (time, 8),
    (timedelta, 11),
    (UUID, 12),
    ((IPv4Address, IPv6Address), 13),
    (GeoPoint, 14),
    ((tuple, list), 15),
)


def order(value: Any) -> Any:
    """Give something that Python compares as the keys of ``value`` must compare."""
    rank = next(rank for classes, rank in _RANKS if isinstance(value, classes))
    if rank == 9 and value.tzinfo is not None:
        rank = 10
    return rank, _within(value)


def _within(value: Any) -> Any:
    if value is None:
        return 0
    if isinstance(value, (float, Decimal)):
        return (1, 0) if value != value else (0, value)
    if isinstance(value, datetime):
        return value.astimezone(UTC) if value.tzinfo is not None else value
    if isinstance(value, time):
        offset = value.utcoffset()
        clock = timedelta(
            hours=value.hour,
            minutes=value.minute,
            seconds=value.second,
            microseconds=value.microsecond,
        )
        return (0, clock) if offset is None else (1, clock - offset)
    if isinstance(value, (IPv4Address, IPv6Address)):
        return value.version, int(value)
    if isinstance(value, GeoPoint):
        return cmp_to_key(z_compare)((rising(value.latitude), rising(value.longitude)))
    if isinstance(value, (tuple, list)):
        return tuple(order(item) for item in value)
    return value


def rising(number: float) -> int:
    """An integer that grows with the number."""
    (bits,) = struct.unpack(">q", struct.pack(">d", abs(number)))
    return (1 << 63) + bits if number >= 0 else (1 << 63) - 1 - bits


def z_compare(one: tuple[int, int], other: tuple[int, int]) -> int:
    """Compare along the Z-curve: the dimension whose highest differing bit is higher decides."""
    latitude, longitude = one[0] ^ other[0], one[1] ^ other[1]
    axis = 1 if longitude.bit_length() > latitude.bit_length() else 0
    return (one[axis] > other[axis]) - (one[axis] < other[axis])


def sign(one: Any, other: Any) -> int:
    return (one > other) - (one < other)
