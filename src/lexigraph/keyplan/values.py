"""The value of a cell: states of properties, read, merged and written as a plan says.

Layer ``keyplan``. A list of states has one entry for each property of the group, ``None`` where it
is absent. Reading accepts only what writing gives and raises nothing but InvalidBytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lexigraph.codec import codec_for
from lexigraph.codec.varint import decode_uvarint, encode_uvarint
from lexigraph.errors import InternalError, InvalidBytes, InvalidValue
from lexigraph.functions import Aggregator, aggregator_for
from lexigraph.keyplan.model import NONE, SINGLE, PropertyPlan, Value

FORMAT_VERSION = b"\x01"

States = list[Any]


class Faithful(Aggregator):
    """The state of a property that nothing aggregates: its value, which comes back as it was."""

    name = "faithful"
    order_free = True

    def start(self, value: Any, timestamp: int) -> Any:
        """Take the value."""
        return value

    def merge(self, a: Any, b: Any) -> Any:
        """Fail: stages that merge refuse plans that have such a property."""
        raise InternalError("a property without an aggregator was merged")

    def finish(self, state: Any) -> Any:
        """Give the value."""
        return state

    def encode(self, state: Any) -> bytes:
        """Write the value form."""
        return self.codec.encode_value(state)

    def decode(self, data: bytes, timestamp: int) -> Any:
        """Read the value form."""
        return self.codec.decode_value(data)


class ValueCodec:
    """How one group's values are read and written."""

    def __init__(self, value: Value) -> None:
        self.form = value.form
        self.properties = value.properties
        self.names = [one.field for one in value.properties]
        self.aggregators = [aggregator_of(one) for one in value.properties]
        self._index = {one.id: at for at, one in enumerate(value.properties)}

    def read(self, data: bytes, timestamp: int) -> States:
        """Read the states in a cell of ``timestamp``."""
        if self.form == NONE:
            return []
        if self.form == SINGLE:
            return [self._decode(0, data, timestamp)]
        states: States = [None] * len(self.names)
        if not data:
            # Written before its group had any property.
            return states
        if data[:1] != FORMAT_VERSION:
            raise InvalidBytes(f"a tagged value starts with the byte 01, not with {data[:1].hex()}")
        offset, last = 1, -1
        while offset < len(data):
            ident, offset = decode_uvarint(data, offset)
            length, offset = decode_uvarint(data, offset)
            at = self._index.get(ident)
            if at is None or ident <= last:
                raise InvalidBytes(f"property id {ident} is not in the plan or not in order")
            if offset + length > len(data):
                raise InvalidBytes(f"property id {ident} has fewer bytes than announced")
            states[at] = self._decode(at, data[offset : offset + length], timestamp)
            offset, last = offset + length, ident
        return states

    def merge(self, a: States, b: States) -> States:
        """Merge two lists of states, property by property."""
        return [
            right if left is None else left if right is None else aggregator.merge(left, right)
            for aggregator, left, right in zip(self.aggregators, a, b, strict=True)
        ]

    def write(self, states: States) -> bytes:
        """Write states."""
        pairs = zip(self.aggregators, states, strict=True)
        return self._join([None if s is None else one.encode(s) for one, s in pairs])

    def write_untimed(self, states: States) -> bytes:
        """Write states whose time is that of the cell, as the value of a new cell."""
        pairs = zip(self.aggregators, states, strict=True)
        return self._join([None if s is None else one.encode_untimed(s) for one, s in pairs])

    def write_results(self, results: Mapping[str, Any]) -> bytes:
        """Write finished values by name, as the value of a new cell."""
        pairs = zip(self.names, self.aggregators, strict=True)
        values = [(one, results.get(name)) for name, one in pairs]
        return self._join([None if v is None else one.encode_result(v) for one, v in values])

    def finish(self, states: States) -> dict[str, Any]:
        """Give the finished values of those that are there."""
        triples = zip(self.names, self.aggregators, states, strict=True)
        return {name: one.finish(state) for name, one, state in triples if state is not None}

    def _decode(self, at: int, data: bytes, timestamp: int) -> Any:
        try:
            return self.aggregators[at].decode(data, timestamp)
        except InvalidBytes as error:
            raise InvalidBytes(f"property {self.names[at]!r}: {error}") from error

    def _join(self, states: list[bytes | None]) -> bytes:
        if self.form == NONE:
            return b""
        if self.form == SINGLE:
            if states[0] is None:
                raise InvalidValue(f"property {self.names[0]!r} is the whole value and is missing")
            return states[0]
        pairs = zip(self.properties, states, strict=True)
        return FORMAT_VERSION + b"".join(
            encode_uvarint(one.id) + encode_uvarint(len(state)) + state
            for one, state in pairs
            if state is not None
        )


def aggregator_of(one: PropertyPlan) -> Aggregator:
    """Bind the aggregator of a property; one that has none keeps its value as it is."""
    codec = codec_for(one.codec)
    if one.aggregate is None:
        return Faithful(codec)
    return aggregator_for(one.aggregate.name, codec, one.aggregate.options)
