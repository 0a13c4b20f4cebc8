"""Counts by value, and counts by span of time.

Layer ``functions``. A map is held and written in the order of its keys' key forms, one entry for
each: of equal keys the one with the smaller value bytes. Counts are integers of any size.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from lexigraph.codec import Codec, codec_for
from lexigraph.codec.varint import join_lengths, split_lengths
from lexigraph.errors import InvalidBytes, InvalidOption
from lexigraph.functions.aggregators.base import Aggregator, values_in
from lexigraph.functions.options import Option, choice
from lexigraph.functions.time_buckets import BUCKETS, DAYS, bucket_start

Counts = Mapping[bytes, tuple[bytes, int]]
"""Key form to value form and count, ascending."""


class FrequencyMap(Aggregator):
    """How often each value came; finishes to a dict in key order.

    >>> from lexigraph.codec import codec_for
    >>> words = FrequencyMap(codec_for("str"))
    >>> words.finish(words.merge(words.start("b", 1), words.take({"a": 2, "b": 4}, 2)))
    {'a': 2, 'b': 5}
    """

    name = "frequency-map"
    result_kind: ClassVar[str | None] = "map"
    takes: ClassVar[tuple[str, ...]] = ("list", "map")
    order_free: ClassVar[bool] = True

    def __init__(self, codec: Codec[Any], options: Mapping[str, Any] | None = None) -> None:
        super().__init__(codec, options)
        if codec.name == "any":
            raise InvalidOption(
                f"aggregator {self.name!r} needs one type of key, not 'any'",
                hint="A Python dict treats 1, 1.0 and True as the same key.",
            )

    @property
    def result(self) -> Codec[Any] | None:
        """A map has none."""
        return None

    def start(self, value: Any, timestamp: int) -> Counts:
        """Count one value once."""
        return self._count([(value, 1)])

    def take(self, given: Any, timestamp: int) -> Counts:
        """Count one value, all in a collection, or take counts by value."""
        if isinstance(given, Mapping):
            return self._count(given.items())
        return self._count((value, 1) for value in values_in(given))

    def merge(self, a: Counts, b: Counts) -> Counts:
        """Add up."""
        total = dict(a)
        for key, (value, count) in b.items():
            held, before = total.get(key, (value, 0))
            total[key] = min(held, value), before + count
        return dict(sorted(total.items()))

    def finish(self, state: Counts) -> dict[Any, int]:
        """Return the counts by value."""
        return {self.codec.decode_value(value): count for value, count in state.values()}

    def encode(self, state: Counts) -> bytes:
        """Write length and value form of each key and of its count."""
        write = codec_for("int").encode_value
        return join_lengths([part for value, n in state.values() for part in (value, write(n))])

    def decode(self, data: bytes, timestamp: int) -> Counts:
        """Read the entries; they must be in order and distinct."""
        parts = split_lengths(data)
        if len(parts) % 2:
            raise InvalidBytes(f"the last key of a {self.name!r} has no count")
        state: dict[bytes, tuple[bytes, int]] = {}
        last: bytes | None = None
        for value, count in zip(parts[::2], parts[1::2], strict=True):
            key = self._read_key(value)
            if last is not None and key <= last:
                raise InvalidBytes(f"the keys of a {self.name!r} are not distinct and in order")
            state[key] = value, codec_for("int").decode_value(count)
            last = key
        return state

    def _read_key(self, value: bytes) -> bytes:
        return self.codec.encode(self.codec.decode_value(value))

    def _count(self, pairs: Iterable[tuple[Any, int]]) -> Counts:
        state: dict[bytes, tuple[bytes, int]] = {}
        for value, count in pairs:
            key, stored = self.codec.encode(value), self.codec.encode_value(value)
            codec_for("int").encode(count)
            held, before = state.get(key, (stored, 0))
            state[key] = min(held, stored), before + count
        return dict(sorted(state.items()))


class TimeSeries(FrequencyMap):
    """How many moments fall into each ``bucket``, by the bucket's start in UTC.

    Weeks start on Monday. Finishes to a dict in the order of time.

    >>> from datetime import date
    >>> from lexigraph.codec import codec_for
    >>> seen = TimeSeries(codec_for("date"), {"bucket": "month"})
    >>> seen.finish(seen.take([date(2026, 1, 2), date(2026, 1, 30), date(2026, 3, 1)], 1))
    {datetime.date(2026, 1, 1): 2, datetime.date(2026, 3, 1): 1}
    """

    name = "time-series"
    codecs: ClassVar[tuple[str, ...] | None] = ("datetime", "naive_datetime", "date")
    options: ClassVar[Mapping[str, Option]] = {"bucket": choice("day", *BUCKETS)}

    def __init__(self, codec: Codec[Any], options: Mapping[str, Any] | None = None) -> None:
        super().__init__(codec, options)
        if codec.name == "date" and self.settings["bucket"] not in DAYS:
            raise InvalidOption(
                f"a date has no {self.settings['bucket']}: its buckets are {', '.join(DAYS)}"
            )

    def _count(self, pairs: Iterable[tuple[Any, int]]) -> Counts:
        bucket = self.settings["bucket"]
        # Encoded first: what the codec cannot hold has no bucket.
        checked = ((value, count) for value, count in pairs if self.codec.encode(value) is not None)
        return super()._count((bucket_start(value, bucket), count) for value, count in checked)

    def _read_key(self, value: bytes) -> bytes:
        moment = self.codec.decode_value(value)
        if self.codec.encode_value(bucket_start(moment, self.settings["bucket"])) != value:
            raise InvalidBytes(f"{moment} is not the start of a {self.settings['bucket']} in UTC")
        return self.codec.encode(moment)


MAPS: tuple[type[Aggregator], ...] = (FrequencyMap, TimeSeries)
