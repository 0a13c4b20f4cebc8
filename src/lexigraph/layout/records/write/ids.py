"""Ids of edges that were given none: UUIDv7, unique everywhere and sorted by time.

Layer ``layout``. Within a process each id is greater than the one before, also if the clock stands
still or goes back.
"""

from __future__ import annotations

import os
from threading import Lock
from uuid import UUID

from lexigraph.store.clock import SystemClock

_RANDOM_BITS = 74


class _Ids:
    def __init__(self) -> None:
        self._lock, self._last = Lock(), 0

    def forget(self) -> None:
        """Start afresh: a process that was forked must not give the ids of the other one."""
        self._lock, self._last = Lock(), 0

    def next(self, millis: int) -> UUID:
        """Return an id: 48 bits of milliseconds, then random bits; or the one after the last."""
        number = self.reserve(millis, 1)
        stamp, high, low = number >> 74, number >> 62 & 0xFFF, number & (1 << 62) - 1
        return UUID(int=stamp << 80 | 0x7 << 76 | high << 64 | 0b10 << 62 | low)

    def reserve(self, millis: int, count: int) -> int:
        """Return the first of so many numbers of ids, one after the other."""
        # The random part is counted up as one number: what stands in between are two fixed fields.
        random = int.from_bytes(os.urandom(10), "big") >> (80 - _RANDOM_BITS)
        with self._lock:
            first = max(millis << _RANDOM_BITS | random, self._last + 1)
            self._last = first + count - 1
        return first


_IDS = _Ids()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_IDS.forget)


def generate_id() -> UUID:
    """Return a new id.

    >>> one, other = generate_id(), generate_id()
    >>> one.version, one < other
    (7, True)
    """
    return _IDS.next(SystemClock().now() // 1000)


def reserve_ids(count: int) -> int:
    """Return the number of the first of so many new ids; the others count on.

    >>> first = reserve_ids(10)
    >>> reserve_ids(1) >= first + 10
    True
    """
    return _IDS.reserve(SystemClock().now() // 1000, count)
