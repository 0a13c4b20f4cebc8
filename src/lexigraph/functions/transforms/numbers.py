"""Transforms of numbers, and of other values into numbers.

Layer ``functions``. Integers have any size. A quotient is rounded towards zero, as Java's is, and
comes with its remainder.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from lexigraph.errors import InvalidValue, show
from lexigraph.functions.options import Option
from lexigraph.functions.transforms.base import OfPresent, Transform

_ANY_NUMBER = Option(
    object,
    None,
    lambda n: n is None or _is_number(n),
    "(a number)",
    {"type": ["number", "null"]},
)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number(value: Any) -> Any:
    if not _is_number(value):
        raise InvalidValue(f"a number is needed, not {show(value)}")
    return value


def divide(dividend: int, divisor: int) -> tuple[int, int]:
    """Divide and round towards zero; give quotient and remainder.

    >>> divide(-7, 2)
    (-3, -1)
    """
    quotient = abs(_number(dividend)) // abs(_number(divisor))
    if (dividend < 0) != (divisor < 0):
        quotient = -quotient
    return quotient, dividend - quotient * divisor


class MultiplyBy(OfPresent):
    """The value times ``by``."""

    name = "multiply-by"
    options: ClassVar[Mapping[str, Option]] = {"by": _ANY_NUMBER}

    def of(self, value: Any) -> Any:
        """Multiply."""
        by = self.settings["by"]
        return _number(value) * (1 if by is None else by)


class Multiply(Transform):
    """The product of two values; the first alone if the second is absent."""

    name = "multiply"
    inputs = 2

    def apply(self, *values: Any) -> Any:
        """Multiply if both are there."""
        left, right = values
        if left is None or right is None:
            return left
        return _number(left) * _number(right)


class DivideBy(OfPresent):
    """The quotient by ``by``, and the remainder."""

    name = "divide-by"
    options: ClassVar[Mapping[str, Option]] = {"by": _ANY_NUMBER}

    def of(self, value: Any) -> Any:
        """Divide; without ``by`` by one."""
        by = self.settings["by"]
        return divide(value, 1 if by is None else by)


class Divide(Transform):
    """The quotient of two values, and the remainder; by one where the second is absent."""

    name = "divide"
    inputs = 2

    def apply(self, *values: Any) -> Any:
        """Divide."""
        left, right = values
        return None if left is None else divide(left, 1 if right is None else right)


class Increment(Transform):
    """The value plus ``increment``, in the type of the increment; an absent value is zero."""

    name = "increment"
    options: ClassVar[Mapping[str, Option]] = {"increment": _ANY_NUMBER}

    def apply(self, *values: Any) -> Any:
        """Add."""
        value, by = values[0], self.settings["increment"]
        if by is None:
            return value
        start = 0 if value is None else _number(value)
        return int(start) + by if isinstance(by, int) else start + by


class ToInteger(OfPresent):
    """An integer, of a number or of digits."""

    name = "to-integer"

    def of(self, value: Any) -> int:
        """Round numbers towards zero; refuse blanks and underscores in texts."""
        if isinstance(value, str):
            digits = value[1:] if value[:1] in "+-" else value
            if not (digits.isascii() and digits.isdigit()):
                raise InvalidValue(f"{show(value)} is not an integer")
            return int(value)
        return int(_number(value))


class ToFloat(OfPresent):
    """A float, of a number or of its digits."""

    name = "to-float"

    def of(self, value: Any) -> float:
        """Read texts with blanks around them too."""
        return float(value.strip() if isinstance(value, str) else _number(value))


class ToBoolean(OfPresent):
    """True for true and for the text ``true`` in any case."""

    name = "to-boolean"

    def of(self, value: Any) -> bool:
        """Take any other text for false."""
        if isinstance(value, bool):
            return value
        if isinstance(value, str):
            return value.lower() == "true"
        raise InvalidValue(f"true, false or a text is needed, not {show(value)}")


NUMBERS = (MultiplyBy, Multiply, DivideBy, Divide, Increment, ToInteger, ToFloat, ToBoolean)
