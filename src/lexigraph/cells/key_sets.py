"""Sets of keys that a scan brings along, for predicates that ask whether a field is in one.

Layer ``cells``. A set has one of two forms: its keys, sorted, or a filter of bits, which is smaller
and now and then holds a key that is none of it. Bytes are passed on as they are, never as text, so
a set of millions costs a scan little more than the copy.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import Any
from zlib import crc32

from lexigraph.arguments import read_list, read_object
from lexigraph.cells.columns import BytesColumn
from lexigraph.cells.jsonbytes import bytes_from_json, bytes_to_json
from lexigraph.errors import InvalidOption, show


class KeySet:
    """A set of byte strings, or a filter that lets all of them through and few others.

    Of a filter of ``n`` bits, ``n`` a power of two, bit ``crc32(key) % n`` is set for every key:
    bit ``i`` is ``1 << i % 8`` of byte ``i // 8``.

    >>> exact = KeySet.of([b"bob", b"ann"])
    >>> b"ann" in exact, b"eve" in exact, exact
    (True, False, 2 keys)
    >>> KeySet.from_json(exact.to_json()) == exact
    True
    """

    __slots__ = ("_bits", "_keys")

    def __init__(self, keys: BytesColumn | None, bits: bytes | bytearray | None = None) -> None:
        self._keys, self._bits = keys, bits

    @staticmethod
    def of(keys: Iterable[bytes]) -> KeySet:
        """Return a set of these keys."""
        return KeySet(BytesColumn.of(sorted(set(keys))))

    @staticmethod
    def sorted(keys: BytesColumn) -> KeySet:
        """Return a set of keys that are already sorted and distinct."""
        return KeySet(keys)

    @staticmethod
    def filter(bits: bytes | bytearray) -> KeySet:
        """Return a filter of bits: a power of two of them, at least 64."""
        size = len(bits)
        if size < 8 or size & (size - 1):
            raise InvalidOption(f"a filter has a power of two of bytes, at least 8, not {size}")
        return KeySet(None, bits)

    @property
    def is_exact(self) -> bool:
        """Whether nothing else is let through."""
        return self._keys is not None

    @property
    def parts(self) -> tuple[Any, Any]:
        """The offsets and data of the keys, or ``None`` and the bits: for the native core."""
        if self._keys is None:
            return None, self._bits
        return self._keys.offsets, self._keys.data

    def __contains__(self, key: object) -> bool:
        """Return whether a key is in the set, or let through by the filter."""
        if not isinstance(key, bytes):
            return False
        if self._keys is not None:
            at = bisect_left(self._keys, key)
            return at < len(self._keys) and bool(self._keys[at] == key)
        assert self._bits is not None
        place = crc32(key) & (len(self._bits) * 8 - 1)
        return bool(self._bits[place >> 3] >> (place & 7) & 1)

    def to_json(self) -> dict[str, Any]:
        """Write it."""
        if self._keys is not None:
            return {"keys": [bytes_to_json(key) for key in self._keys]}
        return {"bits": bytes_to_json(bytes(self._bits or b""))}

    @staticmethod
    def from_json(value: Any) -> KeySet:
        """Read it: the keys in any order, or the bits."""
        fields = read_object(value, ("keys", "bits"), "set")
        if len(fields) != 1:
            raise InvalidOption(f"a set has 'keys' or 'bits', not {show(value)}")
        if "bits" in fields:
            return KeySet.filter(bytes_from_json(fields["bits"], "bits"))
        return KeySet.of(bytes_from_json(key, "a key") for key in read_list(fields["keys"], "keys"))

    def __eq__(self, other: object) -> bool:
        """Compare what both hold."""
        if not isinstance(other, KeySet) or self.is_exact != other.is_exact:
            return False
        return self._keys == other._keys and self._bits == other._bits

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Show how much it holds."""
        if self._keys is not None:
            return f"{len(self._keys)} keys"
        return f"a filter of {len(self._bits or b'') * 8} bits"
