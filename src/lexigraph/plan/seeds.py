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

from lexigraph.codec import Codec
from lexigraph.store.columns import BytesColumn
from lexigraph.store.key_sets import KeySet

_BITS_PER_KEY = 16
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

    def __init__(self, vertices: Iterable[Any], codec: Codec[Any]) -> None:
        encode: Callable[[Any], bytes] = codec.encode
        self.codec = codec
        self.keys = BytesColumn.of(sorted(set(map(encode, vertices))))
        size = 64
        while size < len(self.keys) * _BITS_PER_KEY:
            size *= 2
        self._mask = size - 1
        self._bits = bytearray(size // 8)
        for key in self.keys:
            place = crc32(key) & self._mask
            self._bits[place >> 3] |= 1 << (place & 7)

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
    def key_set(self) -> KeySet:
        """The set as an engine takes it: exact, or a filter where that would be large.

        At 16 to 32 bits for each key, a filter lets through one of 16 others or fewer.
        """
        if len(self.keys) <= MAX_EXACT:
            return KeySet.sorted(self.keys)
        return KeySet.filter(self._bits)

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
