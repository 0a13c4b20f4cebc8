"""What the caller says of rows: names of columns, what to leave out, how to read times.

Layer ``graph``. Checked once, before anything is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import Any

from lexigraph.errors import UsageError, show


@dataclass(frozen=True, slots=True)
class RowOptions:
    """How rows become elements. Rows are data frames, files, and dicts without a group.

    >>> RowOptions.read(columns={"payer": "source"}, assume_timezone="UTC").timezone
    'UTC'
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    """Names of the caller's columns, and the fields they are."""
    ignore_extra: bool = False
    timezone: str | None = None
    """The zone of times that do not name one."""
    truncate_to_date: bool = False
    skip_invalid: bool = False

    __hash__ = None  # type: ignore[assignment]

    @staticmethod
    def read(
        *,
        columns: Any = None,
        ignore_extra: Any = False,
        assume_timezone: Any = None,
        truncate_to_date: Any = False,
        skip_invalid: Any = False,
    ) -> RowOptions:
        """Check what a caller passed."""
        flags = {
            "ignore_extra": ignore_extra,
            "truncate_to_date": truncate_to_date,
            "skip_invalid": skip_invalid,
        }
        for name, value in flags.items():
            if not isinstance(value, bool):
                raise UsageError(f"{name} is True or False, not {show(value)}")
        named = {} if columns is None else columns
        if not isinstance(named, Mapping) or not all(
            isinstance(one, str) for pair in named.items() for one in pair
        ):
            raise UsageError(
                f"columns maps names of columns to names of fields, not {show(columns)}",
                hint='Write columns={"payer": "source"}.',
            )
        return RowOptions(dict(named), timezone=_zone_name(assume_timezone), **flags)

    @property
    def changes_rows(self) -> bool:
        """Whether rows are anything else than what was given."""
        return bool(self.columns or self.ignore_extra or self.timezone or self.truncate_to_date)

    @property
    def zone(self) -> tzinfo | None:
        """The zone of times that do not name one."""
        if self.timezone is None or self.timezone == "UTC":
            return UTC if self.timezone else None
        from zoneinfo import ZoneInfo

        return ZoneInfo(self.timezone)


NO_OPTIONS = RowOptions()


def in_zone(naive: datetime, zone: tzinfo) -> datetime | None:
    """Return the moment of a local time; ``None`` if clocks skipped it.

    Of a time that comes twice, the first counts.
    """
    try:
        moment = naive.replace(tzinfo=zone, fold=0).astimezone(UTC)
        back = moment.astimezone(zone).replace(tzinfo=None)
    except OverflowError:
        return None
    return moment if back == naive.replace(fold=0) else None


def _zone_name(given: Any) -> str | None:
    if given is None:
        return None
    from zoneinfo import ZoneInfo

    name = "UTC" if given is UTC else getattr(given, "key", given)
    try:
        ZoneInfo(name)
    except (TypeError, ValueError, OSError, LookupError, UnicodeError):
        raise UsageError(
            f"assume_timezone is the name of a time zone, not {show(given)}",
            hint='Write assume_timezone="UTC", or a name such as "Europe/Berlin".',
        ) from None
    return str(name)
