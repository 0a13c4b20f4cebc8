"""Decimals of any precision.

Codec layer. Keys are sign, exponent of the first digit, digits in pairs: 1.0 and 1.00 are one key.
Values keep exponent and sign of zero. Exponents stay within +-10**9, in both forms, so that every
language can hold them.
"""

from __future__ import annotations

from decimal import Decimal

from lexigraph.codec.base import DelimitedCodec, refuse_rest, take, wrong_type
from lexigraph.codec.escape import complement
from lexigraph.codec.kinds.integers import INT
from lexigraph.errors import InvalidBytes, InvalidValue, show

EXPONENT_LIMIT = 10**9

_NEGATIVE, _ZERO, _POSITIVE = 1, 2, 3
_SPECIAL_KEYS = {0: Decimal("-Infinity"), 2: Decimal(0), 4: Decimal("Infinity"), 5: Decimal("NaN")}
_SPECIAL_VALUES = {2: Decimal("Infinity"), 3: Decimal("-Infinity"), 4: Decimal("NaN")}


class DecimalCodec(DelimitedCodec[Decimal]):
    """Decimals in numeric order, -Infinity first, NaN last.

    >>> DecimalCodec().encode(Decimal("12.34")).hex()
    '0381010d2300'
    >>> DecimalCodec().decode_value(DecimalCodec().encode_value(Decimal("1.00")))
    Decimal('1.00')
    """

    name = "decimal"

    def encode(self, value: Decimal) -> bytes:
        """Write sign, exponent of the first digit, and the digits without trailing zeros."""
        sign, digits, exponent = self._parts(value)
        if exponent is None:
            return b"\x05" if value.is_nan() else b"\x00" if sign else b"\x04"
        text = digits.rstrip("0")
        if not text:
            return bytes([_ZERO])
        pairs = text if len(text) % 2 == 0 else text + "0"
        body = INT.encode(exponent + len(digits) - 1)
        body += bytes(int(pairs[at : at + 2]) + 1 for at in range(0, len(pairs), 2)) + b"\x00"
        return bytes([_NEGATIVE]) + complement(body) if sign else bytes([_POSITIVE]) + body

    def decode_part(self, data: bytes, offset: int = 0) -> tuple[Decimal, int]:
        """Read up to the end of the digits."""
        first = take(data, offset, 1, self.name)[0]
        if first in _SPECIAL_KEYS:
            return _SPECIAL_KEYS[first], offset + 1
        if first not in (_NEGATIVE, _POSITIVE):
            raise InvalidBytes(f"the byte at byte {offset} cannot start a value of codec 'decimal'")
        negative = first == _NEGATIVE
        # The digits end at the first 00 (ff when negative) after the exponent, which may hold one.
        rest = complement(data[offset + 1 :]) if negative else data[offset + 1 :]
        leading, start = INT.decode_part(rest, 0)
        end = rest.find(b"\x00", start)
        pairs = rest[start:end] if end >= 0 else b""
        if not pairs or pairs[0] < 11 or pairs[-1] == 1 or max(pairs) > 100:
            raise InvalidBytes(f"codec 'decimal' cannot read the digits after byte {offset}")
        text = "".join(f"{pair - 1:02d}" for pair in pairs)
        digits = text[:-1] if text[-1] == "0" else text
        exponent = leading - len(digits) + 1
        _check_read(exponent, leading)
        return _build(digits, exponent, negative=negative), offset + 1 + end + 1

    def encode_value(self, value: Decimal) -> bytes:
        """Write sign, exponent and coefficient as they are."""
        sign, digits, exponent = self._parts(value)
        if exponent is None:
            return b"\x04" if value.is_nan() else b"\x03" if sign else b"\x02"
        # Through Decimal: int(text) refuses more than a few thousand digits.
        coefficient = int(_build(digits, 0))
        size = (coefficient.bit_length() + 7) // 8
        return bytes([sign]) + INT.encode(exponent) + coefficient.to_bytes(size, "big")

    def decode_value(self, data: bytes) -> Decimal:
        """Read sign, exponent and coefficient."""
        kind = take(data, 0, 1, self.name)[0]
        if kind in _SPECIAL_VALUES:
            refuse_rest(data, 1, self.name)
            return _SPECIAL_VALUES[kind]
        if kind > 1:
            raise InvalidBytes(f"codec 'decimal' does not know the kind of value {kind:02x}")
        exponent, start = INT.decode_part(data, 1)
        magnitude = data[start:]
        if magnitude[:1] == b"\x00":
            raise InvalidBytes("the coefficient of a decimal starts with a zero byte")
        digits = "".join(map(str, Decimal(int.from_bytes(magnitude, "big")).as_tuple().digits))
        _check_read(exponent, exponent + len(digits) - 1)
        return _build(digits, exponent, negative=bool(kind))

    def _parts(self, value: Decimal) -> tuple[int, str, int | None]:
        if not isinstance(value, Decimal):
            raise wrong_type(self.name, "Decimal", value)
        sign, digits, exponent = value.as_tuple()
        if not isinstance(exponent, int):
            if value.is_snan():
                raise InvalidValue(
                    "codec 'decimal' cannot store a signalling NaN; use Decimal('NaN')"
                )
            return sign, "", None
        if not _within(exponent, exponent + len(digits) - 1):
            raise InvalidValue(
                f"codec 'decimal' holds exponents from -10**9 to 10**9, not those of {show(value)}"
            )
        return sign, "".join(map(str, digits)), exponent


def _build(digits: str, exponent: int, *, negative: bool = False) -> Decimal:
    return Decimal((int(negative), tuple(map(int, digits)), exponent))


def _within(exponent: int, leading: int) -> bool:
    return exponent >= -EXPONENT_LIMIT and leading <= EXPONENT_LIMIT


def _check_read(exponent: int, leading: int) -> None:
    if not _within(exponent, leading):
        raise InvalidBytes("the exponent of a decimal lies outside -10**9 to 10**9")


DECIMAL = DecimalCodec()
