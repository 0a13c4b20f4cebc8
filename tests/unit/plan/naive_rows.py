"""What a plan of rows means, said once more without batches, columns or fusing: lists of dicts."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from lexigraph.codec import codec_for
from lexigraph.plan import Element, Elements
from lexigraph.plan.logical import expressions as ex
from lexigraph.plan.logical import rows as nodes

Row = dict[str, Any]
Leaf = Callable[[Elements], list[Element]]
Edges = Callable[[Elements, Any], list[tuple[Element, Any]]]


class Naive:
    def __init__(self, leaf: Leaf, edges: Edges) -> None:
        self._leaf, self._edges = leaf, edges

    def rows(self, node: nodes.Node, argument: list[Row]) -> list[Row]:
        if isinstance(node, Elements):
            return [{"element": one} for one in self._leaf(node)]
        if isinstance(node, nodes.Values):
            return [dict(zip(node.columns, row, strict=True)) for row in node.rows]
        if isinstance(node, nodes.Argument):
            return argument
        if isinstance(node, nodes.Union):
            return [row for part in node.parts for row in self.rows(part, argument)]
        if isinstance(node, nodes.Join):
            return self._join(node, argument)
        found = self.rows(node.of, argument)
        if isinstance(node, nodes.Filter):
            return [row for row in found if value(node.where, row) is True]
        if isinstance(node, nodes.Project):
            return [{n: value(one, row) for n, one in node.columns.items()} for row in found]
        if isinstance(node, nodes.Sort | nodes.Top):
            for key in reversed(node.keys):
                found = _sorted(found, key)
            return found[: node.count] if isinstance(node, nodes.Top) else found
        if isinstance(node, nodes.Distinct):
            return _distinct([{n: row[n] for n in node.columns} for row in found])
        if isinstance(node, nodes.GroupRows):
            return _grouped(node, found)
        if isinstance(node, nodes.Expand):
            return [
                {**row, node.edge_as: edge, node.vertex_as: end}
                for row in found
                if row[node.from_column] is not None
                for edge, end in self._edges(node.edges, row[node.from_column])
            ]
        if isinstance(node, nodes.Optional):
            return [one for row in found for one in self._filled(node, row)]
        return self._repeated(node, found)

    def _filled(self, node: nodes.Optional, row: Row) -> list[Row]:
        made = self.rows(node.body, [row])
        if made:
            return [{**one, **row} for one in made]
        return [{**dict.fromkeys(self._names(node.body, row)), **row}]

    def _names(self, body: nodes.Node, row: Row) -> list[str]:
        if isinstance(body, nodes.Expand):
            return [*self._names(body.of, row), body.edge_as, body.vertex_as]
        if isinstance(body, nodes.Project):
            return list(body.columns)
        return list(row) if isinstance(body, nodes.Argument) else self._names(body.of, row)  # type: ignore[union-attr]

    def _repeated(self, node: nodes.Repeat, inside: list[Row]) -> list[Row]:
        shown: list[Row] = []
        for times in range(node.most + 1):
            if times:
                made = self.rows(node.body, inside)
                inside = [{name: row[name] for name in inside[0]} for row in made]
            if times < node.least:
                continue
            staying = []
            for row in inside:
                leaves = times == node.most or bool(node.until and value(node.until, row) is True)
                if leaves or (node.emit and value(node.emit, row) is True):
                    shown.append(row)
                if not leaves:
                    staying.append(row)
            inside = staying
            if not inside:
                break
        return shown

    def _join(self, node: nodes.Join, argument: list[Row]) -> list[Row]:
        right = self.rows(node.right, argument)
        return [
            {**other, **row}
            for row in self.rows(node.left, argument)
            for other in right
            if all(row[a] is not None and _key(row[a]) == _key(other[b]) for a, b in node.on)
        ]


def value(expression: ex.Expression, row: Row) -> Any:
    if isinstance(expression, ex.ColumnValue):
        return row[expression.name]
    if isinstance(expression, ex.FieldValue):
        one, name = row[expression.column], expression.name
        if one is None or name in one.properties:
            return None if one is None else one.properties[name]
        return getattr(one, name, None) if name in ("source", "destination", "group") else None
    if isinstance(expression, ex.Constant):
        return expression.value
    if isinstance(expression, ex.Call):
        return expression.function(*(value(one, row) for one in expression.arguments))
    if isinstance(expression, ex.IsNull):
        return value(expression.of, row) is None
    if isinstance(expression, ex.Not):
        found = value(expression.of, row)
        return not found if isinstance(found, bool) else None
    if isinstance(expression, ex.Compare):
        return _compared(expression.op, value(expression.left, row), value(expression.right, row))
    return _joined(expression, [value(one, row) for one in expression.of])


def _joined(expression: ex.And | ex.Or, found: list[Any]) -> bool | None:
    decides = isinstance(expression, ex.Or)
    known = [one if isinstance(one, bool) else None for one in found]
    if decides in known:
        return decides
    return None if None in known else not decides


def _compared(op: str, a: Any, b: Any) -> bool | None:
    if a is None or b is None:
        return None
    numbers = [isinstance(one, int | float | Decimal) for one in (a, b) if type(one) is not bool]
    if type(a) is not type(b) and numbers != [True, True]:
        return {"eq": False, "ne": True}.get(op)
    return bool(getattr(operator, op)(a, b))


def _sorted(rows: list[Row], key: nodes.SortKey) -> list[Row]:
    def before(a: Row, b: Row) -> int:
        one, other = value(key.value, a), value(key.value, b)
        if one is None or other is None:
            return (one is None) - (other is None)
        less = (one > other) - (one < other)
        return -less if key.descending else less

    return sorted(rows, key=functools.cmp_to_key(before))


def _key(one: Any) -> Any:
    return codec_for("any").encode(one)


def _distinct(rows: list[Row]) -> list[Row]:
    first: dict[tuple[bytes, ...], Row] = {}
    for row in rows:
        first.setdefault(tuple(map(_key, row.values())), row)
    return list(first.values())


def _grouped(node: nodes.GroupRows, rows: list[Row]) -> list[Row]:
    held: dict[tuple[bytes, ...], list[Row]] = {}
    for row in rows:
        by = [value(one, row) for one in node.by.values()]
        held.setdefault(tuple(map(_key, by)), []).append(row)
    found = []
    for key in sorted(held):
        of = held[key]
        made = {name: value(one, of[0]) for name, one in node.by.items()}
        for figure in node.figures:
            taken = [row if figure.of is None else value(figure.of, row) for row in of]
            made[figure.name] = _figure(figure, [one for one in taken if one is not None])
        found.append(made)
    return found


def _figure(figure: nodes.Figure, values: list[Any]) -> Any:
    name = figure.aggregate.name
    if name == "count":
        return len(values)
    if not values:
        return None
    if name == "mean":
        return sum(values) / len(values)
    return {"sum": sum, "min": min, "max": max}[name](values)
