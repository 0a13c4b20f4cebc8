"""Values beside values: comparisons, the order of a sort, and what counts as equal in a group.

Layer ``plan``. These are the rules of ``spec/algebra.md``, and the only place that has them. In
groups, joins and distinct rows, values are equal if their key forms are: 1, 1.0 and true differ.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from lexigraph.codec import codec_for
from lexigraph.errors import LexigraphError, SemanticProblem, show
from lexigraph.plan.element import Element

_TESTS: dict[str, Callable[[Any, Any], bool]] = {
    name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")
}
_OWN_ORDER = (str, int, float, bytes, bool, date)
"""Types whose values Python compares as their key forms compare."""


def compare(op: str, left: Any, right: Any) -> bool | None:
    """Compare two values; ``None`` is unknown.

    >>> compare("lt", 1, 2.5), compare("eq", True, 1), compare("lt", "a", 1), compare("eq", None, 1)
    (True, False, None, None)
    """
    if left is None or right is None:
        return None
    if type(left) is not type(right) and _kind(left) != _kind(right):
        return {"eq": False, "ne": True}.get(op)
    if is_nan(left) or is_nan(right):
        left, right = is_nan(left), is_nan(right)
    try:
        return bool(_TESTS[op](left, right))
    except (TypeError, ValueError, ArithmeticError):
        return None


def is_nan(value: Any) -> bool:
    """Return whether a value is not a number, by name or because it is not equal to itself."""
    if isinstance(value, Decimal):
        # A signalling NaN refuses to be compared, also with itself.
        return value.is_nan()
    return bool(value != value)


def _kind(value: Any) -> Any:
    if isinstance(value, bool):
        return bool
    return float if isinstance(value, int | float | Decimal) else type(value)


def order_of(columns: Sequence[list[Any]], descending: Sequence[bool]) -> list[int]:
    """Return the row numbers in order: by the first column, equal ones by the second, and so on.

    >>> order_of([[2, None, 1, float("nan"), 2]], [True])
    [0, 4, 2, 3, 1]
    """
    rows = list(range(len(columns[0])))
    # The last key first: sorts are stable, so that earlier keys win.
    for column, turned in zip(reversed(columns), reversed(descending), strict=True):
        there = [at for at in rows if column[at] is not None]
        last = [at for at in rows if column[at] is None]
        no_numbers = [at for at in there if is_nan(column[at])]
        numbers = there
        if no_numbers:
            numbers = [at for at in there if not is_nan(column[at])]
        keys = _sort_keys(column, numbers)
        rows = [*sorted(numbers, key=keys, reverse=turned), *no_numbers, *last]
    return rows


def _sort_keys(column: list[Any], rows: list[int]) -> Callable[[int], Any]:
    kinds = {type(column[at]) for at in rows}
    if (len(kinds) < 2 and kinds <= set(_OWN_ORDER)) or kinds <= {int, float, Decimal}:
        return column.__getitem__
    if kinds == {datetime} and len({column[at].tzinfo is None for at in rows}) == 1:
        return column.__getitem__
    return lambda at: _mixed_key(column[at])


def _mixed_key(value: Any) -> tuple[int, Any]:
    """Return a key that orders values of several types: flags, numbers, the rest by key form."""
    if isinstance(value, bool):
        return 0, value
    if isinstance(value, int | float | Decimal):
        return 1, value
    return 2, key_of(value)


def key_of(value: Any) -> bytes:
    """Return the key form of any value; equal values, equal bytes, and null is the least."""
    try:
        return codec_for("any").encode(_plain(value))
    except LexigraphError:
        raise SemanticProblem(
            f"{show(value)} can be neither sorted nor grouped",
            hint="Sort and group by values that a property can have, such as numbers and text.",
        ) from None


def _plain(value: Any) -> Any:
    if isinstance(value, Element):
        held = tuple((name, _plain(one)) for name, one in sorted(value.properties.items()))
        return (value.kind, value.group, *value.ids.values(), value.directed, held)
    if isinstance(value, Mapping):
        return tuple((_plain(name), _plain(one)) for name, one in value.items())
    if isinstance(value, set | frozenset):
        return tuple(sorted(map(_plain, value), key=key_of))
    return tuple(map(_plain, value)) if isinstance(value, list) else value


_REMEMBERED = frozenset({str, int, float, bytes, bool, date, datetime, type(None)})
"""Types of which equal values have equal key forms; tuples are equal if 1 stands for true."""


class RowKeys:
    """Makes the key of a row of its values, and remembers those of values that come again."""

    def __init__(self) -> None:
        self._known: dict[tuple[type, Any], bytes] = {}

    def keys(self, columns: Sequence[list[Any]], rows: int) -> list[bytes]:
        """Return the key of each row: equal rows, equal keys."""
        if not columns:
            return [b""] * rows
        parts = [[self._key(value) for value in column] for column in columns]
        return parts[0] if len(parts) == 1 else list(map(b"".join, zip(*parts, strict=True)))

    def _key(self, value: Any) -> bytes:
        if type(value) not in _REMEMBERED:
            return key_of(value)
        found = self._known.get((type(value), value))
        if found is None:
            found = key_of(value)
            if len(self._known) < 100_000:
                self._known[type(value), value] = found
        return found
