"""Time buckets and shards: the suffixes that spread a row id over several rows.

Codec layer. Bucket text has a fixed width and sorts by time; a shard is the CRC-32 of what tells
the cells of one id apart, so that every writer in every language picks the same one.
"""

from __future__ import annotations

import zlib
from datetime import UTC, date, datetime, timedelta
from typing import Literal

from lexigraph.codec.base import wrong_type
from lexigraph.errors import InvalidBytes, InvalidOption, InvalidValue

Unit = Literal["hour", "day", "week", "month"]

MAX_SHARDS = 10_000

_WIDTHS: dict[str, int] = {"hour": 10, "day": 8, "week": 7, "month": 6}


def check_unit(unit: str) -> None:
    """Refuse a unit that there is not.

    >>> check_unit("day")
    """
    if unit not in _WIDTHS:
        raise InvalidOption(f"a bucket is one of {', '.join(_WIDTHS)}, not {unit!r}")


def bucket_of(moment: date | datetime, unit: Unit) -> str:
    """Name the bucket of a date or an aware datetime, in UTC.

    >>> bucket_of(date(2010, 3, 1), "month"), bucket_of(date(2010, 1, 3), "week")
    ('201003', '2009W53')
    """
    check_unit(unit)
    if isinstance(moment, datetime):
        if moment.utcoffset() is None:
            raise wrong_type("bucket", "a date or an aware datetime", moment)
        try:
            moment = moment.astimezone(UTC)
        except OverflowError:
            raise InvalidValue("the datetime lies outside the years 1 to 9999 in UTC") from None
    elif not isinstance(moment, date):
        raise wrong_type("bucket", "a date or an aware datetime", moment)
    elif unit == "hour":
        raise InvalidValue("a date has no hour; pass an aware datetime")
    if unit == "week":
        year, week, _ = moment.isocalendar()
        return f"{year:04d}W{week:02d}"
    text = f"{moment.year:04d}{moment.month:02d}"
    if unit != "month":
        text += f"{moment.day:02d}"
    return f"{text}{moment.hour:02d}" if isinstance(moment, datetime) and unit == "hour" else text


def buckets_between(first: date | datetime, last: date | datetime, unit: Unit) -> list[str]:
    """List the buckets from that of ``first`` to that of ``last``, both included.

    >>> buckets_between(date(2010, 11, 30), date(2011, 1, 1), "month")
    ['201011', '201012', '201101']
    """
    start, end = bucket_of(first, unit), bucket_of(last, unit)
    found = []
    while start <= end:
        found.append(start)
        following = _next_bucket(start, unit)
        if following is None:
            break
        start = following
    return found


def parse_bucket(text: str, unit: Unit) -> datetime:
    """Return the first moment of a bucket; refuse text that names none.

    >>> parse_bucket("2009W53", "week").date()
    datetime.date(2009, 12, 28)
    """
    check_unit(unit)
    try:
        if not (text.isascii() and len(text) == _WIDTHS[unit]):
            raise ValueError(text)
        if unit == "week":
            if text[4] != "W" or not (text[:4] + text[5:]).isdigit():
                raise ValueError(text)
            day = date.fromisocalendar(int(text[:4]), int(text[5:]), 1)
            return datetime(day.year, day.month, day.day, tzinfo=UTC)
        if not text.isdigit():
            raise ValueError(text)
        fields = [int(text[:4])] + [int(text[at : at + 2]) for at in range(4, len(text), 2)]
        month, day_of_month, hour = (fields + [1, 1, 0][len(fields) - 1 :])[1:4]
        return datetime(fields[0], month, day_of_month, hour, tzinfo=UTC)
    except ValueError:
        raise InvalidBytes(f"{text!r} is not a valid {unit}") from None


def bucket_width(unit: Unit) -> int:
    """Return the number of characters of a bucket.

    >>> bucket_width("week")
    7
    """
    check_unit(unit)
    return _WIDTHS[unit]


def shard_of(spread: bytes, shards: int) -> int:
    """Pick the shard of what tells the cells of one id apart.

    >>> shard_of(b"123456789", 16)
    6
    """
    if not isinstance(shards, int) or not 1 <= shards <= MAX_SHARDS:
        raise InvalidOption(f"shards must be 1 to {MAX_SHARDS}, not {shards!r}")
    return zlib.crc32(spread) % shards


def shard_names(shards: int) -> list[str]:
    """List the names of all shards: at least two digits, all of one width.

    >>> shard_names(3)
    ['00', '01', '02']
    """
    shard_of(b"", shards)
    width = max(2, len(str(shards - 1)))
    return [f"{number:0{width}d}" for number in range(shards)]


def _next_bucket(text: str, unit: Unit) -> str | None:
    start = parse_bucket(text, unit)
    # 32 days after the first of a month lie in the next month.
    steps = {"hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(days=7)}
    try:
        return bucket_of(start + steps.get(unit, timedelta(days=32)), unit)
    except OverflowError:
        return None
