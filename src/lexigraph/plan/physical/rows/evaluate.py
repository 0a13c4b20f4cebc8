"""Expressions over a batch: each becomes a function from a batch to a column.

Layer ``plan``. Errors of a user's function leave as they are; those of ours say which expression.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from lexigraph.errors import SemanticProblem, show
from lexigraph.plan.branches.present import reader_of
from lexigraph.plan.element import Element
from lexigraph.plan.logical.expressions import (
    And,
    Call,
    ColumnValue,
    Compare,
    Constant,
    Expression,
    FieldValue,
    IsNull,
    Not,
)
from lexigraph.plan.physical.rows.batch import Batch, BatchColumn, as_list
from lexigraph.plan.physical.rows.comparing import compare

Evaluator = Callable[[Batch], BatchColumn]


def evaluator(expression: Expression) -> Evaluator:
    """Return the function that computes an expression for the rows of a batch."""
    if isinstance(expression, ColumnValue):
        name = expression.name
        return lambda batch: batch.columns[name]
    if isinstance(expression, FieldValue):
        return _field(expression)
    if isinstance(expression, Constant):
        return lambda batch: [expression.value] * batch.rows
    if isinstance(expression, Call):
        return _mapped(expression.function, expression.arguments)
    if isinstance(expression, Compare):
        op = expression.op
        return _mapped(lambda a, b: compare(op, a, b), (expression.left, expression.right))
    if isinstance(expression, IsNull):
        return _mapped(lambda value: value is None, (expression.of,))
    if isinstance(expression, Not):
        return _mapped(_negated, (expression.of,))
    return _mapped(_all if isinstance(expression, And) else _any, expression.of)


def _field(expression: FieldValue) -> Evaluator:
    read, key = reader_of(expression.name), (expression.column, expression.name)

    def evaluate(batch: Batch) -> BatchColumn:
        if key in batch.columns:
            return batch.columns[key]
        found = batch.values(expression.column)
        return [None if one is None else read(_element(one, expression)) for one in found]

    return evaluate


def _element(value: Any, expression: FieldValue) -> Element:
    if not isinstance(value, Element):
        raise SemanticProblem(
            f"column {expression.column!r} holds {show(value)}, which is not an element: it has no "
            f"{expression.name!r}",
            hint=f"For the value itself, use ColumnValue({expression.column!r}).",
        )
    return value


def _mapped(function: Callable[..., Any], arguments: Iterable[Expression]) -> Evaluator:
    inner = [evaluator(one) for one in arguments]

    def evaluate(batch: Batch) -> BatchColumn:
        if not inner:
            return [function() for _ in range(batch.rows)]
        return list(map(function, *(as_list(one(batch)) for one in inner)))

    return evaluate


def _truth(value: Any) -> bool | None:
    """Return a condition: what is not a flag is unknown."""
    return value if isinstance(value, bool) else None


def _negated(value: Any) -> bool | None:
    return not value if isinstance(value, bool) else None


def _all(*values: Any) -> bool | None:
    known = set(map(_truth, values))
    return False if False in known else None if None in known else True


def _any(*values: Any) -> bool | None:
    known = set(map(_truth, values))
    return True if True in known else None if None in known else False
