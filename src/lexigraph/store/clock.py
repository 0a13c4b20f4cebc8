"""Time: when a commit happened, in microseconds that never go back.

Layer ``store``. The system's clock is read in :class:`SystemClock` and nowhere else, and every
engine takes a clock as an argument. A clock that jumps back never makes a commit older than the
last one (``spec/cells.md`` section 3).
"""

from __future__ import annotations

import time
from typing import Protocol

from lexigraph.errors import InvalidOption, UnsupportedError, show

_SECOND = 1_000_000
MAX_AHEAD = 60 * _SECOND
"""How far ahead another clock may be that wrote what is to be deleted here."""

TIME_UNITS = ("micros", "millis", "logical")


class Clock(Protocol):
    """Anything that tells the time in microseconds since 1970."""

    def now(self) -> int:
        """Return the time."""
        ...


class SystemClock:
    """The computer's clock."""

    def now(self) -> int:
        """Return the time."""
        return time.time_ns() // 1000


class ManualClock:
    """A clock that stands still until told otherwise, for tests and replays.

    >>> clock = ManualClock(100)
    >>> clock.advance(5)
    >>> clock.now()
    105
    """

    def __init__(self, micros: int = 0) -> None:
        self.micros = micros

    def now(self) -> int:
        """Return the time."""
        return self.micros

    def advance(self, micros: int) -> None:
        """Move on; a negative number moves back, as clocks sometimes do."""
        self.micros += micros


def check_clock(clock: Clock | None) -> Clock | None:
    """Refuse what tells no time; none is the system's clock."""
    if clock is not None and not callable(getattr(clock, "now", None)):
        raise InvalidOption(
            f"a clock needs a method now() that returns microseconds, not {show(clock)}",
            hint="Use SystemClock(), or ManualClock(micros) in tests.",
        )
    return clock


class HybridClock:
    """Gives commit timestamps: the clock's time, or one more than the last if that is later.

    >>> commits = HybridClock(ManualClock(100))
    >>> commits.tick(), commits.tick(), commits.last
    (100, 101, 101)
    """

    def __init__(self, clock: Clock | None = None) -> None:
        self.clock = check_clock(clock) or SystemClock()
        self.last: int | None = None

    def tick(self) -> int:
        """Return the timestamp of a new commit."""
        now = self.clock.now()
        self.last = now if self.last is None else max(now, self.last + 1)
        return self.last

    def follow(self, seen: int) -> None:
        """Commit no earlier than another clock did, which may be a minute ahead at most.

        >>> commits = HybridClock(ManualClock(100))
        >>> commits.follow(150)
        >>> commits.tick()
        150
        """
        ahead = seen - self.clock.now()
        if ahead > MAX_AHEAD:
            raise UnsupportedError(
                f"something was written at a time {ahead / _SECOND:.0f} s ahead of this clock",
                hint="Correct the clocks of all machines; they may differ by at most one minute.",
            )
        self.last = seen - 1 if self.last is None else max(seen - 1, self.last)

    def reach(self, given: int) -> None:
        """Commit later than a time that was given to something written here.

        >>> commits = HybridClock(ManualClock(100))
        >>> commits.reach(150)
        >>> commits.tick()
        151
        """
        self.last = given if self.last is None else max(given, self.last)

    def merging(self) -> int:
        """Return the time of a merge: the clock's, but not before commits it just made.

        Commits within one tick run ahead of the clock by a step each. Further ahead than a second
        is no such step: then the clock itself is given, for the merge to see that it went back.
        """
        now = self.clock.now()
        if self.last is None or self.last - now > _SECOND:
            return now
        return max(now, self.last)

    def reading(self) -> int:
        """Return the time of a reader: never before the last commit."""
        now = self.clock.now()
        return now if self.last is None else max(now, self.last)


def in_unit(micros: int, unit: str, last: int | None) -> int:
    """Return a commit timestamp in a table's time unit; ``last`` is the table's last one.

    >>> in_unit(1_999, "millis", None), in_unit(1_999, "millis", 7), in_unit(1_999, "logical", 7)
    (1, 8, 8)
    """
    if unit == "micros":
        return micros
    if unit == "millis":
        return micros // 1000 if last is None else max(micros // 1000, last + 1)
    return 1 if last is None else last + 1
