"""Which columns a plan has: checked before anything is read.

Layer ``plan``. A column that is not there, a property that no group has, and parts that do not fit
together are errors that name the nearest name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from lexigraph.errors import PropertyNotFound, SemanticProblem, nearest, show
from lexigraph.plan.logical.elements import Adjacent, Elements, Hops, Pairs, PathsBetween, Walk
from lexigraph.plan.logical.expressions import ColumnValue, Expression, uses
from lexigraph.plan.logical.rows import (
    ADJACENT,
    ELEMENT,
    PATH,
    VERTEX,
    Argument,
    Distinct,
    Expand,
    Filter,
    GroupRows,
    Join,
    Node,
    Optional,
    Project,
    Repeat,
    Sort,
    Top,
    Union,
    Values,
)
from lexigraph.schema.keys import EDGE_FIELD
from lexigraph.schema.model import Schema

Held = Collection[str] | None
"""The fields of the elements that a column holds; ``None`` if it holds values, or anything."""
HeldColumns = Mapping[str, Held]

_BUILT_IN = ("group", "directed", "matched")
_FOLLOWED = {
    Adjacent: (VERTEX,),
    Pairs: (VERTEX, ADJACENT),
    Hops: (VERTEX,),
    Walk: (PATH,),
    PathsBetween: (PATH,),
}


def columns_of(node: Node, schema: Schema, argument: HeldColumns | None = None) -> HeldColumns:
    """Return the columns of a node; raise if it names what is not there."""
    if isinstance(node, Elements):
        return {ELEMENT: _fields(node, schema)}
    if isinstance(node, Adjacent | Pairs | Hops | Walk | PathsBetween):
        return dict.fromkeys(_FOLLOWED[type(node)])
    if isinstance(node, Values):
        for row in node.rows:
            if len(row) != len(node.columns):
                raise SemanticProblem(
                    f"a row of {len(row)} values for {len(node.columns)} columns: {show(row)}"
                )
        return dict.fromkeys(_each_once(node.columns))
    if isinstance(node, Argument):
        if argument is None:
            raise SemanticProblem("only the body of another node has an argument")
        return argument
    if isinstance(node, Union):
        return _of_union(node, schema, argument)
    if isinstance(node, Join):
        return _of_join(node, schema, argument)
    held = columns_of(node.of, schema, argument)
    if isinstance(node, Expand):
        _check([ColumnValue(node.from_column)], held)
        _each_once([*held, node.edge_as, node.vertex_as])
        return {**held, node.edge_as: _fields(node.edges, schema), node.vertex_as: None}
    if isinstance(node, Filter):
        _check([node.where], held)
        return held
    if isinstance(node, Project):
        _check(node.columns.values(), held)
        return {name: _held_by(one, held) for name, one in node.columns.items()}
    if isinstance(node, GroupRows):
        figures = [one.of for one in node.figures if one.of is not None]
        _check([*node.by.values(), *figures], held)
        _each_once([*node.by, *(one.name for one in node.figures)])
        by = {name: _held_by(one, held) for name, one in node.by.items()}
        return {**by, **dict.fromkeys(one.name for one in node.figures)}
    if isinstance(node, Sort | Top):
        _check([one.value for one in node.keys], held)
        return held
    if isinstance(node, Distinct):
        _check(map(ColumnValue, node.columns), held)
        return {name: held[name] for name in _each_once(node.columns)}
    made = columns_of(node.body, schema, held)
    if isinstance(node, Optional):
        return {**held, **{n: one for n, one in made.items() if n not in held}}
    return _of_repeat(node, held, made)


def _of_repeat(node: Repeat, held: HeldColumns, made: HeldColumns) -> HeldColumns:
    if not held.keys() <= made.keys():
        gone = sorted(held.keys() - made.keys())
        raise SemanticProblem(
            f"the body of a repeat leaves out the columns {', '.join(gone)}",
            hint="Project what the body makes to the columns that it was given.",
        )
    if not 0 <= node.least <= node.most:
        raise SemanticProblem(
            f"a repeat runs from 0 to any number of times, not from {node.least} to {node.most}"
        )
    _check([one for one in (node.until, node.emit) if one is not None], held)
    return held


def _of_union(node: Union, schema: Schema, argument: HeldColumns | None) -> HeldColumns:
    parts = [columns_of(one, schema, argument) for one in node.parts]
    if not parts:
        raise SemanticProblem("a union needs at least one part")
    for other in parts[1:]:
        if other.keys() != parts[0].keys():
            raise SemanticProblem(
                "the parts of a union have different columns: "
                f"{', '.join(parts[0])}; and {', '.join(other)}",
                hint="Project them to the same columns.",
            )
    return parts[0]


def _of_join(node: Join, schema: Schema, argument: HeldColumns | None) -> HeldColumns:
    left = columns_of(node.left, schema, argument)
    right = columns_of(node.right, schema, argument)
    _check([ColumnValue(one) for one, _ in node.on], left)
    _check([ColumnValue(one) for _, one in node.on], right)
    same = left.keys() & right.keys() - {one for one, other in node.on if one == other}
    if same:
        raise SemanticProblem(
            f"both sides of a join have the columns {', '.join(sorted(same))}",
            hint="Give them other names with a projection, or join by them.",
        )
    return {**left, **{n: one for n, one in right.items() if n not in left}}


def _held_by(expression: Expression, held: HeldColumns) -> Held:
    return held[expression.name] if isinstance(expression, ColumnValue) else None


def _check(expressions: Iterable[Expression], held: HeldColumns) -> None:
    for expression in expressions:
        for column, field in uses(expression):
            if column not in held:
                raise SemanticProblem(
                    f"{column!r} is not a column here",
                    near=nearest(column, list(held)),
                    hint=f"Available: {', '.join(held) or 'none'}.",
                )
            fields = held[column]
            if field is not None and fields is not None and field not in fields:
                raise PropertyNotFound(
                    f"{field!r} is not a property of these elements",
                    near=nearest(field, fields),
                    hint=f"Available: {', '.join(fields)}.",
                )


def _each_once(names: Iterable[str]) -> tuple[str, ...]:
    listed = tuple(names)
    for name in listed:
        if listed.count(name) > 1:
            raise SemanticProblem(f"two columns are named {name!r}", hint="Rename one of them.")
    return listed


def _fields(node: Elements, schema: Schema) -> Held:
    names: dict[str, None] = {}
    for group, steps in node.view.items():
        held = schema.group(group)
        if held.open:
            # Its elements have any property.
            return None
        if held.record is not None and held.kind == "edge":
            names[EDGE_FIELD] = None
        names |= dict.fromkeys(one.name for one in held.properties)
        names |= dict.fromkeys([*steps.transient, *held.ids])
        names |= dict.fromkeys(name for one in steps.transforms for name in one.into)
    return (*names, *(one for one in _BUILT_IN if one not in names))
