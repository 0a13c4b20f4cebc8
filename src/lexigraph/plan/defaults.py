"""Defaults of properties that are younger than their group: what older elements show.

Layer ``plan``. Such a default is never stored: it is put in where an element is shown, merged over
group-by properties or counted in a figure, and conditions are rewritten so that they see it too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from lexigraph.cells.jsonbytes import bytes_from_json
from lexigraph.errors import LexigraphError, SchemaError
from lexigraph.functions import Aggregator, parse_predicate
from lexigraph.functions.predicates.base import PredicateJson
from lexigraph.keyplan import KeyPlan
from lexigraph.keyplan.element import StoredElement
from lexigraph.schema.keys import fitted
from lexigraph.schema.model import Group

_TURNED = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}


class GroupDefaults:
    """What elements of one group show for properties that they do not have."""

    def __init__(
        self, group: Group, plan: KeyPlan, field_of: Callable[[str], str], given: Mapping[str, Any]
    ) -> None:
        self.names = frozenset(given)
        """The properties, as the schema calls them."""
        self.shown: dict[str, Any] = {}
        """What is shown, by the field that the property has in the plan."""
        self._group, self._plan = group, plan
        self._given: dict[str, tuple[Aggregator, Any]] = {}
        value = plan.decoder.groups[group.name].value
        own = dict(zip(value.names, value.aggregators, strict=True))
        for name, default in given.items():
            field = field_of(name)
            try:
                fitting = fitted(group.property(name).type, default)
                self._given[field] = own[field], fitting
                self.shown[field] = own[field].finish(own[field].take(fitting, 0))
            except LexigraphError as error:
                raise SchemaError(
                    f"the default of {name!r} of group {group.name!r}: {error}", hint=error.hint
                ) from None

    def __bool__(self) -> bool:
        """Tell whether there are any."""
        return bool(self.shown)

    def fill(self, element: StoredElement) -> StoredElement:
        """Return the element with the defaults of what it lacks, as if they had been stored."""
        held = element.properties
        lacks = [field for field in self.shown if held.get(field) is None]
        if not lacks:
            return element
        states = dict(element.states)
        for field in lacks:
            aggregator, default = self._given[field]
            states[field] = aggregator.take(default, element.timestamp)
        shown = {field: self.shown[field] for field in lacks}
        return replace(element, properties={**held, **shown}, states=states)

    def predicate(self, where: PredicateJson, now: int) -> PredicateJson:
        """Return a predicate that answers for absent properties as it would for their defaults."""
        return self._seeing(where, now) if self.shown else where

    def _seeing(self, where: PredicateJson, now: int) -> PredicateJson:
        if not isinstance(where, Mapping):
            # Whoever reads the predicate refuses it.
            return where
        inner = where.get("of")
        if isinstance(inner, list | tuple):
            return {**where, "of": [self._seeing(one, now) for one in inner]}
        if inner is not None:
            return {**where, "of": self._seeing(inner, now)}
        field, other = where.get("field"), where.get("other")
        if field is not None and other is not None and where.get("op") in _TURNED:
            return self._comparing(where, now)
        if field not in self.shown or not self._holds(where, now):
            return where
        return {"op": "or", "of": [where, _lacks(field)]}

    def _comparing(self, where: PredicateJson, now: int) -> PredicateJson:
        op, field, other = where["op"], where["field"], where["other"]
        choices = [where]
        if field in self.shown:
            turned = {"op": _TURNED[op], "field": other, "value": self._key(field)}
            choices.append({"op": "and", "of": [_lacks(field), self._seeing(turned, now)]})
        if other in self.shown:
            plain = {"op": op, "field": field, "value": self._key(other)}
            choices.append({"op": "and", "of": [_lacks(other), plain]})
        return {"op": "or", "of": choices} if len(choices) > 1 else where

    def _key(self, field: str) -> bytes:
        key = self._plan.fields(self._group.name).key_of(field)(self._alone())
        assert key is not None
        return key

    def _holds(self, where: PredicateJson, now: int) -> bool:
        fields = self._plan.fields(self._group.name, now)
        return parse_predicate(dict(where), bytes_from_json).bind(fields)(self._alone())

    def _alone(self) -> StoredElement:
        return StoredElement(self._group.kind, self._group.name, self.shown)


def _lacks(field: str) -> PredicateJson:
    return {"op": "not", "of": {"op": "exists", "field": field}}
