"""Many vertices as one sorted set of bytes: encoded once, asked millions of times.

Layer ``plan``. A set holds key forms and nothing else, about as many bytes as they have together,
so a million seeds fit anywhere. ``in`` is exact: a filter of bits answers most of it, the sorted
keys the rest.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any
from zlib import crc32

from lexigraph.cells.columns import BytesColumn
from lexigraph.cells.key_sets import KeySet
from lexigraph.codec import Codec
from lexigraph.store.preferences import Preferences

_BITS_PER_KEY = 16
_NO_PREFERENCES = Preferences()
BATCH = 4096
"""How many seeds are looked up by one scan."""
MAX_EXACT = 100_000
"""How many keys are handed to an engine with every scan; of more it gets the filter of bits."""


class SeedSet:
    """Distinct vertices in key order.

    >>> from lexigraph.codec import codec_for
    >>> seeds = SeedSet(["bob", "ann", "bob"], codec_for("str"))
    >>> list(seeds), b"ann" in seeds, b"eve" in seeds
    (['ann', 'bob'], True, False)
    """

    __slots__ = ("_bits", "_mask", "codec", "keys")

    def __init__(
        self,
        vertices: Iterable[Any],
        codec: Codec[Any],
        preferences: Preferences = _NO_PREFERENCES,
    ) -> None:
        encode: Callable[[Any], bytes] = codec.encode
        self.codec = codec
        self.keys = BytesColumn.of(sorted(set(map(encode, vertices))))
        self._bits = self._filter(_BITS_PER_KEY, preferences.client_filter_bits)
        self._mask = len(self._bits) * 8 - 1

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.keys)

    def __contains__(self, key: object) -> bool:
        """Tell whether a key form is one of them."""
        if not isinstance(key, bytes):
            return False
        place = crc32(key) & self._mask
        if not self._bits[place >> 3] >> (place & 7) & 1:
            return False
        at = bisect_left(self.keys, key)
        return at < len(self.keys) and bool(self.keys[at] == key)

    @property
    def filter_bits(self) -> int:
        """How many bits the filter has that answers most questions; the others take a search."""
        return len(self._bits) * 8

    def key_set(self, preferences: Preferences = _NO_PREFERENCES) -> KeySet:
        """Give the set as an engine takes it: exact, or a filter where that would be large.

        A filter lets through others at the preferred rate, or at a higher one where its largest
        size is not enough for that.
        """
        if len(self.keys) <= MAX_EXACT:
            return KeySet.sorted(self.keys)
        each, most = 1 / preferences.false_positive_rate, preferences.passed_filter_bits
        if _size(len(self.keys) * each, most) == self.filter_bits:
            return KeySet.filter(self._bits)
        return KeySet.filter(self._filter(each, most))

    def _filter(self, bits_per_key: float, most_bits: int) -> bytearray:
        size = _size(len(self.keys) * bits_per_key, most_bits)
        bits, mask = bytearray(size // 8), size - 1
        for key in self.keys:
            place = crc32(key) & mask
            bits[place >> 3] |= 1 << (place & 7)
        return bits

    def __iter__(self) -> Iterator[Any]:
        """Give the vertices in key order."""
        return map(self.codec.decode, self.keys)

    def batches(self, size: int = BATCH) -> Iterator[list[Any]]:
        """Give the vertices, some at a time."""
        vertices = iter(self)
        while batch := list(islice(vertices, size)):
            yield batch

    def __repr__(self) -> str:
        """Show how many there are."""
        return f"SeedSet({len(self)} vertices)"


def _size(wanted_bits: float, most_bits: int) -> int:
    # The hash has 32 bits, so more of them in a filter would stay empty.
    size = 64
    while size < wanted_bits and size * 2 <= min(most_bits, 2**32):
        size *= 2
    return size
