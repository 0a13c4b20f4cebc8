"""Dates as Java's lenient ``yyyyMMddHHmmssz`` reads them: month 13 is January of the next year.

Layer ``store``. Used only to read the settings of Accumulo tables. Zones are GMT with an offset, an
offset alone, or one of a few well-known names; others are refused rather than guessed.
"""

from __future__ import annotations

import re
from datetime import date

from lexigraph.errors import InvalidOption, show

_DATE = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{1,9})(.+)")
_OFFSET = re.compile(r"([+-])([0-9]{2})([0-9]{2})|(?:GMT|gmt)([+-])([0-9]{1,2}):([0-9]{2})")
_ZONE_HOURS = {
    "GMT": 0, "UTC": 0, "UT": 0, "Z": 0, "WET": 0, "BST": 1, "WEST": 1, "CET": 1, "CEST": 2,
    "EET": 2, "EEST": 3, "MSK": 3, "JST": 9, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5,
    "MST": -7, "MDT": -6, "PST": -8, "PDT": -7, "AKST": -9, "AKDT": -8, "HST": -10,
}  # fmt: skip


def read_millis(text: str) -> int:
    """Read a date as milliseconds since 1970.

    >>> read_millis("19700101000001GMT"), read_millis("19691301000000GMT+01:00")
    (1000, -3600000)
    """
    match = _DATE.fullmatch(text)
    offset = None if match is None else _offset_minutes(match[7])
    if match is None or offset is None:
        raise InvalidOption(
            f"{show(text)} is neither LONG and a number nor a date such as 20260131235959GMT"
        )
    year, month, day, hour, minute, second = (int(match[index]) for index in range(1, 7))
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    if not 1583 <= year <= 9999:
        raise InvalidOption(f"{show(text)} lies outside of the years 1583 to 9999")
    days = date(year, month, 1).toordinal() - date(1970, 1, 1).toordinal() + day - 1
    return (((days * 24 + hour) * 60 + minute - offset) * 60 + second) * 1000


def _offset_minutes(zone: str) -> int | None:
    match = _OFFSET.fullmatch(zone)
    if match is not None:
        sign, hours, minutes = (part for part in match.groups() if part is not None)
        if int(hours) > 23 or int(minutes) > 59:
            return None
        return int(sign + "1") * (int(hours) * 60 + int(minutes))
    hours_east = _ZONE_HOURS.get(zone.upper())
    return None if hours_east is None else hours_east * 60
