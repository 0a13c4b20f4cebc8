"""Expressions: what a node of rows computes from the columns of a row, as data.

Layer ``plan``. A closed set: whoever lowers a language into a plan uses these and nothing else. The
rules of null are those of ``spec/algebra.md``: a comparison with null is unknown (null), and what
is unknown passes no filter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


@dataclass(frozen=True, slots=True)
class ColumnValue:
    """The value of a column."""

    name: str

    def __str__(self) -> str:
        """Show the name."""
        return self.name


@dataclass(frozen=True, slots=True)
class FieldValue:
    """A property or id of an element; null if the element is null or does not have it."""

    column: str
    name: str

    def __str__(self) -> str:
        """Show column and field.

        >>> print(FieldValue("element", "count"))
        element.count
        """
        return f"{self.column}.{self.name}"


@dataclass(frozen=True, slots=True)
class Constant:
    """A value that is the same for every row."""

    value: Any

    def __hash__(self) -> int:
        """Agree with equality; a value may not be hashable."""
        return hash(repr(self.value))

    def __str__(self) -> str:
        """Show the value."""
        return repr(self.value)


@dataclass(frozen=True, slots=True)
class Call:
    """A function of Python, a transform or a predicate of some values. Null is passed as ``None``.

    ``text`` is its name in explanations.
    """

    function: Callable[..., Any]
    arguments: tuple[Expression, ...]
    text: str = ""

    def __str__(self) -> str:
        """Show it as a call.

        >>> print(Call(len, (ColumnValue("name"),), "length"))
        length(name)
        """
        name = self.text or getattr(self.function, "__name__", "function")
        return f"{name}({', '.join(map(str, self.arguments))})"


@dataclass(frozen=True, slots=True)
class Compare:
    """A comparison: ``eq``, ``ne``, ``lt``, ``le``, ``gt`` or ``ge``; unknown if a side is null.

    Values of different types are not equal, and unknown to be less or greater; all numbers are one
    type. NaN equals itself and is greater than every number.
    """

    op: str
    left: Expression
    right: Expression

    def __str__(self) -> str:
        """Show it with its sign."""
        return f"{self.left} {COMPARISONS[self.op]} {self.right}"


@dataclass(frozen=True, slots=True)
class IsNull:
    """Whether a value is null: never unknown."""

    of: Expression

    def __str__(self) -> str:
        """Show it in words."""
        return f"{self.of} is null"


@dataclass(frozen=True, slots=True)
class And:
    """False if one is false, otherwise unknown if one is unknown; true of none."""

    of: tuple[Expression, ...]

    def __str__(self) -> str:
        """Show the parts."""
        return " and ".join(f"({one})" for one in self.of) or "true"


@dataclass(frozen=True, slots=True)
class Or:
    """True if one is true, otherwise unknown if one is unknown; false of none."""

    of: tuple[Expression, ...]

    def __str__(self) -> str:
        """Show the parts."""
        return " or ".join(f"({one})" for one in self.of) or "false"


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite; unknown stays unknown."""

    of: Expression

    def __str__(self) -> str:
        """Show what is negated."""
        return f"not ({self.of})"


Expression = ColumnValue | FieldValue | Constant | Call | Compare | IsNull | And | Or | Not


def inside(expression: Expression) -> tuple[Expression, ...]:
    """Return the expressions that one is made of."""
    if isinstance(expression, Call):
        return expression.arguments
    if isinstance(expression, Compare):
        return expression.left, expression.right
    if isinstance(expression, And | Or):
        return expression.of
    if isinstance(expression, IsNull | Not):
        return (expression.of,)
    return ()


def uses(expression: Expression) -> Iterator[tuple[str, str | None]]:
    """Yield the columns that it reads: each with a field, or ``None`` for the whole value.

    >>> list(uses(Compare("lt", FieldValue("element", "day"), ColumnValue("last"))))
    [('element', 'day'), ('last', None)]
    """
    if isinstance(expression, ColumnValue):
        yield expression.name, None
    elif isinstance(expression, FieldValue):
        yield expression.column, expression.name
    for one in inside(expression):
        yield from uses(one)
