"""Sketches that hold some of their values: quantiles and frequent items.

Layer ``functions``. Their items are the texts that values are fed as, so what is finished is made
of values that were really seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from lexigraph.codec import Codec
from lexigraph.errors import InvalidOption
from lexigraph.functions.aggregators.base import Aggregator
from lexigraph.functions.aggregators.lists import MAX_KEPT
from lexigraph.functions.aggregators.sketches import SketchOf, fed, load, read_fed
from lexigraph.functions.options import Option, integer

RANKS = (0.25, 0.5, 0.75)
"""The ranks between the smallest and the largest value that are given."""


class _Items(SketchOf):
    @property
    def result(self) -> Codec[Any] | None:
        """A collection has none."""
        return None

    def add(self, sketch: Any, value: Any) -> None:
        """Feed the key form."""
        sketch.update(fed(self.codec.encode(value)))

    def merge(self, a: Any, b: Any) -> Any:
        """Merge into a new sketch: the library would change the first."""
        merged = self.empty()
        merged.merge(a)
        merged.merge(b)
        return merged

    def _value(self, text: str) -> Any:
        return self.codec.decode(read_fed(text))


class Quantiles(_Items):
    """Smallest value, quartiles and largest value, by a KLL sketch of size ``k``.

    >>> from lexigraph.codec import codec_for
    >>> speeds = Quantiles(codec_for("int"))
    >>> speeds.finish(speeds.take(range(1, 101), 1))
    (1, 25, 50, 75, 100)
    """

    name = "quantiles"
    result_kind: ClassVar[str | None] = "list"
    options: ClassVar[Mapping[str, Option]] = {"k": integer(200, 8, 65_535)}

    def empty(self) -> Any:
        """Make an empty sketch."""
        return load("datasketches").kll_items_sketch(self.settings["k"])

    def finish(self, state: Any) -> tuple[Any, ...]:
        """Return the five values; none of an empty sketch."""
        if state.is_empty():
            return ()
        between = state.get_quantiles(list(RANKS), True)
        texts = (state.get_min_value(), *between, state.get_max_value())
        return tuple(self._value(text) for text in texts)

    def encode(self, state: Any) -> bytes:
        """Write the sketch with its items as texts."""
        return bytes(state.serialize(load("datasketches").PyStringsSerDe()))

    def read(self, data: bytes) -> Any:
        """Read the sketch; its ends must be values."""
        library = load("datasketches")
        sketch = library.kll_items_sketch.deserialize(data, library.PyStringsSerDe())
        if not sketch.is_empty():
            self._value(sketch.get_min_value())
            self._value(sketch.get_max_value())
        return sketch


class FrequentItems(_Items):
    """The most frequent values and how often they came, at most ``size * 3 / 4`` of them.

    Counts are upper bounds. Finishes to a dict, the most frequent first.

    >>> from lexigraph.codec import codec_for
    >>> words = FrequentItems(codec_for("str"))
    >>> words.finish(words.take(["a", "b", "b"], 1))
    {'b': 2, 'a': 1}
    """

    name = "frequent-items"
    result_kind: ClassVar[str | None] = "map"
    options: ClassVar[Mapping[str, Option]] = {
        "size": Option(
            int,
            64,
            lambda n: 8 <= n <= MAX_KEPT and n & (n - 1) == 0,
            f"a power of two from 8 to {MAX_KEPT}",
            {"type": "integer", "minimum": 8, "maximum": MAX_KEPT, "powerOfTwo": True},
        )
    }

    def __init__(self, codec: Codec[Any], options: Mapping[str, Any] | None = None) -> None:
        super().__init__(codec, options)
        if codec.name == "any":
            raise InvalidOption(
                f"aggregator {self.name!r} needs one type of key, not 'any'",
                hint="A Python dict treats 1, 1.0 and True as the same key.",
            )

    def empty(self) -> Any:
        """Make an empty sketch."""
        return load("datasketches").frequent_strings_sketch(self.settings["size"].bit_length() - 1)

    def take(self, given: Any, timestamp: int) -> Any:
        """Take counts by value too."""
        if not isinstance(given, Mapping):
            return super().take(given, timestamp)
        sketch = self.empty()
        for value, times in given.items():
            sketch.update(fed(self.codec.encode(value)), times)
        return sketch

    def finish(self, state: Any) -> dict[Any, int]:
        """Return values and counts."""
        kind = load("datasketches").frequent_items_error_type.NO_FALSE_NEGATIVES
        rows = sorted((-row[1], row[0]) for row in state.get_frequent_items(kind))
        return {self._value(text): -count for count, text in rows}

    def encode(self, state: Any) -> bytes:
        """Write the sketch with its items as texts."""
        return bytes(state.serialize())

    def read(self, data: bytes) -> Any:
        """Read the sketch; its items must be values."""
        sketch = load("datasketches").frequent_strings_sketch.deserialize(data)
        self.finish(sketch)
        return sketch


ITEM_SKETCHES: tuple[type[Aggregator], ...] = (Quantiles, FrequentItems)
