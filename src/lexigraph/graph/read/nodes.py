"""Questions as nodes of the algebra: order, distinct fields and figures over elements.

Layer ``graph``. Fields are looked up here, so that a mistake names the nearest one before anything
is planned. What ``select`` leaves out can still be ordered and grouped by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lexigraph.errors import PropertyNotFound, SemanticProblem, UsageError, show
from lexigraph.functions import AGGREGATORS
from lexigraph.graph.read import view
from lexigraph.graph.read.column_types import ColumnType, held_by
from lexigraph.graph.read.columns import columns_of
from lexigraph.graph.read.terms import AnyTerm, ComputedTerm, DescendingTerm
from lexigraph.plan import (
    ELEMENT,
    Call,
    Element,
    Elements,
    FieldValue,
    Figure,
    Sort,
    SortKey,
    Top,
    group_in_view,
)
from lexigraph.plan.branches.aggregators import kept_by
from lexigraph.plan.logical.expressions import ColumnValue, Expression, uses
from lexigraph.plan.logical.rows import MEAN, Node, Project
from lexigraph.schema import Field, Schema, ValueType
from lexigraph.schema.keys import type_of

_NUMBERS = ("int", "float", "decimal", "any")
_DATES = ("date", "datetime", "naive_datetime", "any")


@dataclass(frozen=True, slots=True)
class OrderStep:
    """An order of elements, and how many of them are wanted."""

    keys: tuple[SortKey, ...]
    count: int | None = None


@dataclass(frozen=True, slots=True)
class NamedValue:
    """A column of rows: what it is, and what it holds."""

    name: str
    value: Expression
    holds: ColumnType


class ViewFields:
    """The fields that the elements of a view have, as expressions."""

    def __init__(self, of: Mapping[str, Any], schema: Schema, own_names: view.OwnNames) -> None:
        self._view = {n: replace(steps, keep=None, drop=()) for n, steps in of.items()}
        self._schema, self._own_names = schema, own_names
        self._groups = [view.with_transient(schema.group(n), s) for n, s in of.items()]
        self._shown = columns_of(self._view, schema)

    def named(self, term: AnyTerm, *, everywhere: bool) -> NamedValue:
        """Return a field or what is made of one; its column is called as it was asked for.

        With ``everywhere`` all groups must have it; otherwise it is null in those that do not.
        """
        if isinstance(term, ComputedTerm):
            inner = self.named(term.field, everywhere=everywhere)
            return NamedValue(term.name, self._call(term, inner), self._holds_computed(term, inner))
        name = self._find(term, everywhere=everywhere)
        return NamedValue(view.field_name(term), FieldValue(ELEMENT, name), self._holds(name))

    def codec(self, term: AnyTerm) -> str | None:
        """Return the codec of the values; ``None`` if only the values say it."""
        if isinstance(term, ComputedTerm):
            held = self.named(term, everywhere=True).holds
            return held if isinstance(held, str) else None
        found = self._type(self._find(term, everywhere=True)).codec
        return None if found == "any" else found

    def _find(self, term: view.AnyField, *, everywhere: bool) -> str:
        name = view.schema_name(term, self._view, self._own_names)
        errors = []
        for group in self._groups:
            try:
                type_of(group, name)
            except PropertyNotFound as error:
                errors.append(error)
        if errors and (everywhere or len(errors) == len(self._groups)):
            raise next((one for one in errors if one.context.get("near")), errors[0])
        self._refuse_gone(name)
        return name

    def _refuse_gone(self, name: str) -> None:
        for group, steps in zip(self._groups, self._view.values(), strict=True):
            gone = set(group.group_by) - set(kept_by(group, steps)) - {*steps.transient}
            kept = name in steps.aggregators or name not in gone
            if not kept and not group.property(name).aggregate:
                raise SemanticProblem(
                    f"{name!r} of group {group.name!r} was rolled up and no longer exists",
                    hint="Roll up by it too, or leave the roll-up out: a summary merges anyway.",
                )

    def _type(self, name: str) -> ValueType:
        found: ValueType | None = None
        for group in self._groups:
            try:
                one = type_of(group, name)
            except PropertyNotFound:
                continue
            if found is not None and one.codec != found.codec:
                return ValueType("any")
            found = found or one
        return found or ValueType("any")

    def _holds(self, name: str) -> ColumnType:
        for one in self._shown.values():
            if one.property == name:
                return one.holds
        if name in self._shown:
            return self._shown[name].holds
        return held_by(self._type(name).codec, None)

    def _call(self, term: ComputedTerm, of: NamedValue) -> Call:
        codec = self._type(self._find(term.field, everywhere=False)).codec
        if codec not in _DATES or (term.name == "hour" and codec == "date"):
            what = "times" if term.name == "hour" else "dates or times"
            raise SemanticProblem(
                f"lg.{term.name} is of {what}, and {of.name!r} holds {codec}",
                hint="Derive your own value: .derive(name, function, field).",
            )
        return Call(term.function, (of.value,), term.name)

    def _holds_computed(self, term: ComputedTerm, of: NamedValue) -> ColumnType:
        return of.holds if term.name == "hour" else "date"

    def sort_keys(self, fields: Iterable[Any], *, descending: bool) -> tuple[SortKey, ...]:
        """Return what elements are ordered by."""
        found = []
        for one in fields:
            turned = isinstance(one, DescendingTerm)
            value = self.named(one.of if turned else one, everywhere=False).value
            found.append(SortKey(value, descending != turned))
        return tuple(found)

    def figure(self, name: str, one: Any) -> tuple[Figure, ColumnType]:
        """Read a figure as people write it: ``lg.sum("count")``; and what it holds."""
        aggregate, over = view.aggregate_of(one), getattr(one, "over", None)
        if over is None:
            if aggregate.name != "count":
                # A text that is not an aggregator is taken for the property that is meant.
                lacks, example = "a property", f'lg.{aggregate.name}("count")'
                if isinstance(one, str) and one not in AGGREGATORS.names:
                    lacks, example = "an aggregator", f'lg.sum("{one}")'
                raise UsageError(
                    f"the figure {name!r} does not name {lacks}",
                    hint=f"Name the aggregator and the property: {name}={example}.",
                )
            return Figure(name, aggregate), "int64"
        of, codec = self.named(over, everywhere=True), self.codec(over)
        if aggregate.name == MEAN:
            if codec not in (*_NUMBERS, None):
                raise SemanticProblem(
                    f"the mean {name!r} is of numbers, and {of.name!r} holds {codec}",
                    hint="Take the mean of a property that holds numbers.",
                )
            return Figure(name, aggregate, of.value, codec), "float"
        holds = None if codec is None else held_by(codec, aggregate)
        return Figure(name, aggregate, of.value, codec), holds


def ordered(asked: Elements, steps: Sequence[OrderStep]) -> Node:
    """Return elements in order; what ``select`` leaves out is read for the order only."""
    needed = {n for step in steps for key in step.keys for _, n in uses(key.value) if n is not None}
    leaf = replace(asked, view={n: _showing(one, needed) for n, one in asked.view.items()})
    found: Node = leaf
    for step in steps:
        whole = step.count is None
        found = Sort(found, step.keys) if whole else Top(found, step.count or 0, step.keys)
    if all(one is leaf.view[n] for n, one in asked.view.items()):
        return found
    call = Call(_projection(asked), (ColumnValue(ELEMENT),), "select")
    return Project(found, {ELEMENT: call})


def _showing(steps: Any, needed: set[str]) -> Any:
    """Return steps whose answer has some fields besides."""
    if not needed & {*steps.drop} and (steps.keep is None or needed <= {*steps.keep}):
        return steps
    drop = tuple(one for one in steps.drop if one not in needed)
    return replace(steps, keep=None, drop=drop)


def _projection(asked: Elements) -> Callable[[Element], Element]:
    def project(element: Element) -> Element:
        steps = asked.view[group_in_view(element)]
        kept = {
            name: value
            for name, value in element.properties.items()
            if (steps.keep is None or name in steps.keep) and name not in steps.drop
        }
        return replace(element, properties=kept)

    return project


def read_terms(terms: Any) -> tuple[AnyTerm, ...]:
    """Return what is grouped by; one alone counts as a list of one."""
    if isinstance(terms, str | Field | ComputedTerm):
        return (terms,)
    if isinstance(terms, bytes | DescendingTerm) or not isinstance(terms, Iterable):
        raise UsageError(f"names of properties are needed, not {show(terms)}")
    return tuple(terms)
