"""What people hand over as elements: instances of classes, plain elements or dicts, read alike.

Layer ``layout``. Here nothing is checked but the shape; whether values fit is the validator's word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from lexigraph.errors import GroupNotFound, ValidationError, nearest, show
from lexigraph.keyplan import StoredElement
from lexigraph.schema import Group, Schema
from lexigraph.schema.model import EDGE


@dataclass(frozen=True, slots=True, repr=False)
class GivenElement:
    """An element as it was given, by the names of the schema."""

    group: str
    ids: Mapping[str, Any]
    properties: Mapping[str, Any]
    is_directed: Any = None
    original: Any = field(default=None, compare=False)

    def __repr__(self) -> str:
        """Show what was given."""
        return repr(self.original)


def read_given(item: Any, schema: Schema, number: int | None = None) -> GivenElement:
    """Read one element; ``number`` is its place in what was given.

    >>> from lexigraph.schema import ValueType
    >>> person = Group("person", "vertex", {"vertex": ValueType("str")})
    >>> read_given({"group": "person", "vertex": "ann", "age": 3}, Schema({"person": person})).ids
    {'vertex': 'ann'}
    """
    named = item.get("group") if isinstance(item, Mapping) else getattr(item, "group", None)
    if not isinstance(named, str):
        raise ValidationError(
            f"{_place(number)}{show(item)} is not an element: it does not name its group",
            element=item if number is None else number,
            reason="no group",
            hint="Pass instances of the graph's classes, elements, dicts with 'group' and ids, or "
            "an answer: graph.get('ann'), graph.all(Calls).where(...).",
        )
    if named not in schema.groups:
        raise GroupNotFound(
            f"{_place(number)}{show(item)}: the schema has no group {named!r}",
            near=nearest(named, schema.groups),
            element=item if number is None else number,
        )
    group = schema.groups[named]
    if isinstance(item, Mapping):
        return _read_mapping(item, group)
    if isinstance(item, StoredElement):
        return _read_stored(item, group)
    return _read_object(item, group)


def iter_given(elements: Any) -> Iterator[Any]:
    """Give the elements one by one; a single one counts as a list of one."""
    single = isinstance(elements, Mapping) or hasattr(elements, "group")
    if single or not isinstance(elements, Iterable) or isinstance(elements, str | bytes):
        yield elements
        return
    yield from elements


def _place(number: int | None) -> str:
    return "" if number is None else f"element {number}, "


def _read_mapping(item: Mapping[str, Any], group: Group) -> GivenElement:
    inner = item.get("properties")
    if isinstance(inner, Mapping) and "properties" not in _names(group):
        rest = {name: value for name, value in item.items() if name != "properties"}
        properties: dict[str, Any] = {**rest, **inner}
    else:
        properties = dict(item)
    del properties["group"]
    ids = {name: properties.pop(name) for name in group.ids if name in properties}
    directed = properties.pop("directed", None) if group.kind == EDGE else None
    return GivenElement(group.name, ids, properties, _directed(directed, group), item)


def _read_stored(item: StoredElement, group: Group) -> GivenElement:
    properties = dict(item.properties)
    if group.visibility is not None and item.visibility:
        properties.setdefault(group.visibility, item.visibility)
    if group.timestamp is not None and item.timestamp:
        properties.setdefault(group.timestamp, item.timestamp)
    ids = {name: getattr(item, name) for name in group.ids}
    return GivenElement(group.name, ids, properties, _directed(item.directed, group), item)


def _read_object(item: Any, group: Group) -> GivenElement:
    held, properties = getattr(item, "ids", None), getattr(item, "properties", None)
    if isinstance(held, Mapping):
        ids = {name: value for name, value in held.items() if name != "directed"}
    else:
        ids = {name: getattr(item, name) for name in group.ids if hasattr(item, name)}
    directed = getattr(item, "is_directed", getattr(item, "directed", None))
    found = dict(properties) if isinstance(properties, Mapping) else {}
    return GivenElement(group.name, ids, found, _directed(directed, group), item)


def _directed(said: Any, group: Group) -> Any:
    return group.directed if said is None else said


def _names(group: Group) -> set[str]:
    return {one.name for one in group.properties}
