"""Smallest, largest, first and last.

Layer ``functions``. Ties are decided by bytes, never by the order of arrival: that is what makes
the states canonical. First and last carry the time of their value, because a combined cell has
only the newest time of its parts.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

from lexigraph.errors import InvalidBytes
from lexigraph.functions.aggregators.base import Aggregator

_OWN_TIME = b"\x01"
_CELL_TIME = b"\x00"
_BIAS = 1 << 63


class Chosen(NamedTuple):
    """A state that is one of the values seen: where it stands, and its bytes."""

    rank: Any
    value: bytes


class _Extreme(Aggregator):
    result_kind: ClassVar[str | None] = "same"
    idempotent: ClassVar[bool] = True
    picks_one: ClassVar[bool] = True
    order_free: ClassVar[bool] = True

    def start(self, value: Any, timestamp: int) -> Chosen:
        """Take the value with its key form."""
        return Chosen(self.codec.encode(value), self.codec.encode_value(value))

    def finish(self, state: Chosen) -> Any:
        """Return the value."""
        return self.codec.decode_value(state.value)

    def encode(self, state: Chosen) -> bytes:
        """Write the value."""
        return state.value

    def decode(self, data: bytes, timestamp: int) -> Chosen:
        """Read the value."""
        return Chosen(self.codec.encode(self.codec.decode_value(data)), data)


class Min(_Extreme):
    """The smallest value by key form; of equal ones the smaller value bytes.

    >>> from lexigraph.codec import codec_for
    >>> lowest = Min(codec_for("str"))
    >>> lowest.finish(lowest.merge(lowest.start("b", 1), lowest.start("a", 2)))
    'a'
    """

    name = "min"

    def merge(self, a: Chosen, b: Chosen) -> Chosen:
        """Keep the smaller."""
        return min(a, b)


class Max(_Extreme):
    """The largest value by key form; of equal ones the smaller value bytes.

    >>> from lexigraph.codec import codec_for
    >>> highest = Max(codec_for("int8"))
    >>> highest.finish(highest.merge(highest.start(-1, 1), highest.start(2, 2)))
    2
    """

    name = "max"

    def merge(self, a: Chosen, b: Chosen) -> Chosen:
        """Keep the larger."""
        if a.rank == b.rank:
            return min(a, b)
        return max(a, b)


class _Timed(Aggregator):
    result_kind: ClassVar[str | None] = "same"
    picks_one: ClassVar[bool] = True
    order_free: ClassVar[bool] = True

    def start(self, value: Any, timestamp: int) -> Chosen:
        """Take the value with its time."""
        return Chosen(timestamp, self.codec.encode_value(value))

    def finish(self, state: Chosen) -> Any:
        """Return the value."""
        return self.codec.decode_value(state.value)

    def encode(self, state: Chosen) -> bytes:
        """Write time and value."""
        time: int = state.rank
        return _OWN_TIME + (time + _BIAS).to_bytes(8, "big") + state.value

    def decode(self, data: bytes, timestamp: int) -> Chosen:
        """Read time and value; a value without a time has its cell's."""
        if data[:1] == _CELL_TIME:
            state = Chosen(timestamp, data[1:])
        elif data[:1] == _OWN_TIME and len(data) >= 9:
            state = Chosen(int.from_bytes(data[1:9], "big") - _BIAS, data[9:])
        else:
            raise InvalidBytes(
                f"a state of {self.name!r} starts with 00, or with 01 and eight bytes of time, "
                f"not with {data[:9].hex() or 'nothing'}"
            )
        self.codec.decode_value(state.value)
        return state

    def encode_untimed(self, state: Chosen) -> bytes:
        """Write the value without a time: that of its cell counts."""
        return _CELL_TIME + state.value

    def encode_result(self, result: Any) -> bytes:
        """Write the value without a time: that of its cell counts."""
        return _CELL_TIME + self.codec.encode_value(result)


class First(_Timed):
    """The oldest value; of equally old ones the smaller value bytes.

    >>> from lexigraph.codec import codec_for
    >>> oldest = First(codec_for("str"))
    >>> oldest.finish(oldest.merge(oldest.start("new", 9), oldest.start("old", 3)))
    'old'
    """

    name = "first"

    def merge(self, a: Chosen, b: Chosen) -> Chosen:
        """Keep the older."""
        return min(a, b)


class Last(_Timed):
    """The newest value; of equally new ones the larger value bytes.

    >>> from lexigraph.codec import codec_for
    >>> newest = Last(codec_for("str"))
    >>> newest.encode_result("x")
    b'\\x00x'
    """

    name = "last"

    def merge(self, a: Chosen, b: Chosen) -> Chosen:
        """Keep the newer."""
        return max(a, b)


EXTREMES: tuple[type[Aggregator], ...] = (Min, Max, First, Last)
