"""Groups that did not come from Gaffer, written in its JSON.

Layer ``schema``. Types are named after what they hold and how it merges. What Gaffer has no class
or function for is an UnsupportedError that names it.
"""

from __future__ import annotations

from lexigraph.schema.gaffer.document import Document
from lexigraph.schema.gaffer.functions import written_aggregator
from lexigraph.schema.gaffer.predicates import PACKAGE, written_rule
from lexigraph.schema.gaffer.types import java_class
from lexigraph.schema.model import EDGE, Aggregate, Group, ValueType


def written_group(group: Group, types: Document) -> Document:
    """Write a group; the types it needs are added to ``types``."""
    written: Document = {name: _type(kind, None, types) for name, kind in group.ids.items()}
    if group.kind == EDGE:
        written["directed"] = _direction(group, types)
    if group.properties:
        written["properties"] = {
            one.name: _type(one.type, _merging(group, one.name, one.aggregate), types)
            for one in group.properties
        }
    if group.group_by:
        written["groupBy"] = list(group.group_by)
    if not group.aggregates:
        written["aggregate"] = False
    if group.rules:
        written["validateFunctions"] = [written_rule(group, rule) for rule in group.rules]
    if group.doc:
        written["description"] = group.doc
    return written


def _merging(group: Group, name: str, aggregate: Aggregate | None) -> Aggregate | None:
    # Gaffer wants an aggregator for everything; these two never come to use it.
    if aggregate is None and group.aggregates:
        if name == group.visibility:
            return Aggregate("concat", {"separator": "&", "distinct": True})
        return Aggregate("max")
    return aggregate


def _type(kind: ValueType, aggregate: Aggregate | None, types: Document) -> str:
    java = java_class(kind, aggregate)
    given: Document = {"class": java}
    if aggregate is not None:
        given["aggregateFunction"] = written_aggregator(aggregate.name, aggregate.options)
    base = kind.codec if kind.bits is None else f"{kind.codec}{kind.bits}"
    name = base if aggregate is None else f"{base}.{aggregate.name}"
    return _named(name, given, types)


def _named(name: str, given: Document, types: Document) -> str:
    free, number = name, 1
    while types.setdefault(free, given) != given:
        number += 1
        free = f"{name}.{number}"
    return free


def _direction(group: Group, types: Document) -> str:
    given: Document = {"class": "java.lang.Boolean"}
    if group.directed is None:
        return _named("either", given, types)
    simple, name = ("IsTrue", "true") if group.directed else ("IsFalse", "false")
    given["validateFunctions"] = [{"class": f"{PACKAGE}.{simple}"}]
    return _named(name, given, types)
