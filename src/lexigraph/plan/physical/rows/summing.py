"""Figures of elements where a stage can make them: next to the data, by stored values.

Layer ``plan``. What is grouped by a computed value (the month of a day) is summarised by the stored
values first; their partial results merge by the computed one. So a stage does the work, and the
client computes each stored value once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from lexigraph.functions import traits_of
from lexigraph.plan.logical.elements import Elements, Steps
from lexigraph.plan.logical.expressions import Call, Constant, Expression, FieldValue, inside, uses
from lexigraph.plan.logical.rows import ELEMENT, MEAN, Figure
from lexigraph.plan.physical.execute import Branched
from lexigraph.plan.physical.rows.batch import Batch, BatchColumn, HeldName, as_list
from lexigraph.plan.physical.rows.columns import shown_properties
from lexigraph.plan.physical.rows.comparing import RowKeys
from lexigraph.plan.physical.rows.evaluate import evaluator
from lexigraph.plan.physical.rows.grouping import mean_of
from lexigraph.plan.physical.rows.operator import CLIENT, ENGINE, Operator, Running
from lexigraph.plan.physical.summaries import Measure, Summarise, Summed, count_elements
from lexigraph.plan.scope import Scope
from lexigraph.schema.model import Aggregate, Schema

_BUILT_IN = ("group", "directed", "matched")


@dataclass(frozen=True, slots=True)
class Figures:
    """A summary by stored values, and what becomes of it.

    ``by`` are the expressions of the answer, over stored fields. ``made`` has for each figure the
    measure that it is, or the two that a mean is made of.
    """

    asked: Summarise
    by: Mapping[str, Expression]
    made: Mapping[str, tuple[str, ...]]

    __hash__ = None  # type: ignore[assignment]

    @property
    def computes(self) -> bool:
        """Whether rows are grouped by something that is not stored."""
        return any(not isinstance(one, FieldValue) for one in self.by.values())


def figures_of(
    asked: Elements, by: Mapping[str, Expression], figures: tuple[Figure, ...], scope: Scope
) -> Figures | None:
    """Return the summary that answers a ``GroupRows`` of elements; ``None`` if none does."""
    if not asked.view or any(steps.last for steps in asked.view.values()):
        return None
    if any(map(scope.keys.is_record, asked.view)):
        return None
    found = {name: stored_expression(one, asked.view) for name, one in by.items()}
    exact = {name: one for name, one in found.items() if one is not None}
    inputs = list(dict.fromkeys(n for one in exact.values() for _, n in uses(one) if n is not None))
    if len(exact) < len(by) or not all(map(_is_pure, exact.values())):
        return None
    computed = [one for one in exact.values() if not isinstance(one, FieldValue)]
    if any(_is_map(name, asked, scope.schema) for one in computed for _, name in uses(one)):
        return None
    if not all(_is_stored(name, asked, scope.schema) for name in inputs):
        return None
    measures: list[Measure] = []
    made: dict[str, tuple[str, ...]] = {}
    for figure in figures:
        mine = _measures(figure, asked, scope)
        if mine is None:
            return None
        measures += mine
        made[figure.name] = tuple(one.name for one in mine)
    view = {name: replace(steps, transforms=(), transient={}) for name, steps in asked.view.items()}
    return Figures(
        Summarise(replace(asked, view=view), tuple(inputs), tuple(measures)), exact, made
    )


def stored_expression(expression: Expression, view: Mapping[str, Steps]) -> Expression | None:
    """Return an expression over what is stored, for one over what a view derives.

    ``None`` if the groups of the view derive it in different ways.
    """
    found = [_stored(expression, steps) for steps in view.values()]
    return found[0] if all(one == found[0] for one in found) else None


def _stored(expression: Expression, steps: Steps, before: int | None = None) -> Expression:
    if isinstance(expression, Call):
        arguments = tuple(_stored(one, steps, before) for one in expression.arguments)
        return replace(expression, arguments=arguments)
    if not isinstance(expression, FieldValue):
        return expression
    transforms = steps.transforms[:before]
    for at in reversed(range(len(transforms))):
        one = transforms[at]
        if expression.name in one.into:
            fields = tuple(_stored(FieldValue(ELEMENT, f), steps, at) for f in one.fields)
            if len(one.into) == 1:
                return Call(one.function, fields, one.text)
            whole = Call(one.function, fields, one.text)
            place = Constant(one.into.index(expression.name))
            return Call(_part, (whole, place), f"{expression.name} of")
    return expression


def _part(values: Any, at: int) -> Any:
    return None if values is None else tuple(values)[at]


def _is_pure(expression: Expression) -> bool:
    """Return whether it looks at fields of elements only, and each has its own place to stand."""
    if isinstance(expression, FieldValue):
        return expression.column == ELEMENT
    if isinstance(expression, Call | Constant):
        return all(map(_is_pure, inside(expression)))
    return False


def _is_stored(name: str, asked: Elements, schema: Schema) -> bool:
    """Return whether elements of every group show a stored field of that name."""
    for group, steps in asked.view.items():
        held = schema.group(group)
        shown = {one for one, _, _ in shown_properties(held, steps)}
        ids = {*held.ids, *_BUILT_IN} - {one.name for one in held.properties}
        if name in steps.aggregators or name not in shown | ids:
            return False
    return True


def _is_map(name: str | None, asked: Elements, schema: Schema) -> bool:
    for group, steps in asked.view.items():
        for one in schema.group(group).properties:
            aggregate = steps.aggregators.get(one.name) or one.aggregate
            if one.name == name and aggregate is not None:
                return traits_of(aggregate.name).result_kind in ("map", None)
    return False


def _measures(figure: Figure, asked: Elements, scope: Scope) -> list[Measure] | None:
    """Return the measures that a figure is made of; ``None`` if no stage makes them."""
    if figure.of is None:
        return [Measure(figure.name, figure.aggregate)]
    of = stored_expression(figure.of, asked.view)
    if not isinstance(of, FieldValue) or not _is_stored(of.name, asked, scope.schema):
        return None
    if figure.aggregate.name != MEAN:
        return [Measure(figure.name, figure.aggregate, of.name)]
    if any(_may_lack(of.name, group, asked, scope) for group in asked.view):
        # No stage counts the values that are there.
        return None
    total = Measure(f"#sum {figure.name}", Aggregate("sum"), of.name)
    return [total, Measure(f"#count {figure.name}", Aggregate("count"))]


def _may_lack(name: str, group: str, asked: Elements, scope: Scope) -> bool:
    for one in scope.schema.group(group).properties:
        if one.name == name:
            aggregated = one.name in asked.view[group].aggregators
            summed = one.type.codec in ("int", "float", "decimal")
            return one.type.optional or one.later or aggregated or not summed
    return True


class SumElements(Operator):
    """Figures of elements, made by stages where they can."""

    what = "summarise"

    def __init__(self, figures: Figures, scope: Scope) -> None:
        super().__init__(columns=(*figures.by, *figures.made))
        self._figures = figures
        # Mistakes raise here, before anything is read.
        self.summed = Summed(figures.asked, scope)
        pushed = [self.summed.pushes(*one) for one in self.summed.branched.ways]
        self.where = ENGINE if all(pushed) else CLIENT

    @property
    def is_limited(self) -> bool:
        """Whether a limit of the elements would be lost."""
        ways = self.summed.branched.ways
        plain = self.summed.branched.check is None and all(steps.is_plain for _, steps in ways)
        return self._figures.asked.of.limit is not None and not (plain and len(ways) == 1)

    def batches(self, run: Running) -> Iterator[Batch]:
        """Read all, then yield one batch."""
        summed = self.summed
        if run.scope is not summed.scope:
            summed = Summed(self._figures.asked, run.scope)
        results = summed.merged()
        keys = sorted(results)
        if self._figures.computes:
            values = [summed.shown(key) for key in keys]
            fields: dict[HeldName, BatchColumn] = {
                (ELEMENT, n): [row[n] for row in values] for n in self._figures.asked.by
            }
            yield self._regrouped(summed, Batch(len(keys), fields), results, keys)
            return
        rows = [summed.shown(key, results[key]) for key in keys]
        columns: dict[HeldName, BatchColumn] = {
            name: [row[one.name] for row in rows]
            for name, one in self._figures.by.items()
            if isinstance(one, FieldValue)
        }
        yield Batch(len(rows), columns | self._finished(rows))

    def _regrouped(
        self, summed: Summed, batch: Batch, results: Mapping[bytes, Any], keys: list[bytes]
    ) -> Batch:
        by = [as_list(evaluator(one)(batch)) for one in self._figures.by.values()]
        states: dict[bytes, Any] = {}
        first: dict[bytes, int] = {}
        for at, key in enumerate(RowKeys().keys(by, batch.rows)):
            own = results[keys[at]]
            states[key] = summed.merge(states[key], own) if key in states else own
            first.setdefault(key, at)
        order = sorted(states)
        rows = [summed.shown(keys[first[key]], states[key]) for key in order]
        columns: dict[HeldName, BatchColumn] = {
            name: [column[first[key]] for key in order]
            for name, column in zip(self._figures.by, by, strict=True)
        }
        return Batch(len(rows), columns | self._finished(rows))

    def _finished(self, rows: list[dict[str, Any]]) -> dict[HeldName, BatchColumn]:
        found: dict[HeldName, BatchColumn] = {}
        for name, parts in self._figures.made.items():
            if len(parts) == 1:
                found[name] = [row[parts[0]] for row in rows]
            else:
                total, count = parts
                found[name] = [mean_of(row[total], row[count]) for row in rows]
        return found

    def facts(self) -> dict[str, Any]:
        """Return what is grouped by, and the figures."""
        asked, by = self._figures.asked, self._figures.by
        shown = [
            name if isinstance(one, FieldValue) and one.name == name else f"{name}={one}"
            for name, one in by.items()
        ]
        facts: dict[str, Any] = {"by": shown, "figures": list(self._figures.made)}
        if self._figures.computes:
            facts["summarised_by"] = list(asked.by)
        return facts

    def reads(self) -> int:
        """Return one: what it reads is of one moment anyway."""
        return 1


class CountElements(Operator):
    """How many elements there are, without making them if a stage or the engine counts."""

    what = "count"

    def __init__(self, asked: Elements, scope: Scope, name: str) -> None:
        super().__init__(columns=(name,))
        self.asked = asked
        # Mistakes raise here, before anything is read.
        Branched(asked, scope)

    def batches(self, run: Running) -> Iterator[Batch]:
        """Yield one row, or none if there is nothing to count."""
        found = count_elements(self.asked, run.scope)
        yield Batch(min(found, 1), {self.columns[0]: [found] if found else []})

    def reads(self) -> int:
        """Return one: what it reads is of one moment anyway."""
        return 1
