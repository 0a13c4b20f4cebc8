"""The values that spec/codec.json is made from, chosen by hand for their edges.

Only inputs: the expected bytes of a good part of them are worked out by hand in the unit tests.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from ipaddress import ip_address
from typing import Any
from uuid import UUID

from spec.tagged import part

from lexigraph.types import BigInt, Float32, GeoPoint, Int8, Int16, Int32, Int64


def _around(edges: list[int]) -> list[int]:
    return sorted({edge + step for edge in edges for step in (-1, 0, 1)})


def _fixed(bits: int) -> list[int]:
    top = 1 << bits - 1
    return [-top, -top + 1, -2, -1, 0, 1, 2, top - 2, top - 1]


def _zone(**span: int) -> timezone:
    return timezone(timedelta(**span))


INF, NAN = float("inf"), float("nan")
POWERS = [2**8, 2**16, 2**24, 2**32, 2**40, 2**48, 2**56, 2**63, 2**64, 2**128, 2**960, 2**2040]
INTS = _around([sign * power for power in POWERS for sign in (1, -1)] + [0, 127, -128])
FLOATS = [
    -INF,
    -1.7976931348623157e308,
    -1.5,
    -1.0,
    -2.2250738585072014e-308,
    -5e-324,
    0.0,
    5e-324,
    2.225073858507201e-308,
    2.2250738585072014e-308,
    0.1,
    1.0,
    1.0000000000000002,
    1.5,
    1.7976931348623157e308,
    INF,
    NAN,
]
FLOATS32 = [-INF, -3.4028234663852886e38, -1.5, -1.401298464324817e-45, 0.0]
FLOATS32 += [1.401298464324817e-45, 1.1754943508222875e-38, 0.5, 1.0, 3.4028234663852886e38]
FLOATS32 += [INF, NAN]
DECIMALS = (
    "-Infinity -1E+1000000000 -1E+400 -123456789012345678901234567890 -100 -99.5 -99 -12.34 -10 "
    "-1.5 -1.05 -1 -0.1 -0.001 -1E-400 -1E-1000000000 0 1E-1000000000 1E-400 0.001 0.0010001 0.1 "
    "0.105 0.11 1 1.0000000001 1.05 1.5 9 9.99 10 10.5 12.34 99 99.5 100 101 105 1E+3 1001 "
    "123456789012345678901234567890 1E+255 1E+256 1E+400 1E+1000000000 Infinity NaN"
)
DECIMAL_TWINS = "-0 0.00 0E+5 -0E-3 1.0 1.00 1.50 10E-1 1000 1E+0 -100.00 0.10"
TEXTS = [
    "",
    "\x00",
    "\x00\x00",
    "\x00\x01",
    "\x01",
    "\x01\x01",
    "\x02",
    "A",
    "a",
    "a\x00",
    "a\x00b",
]
TEXTS += [
    "a\x01",
    "aa",
    "ab",
    "b",
    "\x7f",
    "\x80",
    "é",
    "ÿ",
    "Ā",
    "九",
    "\ud7ff",
    "\ue000",
    "\uffff",
]
TEXTS += ["\U00010000", "😀", "😀a", "\U0010ffff"]
BLOBS = "|00|0000|0001|01|0100|0101|0102|02|61|6100|6101|61ff|62|fe|ff|ff00|ff01|ffff|ffffff"
DATES = [date.min, date(1, 1, 2), date(1582, 10, 15), date(1969, 12, 31), date(1970, 1, 1)]
DATES += [date(1970, 1, 2), date(2000, 2, 29), date(2026, 11, 15), date.max]
NAIVE = [
    datetime.min,
    datetime(1900, 1, 1),
    datetime(1969, 12, 31, 23, 59, 59, 999998),
    datetime(1969, 12, 31, 23, 59, 59, 999999),
    datetime(1970, 1, 1),
    datetime(1970, 1, 1, 0, 0, 0, 1),
    datetime(2000, 2, 29, 12, 30, 15, 5),
    datetime.max,
]
AWARE = [moment.replace(tzinfo=UTC) for moment in NAIVE]
OFFSET_MOMENTS = [
    datetime(1970, 1, 1, 1, tzinfo=_zone(hours=1)),
    datetime(1969, 12, 31, 19, tzinfo=_zone(hours=-5)),
    datetime(2026, 11, 15, 5, 30, tzinfo=_zone(hours=5, minutes=30)),
    datetime(1880, 1, 1, tzinfo=_zone(minutes=-25, seconds=-21)),
    datetime(2000, 1, 1, tzinfo=_zone(microseconds=1)),
    datetime(2000, 1, 1, tzinfo=_zone(days=1, microseconds=-1)),
    datetime(2000, 1, 1, tzinfo=_zone(days=-1, microseconds=1)),
    datetime(1, 1, 1, 1, tzinfo=_zone(hours=1)),
    datetime(9999, 12, 31, 22, tzinfo=_zone(hours=-1)),
]
TIMES = [time.min, time(0, 0, 0, 1), time(0, 0, 1), time(12, 30), time.max]
TIMES += [
    time(0, tzinfo=_zone(days=1, microseconds=-1)),
    time(0, tzinfo=_zone(hours=1)),
    time(0, 0, 0, 5, tzinfo=_zone(hours=1)),
    time(0, tzinfo=UTC),
    time(12, tzinfo=UTC),
    time(23, 59, 59, 999999, tzinfo=UTC),
    time(23, 30, tzinfo=_zone(hours=-1)),
    time(23, 59, 59, 999999, tzinfo=_zone(days=-1, microseconds=1)),
]
TIME_TWINS = [time(1, tzinfo=_zone(hours=1)), time(7, tzinfo=_zone(hours=-5))]
SPANS = [timedelta.min, timedelta(days=-1), timedelta(microseconds=-1), timedelta(0)]
SPANS += [timedelta(microseconds=1), timedelta(seconds=1), timedelta(hours=23, minutes=59)]
SPANS += [timedelta(days=1), timedelta(days=106751992, microseconds=1), timedelta.max]
UUIDS = [0, 1, 2**63 - 1, 2**63, 2**64, 2**127 - 1, 2**127, 2**128 - 1]
ADDRESSES = "0.0.0.0 10.0.0.1 127.255.255.255 128.0.0.0 255.255.255.255 :: ::1 "
ADDRESSES += "::ffff:1.2.3.4 2001:db8::1 fe80::1 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"
POINTS = [(-90.0, -180.0), (-90.0, 180.0), (-1.0, -1.0), (0.0, -5e-324), (0.0, 0.0)]
POINTS += [(0.0, 180.0), (5e-324, 0.0), (1.0, 0.0), (52.5, 13.4), (90.0, 180.0)]

#: Strictly ascending values of each codec.
ORDERS: dict[str, list[Any]] = {
    "null": [None],
    "bool": [False, True],
    "int8": _fixed(8),
    "int16": _fixed(16),
    "int32": _fixed(32),
    "int64": _fixed(64),
    "int": INTS,
    "float": FLOATS,
    "float32": [Float32(number) for number in FLOATS32],
    "decimal": [Decimal(text) for text in DECIMALS.split()],
    "str": TEXTS,
    "bytes": [bytes.fromhex(text) for text in BLOBS.split("|")],
    "date": DATES,
    "naive_datetime": NAIVE,
    "datetime": AWARE,
    "time": TIMES,
    "timedelta": SPANS,
    "uuid": [UUID(int=number) for number in UUIDS],
    "ip": [ip_address(text) for text in ADDRESSES.split()],
    "any": [
        None,
        False,
        True,
        -(2**70),
        -1,
        0,
        2**70,
        -INF,
        0.5,
        NAN,
        Decimal("-1.5"),
        Decimal("NaN"),
        "",
        "a",
        "a\x00",
        "b",
        b"",
        b"\x00",
        b"a",
        date(2000, 1, 1),
        time(1),
        time(1, tzinfo=UTC),
        datetime(2000, 1, 1),
        datetime(2000, 1, 1, tzinfo=UTC),
        timedelta(1),
        UUID(int=7),
        ip_address("10.0.0.1"),
        ip_address("::1"),
        GeoPoint(1, 2),
        (),
        (None,),
        (None, None),
        (1,),
        (1, "a"),
        (1, "a", ()),
        (1, ("a",)),
        (2,),
        ("a",),
        ((),),
        ((1,), 2),
        ((1, 2),),
    ],
}

#: More values; their keys equal those of others, or their order is of no interest.
MORE: dict[str, list[Any]] = {
    "float": [-0.0],
    "float32": [Float32(-0.0)],
    "decimal": [Decimal(text) for text in DECIMAL_TWINS.split()],
    "datetime": OFFSET_MOMENTS,
    "time": TIME_TWINS,
    "geo": [GeoPoint(*point) for point in POINTS] + [GeoPoint(-0.0, -0.0)],
    "any": [
        *(kind(number) for kind in (Int8, Int16, Int32, Int64, BigInt) for number in (-1, 0, 1)),
        Int8(-128),
        Int64(2**63 - 1),
        BigInt(2**70),
        Float32(1.5),
        Float32(-0.0),
        -0.0,
        Decimal("1.00"),
        Decimal("-0"),
        OFFSET_MOMENTS[0],
        TIME_TWINS[0],
        GeoPoint(-0.0, 1.0),
        [],
        [1, [2, (3,)], Int8(4)],
        ("x" * 200, b"\x00\x01\xff"),
        [None, True, 1.0, "é"],
    ],
}

_STR_DESC = part("str", desc=True)
_PAIR = {"tuple": [part("str"), part("int64", desc=True)]}

#: Composite codecs with values in strictly ascending order of their keys.
COMPOSITES: list[tuple[Any, list[Any]]] = [
    ({"part": _STR_DESC}, ["b", "aa", "a\x01", "a\x00", "a", "\x01", "\x00", ""]),
    ({"part": part("bytes", desc=True)}, [b"\xff\xff", b"\xff", b"\x00\x00", b"\x00", b""]),
    ({"part": part("int", desc=True)}, [2**70, 256, 255, 1, 0, -1, -256, -(2**70)]),
    ({"part": part("decimal", desc=True)}, [Decimal(text) for text in ("1.5", "1", "0", "-2")]),
    ({"part": part("any", desc=True)}, [("b",), ("a", 1), ("a",), (), "b", "a", 1, None]),
    ({"part": part("int8", nulls="first")}, [None, -128, 127]),
    ({"part": part("int8", nulls="last")}, [-128, 127, None]),
    ({"part": part("str", desc=True, nulls="first")}, [None, "b", "a", ""]),
    ({"part": part("str", desc=True, nulls="last")}, ["b", "a", "", None]),
    (_PAIR, [("", 1), ("", 0), ("a", 2), ("a", -2), ("a\x00", 5), ("aa", 5), ("b", 5)]),
    (
        {"tuple": [part("str", desc=True), part("bytes"), part("bool", nulls="last")]},
        [("b", b"", True), ("a", b"", None), ("a", b"\x00", False), ("", b"", False)],
    ),
    ({"tuple": []}, [()]),
    ({"tuple": [part(_PAIR, desc=True), part("null")]}, [(("b", 1), None), (("a", 2), None)]),
    ({"list": part("int8")}, [[], [-128], [-128, -128], [0], [0, 0], [1]]),
    ({"list": part("str", desc=True)}, [[], ["b"], ["a"], ["a", "z"], [""]]),
    ({"list": part("str", nulls="first")}, [[], [None], [None, "a"], ["a"]]),
]
