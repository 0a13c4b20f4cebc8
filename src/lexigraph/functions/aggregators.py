"""What an aggregator is: a state made from values, merged, written and finished.

Layer ``functions``. The invariant: ``merge`` is associative and commutative, and ``encode`` is
canonical: whatever the order in which states are merged, the bytes are the same (float sums within
rounding). A state is never changed in place. ``spec/scan.md`` section 6 has the bytes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from lexigraph.codec import Codec
from lexigraph.errors import InvalidOption


class Aggregator(ABC):
    """One way to make one value of many, over the values of one codec.

    Subclass it and register it with ``AGGREGATORS.register`` to add your own; engines without
    Python then leave it to the client.

    >>> from lexigraph.codec import codec_for
    >>> from lexigraph.functions import aggregator_for
    >>> total = aggregator_for("sum", codec_for("int"))
    >>> total.finish(total.merge(total.start(2, timestamp=1), total.start(3, timestamp=2)))
    5
    """

    name: ClassVar[str]
    codecs: ClassVar[tuple[str, ...] | None] = None
    """Names of the codecs it works over; ``None`` for all."""
    takes_field: ClassVar[bool] = True
    """Whether it looks at values at all; ``count`` does not."""
    finishes_to_member: ClassVar[bool] = True
    """Whether its finished value is one of the codec's values, and so has a key form."""

    def __init__(self, codec: Codec[Any]) -> None:
        if self.codecs is not None and codec.name not in self.codecs:
            raise InvalidOption(
                f"aggregator {self.name!r} works over {', '.join(self.codecs)}, not {codec.name!r}",
                hint=f"Store the property with one of: {', '.join(self.codecs)}.",
            )
        self.codec = codec

    @abstractmethod
    def start(self, value: Any, timestamp: int) -> Any:
        """Make the state of one value seen at ``timestamp``."""

    @abstractmethod
    def merge(self, a: Any, b: Any) -> Any:
        """Make one state of two."""

    @abstractmethod
    def finish(self, state: Any) -> Any:
        """Give the value that people see."""

    @abstractmethod
    def encode(self, state: Any) -> bytes:
        """Write a state; equal content, equal bytes."""

    @abstractmethod
    def decode(self, data: bytes, timestamp: int) -> Any:
        """Read a state out of a cell of ``timestamp``; refuse garbage with InvalidBytes."""

    def encode_result(self, result: Any) -> bytes:
        """Write what ``finish`` gave, as the state of a new cell."""
        return self.encode(self.start(result, 0))

    def __repr__(self) -> str:
        """Show the name and the codec."""
        return f"<aggregator {self.name} over {self.codec.name}>"
