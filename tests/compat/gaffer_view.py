"""Gaffer's views as steps of groups: for tests of real Gaffer's answers only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from lexigraph.errors import SchemaError, UnsupportedError, UsageError
from lexigraph.functions.transforms.registry import transform_from_gaffer
from lexigraph.graph.read.view import with_transient
from lexigraph.plan import Derive, Steps, Where
from lexigraph.schema import Aggregate, Group, Schema, ValueType
from lexigraph.schema.gaffer.check import IDENTIFIERS
from lexigraph.schema.gaffer.functions import translate_aggregator
from lexigraph.schema.gaffer.groups import predicate_of
from lexigraph.schema.gaffer.types import find_class, java_class
from lexigraph.schema.gaffer.values import value_from_gaffer
from lexigraph.schema.keys import type_of

Json = Mapping[str, Any]


def simple_name(config: Json) -> str:
    return str(config.get("class", "")).rpartition(".")[2]


_KINDS = {"vertex": "entities", "edge": "edges"}
_GLOBALS = {"vertex": "globalEntities", "edge": "globalEdges"}
_ALL = {"vertex": "allEntities", "edge": "allEdges"}


def read_view(view: Json | None, schema: Schema) -> dict[str, Steps]:
    """Give the steps of every group that a view keeps."""
    view = view or {}
    named = any(view.get(name) for name in (*_KINDS.values(), *_ALL.values()))
    some_global = any(view.get(name) for name in _GLOBALS.values())
    found = {}
    for name, group in schema.groups.items():
        given = view.get(_KINDS[group.kind], {}).get(name)
        if given is None:
            if named and not view.get(_ALL[group.kind]):
                continue
            if not named and some_global and not view.get(_GLOBALS[group.kind]):
                continue
        shared = [*view.get("globalElements", ()), *view.get(_GLOBALS[group.kind], ())]
        mine = [one for one in shared if name in one.get("groups", [name])]
        found[name] = read_steps([*mine, given or {}], group)
    for kind, part in _KINDS.items():
        for name in view.get(part, {}):
            if schema.group(name).kind != kind:
                raise SchemaError(f"group {name!r} holds no {part}")
    return found


def read_steps(parts: Iterable[Json], group: Group) -> Steps:
    """Give the steps of one group, from the global parts and its own."""
    steps = Steps()
    for part in parts:
        if "properties" in part and "excludeProperties" in part:
            raise UsageError("a view has properties or excludeProperties, not both")
        for name in part.get("transientProperties", {}):
            if any(one.name == name for one in group.properties):
                raise SchemaError(f"the transient property {name!r} is in the schema already")
        transient = {
            name: ValueType(
                find_class(java).codec, find_class(java).bits, java=find_class(java).name
            )
            for name, java in part.get("transientProperties", {}).items()
        }
        steps = replace(steps, transient={**steps.transient, **transient})
        wide = with_transient(group, steps)
        steps = replace(
            steps,
            before=(*steps.before, *_filters(part, "preAggregationFilterFunctions", group)),
            after=(*steps.after, *_filters(part, "postAggregationFilterFunctions", group)),
            last=(*steps.last, *_filters(part, "postTransformFilterFunctions", wide)),
            transforms=(*steps.transforms, *_transforms(part, group)),
            aggregators={**steps.aggregators, **_aggregators(part, group)},
        )
        if part.get("groupBy") is not None:
            steps = replace(steps, by=tuple(part["groupBy"]))
        if part.get("properties") is not None:
            steps = replace(steps, keep=tuple(part["properties"]))
        if part.get("excludeProperties") is not None:
            steps = replace(steps, drop=tuple(part["excludeProperties"]))
    return steps


def _value_type(java: str) -> ValueType:
    found = find_class(java)
    return ValueType(found.codec, found.bits, java=found.name)


def _filters(part: Json, name: str, group: Group) -> Iterable[Where]:
    for one in part.get(name) or ():
        yield Where(_predicate(one.get("predicate"), one["selection"], group), text=str(one))


def _predicate(config: Any, selection: list[str], group: Group) -> dict[str, Any]:
    if "MATCHED_VERTEX" in selection or "ADJACENT_MATCHED_VERTEX" in selection:
        return _matched(config, selection, group)
    if not isinstance(config, Mapping):
        raise SchemaError("a filter has a predicate")
    names = [IDENTIFIERS.get(name, name) for name in selection]
    if config.get("value") is not None and simple_name(config) in _COMPARISONS:
        # Gaffer refuses values of another class, where ours are never equal.
        java, own = value_from_gaffer(config["value"])[0], type_of(group, names[0]).java
        if own not in (None, java):
            raise SchemaError(f"{names[0]!r} holds {own}, not {java}")
    return predicate_of(group, config, names)


_COMPARISONS = ("IsMoreThan", "IsLessThan")


def _matched(config: Json, selection: list[str], group: Group) -> dict[str, Any]:
    sides = []
    for end, other in (("SOURCE", "DESTINATION"), ("DESTINATION", "SOURCE")):
        names = {"MATCHED_VERTEX": end, "ADJACENT_MATCHED_VERTEX": other}
        there = {"op": "eq", "field": "matched", "value": end.lower().encode()}
        inner = _predicate(config, [names.get(name, name) for name in selection], group)
        sides.append({"op": "and", "of": [there, inner]})
    return {"op": "or", "of": sides}


def _aggregators(part: Json, group: Group) -> dict[str, Aggregate]:
    found = {}
    for one in (part.get("aggregator") or {}).get("operators", ()):
        if len(one["selection"]) != 1:
            raise UnsupportedError("aggregators of several properties")
        [name] = one["selection"]
        java = java_class(type_of(group, name), None)
        found[name] = Aggregate(*translate_aggregator(one["binaryOperator"], java))
    return found


def _transforms(part: Json, group: Group) -> Iterable[Derive]:
    for one in part.get("transformFunctions") or ():
        name = simple_name(one["function"])
        if name == "Concat" and len(one["selection"]) != 2:
            raise SchemaError("Concat takes two arguments")
        fields = tuple(IDENTIFIERS.get(name, name) for name in one["selection"])
        into = tuple(IDENTIFIERS.get(name, name) for name in one["projection"])
        yield Derive(transform_from_gaffer(one["function"]), fields, into, name)
