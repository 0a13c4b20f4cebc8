"""Combiners over decimal text of any size, exact, written as Java's BigDecimal writes it.

Layer ``store``. Numbers keep their scale: 1.0 + 1.00 is 2.00; of equal ones the newer text stays.
Digits are bounded, because a short text such as 1E+999999999 would else fill the memory.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, DecimalException

from lexigraph.errors import InvalidBytes
from lexigraph.store.stages.cells.combiners import Combiner
from lexigraph.store.stages.java_text import decode_utf8

MAX_DIGITS = 1_000_000
"""The most digits that a sum may have."""

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_EXACT = Context(prec=MAX_DIGITS, Emax=MAX_EMAX, Emin=MIN_EMIN)
_MAX_SCALE = 2**31 - 1


class _Decimals(Combiner[Decimal]):
    def decode(self, value: bytes) -> Decimal:
        """Read a decimal number."""
        return read_decimal(value)

    def combine(self, items: Iterator[Decimal]) -> bytes:
        """Combine, newest first."""
        result = None
        for item in items:
            result = item if result is None else self.merge(result, item)
        if result is None:
            raise InvalidBytes(f"stage {self.name!r}: no version of a column can be read")
        return str(result).encode()

    def merge(self, newer: Decimal, older: Decimal) -> Decimal:
        """Combine two numbers."""
        raise NotImplementedError


class DecimalSum(_Decimals):
    """Add up the versions."""

    name = "decimal-sum"

    def merge(self, newer: Decimal, older: Decimal) -> Decimal:
        """Add."""
        return add_decimals(newer, older)


class DecimalMin(_Decimals):
    """Keep the least; of equal ones the newest."""

    name = "decimal-min"

    def merge(self, newer: Decimal, older: Decimal) -> Decimal:
        """Choose the lesser."""
        return older if older < newer else newer


class DecimalMax(_Decimals):
    """Keep the greatest; of equal ones the newest."""

    name = "decimal-max"

    def merge(self, newer: Decimal, older: Decimal) -> Decimal:
        """Choose the greater."""
        return older if older > newer else newer


def read_decimal(data: bytes) -> Decimal:
    """Read what ``new BigDecimal(String)`` reads.

    >>> str(read_decimal(b"00.50")), str(read_decimal(b"-0")), str(read_decimal(b"3e3"))
    ('0.50', '0', '3E+3')
    """
    text = decode_utf8(data)
    if not _NUMBER.fullmatch(text) or any(char > "\uffff" for char in text):
        raise InvalidBytes(f"{text[:40]!r} is not a decimal number")
    plain = "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in text)
    try:
        number = _EXACT.create_decimal(plain)
    except DecimalException as error:
        raise InvalidBytes(f"{text[:40]!r} has an exponent out of bounds") from error
    sign, digits, exponent = number.as_tuple()
    if not isinstance(exponent, int) or not -_MAX_SCALE <= exponent <= _MAX_SCALE:
        raise InvalidBytes(f"{text[:40]!r} has an exponent out of bounds")
    if len(digits) >= MAX_DIGITS:
        raise InvalidBytes(f"{text[:40]!r} has more than {MAX_DIGITS} digits")
    return number.copy_abs() if sign and not number else number


def add_decimals(left: Decimal, right: Decimal) -> Decimal:
    """Add exactly; the result has the larger scale of the two.

    >>> str(add_decimals(Decimal("1.0"), Decimal("2.00")))
    '3.00'
    """
    low = min(_exponent(left), _exponent(right))
    top = max((number.adjusted() + 1 for number in (left, right) if number), default=low)
    if top - low >= MAX_DIGITS:
        raise InvalidBytes(f"the sum of {left:.6e} and {right:.6e} has too many digits")
    total = _EXACT.add(left, right)
    return total if total else total.copy_abs()


def _exponent(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0
