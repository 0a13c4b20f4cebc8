"""Views by what people write: conditions, names and functions become steps of groups.

Layer ``graph``. A condition fits every group that has its fields; elements of groups that lack one
are left out, as an absent property fails every comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from lexigraph.errors import (
    PropertyNotFound,
    SemanticProblem,
    UsageError,
    nearest,
    show,
)
from lexigraph.plan import Derive, Keys, Steps, Where
from lexigraph.plan.branches.aggregators import kept_by
from lexigraph.plan.undeclared import OpenSchema, any_of, undeclared_name
from lexigraph.schema import (
    Aggregate,
    ClassElement,
    Field,
    FieldCondition,
    Group,
    Property,
    Schema,
    ValueType,
)
from lexigraph.schema.annotations import value_type
from lexigraph.schema.keys import EDGE_FIELD, type_of

BEFORE, AFTER, LAST = "before", "after", "last"

ViewSteps = dict[str, Steps]
AnyGroup = str | type[ClassElement]
AnyField = str | Field[Any]
AnyCondition = FieldCondition | Callable[[Any], bool] | Mapping[str, Any] | bool
"""What ``where`` takes. A type checker that sees a field as its value takes a comparison for a
bool; a real one is refused."""
OwnNames = Callable[[str], Mapping[str, str]]
"""Gives the schema's names of what the class of a group calls otherwise."""


def group_names(groups: Iterable[AnyGroup], schema: Schema, kind: str | None) -> list[str]:
    """Read groups as people name them: by class or by name; none means all of that kind."""
    names = []
    for one in groups:
        name = getattr(one, "group", one)
        if not isinstance(name, str):
            raise UsageError(
                f"a group is a class of elements or a name, not {show(one)}",
                near=nearest(name, schema.groups),
            )
        if isinstance(one, str) and isinstance(schema, OpenSchema) and name not in schema.groups:
            # Records of a label that no class declares; what kind of label, only the method says.
            kinds = _PLURALS if kind is None else (kind,)
            names += [undeclared_name(each, name) for each in kinds]
            continue
        group = schema.group(name)
        if kind is not None and group.kind != kind:
            raise SemanticProblem(
                f"group {name!r} holds {_PLURALS[group.kind]}, not {_PLURALS[kind]}",
                hint=f"Ask for it with .{_PLURALS[group.kind]}({name!r}).",
            )
        names.append(name)
    if names:
        return names
    return [group.name for group in schema.groups.values() if kind in (None, group.kind)]


def chosen(names: Iterable[str], kept: ViewSteps, choices: ViewSteps) -> ViewSteps:
    """Add the chosen of all that can be chosen; what a condition left out is not among it.

    >>> chosen(["b", "c"], {"a": Steps()}, {"a": Steps(), "c": Steps()}).keys()
    dict_keys(['a', 'c'])
    """
    asked = list(names)
    found = {name: kept.get(name, _choice(name, choices)) for name in asked}
    left = {name: steps for name, steps in found.items() if steps is not None}
    if asked and not left:
        raise SemanticProblem(
            f"no group is left of {', '.join(map(repr, asked))}: the question asks for other "
            "groups, or an earlier condition uses fields that they do not have",
            hint="Choose the groups before adding conditions on their fields.",
        )
    return {**kept, **left}


def _choice(name: str, choices: ViewSteps) -> Steps | None:
    # A label that no class declares is a part of all such labels.
    return choices.get(name, choices.get(any_of(name)))


_PLURALS = {"vertex": "vertices", "edge": "edges"}


def field_name(one: AnyField) -> str:
    """Read a field as people name it."""
    if isinstance(one, Field):
        return one.name
    if isinstance(one, str):
        return one
    raise UsageError(f"a property is a field of a class or a name, not {show(one)}")


def schema_name(one: AnyField, view: Iterable[str], own_names: OwnNames) -> str:
    """Return the schema's name of a field, which may be given as the classes call it."""
    name = field_name(one)
    known = {own_names(group).get(name, name) for group in view}
    return known.pop() if len(known) == 1 else name


def filtered(
    view: ViewSteps, condition: AnyCondition, schema: Schema, phase: str, own_names: OwnNames
) -> ViewSteps:
    """Add a filter to every group that has its fields; the others are left out."""
    found: ViewSteps = {}
    missing: PropertyNotFound | None = None
    for name, steps in view.items():
        try:
            group = with_transient(schema.group(name), steps)
            wanted = _renamed(condition, group, own_names(name))
            made = _filter(wanted, group)
        except PropertyNotFound as error:
            missing = missing or error
            continue
        when = phase
        if phase != BEFORE and isinstance(wanted, FieldCondition):
            _refuse_gone(wanted, group, steps)
            # What is made and not stored is there at the end only.
            when = phase if steps.transient.keys().isdisjoint(wanted.fields()) else LAST
        changed: dict[str, Any] = {when: (*getattr(steps, when), made)}
        found[name] = replace(steps, **changed)
    if not found and missing is not None:
        raise missing
    return found


def _refuse_gone(condition: FieldCondition, group: Group, steps: Steps) -> None:
    gone = set(group.group_by) - set(kept_by(group, steps)) - {*steps.transient}
    for name in condition.fields():
        if name in gone and not group.property(name).aggregate:
            kept = ", ".join(map(repr, [*kept_by(group, steps), name]))
            raise SemanticProblem(
                f"the roll-up merged all values of {name!r} of group {group.name!r}: a condition "
                f"after it cannot ask for one",
                hint=f"Put the condition before .roll_up(...), or keep the values apart with "
                f".roll_up({kept}).",
            )


def _renamed(condition: AnyCondition, group: Group, names: Mapping[str, str]) -> AnyCondition:
    if not isinstance(condition, FieldCondition):
        return condition
    known = {one.name for one in group.properties}
    return condition.renamed({at: name for at, name in names.items() if at not in known})


def _filter(condition: AnyCondition, group: Group) -> Where:
    if isinstance(condition, FieldCondition):
        return Where(condition.to_predicate(group), text=repr(condition))
    if isinstance(condition, Mapping):
        return Where(condition, text=show(dict(condition)))
    if callable(condition) and not isinstance(condition, type):
        return Where(call=condition, text=getattr(condition, "__name__", repr(condition)))
    raise UsageError(
        f"a condition, a predicate or a function is needed, not {show(condition)}",
        hint="Compare a field of a class: Calls.day >= date(2026, 1, 1).",
    )


def with_transient(group: Group, steps: Steps) -> Group:
    """Return a group with the properties that transforms add to it."""
    if not steps.transient:
        return group
    kept = tuple(one for one in group.properties if one.name not in steps.transient)
    added = tuple(Property(name, kind) for name, kind in steps.transient.items())
    return replace(group, properties=(*kept, *added))


def kept(view: ViewSteps, names: Iterable[str], schema: Schema) -> ViewSteps:
    """Keep some properties alone. Ids may be named among them, of any group of the view."""
    listed, ids = list(names), _ids(view, schema)
    found = {}
    for name, steps in view.items():
        own = {one.name for one in with_transient(schema.group(name), steps).properties}
        keep = tuple(one for one in listed if one in own or one not in ids)
        found[name] = replace(steps, keep=keep)
    return found


def refuse_ids(view: Mapping[str, Steps], names: Iterable[str], schema: Schema) -> None:
    """Refuse to leave out what every answer has."""
    properties = {one.name for name in view for one in schema.group(name).properties}
    for one in names:
        if one in _ids(view, schema) and one not in properties:
            raise SemanticProblem(
                f"results always contain ids, so {one!r} cannot be left out",
                hint="Drop the column from the table, or summarise by the fields that you want.",
            )


def _ids(view: Mapping[str, Steps], schema: Schema) -> set[str]:
    groups = [schema.group(name) for name in view]
    found = {one for group in groups for one in group.ids}
    if any(group.kind == "edge" for group in groups):
        found.add("directed")
    if any(group.kind == "edge" and group.record is not None for group in groups):
        found.add(EDGE_FIELD)
    return found


def rolled_up(
    view: ViewSteps, by: Iterable[AnyField], aggregators: Mapping[str, Any], schema: Schema
) -> ViewSteps:
    """Merge over all group-by properties but some, in every group that aggregates."""
    names = tuple(map(field_name, by))
    found = {}
    for name, steps in view.items():
        group = schema.group(name)
        if not group.aggregates:
            raise SemanticProblem(
                f"group {name!r} does not aggregate: its elements do not merge",
                hint="Choose groups with .edges(...) or .vertices(...) before rolling up.",
            )
        mine = {attribute: aggregate_of(one) for attribute, one in aggregators.items()}
        made = _derived_by(names, group, steps)
        derived = {one for derive in made for one in derive.into}
        lost = {one for derive in steps.derived_by for one in derive.into} - derived
        found[name] = replace(
            steps,
            by=tuple(one for one in names if one not in derived),
            derived_by=made,
            transforms=tuple(one for one in steps.transforms if one not in made),
            transient={n: one for n, one in steps.transient.items() if n not in lost},
            aggregators={**steps.aggregators, **mine},
        )
    return found


def refuse_stored(view: Mapping[str, Steps], name: str, schema: Schema) -> None:
    """Refuse to make a value under the name of a stored property."""
    for group in map(schema.group, view):
        if any(one.name == name for one in group.properties):
            raise SemanticProblem(
                f"group {group.name!r} has a property {name!r} already",
                hint=f"Derive it under another name: .derive('by_{name}', lg.{name}(...)).",
            )


def _derived_by(names: Iterable[str], group: Group, steps: Steps) -> tuple[Derive, ...]:
    """Return the functions that make some of the names that elements are rolled up by."""
    stored = {one.name for one in group.properties}
    wanted = [name for name in names if name not in stored]
    made = [*steps.derived_by, *steps.transforms]
    found = [one for one in made if any(name in one.into for name in wanted)]
    for one in found:
        if not stored.isdisjoint(one.into) or not set(wanted).issuperset(one.into):
            raise SemanticProblem(
                f"{', '.join(one.into)} are made by one function: roll up by all of them",
                hint="Derive each of them by a function of its own.",
            )
    return tuple(found)


def transformed(view: ViewSteps, transform: Derive, kind: Any, schema: Schema) -> ViewSteps:
    """Add a transform to every group; a field that one of them lacks is refused."""
    found = {}
    for name, steps in view.items():
        group = with_transient(schema.group(name), steps)
        for one in transform.fields:
            type_of(group, one)
        transient = dict(steps.transient)
        for one in transform.into:
            if one not in group.ids:
                named = f"the property {one!r}"
                transient[one] = kind if isinstance(kind, ValueType) else value_type(kind, named)
        found[name] = replace(steps, transforms=(*steps.transforms, transform), transient=transient)
    return found


def aggregate_of(one: Any) -> Aggregate:
    """Read an aggregator as people write it: ``lg.max()``, or a name."""
    if isinstance(one, str):
        return Aggregate(one)
    aggregate = getattr(one, "aggregate", None)
    if isinstance(one, Aggregate):
        return one
    if not isinstance(aggregate, Aggregate):
        raise UsageError(
            f"an aggregator is needed, not {show(one)}", hint="Write lg.max(), or its name."
        )
    return aggregate


def all_records(keys: Keys, kind: str) -> dict[str, Steps]:
    """Return the view of all records of a kind."""
    groups = keys.schema.groups.items()
    return {name: Steps() for name, one in groups if one.kind == kind and keys.is_record(name)}
