"""Row ids: reversed domains, and ids spread over several rows by time bucket and shard.

Codec layer. A plan turns a logical id into rows and a question about ids and dates into ranges of
rows (start, end) that miss nothing; ``matches`` drops what a range covers too much. Which ranges
are exact, and why, is in section 6 of docs/formats/codec.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal, NamedTuple

from lexigraph.codec.buckets import (
    Unit,
    bucket_of,
    bucket_width,
    buckets_between,
    parse_bucket,
    shard_names,
    shard_of,
)
from lexigraph.codec.escape import escape, split_terminated
from lexigraph.codec.prefix import KeyRange, following_prefix, prefix_range, successor
from lexigraph.errors import InvalidBytes, InvalidOption, InvalidValue, show

Form = Literal["terminated", "plain", "leading"]
Dates = tuple[date | datetime, date | datetime]


class RowParts(NamedTuple):
    """What a row says: the logical id, the bucket and the shard (empty where the plan has none)."""

    identifier: bytes
    bucket: str
    shard: str


def reverse_domain(domain: str) -> str:
    """Reverse the labels of a domain, so that neighbours lie together; twice gives it back.

    >>> reverse_domain("code.google.com")
    'com.google.code'
    """
    return ".".join(reversed(domain.split(".")))


@dataclass(frozen=True)
class RowPlan:
    """How ids become rows: by time bucket, by shard, or both.

    >>> plan = RowPlan(bucket="month", form="plain")
    >>> plan.row(b"com.google.code", moment=date(2010, 3, 9))
    b'com.google.code_201003'
    >>> plan.ranges_of(b"com.google.code", dates=(date(2010, 3, 9), date(2010, 3, 10)))
    [(b'com.google.code_201003', b'com.google.code_201003\\x00')]
    """

    shards: int | None = None
    bucket: Unit | None = None
    form: Form = "terminated"

    def __post_init__(self) -> None:
        """Refuse a plan that spreads nothing or that there is not."""
        if self.shards is None and self.bucket is None:
            raise InvalidOption("a row plan has shards, a bucket, or both")
        if self.form not in ("terminated", "plain", "leading"):
            raise InvalidOption(f"a form is terminated, plain or leading, not {self.form!r}")
        self._width()

    def row(
        self,
        identifier: str | bytes,
        *,
        moment: date | datetime | None = None,
        spread: str | bytes = b"",
    ) -> bytes:
        """Return the row of an id for cells of this moment, spread over shards by ``spread``.

        Text stands for its UTF-8.
        """
        identifier, spread = (
            _utf8(identifier, "an id"),
            _utf8(spread, "the value that chooses the shard"),
        )
        if (moment is None) != (self.bucket is None):
            wanted = "needs a time" if self.bucket else "has no buckets, so it does not take a time"
            raise InvalidValue(f"the row plan {wanted}")
        bucket = bucket_of(moment, self.bucket) if self.bucket and moment is not None else ""
        names = [] if self.shards is None else shard_names(self.shards)
        shard = names[shard_of(spread, len(names))] if names else ""
        return self._row(identifier, "_".join(filter(None, (bucket, shard))))

    def split(self, row: bytes) -> RowParts:
        """Take a row apart; refuse one that the plan does not write."""
        width = self._width()
        if self.form == "terminated":
            identifier, end = split_terminated(row, 0)
            suffix = row[end:]
        elif self.form == "plain":
            at = max(len(row) - width, 1)
            identifier, separator, suffix = row[: at - 1], row[at - 1 : at], row[at:]
            _check_separator(separator)
        else:
            suffix, separator = row[:width], row[width : width + 1]
            identifier = row[width + 1 :]
            _check_separator(separator)
        return RowParts(identifier, *self._split_suffix(suffix))

    def matches(
        self,
        row: bytes,
        *,
        lower: bytes = b"",
        upper: bytes | None = None,
        dates: Dates | None = None,
    ) -> bool:
        """Return whether a row is of an id in ``lower <= id < upper`` and of these dates."""
        try:
            parts = self.split(row)
        except InvalidBytes:
            return False
        if parts.identifier < lower or (upper is not None and parts.identifier >= upper):
            return False
        if dates is None:
            return True
        first, last = self._ends(dates)
        return first <= parts.bucket <= last

    def ranges_of(self, identifier: str | bytes, *, dates: Dates | None = None) -> list[KeyRange]:
        """Return the ranges that hold all rows of one id, within these dates."""
        identifier = _utf8(identifier, "an id")
        if self.form == "terminated":
            prefix = escape(identifier) + b"\x00"
            if dates is None:
                return [prefix_range(prefix)]
            first, last = self._ends(dates)
            found = (prefix + first.encode(), following_prefix(prefix + last.encode()))
            return [found] if first <= last else []
        if self.form == "plain" and self.bucket is not None and dates is None:
            return [prefix_range(identifier + b"_")]
        rows = [self._row(identifier, suffix) for suffix in self._suffixes(dates)]
        return [(row, successor(row)) for row in rows]

    def ranges_between(
        self, lower: str | bytes, upper: str | bytes | None, *, dates: Dates | None = None
    ) -> list[KeyRange]:
        """Return the ranges that hold all rows of ids in ``lower <= id < upper``."""
        lower = _utf8(lower, "an id")
        upper = None if upper is None else _utf8(upper, "an id")
        first, last = ("", "") if dates is None else self._ends(dates)
        if first > last or (upper is not None and lower >= upper):
            return []
        if self.form == "terminated":
            end = None if upper is None else escape(upper) + b"\x00"
            return [(escape(lower) + b"\x00", end)]
        if self.form == "plain":
            return _merge([(lower, upper), *_shorter_ids(lower, upper)])
        ranges = []
        for suffix in self._suffixes(dates):
            head = suffix.encode() + b"_"
            ranges.append((head + lower, following_prefix(head) if upper is None else head + upper))
        return ranges

    def _row(self, identifier: bytes, suffix: str) -> bytes:
        if self.form == "terminated":
            return escape(identifier) + b"\x00" + suffix.encode()
        if self.form == "plain":
            return identifier + b"_" + suffix.encode()
        return suffix.encode() + b"_" + identifier

    def _width(self) -> int:
        widths = [] if self.bucket is None else [bucket_width(self.bucket)]
        if self.shards is not None:
            widths.append(len(shard_names(self.shards)[0]))
        return sum(widths) + len(widths) - 1

    def _unit(self) -> Unit:
        if self.bucket is None:
            raise InvalidValue("the row plan has no buckets, so dates cannot narrow it")
        return self.bucket

    def _ends(self, dates: Dates) -> tuple[str, str]:
        unit = self._unit()
        return bucket_of(dates[0], unit), bucket_of(dates[1], unit)

    def _suffixes(self, dates: Dates | None) -> list[str]:
        shards = [] if self.shards is None else shard_names(self.shards)
        if dates is not None:
            buckets = buckets_between(dates[0], dates[1], self._unit())
        elif self.bucket is None:
            return shards
        else:
            raise InvalidValue(
                f"rows of the form {self.form!r} start with their {self.bucket}, so a search "
                "needs dates",
                hint="Pass the dates to look at, or use the form 'terminated'.",
            )
        return [f"{bucket}_{shard}" for bucket in buckets for shard in shards] or buckets

    def _split_suffix(self, suffix: bytes) -> tuple[str, str]:
        try:
            text = suffix.decode("ascii")
        except UnicodeDecodeError:
            raise InvalidBytes("the suffix of the row is not ASCII") from None
        bucket, separator, shard = text, "", ""
        if self.shards is not None:
            bucket, separator, shard = text.rpartition("_")
        known = self.shards is None or shard in shard_names(self.shards)
        if not known or bool(separator) != (self.shards is not None and self.bucket is not None):
            raise InvalidBytes(f"the suffix {text!r} does not fit the row plan")
        if self.bucket is not None:
            parse_bucket(bucket, self.bucket)
        return bucket, shard


def _utf8(text: Any, what: str) -> bytes:
    if isinstance(text, bytes):
        return text
    if not isinstance(text, str):
        raise InvalidValue(f"{what} is text or bytes, not {type(text).__name__}: {show(text)}")
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise InvalidValue(f"{what} must be text that UTF-8 can hold: {show(text)}") from None


def _check_separator(separator: bytes) -> None:
    if separator != b"_":
        raise InvalidBytes("the row has no '_' between its id and its suffix")


def _shorter_ids(lower: bytes, upper: bytes | None) -> list[KeyRange]:
    # An id that is a proper prefix of ``upper`` is below it, but its rows may lie above it.
    ids = [] if upper is None else [upper[:size] for size in range(len(upper))]
    return [prefix_range(shorter + b"_") for shorter in ids if shorter >= lower]


def _merge(ranges: list[KeyRange]) -> list[KeyRange]:
    merged: list[KeyRange] = []
    for start, end in sorted(ranges, key=lambda found: found[0]):
        if merged and (merged[-1][1] is None or start <= merged[-1][1]):
            last = merged[-1][1]
            longest = None if last is None or end is None else max(last, end)
            merged[-1] = (merged[-1][0], longest)
        else:
            merged.append((start, end))
    return merged
