"""Integers: fixed widths, and any size.

Codec layer. Fixed widths are two's complement with the top bit flipped. Integers of any size
begin with a byte that holds sign and length, so that more bytes of magnitude sort further from
zero; negative ones are the complement of the positive, which keeps them prefix-free.
"""

from __future__ import annotations

from lexigraph.codec.base import Codec, DelimitedCodec, take, wrong_type
from lexigraph.codec.escape import complement
from lexigraph.errors import InvalidBytes, InvalidValue

_ZERO = 0x80
_SHORT = 120  # the longest magnitude whose length fits into the first byte
_LONG_HEAD = _ZERO + _SHORT
_LENGTH_BYTES = 4


class FixedIntCodec(Codec[int]):
    """Integers of 8, 16, 32 or 64 bits; gives plain ``int`` back.

    >>> FixedIntCodec(16).encode(-1).hex()
    '7fff'
    """

    width: int

    def __init__(self, bits: int) -> None:
        self.name = f"int{bits}"
        self.width = bits // 8
        self._bias = 1 << bits - 1

    def encode(self, value: int) -> bytes:
        """Flip the sign bit of the two's complement."""
        check_int(value, self.name)
        if not -self._bias <= value < self._bias:
            raise InvalidValue(
                f"codec {self.name!r} holds {-self._bias} to {self._bias - 1}; "
                f"the int given has {value.bit_length()} bits",
                hint="Use a wider codec, or 'int' for integers of any size.",
            )
        return (value + self._bias).to_bytes(self.width, "big")

    def decode(self, data: bytes) -> int:
        """Read exactly ``width`` bytes."""
        check_width(data, self.width, self.name)
        return int.from_bytes(data, "big") - self._bias


class IntCodec(DelimitedCodec[int]):
    """Integers of any size; gives plain ``int`` back.

    >>> [IntCodec().encode(number).hex() for number in (-256, -1, 0, 1, 256)]
    ['7dfeff', '7efe', '80', '8101', '820100']
    """

    name = "int"

    def encode(self, value: int) -> bytes:
        """Write sign and length, then the magnitude."""
        check_int(value, self.name)
        if value == 0:
            return b"\x80"
        size = (value.bit_length() + 7) // 8
        if size <= _SHORT:
            head = bytes([_ZERO + size])
        else:
            count = (size.bit_length() + 7) // 8
            if count > _LENGTH_BYTES:
                raise InvalidValue(f"codec 'int' holds at most 2**32 - 1 bytes, not {size}")
            head = bytes([_LONG_HEAD + count]) + size.to_bytes(count, "big")
        positive = head + abs(value).to_bytes(size, "big")
        return positive if value > 0 else complement(positive)

    def decode_part(self, data: bytes, offset: int = 0) -> tuple[int, int]:
        """Read sign and length, then as many bytes."""
        first = take(data, offset, 1, self.name)[0]
        if first == _ZERO:
            return 0, offset + 1
        negative = first < _ZERO
        head = 0xFF - first if negative else first
        size, start = head - _ZERO, offset + 1
        if head > _LONG_HEAD:
            size, start = self._read_size(data, start, head - _LONG_HEAD, negative=negative)
        magnitude = take(data, start, size, self.name)
        if negative:
            magnitude = complement(magnitude)
        if not magnitude or magnitude[0] == 0:
            raise InvalidBytes(f"the bytes at byte {offset} are not a value of codec 'int'")
        number = int.from_bytes(magnitude, "big")
        return (-number if negative else number), start + size

    def _read_size(self, data: bytes, start: int, count: int, *, negative: bool) -> tuple[int, int]:
        if count > _LENGTH_BYTES:
            raise InvalidBytes(f"the byte at byte {start - 1} cannot start a value of codec 'int'")
        field = take(data, start, count, self.name)
        if negative:
            field = complement(field)
        size = int.from_bytes(field, "big")
        if field[0] == 0 or size <= _SHORT:
            raise InvalidBytes(f"the length at byte {start} is not in its shortest form")
        return size, start + count


def check_int(value: object, name: str) -> None:
    """Refuse what is not an ``int``; a ``bool`` is none.

    >>> check_int(True, "int")
    Traceback (most recent call last):
        ...
    lexigraph.errors.InvalidValue: codec 'int' holds int, not bool: True
    """
    if not isinstance(value, int) or isinstance(value, bool):
        raise wrong_type(name, "int", value)


def check_width(data: bytes, width: int, name: str) -> None:
    """Refuse anything but ``width`` bytes.

    >>> check_width(b"ab", 2, "int16")
    """
    if len(data) != width:
        raise InvalidBytes(f"codec {name!r} reads {width} bytes, not {len(data)}")


INT = IntCodec()
INT8, INT16, INT32, INT64 = (FixedIntCodec(bits) for bits in (8, 16, 32, 64))
