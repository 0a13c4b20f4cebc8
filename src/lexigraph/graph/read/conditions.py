"""Conditions on rows: what people write about columns, as expressions of the algebra.

Layer ``graph``. The rules of null and of comparisons are those of ``spec/algebra.md``: a condition
on an absent value is not satisfied, nor is its opposite.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from lexigraph.errors import InvalidOption, UnsupportedError, UsageError, show
from lexigraph.plan.logical.expressions import (
    COMPARISONS,
    And,
    Call,
    ColumnValue,
    Compare,
    Constant,
    Expression,
    IsNull,
    Not,
    Or,
)
from lexigraph.schema import FieldCondition


def expression_of(condition: Any, columns: tuple[str, ...]) -> Expression:
    """Return a condition on rows with these columns as an expression.

    >>> from lexigraph.schema import field
    >>> print(expression_of((field("n") > 2) & ~field("day").exists(), ("n", "day")))
    (n > 2) and (not (not (day is null)))
    """
    if isinstance(condition, FieldCondition):
        return _expression(condition)
    if callable(condition) and not isinstance(condition, type):
        return _of_function(condition, columns)
    raise UsageError(
        f"a condition or a function of a row is needed, not {show(condition)}",
        hint='Compare a column: .where(lg.field("calls") > 10).',
    )


def _of_function(function: Callable[[dict[str, Any]], Any], columns: tuple[str, ...]) -> Call:
    def test(*values: Any) -> bool:
        return bool(function(dict(zip(columns, values, strict=True))))

    return Call(test, tuple(map(ColumnValue, columns)), getattr(function, "__name__", "function"))


def _expression(condition: FieldCondition) -> Expression:
    if condition.field is None:
        if condition.op == "not":
            return Not(_expression(condition.of[0]))
        # Conditions that were joined one by one are one list of parts.
        parts = tuple(map(_expression, _flat(condition)))
        return And(parts) if condition.op == "and" else Or(parts)
    column, given = ColumnValue(condition.field.name), condition.arguments
    if condition.op in COMPARISONS:
        other = given.get("other")
        right = Constant(given.get("value")) if other is None else ColumnValue(other.name)
        return Compare(condition.op, column, right)
    if condition.op == "exists":
        return Not(IsNull(column))
    if condition.op == "in":
        return Or(tuple(Compare("eq", column, Constant(one)) for one in given["values"]))
    if condition.op not in _TESTS:
        raise UnsupportedError(
            f"rows cannot be asked for {condition!r}",
            hint="Put the condition before the summary, or use a function of a row.",
        )
    return Call(_TESTS[condition.op](given), (column,), condition.op)


def _flat(condition: FieldCondition) -> Iterator[FieldCondition]:
    open_parts = list(reversed(condition.of))
    while open_parts:
        one = open_parts.pop()
        if one.field is None and one.op == condition.op:
            open_parts += reversed(one.of)
        else:
            yield one


def _absent(test: Callable[[Any], bool]) -> Callable[[Any], bool | None]:
    def checked(value: Any) -> bool | None:
        try:
            return None if value is None else bool(test(value))
        except TypeError:
            return None

    return checked


def _substring(given: Mapping[str, Any]) -> Callable[[Any], bool | None]:
    text, fold = given["value"], bool(given.get("ignore_case"))
    wanted = text.lower() if fold else text
    return _absent(lambda value: wanted in (value.lower() if fold else value))


def _regex(given: Mapping[str, Any]) -> Callable[[Any], bool | None]:
    try:
        pattern = re.compile(given["pattern"])
    except re.error as error:
        raise InvalidOption(
            f"{show(given['pattern'])} is not a regular expression: {error}"
        ) from None
    return _absent(lambda value: pattern.fullmatch(value) is not None)


def _contains(given: Mapping[str, Any]) -> Callable[[Any], bool | None]:
    return _absent(lambda value: given["value"] in value)


def _length(given: Mapping[str, Any]) -> Callable[[Any], bool | None]:
    import operator

    compare = getattr(operator, given["compare"])
    return _absent(lambda value: compare(len(value), given["size"]))


_TESTS: dict[str, Callable[[Mapping[str, Any]], Callable[[Any], bool | None]]] = {
    "substring": _substring,
    "regex": _regex,
    "contains": _contains,
    "length": _length,
}
