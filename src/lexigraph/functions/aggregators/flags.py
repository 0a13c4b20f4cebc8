"""All of them, any of them: booleans merged into one.

Layer ``functions``. Their state is one byte, the value form of the codec ``bool``.
"""

from __future__ import annotations

from typing import Any, ClassVar

from lexigraph.errors import InvalidValue, show
from lexigraph.functions.aggregators.base import Aggregator


class _Flags(Aggregator):
    result_kind: ClassVar[str | None] = "same"
    idempotent: ClassVar[bool] = True
    picks_one: ClassVar[bool] = True
    order_free: ClassVar[bool] = True
    codecs: ClassVar[tuple[str, ...] | None] = ("bool",)

    def start(self, value: Any, timestamp: int) -> bool:
        """Take the flag as it is."""
        if not isinstance(value, bool):
            raise InvalidValue(f"{self.name!r} takes true or false, not {show(value)}")
        return value

    def finish(self, state: bool) -> bool:  # noqa: FBT001 - the value itself
        """Return the flag."""
        return state

    def encode(self, state: bool) -> bytes:  # noqa: FBT001
        """Write the flag."""
        return self.codec.encode_value(state)

    def decode(self, data: bytes, timestamp: int) -> bool:
        """Read the flag."""
        return bool(self.codec.decode_value(data))


class AllTrue(_Flags):
    """Whether all are true.

    >>> from lexigraph.codec import codec_for
    >>> AllTrue(codec_for("bool")).merge(True, False)
    False
    """

    name = "and"

    def merge(self, a: bool, b: bool) -> bool:  # noqa: FBT001
        """True if both are."""
        return a and b


class AnyTrue(_Flags):
    """Whether any is true.

    >>> from lexigraph.codec import codec_for
    >>> AnyTrue(codec_for("bool")).merge(True, False)
    True
    """

    name = "or"

    def merge(self, a: bool, b: bool) -> bool:  # noqa: FBT001
        """True if one is."""
        return a or b


FLAGS: tuple[type[Aggregator], ...] = (AllTrue, AnyTrue)
