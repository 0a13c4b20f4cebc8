"""Sums, products and counts.

Layer ``functions``. Integers have any size and decimals are exact: no context rounds them. Only the
codecs that can hold every sum of their values are summed, so a merge never overflows; a product is
refused where it would fill the memory.
"""

from __future__ import annotations

import decimal
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, ClassVar

from lexigraph.codec import Codec, codec_for
from lexigraph.errors import InvalidValue
from lexigraph.functions.aggregators.base import Aggregator

MAX_DECIMAL_DIGITS = 1_000_000
"""The longest exact decimal sum: 1E+900000000 and 1E-900000000 together would fill the memory."""

MAX_PRODUCT_BITS = 1 << 20
"""The longest exact integer product; its digits double with every merge of equal parts."""


class Sum(Aggregator):
    """The sum of ints, floats or decimals; its state is the number in the codec's value form.

    >>> exact = Sum(codec_for("decimal"))
    >>> exact.merge(Decimal("1E+40"), Decimal("0.10"))
    Decimal('10000000000000000000000000000000000000000.10')
    """

    name = "sum"
    result_kind: ClassVar[str | None] = "same"
    codecs: ClassVar[tuple[str, ...] | None] = ("int", "float", "decimal")

    def __init__(self, codec: Codec[Any], options: Mapping[str, Any] | None = None) -> None:
        super().__init__(codec, options)
        self._add = _add_decimals if codec.name == "decimal" else _add_numbers

    def start(self, value: Any, timestamp: int) -> Any:
        """Take the number as it is."""
        return value

    def merge(self, a: Any, b: Any) -> Any:
        """Add."""
        return self._add(a, b)

    def finish(self, state: Any) -> Any:
        """Return the number."""
        return state

    def encode(self, state: Any) -> bytes:
        """Write the number."""
        return self.codec.encode_value(state)

    def decode(self, data: bytes, timestamp: int) -> Any:
        """Read the number."""
        return self.codec.decode_value(data)


class Product(Sum):
    """The product of ints, floats or decimals; its state is the number in the codec's value form.

    >>> Product(codec_for("int")).merge(6, -7)
    -42
    """

    name = "product"

    def merge(self, a: Any, b: Any) -> Any:
        """Multiply."""
        if self.codec.name == "decimal":
            return _multiply_decimals(a, b)
        if self.codec.name == "int" and a.bit_length() + b.bit_length() > MAX_PRODUCT_BITS:
            raise InvalidValue(
                f"a product has at most {MAX_PRODUCT_BITS} bits", hint="Multiply floats."
            )
        return a * b


class Count(Sum):
    """How many elements there are, whatever their values; made for ``summarise``.

    >>> Count().start("anything", timestamp=5)
    1
    """

    name = "count"
    result_kind: ClassVar[str | None] = "count"
    order_free: ClassVar[bool] = True
    codecs = None
    takes_field = False

    def __init__(
        self, codec: Codec[Any] | None = None, options: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(codec_for("int"), options)

    def start(self, value: Any, timestamp: int) -> int:
        """Count one."""
        return 1


SUMS: tuple[type[Aggregator], ...] = (Sum, Product, Count)


def _add_numbers(a: Any, b: Any) -> Any:
    return a + b


def _add_decimals(a: Decimal, b: Decimal) -> Decimal:
    digits = 1
    if a.is_finite() and b.is_finite():
        lowest = min(_exponent(a), _exponent(b))
        digits = max(a.adjusted(), b.adjusted()) - lowest + 2
        if digits > MAX_DECIMAL_DIGITS:
            raise InvalidValue(
                f"the exact sum of two decimals needs {digits} digits; "
                f"at most {MAX_DECIMAL_DIGITS} are kept",
                hint="Round the decimals to a scale before they are stored, or sum floats.",
            )
    context = decimal.Context(
        prec=digits, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN, rounding=decimal.ROUND_HALF_EVEN
    )
    context.clear_traps()
    return context.add(a, b)


def _multiply_decimals(a: Decimal, b: Decimal) -> Decimal:
    digits = len(a.as_tuple().digits) + len(b.as_tuple().digits)
    if digits > MAX_DECIMAL_DIGITS:
        raise InvalidValue(
            f"the exact product of two decimals needs {digits} digits; "
            f"at most {MAX_DECIMAL_DIGITS} are kept",
            hint="Round the decimals to a scale before they are stored, or multiply floats.",
        )
    context = decimal.Context(prec=digits, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)
    context.clear_traps()
    return context.multiply(a, b)


def _exponent(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0
