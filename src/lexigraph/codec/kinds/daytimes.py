"""Times of day, with and without an offset.

Codec layer. Python cannot compare the two kinds, so a first byte keeps them apart: those without
an offset come first. Keys of the others hold the moment they mean within the UTC day, which may
reach out of that day and is never wrapped; values keep local time and offset.
"""

from __future__ import annotations

from datetime import time, timedelta

from lexigraph.codec.base import Codec, refuse_rest, take, wrong_type
from lexigraph.codec.kinds.integers import INT, INT64, check_width
from lexigraph.codec.kinds.moments import DAY_MICROS, check_offset, zone
from lexigraph.errors import InvalidBytes

_NAIVE, _AWARE = b"\x00", b"\x01"
_LAST = DAY_MICROS - 1


class TimeCodec(Codec[time]):
    """Times of day.

    >>> TimeCodec().encode(time(0, 0, 1)).hex()
    '0080000000000f4240'
    """

    name = "time"
    width = 9

    def encode(self, value: time) -> bytes:
        """Write the kind, then microseconds since midnight less the offset."""
        local, offset = self._split(value)
        if offset is None:
            return _NAIVE + INT64.encode(local)
        return _AWARE + INT64.encode(local - offset)

    def decode(self, data: bytes) -> time:
        """Read the kind and the microseconds; a time equal to the one written."""
        check_width(data, self.width, self.name)
        number = INT64.decode(data[1:])
        if data[:1] == _NAIVE:
            return _clock(number)
        if data[:1] != _AWARE or not -_LAST <= number <= 2 * _LAST:
            raise InvalidBytes("these bytes are not a value of codec 'time'")
        # Python compares offsets by whole seconds only, so these come back in whole seconds.
        second, micro = divmod(number, 1_000_000)
        local = min(max(second, 0), 86_399) * 1_000_000 + micro
        if not -DAY_MICROS < local - number < DAY_MICROS:
            local = min(max(number, 0), _LAST)
        return _clock(local).replace(tzinfo=zone(local - number))

    def encode_value(self, value: time) -> bytes:
        """Write the kind, local microseconds and the offset, if there is one."""
        local, offset = self._split(value)
        if offset is None:
            return _NAIVE + INT64.encode(local)
        return _AWARE + INT64.encode(local) + INT.encode(offset)

    def decode_value(self, data: bytes) -> time:
        """Read the kind, local microseconds and the offset, if there is one."""
        clock = _clock(INT64.decode(take(data, 1, 8, self.name)))
        if data[:1] == _NAIVE:
            refuse_rest(data, 9, self.name)
            return clock
        if data[:1] != _AWARE:
            raise InvalidBytes("codec 'time' starts with 00 or 01")
        offset, end = INT.decode_part(data, 9)
        refuse_rest(data, end, self.name)
        return clock.replace(tzinfo=zone(check_offset(offset)))

    def _split(self, value: time) -> tuple[int, int | None]:
        if not isinstance(value, time):
            raise wrong_type(self.name, "time", value)
        seconds = (value.hour * 60 + value.minute) * 60 + value.second
        offset = value.utcoffset()
        shift = None if offset is None else offset // timedelta(microseconds=1)
        return seconds * 1_000_000 + value.microsecond, shift


def _clock(micros: int) -> time:
    if not 0 <= micros <= _LAST:
        raise InvalidBytes("the time lies outside the day")
    seconds, micro = divmod(micros, 1_000_000)
    return time(seconds // 3600, seconds // 60 % 60, seconds % 60, micro)


TIME = TimeCodec()
