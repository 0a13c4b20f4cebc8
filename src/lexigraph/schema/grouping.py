"""From the fields of a class to its group in a schema.

Layer ``schema``. Everything that a class can get wrong is refused here, with the name of the class
and of the field, before a graph sees it.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from dataclasses import field as made
from typing import Any

from lexigraph.codec import codec_for
from lexigraph.errors import LexigraphError, SchemaError
from lexigraph.functions import AGGREGATORS, aggregator_for, traits_of
from lexigraph.schema.annotations import cardinality, value_type
from lexigraph.schema.fields import (
    DIRECTED,
    EDGE_ID,
    GROUP_BY,
    NOTHING,
    PLAN_NAMES,
    TIMESTAMP,
    VALUE,
    VISIBILITY,
    Field,
    is_text,
    this,
)
from lexigraph.schema.keys import type_of
from lexigraph.schema.model import EDGE, ONE, VERTEX, Aggregate, Group, Property, Rule, ValueType
from lexigraph.schema.records import record_from, refuse_record_options
from lexigraph.schema.rules import DeclaredRule, as_rule

_TIMES, _LABELS = ("datetime", "int"), ("str", "bytes")


_ENDS = ("source", "destination")


@dataclass(frozen=True)
class Declaration:
    """What a class of elements says of itself."""

    name: str
    kind: str
    fields: Mapping[str, Field[Any]]
    summary: bool
    aggregates: bool
    directed: bool | None
    rules: Iterable[tuple[str, Any]]
    doc: str
    options: Mapping[str, Any] = made(default_factory=dict)
    """Keywords that only records have."""


def group_from(given: Declaration, hints: Mapping[str, Any]) -> Group:
    """Make the group of a class; ``hints`` are its annotations, resolved."""
    what = f"class {given.name!r}"
    if not is_text(given.name) or not given.name:
        raise SchemaError(f"the name of a group is text, not {given.name!r}")
    types = {
        field.name: _type(field, hints[attr], what, record=not given.summary)
        for attr, field in given.fields.items()
    }
    if len(types) < len(given.fields):
        raise SchemaError(f"{what} has two fields with the same name: {', '.join(types)}")
    ids = {name: types[name] for name in _id_names(given)}
    properties = []
    for field in given.fields.values():
        if field.role not in PLAN_NAMES:
            _check_role(given, field, types[field.name], what)
            kind = types[field.name]
            aggregate = _aggregate(field, kind, what)
            held = cardinality(hints[field.attribute]) if not given.summary else ONE
            properties.append(
                Property(field.name, kind, aggregate=aggregate, doc=field.doc, cardinality=held)
            )
    record = None
    if given.summary:
        refuse_record_options(given.fields, given.options, what)
    else:
        record = record_from(given.kind, given.fields, types, properties, given.options, what)
    group = Group(
        given.name,
        given.kind,
        ids,
        tuple(properties),
        group_by=tuple(_with_role(given, GROUP_BY)),
        visibility=_only(given, VISIBILITY, what),
        timestamp=_only(given, TIMESTAMP, what),
        directed=given.directed,
        summary=given.summary,
        aggregates=given.aggregates,
        doc=inspect.cleandoc(given.doc),
        record=record,
        of_class=True,
    )
    return _with_rules(group, given)


def _type(field: Field[Any], annotation: Any, what: str, *, record: bool) -> ValueType:
    where = f"{what}, field {field.attribute!r}"
    if field.over is not None:
        raise SchemaError(
            f"{where}: an aggregator of {field.over!r} belongs in a summary, not in a class",
            hint="Leave the argument out: the field itself is aggregated.",
        )
    how = field.aggregate
    several = record and how is None and cardinality(annotation) != ONE
    collects = several or (how is not None and traits_of(how.name).result_kind != "same")
    found = value_type(field.of or annotation, where, collects=collects)
    # Whoever adds without the class need not know its defaults; keys are another matter.
    filled = field.role == VALUE and field.default is not NOTHING
    optional = found.optional or field.default is None or filled
    return ValueType(found.codec, found.bits, optional)


def _aggregate(field: Field[Any], kind: ValueType, what: str) -> Aggregate | None:
    given = field.aggregate
    if given is None or given.name not in AGGREGATORS.names:
        # One that nobody has registered yet may be by the time a graph is opened.
        return given
    try:
        return Aggregate(
            given.name, aggregator_for(given.name, codec_for(kind.codec), given.options).given
        )
    except LexigraphError as error:
        raise SchemaError(f"{what}, field {field.attribute!r}: {error}", hint=error.hint) from None


def _rename_hint(given: Declaration) -> str:
    """Return how to name the ends of an edge, by the fields that may be meant."""
    plain = [name for name, one in given.fields.items() if one.role not in PLAN_NAMES]
    renamed = " and ".join(f"{name!r} to {end!r}" for name, end in zip(plain, _ENDS, strict=False))
    held = {PLAN_NAMES.get(one.role) for one in given.fields.values()}
    missing = next((end for end in _ENDS if end not in held), _ENDS[0])
    example = f": rename {renamed}" if len(plain) >= 2 else f": write '{missing}: str'"
    return (
        f"The ends of an edge are always called source and destination{example}. To load a file "
        'whose columns have other names, pass columns={"src": "source", "dst": "destination"}.'
    )


def _id_names(given: Declaration) -> list[str]:
    names = [PLAN_NAMES[f.role] for f in given.fields.values() if f.role in PLAN_NAMES]
    found = [name for name in names if name not in (DIRECTED, PLAN_NAMES[EDGE_ID])]
    wanted = ["vertex"] if given.kind == VERTEX else list(_ENDS)
    if sorted(found) != sorted(wanted):
        how = (
            "one id: give it a field 'id', or mark one with lg.id()"
            if given.kind == VERTEX
            else "the fields 'source' and 'destination'"
        )
        raise SchemaError(
            f"class {given.name!r} has {', '.join(found) or 'no id'}, but {given.kind} groups have "
            f"exactly {how}",
            hint=_rename_hint(given) if given.kind == EDGE else SchemaError.hint,
        )
    if given.kind == EDGE and (given.directed is None) != (DIRECTED in names):
        raise SchemaError(
            f"class {given.name!r} does not say whether its edges are directed",
            hint="Write directed=True or directed=False in the class statement, or add a field "
            "'directed: bool' (not both).",
        )
    return wanted


def _check_role(given: Declaration, field: Field[Any], kind: ValueType, what: str) -> None:
    where = f"{what}, field {field.attribute!r}"
    if given.aggregates and field.role == VALUE and field.aggregate is None:
        raise SchemaError(
            f"{where}: elements of a summary group merge, but the field has no aggregator",
            hint="Add an aggregator (lg.sum(), lg.max(), lg.last(), ...) or lg.group_by().",
        )
    if field.role == GROUP_BY and not given.aggregates:
        raise SchemaError(
            f"{where}: lg.group_by() needs a class whose elements merge",
            hint="Add summary=True to the class, or leave lg.group_by() out.",
        )
    if field.role == VISIBILITY and kind.codec not in _LABELS:
        raise SchemaError(f"{where}: a label is text, not {kind.codec}")
    if field.role == TIMESTAMP and kind.codec not in _TIMES:
        raise SchemaError(f"{where}: a timestamp is a datetime or an int, not {kind.codec}")


def _with_role(given: Declaration, role: str) -> list[str]:
    return [field.name for field in given.fields.values() if field.role == role]


def _only(given: Declaration, role: str, what: str) -> str | None:
    names = _with_role(given, role)
    if len(names) > 1:
        raise SchemaError(f"{what} has more than one field lg.{role}(): {', '.join(names)}")
    return names[0] if names else None


def _with_rules(group: Group, given: Declaration) -> Group:
    checks = [
        ("", _check(one, field, group)) for field in given.fields.values() for one in field.checks
    ]
    rules = [(doc, as_rule(one)) for doc, one in given.rules]
    return replace(group, rules=tuple(_rule(one, group, doc) for doc, one in checks + rules))


def _check(check: Any, field: Field[Any], group: Group) -> DeclaredRule:
    rule = as_rule(check)
    condition = rule.condition.about(this, field)
    # A check is about values: an element without one passes, unless the check asks for one.
    if type_of(group, field.name).optional and not condition.asks("exists", field):
        condition = ~field.exists() | condition
    return replace(rule, condition=condition)


def _rule(given: DeclaredRule, group: Group, doc: str) -> Rule:
    fields = tuple(given.condition.fields())
    return Rule(given.condition.to_predicate(group), fields, doc, given.remove)


def defaults_of(fields: Mapping[str, Field[Any]]) -> dict[str, Any]:
    """Return the defaults of the fields that have one, by attribute."""
    return {at: one.default for at, one in fields.items() if one.default is not NOTHING}
