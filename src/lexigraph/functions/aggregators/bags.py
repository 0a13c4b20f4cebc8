"""What lists, top values, samples and joined texts share: a sorted bag of values.

Layer ``functions``. A bag is a tuple of items in one order, which decides what stays where only
some can: no order of arrival is kept, so any order of merging gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import merge
from itertools import islice
from typing import Any, ClassVar, NamedTuple

from lexigraph.codec import Codec
from lexigraph.codec.varint import join_lengths, split_lengths
from lexigraph.errors import InvalidBytes
from lexigraph.functions.aggregators.base import Aggregator, values_in


class Item(NamedTuple):
    """A value in a bag: what it is sorted by, then its value form."""

    rank: Any
    value: bytes


Bag = tuple[Item, ...]


class BagOf(Aggregator):
    """Values in a fixed order; subclasses say which order, how many, and whether they repeat."""

    result_kind: ClassVar[str | None] = "list"
    takes: ClassVar[tuple[str, ...]] = ("list",)
    order_free: ClassVar[bool] = True

    @property
    def limit(self) -> int | None:
        """How many are kept, the first ones; ``None`` for all."""
        return None

    @property
    def distinct(self) -> bool:
        """Whether of items with one rank only the first is kept."""
        return False

    @property
    def result(self) -> Codec[Any] | None:
        """A collection has none."""
        return None

    def rank(self, key: bytes) -> Any:
        """Return what values of this key form are sorted by."""
        return key

    def start(self, value: Any, timestamp: int) -> Bag:
        """Make a bag of one."""
        return (self._item(self.codec.encode_value(value), value),)

    def take(self, given: Any, timestamp: int) -> Bag:
        """Make a bag of one value or of all in a collection."""
        items = [item for value in values_in(given) for item in self.start(value, timestamp)]
        return self._settle(sorted(items))

    def merge(self, a: Bag, b: Bag) -> Bag:
        """Put both together."""
        return self._settle(merge(a, b))

    def finish(self, state: Bag) -> Any:
        """Return the values in order."""
        return tuple(self.codec.decode_value(item.value) for item in state)

    def encode(self, state: Bag) -> bytes:
        """Write length and value form of each."""
        return join_lengths([item.value for item in state])

    def decode(self, data: bytes, timestamp: int) -> Bag:
        """Read the values; they must be in order and not too many."""
        items = [self._item(value, self.codec.decode_value(value)) for value in split_lengths(data)]
        state = self._settle(sorted(items))
        if list(state) != items:
            raise InvalidBytes(f"the values of a {self.name!r} are not in order, or too many")
        return state

    def _item(self, stored: bytes, value: Any) -> Item:
        return Item(self.rank(self.codec.encode(value)), stored)

    def _settle(self, items: Iterable[Item]) -> Bag:
        return tuple(islice(_first_of_each(items) if self.distinct else items, self.limit))


def _first_of_each(items: Iterable[Item]) -> Iterable[Item]:
    last = None
    for item in items:
        if last is None or item.rank != last.rank:
            yield item
        last = item
