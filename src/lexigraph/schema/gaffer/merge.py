"""Gaffer's rules for making one schema of several parts, and of a group and its parents.

Layer ``schema``. Parts are documents as ``gaffer_document`` gives them. What two parts both say
must agree, except where Gaffer lets the later one win.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lexigraph.errors import SchemaError
from lexigraph.schema.gaffer.document import Document

_LATER_WINS = ("vertex", "source", "destination", "directed", "groupBy", "parents", "description")
_KINDS = ("entities", "edges")


def merge_documents(one: Document, other: Document) -> Document:
    """Make one document of two parts of a schema.

    >>> merge_documents({"visibilityProperty": "a"}, {"visibilityProperty": "b"})
    Traceback (most recent call last):
        ...
    lexigraph.errors.SchemaError: the parts of the schema disagree in 'visibilityProperty': a and b
    """
    merged: Document = {}
    label = {one.get("visibilityProperty"), other.get("visibilityProperty")} - {None}
    for kind in _KINDS:
        groups = dict(one.get(kind, {}))
        for name, group in other.get(kind, {}).items():
            groups[name] = _both(name, groups[name], group, label) if name in groups else group
        if groups:
            merged[kind] = groups
    types = dict(one.get("types", {}))
    for name, used in other.get("types", {}).items():
        types[name] = _merge_types(name, types[name], used) if name in types else used
    if types:
        merged["types"] = types
    _agree(one, other, merged, "visibilityProperty", "the parts of the schema")
    _agree(one, other, merged, "vertexSerialiser", "the parts of the schema")
    _join_descriptions(one, other, merged)
    config = {**one.get("config", {}), **other.get("config", {})}
    return {**merged, "config": config} if config else merged


def with_parents(document: Document) -> Document:
    """Return the document with the groups that have parents filled in from these.

    A group with a parent that is not there keeps its list, as in Gaffer.
    """
    merged = dict(document)
    for kind in _KINDS:
        if kind in document:
            groups = document[kind]
            merged[kind] = {name: _expanded(name, groups, ()) for name in groups}
    return merged


def _expanded(name: str, groups: Mapping[str, Document], inside: tuple[str, ...]) -> Document:
    group: Document = groups[name]
    parents = group.get("parents", [])
    if not parents or any(one not in groups for one in parents):
        return group
    if name in inside:
        raise SchemaError(f"the group {name!r} is a parent of itself: {', '.join(inside)}")
    whole: Document = {}
    for one in parents:
        whole = _combined(whole, _expanded(one, groups, (*inside, name)))
    whole.pop("description", None)
    whole = _combined(whole, group)
    whole.pop("parents", None)
    return whole


def _both(name: str, one: Document, other: Document, label: set[Any]) -> Document:
    mine, theirs = one.get("properties", {}), other.get("properties", {})
    if mine and theirs:
        plain = [{p: t for p, t in given.items() if p not in label} for given in (mine, theirs)]
        small, large = sorted(plain, key=len)
        if not small.items() <= large.items():
            raise SchemaError(
                f"the group {name!r} has properties in two parts of the schema, and neither part "
                "has all of them",
                hint="Define all properties of a group in one part.",
            )
    return _combined(one, other)


def _combined(one: Document, other: Document) -> Document:
    combined = dict(one)
    for field in _LATER_WINS:
        if other.get(field):
            combined[field] = other[field]
    properties = {**one.get("properties", {}), **other.get("properties", {})}
    if properties:
        combined["properties"] = properties
    for field in ("validateFunctions", "aggregateFunctions"):
        functions = [*one.get(field, []), *other.get(field, [])]
        if functions:
            combined[field] = functions
    if other.get("aggregate") is False:
        combined["aggregate"] = False
    return combined


def _merge_types(name: str, one: Document, other: Document) -> Document:
    merged: Document = {}
    for field in ("class", "serialiser", "aggregateFunction"):
        _agree(one, other, merged, field, f"the parts of the type {name!r}")
    rules = list(one.get("validateFunctions", []))
    rules += [rule for rule in other.get("validateFunctions", []) if rule not in rules]
    if rules:
        merged["validateFunctions"] = rules
    _join_descriptions(one, other, merged)
    return merged


def _agree(one: Document, other: Document, into: Document, field: str, what: str) -> None:
    given = [part[field] for part in (one, other) if field in part]
    if len(given) == 2 and given[0] != given[1]:
        shown = " and ".join(x["class"] if isinstance(x, Mapping) else x for x in given)
        raise SchemaError(f"{what} disagree in {field!r}: {shown}")
    if given:
        into[field] = given[0]


def _join_descriptions(one: Document, other: Document, into: Document) -> None:
    texts = [part["description"] for part in (one, other) if part.get("description")]
    if texts:
        into["description"] = " | ".join(dict.fromkeys(texts))
