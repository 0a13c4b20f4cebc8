"""Moments rounded down to the start of their hour, week, month and so on.

Layer ``functions``. Moments with a zone are rounded in UTC, so that a bucket is the same span for
everybody. Weeks start on Monday.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

DAYS = ("day", "week", "month", "year")
"""The buckets of whole days."""

BUCKETS = ("second", "minute", "hour", *DAYS)

_PARTS: dict[str, dict[str, int]] = {
    "second": {"microsecond": 0},
    "minute": {"microsecond": 0, "second": 0},
    "hour": {"microsecond": 0, "second": 0, "minute": 0},
}


def bucket_start(moment: Any, bucket: str) -> Any:
    """Return the start of the bucket that a date or datetime falls into.

    >>> bucket_start(datetime(2026, 11, 18, 5, 3, tzinfo=UTC), "week").isoformat()
    '2026-11-16T00:00:00+00:00'
    >>> bucket_start(date(2026, 11, 18), "month")
    datetime.date(2026, 11, 1)
    """
    if not isinstance(moment, datetime):
        return _first_day(moment, bucket)
    if moment.tzinfo is not None:
        moment = moment.astimezone(UTC)
    if bucket in _PARTS:
        return moment.replace(**_PARTS[bucket], fold=0)
    day = _first_day(moment.date(), bucket)
    return datetime(day.year, day.month, day.day, tzinfo=moment.tzinfo)


def _first_day(day: date, bucket: str) -> date:
    if bucket == "week":
        # The first week of the calendar starts before it: its days stay where they are.
        back = min(day.weekday(), day.toordinal() - 1)
        return day - timedelta(days=back)
    if bucket == "month":
        return day.replace(day=1)
    return day.replace(month=1, day=1) if bucket == "year" else day
