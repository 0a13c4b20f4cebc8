"""Floats of 64 and 32 bits.

Codec layer. Negative numbers have all IEEE bits flipped, others the sign bit: unsigned order is
number order. Keys know one zero and one NaN (after +infinity); values keep -0.0.
"""

from __future__ import annotations

import struct

from lexigraph.codec.base import Codec, wrong_type
from lexigraph.codec.kinds.integers import check_width
from lexigraph.errors import InvalidBytes, InvalidValue


class FloatCodec(Codec[float]):
    """Floats in numeric order; gives plain ``float`` back.

    >>> FloatCodec(64).encode(1.0).hex(), FloatCodec(32).encode(-1.0).hex()
    ('bff0000000000000', '407fffff')
    """

    width: int

    def __init__(self, bits: int) -> None:
        self.name = "float" if bits == 64 else f"float{bits}"
        self.width = bits // 8
        self._format = ">d" if bits == 64 else ">f"
        self._top = 1 << bits - 1
        self._all = (1 << bits) - 1
        self._nan = self._top | (0x7FF8 << 48 if bits == 64 else 0x7FC0 << 16)

    def encode(self, value: float) -> bytes:
        """Write the number, -0.0 as 0.0."""
        # Adding 0.0 turns -0.0 into 0.0 and leaves every other number alone.
        return self.encode_value(value + 0.0 if isinstance(value, float) else value)

    def decode(self, data: bytes) -> float:
        """Read the number; -0.0 has no key."""
        if int.from_bytes(data, "big") == self._top - 1:
            raise InvalidBytes(f"codec {self.name!r} has no key for -0.0")
        return self.decode_value(data)

    def encode_value(self, value: float) -> bytes:
        """Write the number, -0.0 as it is."""
        if not isinstance(value, float):
            raise wrong_type(self.name, "float", value)
        if value != value:
            return self._nan.to_bytes(self.width, "big")
        bits = int.from_bytes(self._pack(value), "big")
        return (bits ^ (self._all if bits & self._top else self._top)).to_bytes(self.width, "big")

    def decode_value(self, data: bytes) -> float:
        """Read the number; of all NaNs only one is written."""
        check_width(data, self.width, self.name)
        ordered = int.from_bytes(data, "big")
        bits = ordered ^ (self._top if ordered & self._top else self._all)
        (number,) = struct.unpack(self._format, bits.to_bytes(self.width, "big"))
        if number != number and ordered != self._nan:
            raise InvalidBytes(f"codec {self.name!r} stores a single form of NaN, not these bytes")
        return float(number)

    def _pack(self, value: float) -> bytes:
        try:
            packed = struct.pack(self._format, value)
        except OverflowError:
            packed = b""
        if not packed or struct.unpack(self._format, packed)[0] != value:
            raise InvalidValue(
                f"codec {self.name!r} cannot hold {value!r} without rounding",
                hint="Round it first with Float32(value), or use the codec 'float'.",
            )
        return packed


FLOAT, FLOAT32 = FloatCodec(64), FloatCodec(32)
