"""Ranges of keys and their algebra: rows, prefixes, exact columns, clip and merge.

Layer ``cells``. A range is a pair of bounds, each inclusive, exclusive or infinite. A range that
can hold nothing is allowed, because :meth:`Range.starting` may give one; a start after its end is
refused. Bounds made from key parts stand before a delete marker too, so no marker is left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from lexigraph.cells.cell import MAX_TIMESTAMP, MIN_TIMESTAMP, Cell, Key, leading_key, order
from lexigraph.codec.prefix import following_prefix
from lexigraph.errors import InvalidKey, show
from lexigraph.security.visibility import Label, label_bytes
from lexigraph.types import Text, to_bytes


@dataclass(frozen=True, slots=True)
class Range:
    """Keys from ``start`` to ``end``; ``None`` is infinite.

    >>> Range.row("ann").contains(Key(b"ann", b"age"))
    True
    >>> Range.row(b"ann").contains(Key(b"ann2"))
    False
    """

    start: Key | None = None
    start_inclusive: bool = True
    end: Key | None = None
    end_inclusive: bool = True

    def __post_init__(self) -> None:
        """Refuse what is no key, and a start behind the end."""
        for bound in (self.start, self.end):
            if bound is not None:
                check_key(bound, "a range goes from Key to Key")
        if self.start is not None and self.end is not None and order(self.start) > order(self.end):
            raise InvalidKey(
                f"a range starts at {self.start} after its end {self.end}",
                hint="Swap them: a range goes up in key order, and newer timestamps come first.",
            )

    @staticmethod
    def row(row: Text) -> Range:
        """All of one row."""
        return Range.rows(row, row)

    @staticmethod
    def rows(
        start: Text | None = None,
        end: Text | None = None,
        *,
        start_inclusive: bool = True,
        end_inclusive: bool = True,
    ) -> Range:
        """Whole rows from ``start`` to ``end``.

        >>> Range.rows(b"a", b"c", end_inclusive=False).contains(Key(b"c"))
        False
        """
        first = None if start is None else _row_bound(start, behind=not start_inclusive)
        last = None if end is None else _row_bound(end, behind=end_inclusive)
        if first is not None and last is not None and first.row > last.row:
            raise InvalidKey(
                f"a range of rows starts at {show(start)} after its end {show(end)}",
                hint="Swap them: rows go up in the order of their bytes.",
            )
        return Range(first, True, last, False)

    @staticmethod
    def exact(
        row: Text,
        family: Text | None = None,
        qualifier: Text | None = None,
        visibility: Label | None = None,
        timestamp: int | None = None,
    ) -> Range:
        """Every cell that has exactly these parts; parts left out may be anything."""
        parts = _leading(row, family, qualifier, visibility)
        if timestamp is None:
            return Range(leading_key(*parts), True, following_key(parts), False)
        if len(parts) < 4:
            raise InvalidKey("an exact timestamp needs row, family, qualifier and visibility")
        start = leading_key(*parts)._replace(timestamp=timestamp)
        check_key(start, "an exact cell has a Key")
        if timestamp == MIN_TIMESTAMP:
            return Range(start, True, following_key(parts), False)
        return Range(start, True, start._replace(timestamp=timestamp - 1), False)

    @staticmethod
    def prefix(
        row: Text,
        family: Text | None = None,
        qualifier: Text | None = None,
        visibility: Label | None = None,
    ) -> Range:
        """Every cell whose last given part starts with that prefix, the others being equal.

        >>> Range.prefix(b"com.google.").contains(Key(b"com.google.mail"))
        True
        """
        parts = _leading(row, family, qualifier, visibility)
        after = following_prefix(parts[-1])
        if after is not None:
            return Range(leading_key(*parts), True, leading_key(*parts[:-1], after), False)
        if len(parts) == 1:
            return Range(leading_key(*parts), True, None, False)
        return Range(leading_key(*parts), True, following_key(parts[:-1]), False)

    def before(self, key: Key | Cell) -> bool:
        """Return whether ``key`` is before the start."""
        if self.start is None:
            return False
        mine, other = order(self.start), order(key)
        return other < mine or (other == mine and not self.start_inclusive)

    def beyond(self, key: Key | Cell) -> bool:
        """Return whether ``key`` is after the end."""
        if self.end is None:
            return False
        mine, other = order(self.end), order(key)
        return other > mine or (other == mine and not self.end_inclusive)

    def contains(self, key: Key | Cell) -> bool:
        """Return whether ``key`` is inside."""
        return not self.before(key) and not self.beyond(key)

    @property
    def empty(self) -> bool:
        """Whether no key can lie inside."""
        return (
            self.start is not None
            and self.start == self.end
            and not (self.start_inclusive and self.end_inclusive)
        )

    def starting(self, key: Key, *, inclusive: bool = True) -> Range:
        """Return this range with another start; it may become empty but never fails.

        >>> Range.row(b"a").starting(Key(b"b")).empty
        True
        """
        if self.end is not None and order(key) > order(self.end):
            return Range(self.end, True, self.end, False)
        return Range(key, inclusive, self.end, self.end_inclusive)

    def clip(self, other: Range) -> Range | None:
        """Return what lies in both, or ``None`` when nothing does."""
        start, start_inclusive = max(
            (self.start, self.start_inclusive),
            (other.start, other.start_inclusive),
            key=_start_order,
        )
        end, end_inclusive = min(
            (self.end, self.end_inclusive), (other.end, other.end_inclusive), key=_end_order
        )
        if start is not None and end is not None:
            first, last = order(start), order(end)
            if first > last or (first == last and not (start_inclusive and end_inclusive)):
                return None
        return Range(start, start_inclusive, end, end_inclusive)

    @staticmethod
    def merge(ranges: Iterable[Range]) -> list[Range]:
        """Sort ranges and join those that touch or overlap.

        >>> len(Range.merge([Range.row(b"b"), Range.row(b"a"), Range.rows(b"a", b"b")]))
        1
        """
        ranges = list(ranges)
        if _are_apart(ranges):
            return ranges
        merged: list[Range] = []
        for item in sorted((r for r in ranges if not r.empty), key=_range_order):
            last = merged[-1] if merged else None
            if last is None or not _touches(last, item):
                merged.append(item)
                continue
            end, end_inclusive = max(
                (last.end, last.end_inclusive), (item.end, item.end_inclusive), key=_end_order
            )
            merged[-1] = Range(last.start, last.start_inclusive, end, end_inclusive)
        return merged


def trusted_rows(start: bytes, end: bytes) -> Range:
    """Return the rows from ``start`` to ``end``, which is left out; both are bytes and in order.

    For callers that make many and know it: nothing is checked.

    >>> trusted_rows(b"a", b"b") == Range.rows(b"a", b"b", end_inclusive=False)
    True
    """
    made = object.__new__(Range)
    for name, value in (
        ("start", leading_key(start)),
        ("start_inclusive", True),
        ("end", leading_key(end)),
        ("end_inclusive", False),
    ):
        object.__setattr__(made, name, value)
    return made


def check_key(key: Any, rule: str) -> None:
    """Refuse what is no key of bytes with a 64-bit timestamp; ``rule`` begins the message."""
    if not isinstance(key, Key):
        raise InvalidKey(
            f"{rule}, not {show(key)}",
            hint="Write Key(b'row', ...), or Range.row(row) and Range.rows(start, end) for rows.",
        )
    for name, part in zip(Key._fields, key[:4], strict=False):
        if not isinstance(part, bytes):
            raise InvalidKey(
                f"the {name} of a Key is bytes, not {type(part).__name__}: {show(part)}",
                hint=f"Encode it first, as in Key({show(str(part))}.encode()).",
            )
    time = key.timestamp
    if not isinstance(time, int) or not MIN_TIMESTAMP <= time <= MAX_TIMESTAMP:
        raise InvalidKey(f"the timestamp of a Key is a signed 64-bit integer, not {show(time)}")


def following_key(parts: tuple[bytes, ...]) -> Key:
    """Return the first key behind everything that has exactly these leading parts.

    >>> following_key((b"r", b"f"))[:3]
    (b'r', b'f\\x00', b'')
    """
    return leading_key(*parts[:-1], parts[-1] + b"\0")


def _row_bound(row: Text, *, behind: bool) -> Key:
    first = to_bytes(row, what="row", error=InvalidKey)
    return leading_key(first + b"\0" if behind else first)


def _leading(row: Text, *rest: Label | None) -> tuple[bytes, ...]:
    parts = [to_bytes(row, what="row", error=InvalidKey)]
    for index, part in enumerate(rest):
        if part is None:
            if any(later is not None for later in rest[index:]):
                raise InvalidKey(
                    "a key part may be left out only if all parts after it are left out too"
                )
            break
        what = "visibility" if index == 2 else "key part"
        parts.append(label_bytes(part, what=what, error=InvalidKey))
    return tuple(parts)


# Bounds compare with infinity outermost; at equal keys an exclusive start is later and an
# exclusive end is earlier than an inclusive one.
def _start_order(bound: tuple[Key | None, bool]) -> tuple[object, ...]:
    key, inclusive = bound
    return (0,) if key is None else (1, order(key), not inclusive)


def _end_order(bound: tuple[Key | None, bool]) -> tuple[object, ...]:
    key, inclusive = bound
    return (1,) if key is None else (0, order(key), inclusive)


def _range_order(item: Range) -> tuple[object, ...]:
    return _start_order((item.start, item.start_inclusive))


def _are_apart(ranges: list[Range]) -> bool:
    # Look-ups of many rows are sorted and apart already, which their rows alone show quickly.
    last = None
    for item in ranges:
        start, end = item.start, item.end
        if start is None or end is None or start.row >= end.row:
            return len(ranges) == 1 and not item.empty
        if last is not None and last >= start.row:
            return False
        last = end.row
    return True


def _touches(left: Range, right: Range) -> bool:
    if left.end is None or right.start is None:
        return True
    end, start = order(left.end), order(right.start)
    return start < end or (start == end and (left.end_inclusive or right.start_inclusive))
