"""Dates, datetimes and durations.

Codec layer. Aware and naive datetimes are two types, because they cannot be compared. Keys of
aware datetimes are UTC microseconds; values also keep the offset, not the name of the zone.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

from lexigraph.codec.base import Codec, refuse_rest, take, wrong_type
from lexigraph.codec.kinds.integers import INT, INT32, INT64, check_width
from lexigraph.errors import InvalidBytes, InvalidValue

DAY_MICROS = 86_400_000_000

_MICRO = timedelta(microseconds=1)
_EPOCH = datetime(1970, 1, 1)
_EPOCH_DAY = date(1970, 1, 1).toordinal()
_FIRST_MICRO = (datetime.min - _EPOCH) // _MICRO
_LAST_MICRO = (datetime.max - _EPOCH) // _MICRO
_MAX_DAYS = 999_999_999


class DateCodec(Codec[date]):
    """Dates; a datetime is not one.

    >>> DateCodec().encode(date(1970, 1, 2)).hex()
    '80000001'
    """

    name = "date"
    width = 4

    def encode(self, value: date) -> bytes:
        """Write the days since 1970."""
        if not isinstance(value, date) or isinstance(value, datetime):
            raise wrong_type(self.name, "date", value)
        return INT32.encode(value.toordinal() - _EPOCH_DAY)

    def decode(self, data: bytes) -> date:
        """Read the days since 1970, within the years 1 to 9999."""
        check_width(data, self.width, self.name)
        ordinal = INT32.decode(data) + _EPOCH_DAY
        if not 1 <= ordinal <= date.max.toordinal():
            raise InvalidBytes("the date lies outside the years 1 to 9999")
        return date.fromordinal(ordinal)


class DatetimeCodec(Codec[datetime]):
    """Aware datetimes, ordered by the moment they mean.

    >>> from datetime import timezone
    >>> noon = datetime(1970, 1, 1, 12, tzinfo=timezone(timedelta(hours=12)))
    >>> DatetimeCodec().encode(noon).hex(), DatetimeCodec().encode_value(noon).hex()
    ('8000000000000000', '8000000000000000850a0eebb000')
    """

    name = "datetime"
    width = 8

    def encode(self, value: datetime) -> bytes:
        """Write UTC microseconds since 1970."""
        return INT64.encode(self._split(value)[0])

    def decode(self, data: bytes) -> datetime:
        """Read UTC microseconds; the datetime is in UTC."""
        check_width(data, self.width, self.name)
        return _from_micros(INT64.decode(data)).replace(tzinfo=UTC)

    def encode_value(self, value: datetime) -> bytes:
        """Write UTC microseconds, then the offset."""
        instant, offset = self._split(value)
        return INT64.encode(instant) + INT.encode(offset)

    def decode_value(self, data: bytes) -> datetime:
        """Read UTC microseconds, then the offset."""
        instant = INT64.decode(take(data, 0, 8, self.name))
        offset, end = INT.decode_part(data, 8)
        refuse_rest(data, end, self.name)
        _from_micros(instant)
        return _from_micros(instant + check_offset(offset)).replace(tzinfo=zone(offset))

    def _split(self, value: datetime) -> tuple[int, int]:
        offset = value.utcoffset() if isinstance(value, datetime) else None
        if offset is None:
            raise wrong_type(self.name, "an aware datetime", value)
        shift = offset // _MICRO
        instant = (value.replace(tzinfo=None) - _EPOCH) // _MICRO - shift
        if not _FIRST_MICRO <= instant <= _LAST_MICRO:
            raise InvalidValue(
                f"{value.isoformat()} lies outside the years 1 to 9999 when turned into UTC"
            )
        return instant, shift


class NaiveDatetimeCodec(Codec[datetime]):
    """Datetimes without an offset; ``fold`` is not kept.

    >>> NaiveDatetimeCodec().encode(datetime(1969, 12, 31, 23, 59, 59, 999999)).hex()
    '7fffffffffffffff'
    """

    name = "naive_datetime"
    width = 8

    def encode(self, value: datetime) -> bytes:
        """Write microseconds since 1970 on the datetime's own clock."""
        if not isinstance(value, datetime) or value.utcoffset() is not None:
            raise wrong_type(self.name, "a datetime without an offset", value)
        return INT64.encode((value.replace(tzinfo=None) - _EPOCH) // _MICRO)

    def decode(self, data: bytes) -> datetime:
        """Read microseconds since 1970."""
        check_width(data, self.width, self.name)
        return _from_micros(INT64.decode(data))


class TimedeltaCodec(Codec[timedelta]):
    """Durations, in days and microseconds: the whole range takes more than 64 bits.

    >>> TimedeltaCodec().encode(timedelta(microseconds=-1)).hex()
    '7fffffff141dd75fff'
    """

    name = "timedelta"
    width = 9

    def encode(self, value: timedelta) -> bytes:
        """Write the days, then the microseconds within the day."""
        if not isinstance(value, timedelta):
            raise wrong_type(self.name, "timedelta", value)
        micros = value.seconds * 1_000_000 + value.microseconds
        return INT32.encode(value.days) + micros.to_bytes(5, "big")

    def decode(self, data: bytes) -> timedelta:
        """Read the days, then the microseconds within the day."""
        check_width(data, self.width, self.name)
        days, micros = INT32.decode(data[:4]), int.from_bytes(data[4:], "big")
        if not -_MAX_DAYS <= days <= _MAX_DAYS or micros >= DAY_MICROS:
            raise InvalidBytes("the duration has too many days, or a day too many microseconds")
        return timedelta(days=days, microseconds=micros)


def check_offset(micros: int) -> int:
    """Refuse an offset of a day or more, read from bytes.

    >>> check_offset(3_600_000_000)
    3600000000
    """
    if not -DAY_MICROS < micros < DAY_MICROS:
        raise InvalidBytes("the UTC offset is a day or more")
    return micros


def zone(offset_micros: int) -> timezone:
    """Return the zone of an offset; UTC itself for none.

    >>> zone(-3_600_000_000)
    datetime.timezone(datetime.timedelta(days=-1, seconds=82800))
    """
    return timezone(timedelta(microseconds=offset_micros)) if offset_micros else UTC


def _from_micros(micros: int) -> datetime:
    if not _FIRST_MICRO <= micros <= _LAST_MICRO:
        raise InvalidBytes("the datetime lies outside the years 1 to 9999")
    return _EPOCH + timedelta(microseconds=micros)


DATE, DATETIME, NAIVE_DATETIME = DateCodec(), DatetimeCodec(), NaiveDatetimeCodec()
TIMEDELTA = TimedeltaCodec()
