"""Whether a plan is made of nodes and expressions at all: checked before anything else.

Layer ``plan``. Whoever lowers a language builds plans by hand; a mistake there is refused with an
error that says which node is wrong. The check does not recurse, so that no plan is too deep for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lexigraph.errors import SemanticProblem, UsageError, nearest, show
from lexigraph.plan.logical.elements import Adjacent, Elements, Hops, Pairs, PathsBetween, Walk
from lexigraph.plan.logical.expressions import (
    COMPARISONS,
    Call,
    ColumnValue,
    Compare,
    Expression,
    FieldValue,
    inside,
)
from lexigraph.plan.logical.rows import (
    Distinct,
    Expand,
    Figure,
    Filter,
    GroupRows,
    Node,
    Project,
    Repeat,
    Sort,
    SortKey,
    Top,
    Values,
    parts_of,
)

MOST_DEPTH = 100
"""How deep nodes may stand above each other, and expressions inside each other."""

_LEAVES = Elements | Adjacent | Pairs | Hops | Walk | PathsBetween


def check_plan(node: Node) -> None:
    """Refuse what is no plan: other objects, impossible numbers, nodes without end."""
    open_nodes: list[tuple[Any, int]] = [(node, 1)]
    while open_nodes:
        one, depth = open_nodes.pop()
        if isinstance(one, _LEAVES):
            continue
        if not isinstance(one, Node):
            raise UsageError(
                f"a node of a plan is needed, not {show(one)}",
                hint="Nodes are those of lexigraph.plan.logical.",
            )
        if depth > MOST_DEPTH:
            raise SemanticProblem(
                f"more than {MOST_DEPTH} nodes of a plan stand above each other",
                hint="Join filters with And, and put several columns into one projection.",
            )
        _check_node(one)
        open_nodes += [(part, depth + 1) for part in parts_of(one)]


def _check_node(node: Any) -> None:
    for name in _names(node):
        if not isinstance(name, str):
            raise UsageError(f"a column is named by text, not by {show(name)}")
    if isinstance(node, Top):
        _check_number("the count of a top", node.count)
    if isinstance(node, Repeat):
        _check_number("the most times of a repeat", node.most)
        _check_number("the least times of a repeat", node.least)
    for expression in expressions_of(node):
        _check_expression(expression)


def _check_number(what: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise UsageError(f"{what} is a whole number from 0 on, not {show(value)}")


def _names(node: Any) -> Iterator[Any]:
    if isinstance(node, Values | Distinct | Project):
        yield from node.columns
    elif isinstance(node, Expand):
        yield from (node.from_column, node.edge_as, node.vertex_as)
    elif isinstance(node, GroupRows):
        yield from node.by
        yield from (_of_type(one, Figure, "a figure").name for one in node.figures)


def expressions_of(node: Any) -> Iterator[Any]:
    """Yield the expressions that a node computes."""
    if isinstance(node, Filter):
        yield node.where
    elif isinstance(node, Project):
        yield from node.columns.values()
    elif isinstance(node, GroupRows):
        yield from node.by.values()
        yield from (one.of for one in node.figures if one.of is not None)
    elif isinstance(node, Sort | Top):
        yield from (_of_type(one, SortKey, "a sort key").value for one in node.keys)
    elif isinstance(node, Repeat):
        yield from (one for one in (node.until, node.emit) if one is not None)


def _of_type(one: Any, wanted: type, what: str) -> Any:
    if not isinstance(one, wanted):
        raise UsageError(f"{what} is a {wanted.__name__}, not {show(one)}")
    return one


def _check_expression(expression: Any) -> None:
    found: list[tuple[Any, int]] = [(expression, 1)]
    while found:
        one, depth = found.pop()
        if not isinstance(one, Expression):
            raise UsageError(
                f"an expression is needed, not {show(one)}",
                hint="For a value, use Constant(value); for a column, ColumnValue(name).",
            )
        if depth > MOST_DEPTH:
            raise SemanticProblem(
                f"more than {MOST_DEPTH} expressions stand inside each other",
                hint="And and Or take any number of parts.",
            )
        if isinstance(one, Compare) and one.op not in COMPARISONS:
            raise SemanticProblem(
                f"{show(one.op)} is not a comparison",
                near=nearest(str(one.op), list(COMPARISONS)),
                hint=f"Available: {', '.join(COMPARISONS)}.",
            )
        if isinstance(one, Call) and not callable(one.function):
            raise UsageError(f"a call needs a function, not {show(one.function)}")
        if isinstance(one, ColumnValue | FieldValue) and not isinstance(one.name, str):
            raise UsageError(f"a column or field is named by text, not by {show(one.name)}")
        found += [(part, depth + 1) for part in inside(one)]
