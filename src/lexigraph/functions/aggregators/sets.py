"""Sets of values.

Layer ``functions``. A set is held and written in the order of its members' key forms, one member
for each key form: the one with the smaller value bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from lexigraph.codec import Codec
from lexigraph.codec.varint import join_lengths, split_lengths
from lexigraph.errors import InvalidBytes
from lexigraph.functions.aggregators.base import Aggregator, values_in

Members = Mapping[bytes, bytes]
"""Key form to value form, ascending."""


class SetOf(Aggregator):
    """All distinct values; finishes to a tuple in key order.

    A tuple, because Python's sets would make one of 1 and 1.0 and refuse lists.

    >>> from lexigraph.codec import codec_for
    >>> tags = SetOf(codec_for("str"))
    >>> tags.finish(tags.merge(tags.start("b", 1), tags.start("a", 2)))
    ('a', 'b')
    """

    name = "set"
    result_kind: ClassVar[str | None] = "list"
    takes: ClassVar[tuple[str, ...]] = ("list",)
    idempotent: ClassVar[bool] = True
    order_free: ClassVar[bool] = True

    @property
    def result(self) -> Codec[Any] | None:
        """A collection has none."""
        return None

    def start(self, value: Any, timestamp: int) -> Members:
        """Make a set of one member."""
        return {self.codec.encode(value): self.codec.encode_value(value)}

    def merge(self, a: Members, b: Members) -> Members:
        """Unite; of equal members keep the smaller value bytes."""
        union = dict(a)
        for key, value in b.items():
            union[key] = min(value, union.get(key, value))
        return dict(sorted(union.items()))

    def finish(self, state: Members) -> tuple[Any, ...]:
        """Return the members in order."""
        return tuple(self.codec.decode_value(value) for value in state.values())

    def encode(self, state: Members) -> bytes:
        """Write length and value form of each member."""
        return join_lengths(list(state.values()))

    def decode(self, data: bytes, timestamp: int) -> Members:
        """Read the members; they must be in order and distinct."""
        members: dict[bytes, bytes] = {}
        last: bytes | None = None
        for value in split_lengths(data):
            key = self.codec.encode(self.codec.decode_value(value))
            if last is not None and key <= last:
                raise InvalidBytes("the members of a set are not distinct and in key order")
            members[key] = value
            last = key
        return members

    def take(self, given: Any, timestamp: int) -> Members:
        """Make a set of one value or of all in a collection."""
        state: dict[bytes, bytes] = {}
        for member in values_in(given):
            key, value = self.codec.encode(member), self.codec.encode_value(member)
            state[key] = min(value, state.get(key, value))
        return dict(sorted(state.items()))


SETS: tuple[type[Aggregator], ...] = (SetOf,)
