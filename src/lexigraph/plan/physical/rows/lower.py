"""From nodes to operators: the choice of how each node runs, made once.

Layer ``plan``. Filters, limits and figures directly above a leaf become part of its scan if it can
do them; a leaf reads columns if nobody needs its elements. The answer is the same either way, and
explain shows the choice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from lexigraph.errors import UnsupportedError
from lexigraph.layout.records.reading import EVERYTHING
from lexigraph.plan.logical.checking import check_plan, expressions_of
from lexigraph.plan.logical.elements import (
    Adjacent,
    Elements,
    Hops,
    Pairs,
    PathsBetween,
    Steps,
    Walk,
)
from lexigraph.plan.logical.expressions import Expression, uses
from lexigraph.plan.logical.names import columns_of
from lexigraph.plan.logical.rows import (
    ELEMENT,
    Argument,
    Distinct,
    Expand,
    Figure,
    Filter,
    GroupRows,
    Join,
    Node,
    Optional,
    Project,
    Sort,
    Top,
    Union,
    Values,
    parts_of,
)
from lexigraph.plan.physical.rows.batch import Batch
from lexigraph.plan.physical.rows.bodies import ExpandRows, OptionalRows, RepeatRows
from lexigraph.plan.physical.rows.following import (
    AdjacentRows,
    HopRows,
    PairRows,
    PathRows,
    WalkRows,
)
from lexigraph.plan.physical.rows.fusing import fuse_filter
from lexigraph.plan.physical.rows.grouping import GroupedRows
from lexigraph.plan.physical.rows.leaves import ArgumentRows, GivenRows, ReadElements, ReadFields
from lexigraph.plan.physical.rows.operator import ENGINE, Operator, Running
from lexigraph.plan.physical.rows.simple import (
    DistinctRows,
    FilterRows,
    FirstRows,
    JoinRows,
    ProjectRows,
    UnionRows,
)
from lexigraph.plan.physical.rows.sorting import RowOrder, SortElements, SortRows
from lexigraph.plan.physical.rows.summing import CountElements, SumElements, figures_of
from lexigraph.plan.scope import Scope

Need = frozenset[tuple[str, str | None]]
"""What is used of the rows of a node: columns, each with a field or whole (``None``)."""


class Fused(Operator):
    """A node that a scan does: it has nothing left to do."""

    where = ENGINE

    def __init__(self, of: Operator, what: str, facts: dict[str, Any]) -> None:
        super().__init__(of, columns=of.columns)
        self.what, self._facts = what, facts

    def batches(self, run: Running) -> Iterator[Batch]:
        """Yield what the scan gives."""
        return self.parts[0].batches(run)

    def facts(self) -> dict[str, Any]:
        """Return what it does."""
        return self._facts


def lower(node: Node, scope: Scope) -> Operator:
    """Return the operators of a plan; mistakes raise here, before anything is read."""
    check_plan(node)
    columns = columns_of(node, scope.schema)
    _check_scope(node, scope)
    return _Lowering(scope).lower(node, frozenset((name, None) for name in columns))


class _Lowering:
    def __init__(self, scope: Scope, argument: tuple[str, ...] = ()) -> None:
        self._scope, self._argument = scope, argument

    def lower(self, node: Node, need: Need) -> Operator:
        if isinstance(node, Elements):
            return self._leaf(self._fetched(node), need)
        if isinstance(node, Adjacent):
            return AdjacentRows(node, self._scope)
        if isinstance(node, Pairs):
            return PairRows(node, self._scope)
        if isinstance(node, Hops):
            return HopRows(node, self._scope)
        if isinstance(node, Walk):
            return WalkRows(node, self._scope)
        if isinstance(node, PathsBetween):
            return PathRows(node, self._scope)
        if isinstance(node, Values):
            return GivenRows(node.columns, node.rows)
        if isinstance(node, Argument):
            return ArgumentRows(columns=self._argument)
        if isinstance(node, Filter):
            return self._filter(node, need)
        if isinstance(node, Project):
            return ProjectRows(self.lower(node.of, _used(node.columns.values())), node.columns)
        if isinstance(node, GroupRows):
            return self._grouped(node)
        if isinstance(node, Sort | Top):
            return self._sorted(node, need)
        if isinstance(node, Distinct):
            of = self.lower(node.of, frozenset((name, None) for name in node.columns))
            return DistinctRows(of, columns=node.columns)
        if isinstance(node, Union):
            parts = [self._whole(one) for one in node.parts]
            return UnionRows(*parts, columns=parts[0].columns)
        if isinstance(node, Join):
            return JoinRows(self._whole(node.left), self._whole(node.right), node.on)
        if isinstance(node, Expand):
            new = (node.edge_as, node.vertex_as)
            of = self._whole(node.of)
            return ExpandRows(of, self._scope, node.from_column, self._fetched(node.edges), new)
        of = self._whole(node.of)
        body = _Lowering(self._scope, of.columns)._whole(node.body)
        if isinstance(node, Optional):
            return OptionalRows(of, body, together=_is_rowwise(node.body))
        times = (node.least, node.most)
        return RepeatRows(of, body, times, node.until, node.emit)

    def _whole(self, node: Node) -> Operator:
        # What is below needs no looking through: a leaf gives whole elements.
        return self.lower(node, frozenset({(ELEMENT, None)}))

    def _leaf(self, node: Elements, need: Need) -> Operator:
        if (ELEMENT, None) in need:
            return ReadElements(node, self._scope)
        fields = tuple(sorted(name for at, name in need if at == ELEMENT and name is not None))
        return ReadFields(self._showing(node, fields), self._scope, fields)

    def _showing(self, node: Elements, fields: tuple[str, ...]) -> Elements:
        """Return a leaf whose records have these properties only: others are not read."""
        keys = self._scope.keys
        if keys.records is None:
            return node
        view = {
            name: replace(one, keep=self._own(name, one, fields)) if keys.is_record(name) else one
            for name, one in node.view.items()
        }
        return replace(node, view=view)

    def _own(self, group: str, steps: Steps, fields: tuple[str, ...]) -> tuple[str, ...]:
        held = self._scope.schema.group(group)
        known = {one.name for one in held.properties} | {*steps.transient}
        known |= {name for one in steps.transforms for name in one.into}
        shown = [one for one in fields if steps.keep is None or one in steps.keep]
        return tuple(one for one in shown if one in known or held.open)

    def _fetched(self, node: Elements) -> Elements:
        """Return a leaf whose elements have the properties of the fetch hints."""
        fetch = self._scope.fetch
        if fetch is EVERYTHING:
            return node
        view = {}
        for group, steps in node.view.items():
            if self._scope.keys.is_record(group):
                # They take the hints themselves, and say what was not fetched.
                view[group] = steps
                continue
            held = self._scope.schema.group(group).properties
            made = {name for one in steps.transforms for name in one.into}
            made |= {name for one in steps.derived_by for name in one.into}
            all_names = [*(one.name for one in held), *steps.transient]
            shown = all_names if steps.keep is None else steps.keep
            kept = tuple(
                one for one in dict.fromkeys(shown) if one in made or fetch.wants_property(one)
            )
            view[group] = replace(steps, keep=kept)
        return replace(node, view=view)

    def _filter(self, node: Filter, need: Need) -> Operator:
        if isinstance(node.of, Elements):
            fused = fuse_filter(node.of, node.where, self._scope.schema)
            if fused is not None:
                of = self.lower(fused, need)
                return Fused(of, "filter", {"is": str(node.where)})
        return FilterRows(self.lower(node.of, need | _used([node.where])), node.where)

    def _grouped(self, node: GroupRows) -> Operator:
        leaf = self._under_filters(node.of)
        if leaf is not None and not node.by and _only_counts(node.figures):
            return CountElements(leaf, self._scope, node.figures[0].name)
        if leaf is not None:
            figures = figures_of(leaf, node.by, node.figures, self._scope)
            fused = None if figures is None else SumElements(figures, self._scope)
            if fused is not None and not fused.is_limited:
                return fused
        taken = [one.of for one in node.figures if one.of is not None]
        of = self.lower(node.of, _used([*node.by.values(), *taken]))
        return GroupedRows(of, node.by, node.figures)

    def _under_filters(self, node: Node) -> Elements | None:
        """Return the leaf that a node is, with filters above it that it can do."""
        if isinstance(node, Filter):
            of = self._under_filters(node.of)
            return None if of is None else fuse_filter(of, node.where, self._scope.schema)
        return node if isinstance(node, Elements) else None

    def _sorted(self, node: Sort | Top, need: Need) -> Operator:
        count = node.count if isinstance(node, Top) else None
        if not node.keys:
            if count is None:
                return self.lower(node.of, need)
            if isinstance(node.of, Elements):
                held = node.of.limit
                least = count if held is None else min(count, held)
                of = self.lower(replace(node.of, limit=least), need)
                return Fused(of, "top", {"count": count})
            return FirstRows(self.lower(node.of, need), count)
        order = RowOrder(node.keys, count)
        leaf = self._under_filters(node.of)
        if leaf is not None and (ELEMENT, None) in need:
            return SortElements(self._fetched(leaf), self._scope, order)
        of = self.lower(node.of, need | _used(one.value for one in node.keys))
        return SortRows(of, order)


def _check_scope(node: Node, scope: Scope) -> None:
    """Refuse what the scope does not give: other properties, and a cursor of other plans."""
    if scope.cursor is not None and not isinstance(node, Elements):
        raise UnsupportedError(
            "only elements in key order can be read from a cursor on",
            hint="Read the elements page by page, and compute of them in the client.",
        )
    if scope.fetch is EVERYTHING:
        return
    open_nodes = [node]
    while open_nodes:
        one = open_nodes.pop()
        for expression in expressions_of(one):
            for _, name in uses(expression):
                if name is not None:
                    scope.check_fetched(name)
        open_nodes += parts_of(one)


def _used(expressions: Iterable[Expression]) -> Need:
    return frozenset(one for expression in expressions for one in uses(expression))


def _only_counts(figures: tuple[Figure, ...]) -> bool:
    return len(figures) == 1 and figures[0].of is None and figures[0].aggregate.name == "count"


def _is_rowwise(body: Node) -> bool:
    """Return whether each row that a body makes comes of one row of its argument."""
    if isinstance(body, Argument):
        return True
    if isinstance(body, Filter | Project | Expand | Union):
        return all(map(_is_rowwise, parts_of(body)))
    return isinstance(body, Optional) and _is_rowwise(body.of)
