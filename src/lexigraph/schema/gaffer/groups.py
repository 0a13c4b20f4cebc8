"""From a document in Gaffer's form to the groups of a schema.

Layer ``schema``. The document is merged and free of problems. Properties of Gaffer's may be absent;
rules of a type hold for every property and id that has it, and fail where it is absent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from lexigraph.errors import UnsupportedError
from lexigraph.schema.gaffer.check import IDENTIFIERS
from lexigraph.schema.gaffer.document import Document
from lexigraph.schema.gaffer.functions import translate_aggregator, translate_predicate
from lexigraph.schema.gaffer.types import BOOLEAN, find_class
from lexigraph.schema.keys import key_form, plan_field
from lexigraph.schema.model import EDGE, VERTEX, Aggregate, Group, Property, Rule, ValueType

_PACKAGE = "uk.gov.gchq.koryphe.impl.predicate"
_IS_TRUE, _IS_FALSE = f"{_PACKAGE}.IsTrue", f"{_PACKAGE}.IsFalse"


def groups_of(document: Document) -> Iterator[Group]:
    """Yield the groups of a merged document."""
    for name, given in document.get("entities", {}).items():
        yield _group(document, name, VERTEX, ("vertex",), given)
    for name, given in document.get("edges", {}).items():
        yield _group(document, name, EDGE, ("source", "destination"), given)


def _group(
    document: Document, name: str, kind: str, ids: tuple[str, ...], given: Document
) -> Group:
    types = document.get("types", {})
    config = document.get("config", {})
    properties = given.get("properties", {})
    special = {
        "visibility": document.get("visibilityProperty"),
        "timestamp": config.get("timestampProperty"),
    }
    group = Group(
        name,
        kind,
        {one: _value_type(types[given[one]], optional=False) for one in ids},
        tuple(
            _property(one, types[used], given.get("aggregateFunctions", []))
            for one, used in properties.items()
        ),
        tuple(given.get("groupBy", ())),
        special["visibility"] if special["visibility"] in properties else None,
        special["timestamp"] if special["timestamp"] in properties else None,
        _directed(types.get(given.get("directed"), {})) if kind == EDGE else None,
        aggregates=given.get("aggregate", True),
        doc=given.get("description", ""),
    )
    return replace(group, rules=tuple(_rules(group, ids, given, types)))


def _value_type(given: Document, *, optional: bool) -> ValueType:
    found = find_class(given["class"])
    return ValueType(found.codec, found.bits, optional, found.name)


def _property(name: str, given: Document, own: Sequence[Document]) -> Property:
    java = find_class(given["class"])
    config = given.get("aggregateFunction")
    for one in own:
        if name in one["selection"]:
            config = one["binaryOperator"]
    aggregate = Aggregate(java.collects) if java.collects else None
    if config is not None:
        aggregate = Aggregate(*translate_aggregator(config, java.name))
    return Property(
        name, _value_type(given, optional=True), 0, aggregate, given.get("description", "")
    )


def _directed(given: Document) -> bool | None:
    rules = [rule["class"] for rule in given.get("validateFunctions", [])]
    return True if rules == [_IS_TRUE] else False if rules == [_IS_FALSE] else None


def _rules(group: Group, ids: tuple[str, ...], given: Document, types: Document) -> Iterator[Rule]:
    named = [*((one, given[one]) for one in ids), *given.get("properties", {}).items()]
    for name, used in named:
        for config in types[used].get("validateFunctions", []):
            yield _rule(group, config, [name])
    for one in given.get("validateFunctions", []):
        names = [IDENTIFIERS.get(name, name) for name in one["selection"]]
        yield _rule(group, one["predicate"], names)


def _rule(group: Group, config: Document, names: list[str]) -> Rule:
    where = predicate_of(group, config, names)
    if where["op"] == "age-off" and names[0] == group.timestamp:
        # Gaffer's are milliseconds, those of cells microseconds: all would look ages old.
        raise UnsupportedError(
            f"group {group.name!r}: the timestamp property {names[0]!r} cannot have an AgeOff",
            hint="Put the rule on another property, or age the table off by its timestamps.",
        )
    # Gaffer's validation removes what breaks it at compaction, aggregated values too.
    return Rule(where, tuple(names), remove=True)


def predicate_of(group: Group, config: Document, names: Sequence[str]) -> dict[str, Any]:
    """Translate a predicate of Gaffer's about properties and ids of a group."""
    held = {"directed": BOOLEAN, **{name: kind.java for name, kind in group.ids.items()}}
    held |= {one.name: one.type.java for one in group.properties}
    fields = {plan_field(group, name): name for name in held}
    java = {field: str(held[name]) for field, name in fields.items() if held[name]}

    def key(field: str, value: Any, member: bool) -> bytes:  # noqa: FBT001 - a callback
        return key_form(group, fields[field], value, member=member)

    return translate_predicate(config, [plan_field(group, name) for name in names], java, key)
