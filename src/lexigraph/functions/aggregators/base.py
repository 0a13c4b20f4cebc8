"""What an aggregator is: a state made from values, merged, written and finished.

Layer ``functions``. The invariant: ``merge`` is associative and commutative, and ``encode`` is
canonical: whatever the order in which states are merged, the bytes are the same (float sums within
rounding, sketches within their error). A state is never changed in place. ``spec/scan.md`` section
6 has the bytes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from lexigraph.codec import Codec
from lexigraph.errors import InvalidOption
from lexigraph.functions.options import Option, read_options


class Aggregator(ABC):
    """One way to make one value of many, over the values of one codec.

    Subclass it and register it with ``AGGREGATORS.register`` to add your own; engines without
    Python then leave it to the client.

    >>> from lexigraph.codec import codec_for
    >>> from lexigraph.functions import aggregator_for
    >>> total = aggregator_for("sum", codec_for("int"))
    >>> total.finish(total.merge(total.start(2, timestamp=1), total.start(3, timestamp=2)))
    5
    >>> aggregator_for("top-n", codec_for("int"), {"n": 3})
    <aggregator top-n(n=3) over int>
    """

    name: ClassVar[str]
    codecs: ClassVar[tuple[str, ...] | None] = None
    """Names of the codecs it works over; ``None`` for all."""
    takes_field: ClassVar[bool] = True
    """Whether it looks at values at all; ``count`` does not."""
    canonical: ClassVar[bool] = True
    """Whether equal content has equal bytes; that of most sketches depends on the merges."""
    result_kind: ClassVar[str | None] = None
    """What it finishes to: ``same`` (one value of its codec), ``list`` or ``map`` (of such values),
    ``integers``, ``float`` or ``count``; ``None`` if nothing is promised."""
    takes: ClassVar[tuple[str, ...]] = ()
    """Collections whose columns it takes whole, besides one value: ``list``, ``map`` of counts."""
    idempotent: ClassVar[bool] = False
    """Whether seeing a value twice changes nothing."""
    picks_one: ClassVar[bool] = False
    """Whether the result is one of the values that were merged."""
    order_free: ClassVar[bool] = False
    """Whether merging in another order gives the same bytes, of floats too."""
    options: ClassVar[Mapping[str, Option]] = {}
    """What can be said besides the codec; in a plan it stands beside the name."""

    def __init__(self, codec: Codec[Any], options: Mapping[str, Any] | None = None) -> None:
        if self.codecs is not None and codec.name not in self.codecs:
            raise InvalidOption(
                f"aggregator {self.name!r} works over {', '.join(self.codecs)}, not {codec.name!r}",
                hint=f"Use a property type with one of these codecs: {', '.join(self.codecs)}.",
            )
        self.codec = codec
        self.settings = read_options(f"aggregator {self.name!r}", self.options, options or {})

    @classmethod
    def of_one_value(cls) -> bool:
        """Whether it takes one value and finishes to one of the same codec, as a sum does."""
        return cls.result_kind == "same" and not cls.takes

    @property
    def given(self) -> dict[str, Any]:
        """The options that differ from their defaults."""
        return {
            name: value
            for name, value in self.settings.items()
            if value != self.options[name].default
        }

    @property
    def result(self) -> Codec[Any] | None:
        """The codec of the finished value, by which it is compared; ``None`` for a collection."""
        return self.codec

    @abstractmethod
    def start(self, value: Any, timestamp: int) -> Any:
        """Make the state of one value seen at ``timestamp``."""

    @abstractmethod
    def merge(self, a: Any, b: Any) -> Any:
        """Make one state of two."""

    @abstractmethod
    def finish(self, state: Any) -> Any:
        """Return the value that people see."""

    @abstractmethod
    def encode(self, state: Any) -> bytes:
        """Write a state; equal content, equal bytes."""

    @abstractmethod
    def decode(self, data: bytes, timestamp: int) -> Any:
        """Read a state out of a cell of ``timestamp``; refuse garbage with InvalidBytes."""

    def encode_untimed(self, state: Any) -> bytes:
        """Write a state whose time is that of the cell it is written to, which is not known yet."""
        return self.encode(state)

    def take(self, given: Any, timestamp: int) -> Any:
        """Make the state of what people give for a property: a value, or what ``finish`` gives.

        Aggregators of many values take a collection of them too.
        """
        return self.start(given, timestamp)

    def encode_result(self, result: Any) -> bytes:
        """Write what people give, as the state of a new cell."""
        return self.encode(self.take(result, 0))

    def __repr__(self) -> str:
        """Show the name, the options that are not the default, and the codec."""
        given = ", ".join(f"{name}={value!r}" for name, value in self.given.items())
        name = f"{self.name}({given})" if given else self.name
        return f"<aggregator {name} over {self.codec.name}>"


def values_in(given: Any) -> Iterable[Any]:
    """Return the values in a collection, or the one value that is none.

    Text, bytes and points are values.

    >>> list(values_in(["a", "b"])), list(values_in("ab"))
    (['a', 'b'], ['ab'])
    """
    is_point = isinstance(given, tuple) and hasattr(given, "_fields")
    if isinstance(given, str | bytes | bytearray | memoryview) or is_point:
        return (given,)
    return given if isinstance(given, Iterable) else (given,)


def as_plain(finished: Any) -> Any:
    """Turn a finished value into one that the codec ``any`` holds: a map into a tuple of pairs.

    >>> as_plain({"a": 2})
    (('a', 2),)
    """
    return tuple(finished.items()) if isinstance(finished, Mapping) else finished
