"""Transforms of dates and times: the start of the year, quarter, month, week, day or hour.

Layer ``functions``. A time keeps its own zone: the calendar is that of the value as it is shown. An
absent value stays absent.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

from lexigraph.errors import InvalidValue, show
from lexigraph.functions.transforms.base import OfPresent


def _date(value: Any) -> date:
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    raise InvalidValue(f"a date or a time is needed, not {show(value)}")


class YearTransform(OfPresent):
    """The first day of the year of a date or time."""

    name = "year"

    def of(self, value: Any) -> Any:
        """Return a date."""
        return _date(value).replace(month=1, day=1)


class QuarterTransform(OfPresent):
    """The first day of the quarter of a date or time."""

    name = "quarter"

    def of(self, value: Any) -> Any:
        """Return a date.

        >>> QuarterTransform()(date(2026, 6, 30))
        datetime.date(2026, 4, 1)
        """
        day = _date(value)
        return day.replace(month=day.month - (day.month - 1) % 3, day=1)


class MonthTransform(OfPresent):
    """The first day of the month of a date or time."""

    name = "month"

    def of(self, value: Any) -> Any:
        """Return a date."""
        return _date(value).replace(day=1)


class WeekTransform(OfPresent):
    """The Monday of the week of a date or time, as ISO 8601 counts weeks."""

    name = "week"

    def of(self, value: Any) -> Any:
        """Return a date; the first days of the year 1 begin a week at 1 January.

        >>> WeekTransform()(date(2026, 1, 1))
        datetime.date(2025, 12, 29)
        """
        day = _date(value)
        return day - timedelta(days=min(day.weekday(), day.toordinal() - 1))


class DayTransform(OfPresent):
    """The date of a time."""

    name = "day"

    def of(self, value: Any) -> Any:
        """Return a date."""
        return _date(value)


class HourTransform(OfPresent):
    """A time, cut to its hour."""

    name = "hour"

    def of(self, value: Any) -> Any:
        """Return a time with the zone that it had."""
        if not isinstance(value, datetime):
            raise InvalidValue(f"a time is needed, not {show(value)}")
        return value.replace(minute=0, second=0, microsecond=0)


TIMES = (
    YearTransform,
    QuarterTransform,
    MonthTransform,
    WeekTransform,
    DayTransform,
    HourTransform,
)
