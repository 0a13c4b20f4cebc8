"""How Accumulo's combiners store numbers and arrays of numbers: VARLEN, FIXEDLEN, STRING.

Codec layer. Reading follows Java: VARLEN and FIXEDLEN ignore bytes after the number, STRING takes
any decimal digits of Unicode, a plus sign and leading zeros. What cannot be read is InvalidBytes;
a negative array length carries ``negative_length`` in its context, because lossy combiners skip
all but that.
"""

from __future__ import annotations

import unicodedata
from abc import ABC, abstractmethod

from lexigraph.codec.accumulo.hadoop import decode_vint, decode_vlong, encode_vlong
from lexigraph.codec.base import take
from lexigraph.codec.kinds.integers import check_int
from lexigraph.errors import InvalidBytes, InvalidName, InvalidValue

_LIMIT = 1 << 63
_DIGITS = 19  # of the largest 64-bit number


class Counter(ABC):
    """One way of storing 64-bit integers and arrays of them."""

    name: str

    @abstractmethod
    def encode(self, number: int) -> bytes:
        """Write one number."""

    @abstractmethod
    def decode(self, data: bytes) -> int:
        """Read one number."""

    @abstractmethod
    def encode_array(self, numbers: list[int]) -> bytes:
        """Write an array."""

    @abstractmethod
    def decode_array(self, data: bytes) -> list[int]:
        """Read an array."""

    def __repr__(self) -> str:
        """Show the name."""
        return f"<counter {self.name}>"


class _Binary(Counter):
    @abstractmethod
    def _read(self, data: bytes, offset: int) -> tuple[int, int]:
        """Read one number; give it and the offset after it."""

    def decode(self, data: bytes) -> int:
        return self._read(data, 0)[0]

    def encode_array(self, numbers: list[int]) -> bytes:
        return encode_vlong(len(numbers)) + b"".join(map(self.encode, numbers))

    def decode_array(self, data: bytes) -> list[int]:
        count, offset = decode_vint(data)
        if count < 0:
            raise InvalidBytes(f"the array has an invalid length: {count}", negative_length=True)
        if count > len(data) - offset:
            # Every number takes a byte at least: do not believe in more than there are.
            raise InvalidBytes(f"the array of {count} numbers ends after {len(data)} bytes")
        numbers = []
        for _ in range(count):
            number, offset = self._read(data, offset)
            numbers.append(number)
        return numbers


class VarlenCounter(_Binary):
    """Hadoop's variable-length integers.

    >>> VarlenCounter().encode(300).hex(), VarlenCounter().encode_array([-1, 300]).hex()
    ('8e012c', '02ff8e012c')
    """

    name = "VARLEN"

    def encode(self, number: int) -> bytes:
        """Write one number."""
        return encode_vlong(number)

    def _read(self, data: bytes, offset: int) -> tuple[int, int]:
        return decode_vlong(data, offset)


class FixedlenCounter(_Binary):
    """Eight bytes, two's complement.

    >>> FixedlenCounter().encode(-1).hex()
    'ffffffffffffffff'
    """

    name = "FIXEDLEN"

    def encode(self, number: int) -> bytes:
        """Write one number."""
        return _check(number).to_bytes(8, "big", signed=True)

    def _read(self, data: bytes, offset: int) -> tuple[int, int]:
        return int.from_bytes(take(data, offset, 8, self.name), "big", signed=True), offset + 8


class StringCounter(Counter):
    """Decimal text; arrays with commas, where an empty field is 0.

    >>> StringCounter().decode(b"+007"), StringCounter().decode_array(b"1,,3,,")
    (7, [1, 0, 3])
    """

    name = "STRING"

    def encode(self, number: int) -> bytes:
        """Write one number."""
        return str(_check(number)).encode()

    def decode(self, data: bytes) -> int:
        """Read one number."""
        return _parse(data.decode("utf-8", "replace"))

    def encode_array(self, numbers: list[int]) -> bytes:
        """Write the numbers with commas between."""
        return b",".join(map(self.encode, numbers))

    def decode_array(self, data: bytes) -> list[int]:
        """Read the numbers; empty fields at the end do not count, but no text at all is one 0."""
        text = data.decode("utf-8", "replace")
        fields = text.rstrip(",").split(",") if text.strip(",") else [""] * (not text)
        return [_parse(field) if field else 0 for field in fields]


def counter_for(name: str) -> Counter:
    """Find a way of storing by the name that Accumulo gives it; case counts.

    >>> counter_for("VARLEN")
    <counter VARLEN>
    """
    counter = _COUNTERS.get(name)
    if counter is None:
        raise InvalidName(
            f"numbers are stored as {', '.join(_COUNTERS)}, not as {name!r}",
            hint="Use one of these names; upper and lower case matter.",
        )
    return counter


def _check(number: int) -> int:
    check_int(number, "counter")
    if not -_LIMIT <= number < _LIMIT:
        raise InvalidValue("a counter holds -2**63 to 2**63 - 1")
    return number


def _parse(text: str) -> int:
    digits = text[1:] if text[:1] in ("+", "-") else text
    # Java looks at UTF-16 units, so digits beyond U+FFFF are none to it.
    if not digits or not all(char.isdecimal() and char <= "\uffff" for char in digits):
        raise InvalidBytes(f"{text[:40]!r} is not a decimal number")
    plain = "".join(str(unicodedata.decimal(char)) for char in digits).lstrip("0")
    number = int(plain or "0") if len(plain) <= _DIGITS else _LIMIT + 1
    number = -number if text[0] == "-" else number
    if not -_LIMIT <= number < _LIMIT:
        raise InvalidBytes(f"{text[:40]!r} does not fit into 64 bits")
    return number


_COUNTERS: dict[str, Counter] = {
    counter.name: counter for counter in (VarlenCounter(), FixedlenCounter(), StringCounter())
}
