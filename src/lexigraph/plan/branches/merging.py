"""Merging elements in the client where ``roll-up`` cannot: same answer, more cells moved.

Layer ``plan``. Elements merge within one row and group, as the stage does it; what is held in
memory is the results of one row. Group-by properties that are merged over may have an aggregator:
then the answer keeps them, merged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from lexigraph.codec import codec_for
from lexigraph.functions import Aggregator
from lexigraph.keyplan.element import StoredElement
from lexigraph.keyplan.fields import PlanField
from lexigraph.plan.branches.aggregators import (
    kept_by,
    merges_defaults,
    other_aggregators,
    own_aggregators,
)
from lexigraph.plan.branches.present import plain_field, results_of
from lexigraph.plan.keys import Keys
from lexigraph.plan.logical.elements import Steps
from lexigraph.schema.model import Group
from lexigraph.security import Visibility, conjunction

_encode_any = codec_for("any").encode
_is_valid = lru_cache(maxsize=4096)(Visibility.is_valid)


@lru_cache(maxsize=4096)
def _conjoined(labels: tuple[bytes, ...]) -> bytes:
    return bytes(conjunction(labels))


class DerivedKeys:
    """What functions make of ids and group-by properties, by the field that shows it."""

    def __init__(self, group: Group, steps: Steps, keys: Keys) -> None:
        fields = keys.plan_of(group.name).fields(group.name)
        self._calls = [
            (one, [fields.find(keys.field(group.name, name)) for name in one.fields])
            for one in steps.derived_by
        ]

    def values(self, element: StoredElement) -> dict[str, Any]:
        """Compute them for an element."""
        found: dict[str, Any] = {}
        for one, fields in self._calls:
            values = results_of(one, [field.get(element) for field in fields])
            found |= {plain_field(n): item for n, item in zip(one.into, values, strict=True)}
        return found


class Merger:
    """Merges the elements of one group, row by row."""

    def __init__(self, group: Group, steps: Steps, keys: Keys, *, by_visibility: bool) -> None:
        self._labels_apart = by_visibility
        fields = keys.plan_of(group.name).fields(group.name)
        kept = kept_by(group, steps)
        # Where a row holds many elements, their ids are in the qualifier.
        ids = () if keys.ids_in_rows else tuple(group.ids)
        self._ids = [fields.find(keys.field(group.name, name)) for name in ids]
        self._kept = [fields.find(keys.field(group.name, name)) for name in kept]
        self._derived = DerivedKeys(group, steps, keys)
        self._started = other_aggregators(group, steps, keys)
        own = own_aggregators(group, keys).items()
        self._own = {name: one for name, one in own if name not in self._started}
        self._results: dict[tuple[Any, ...], _Merged] = {}

    def add(self, element: StoredElement) -> None:
        """Take an element of the row."""
        key: tuple[Any, ...] = tuple(_key(field, element) for field in (*self._ids, *self._kept))
        made = self._derived.values(element)
        if made:
            key += tuple(None if one is None else _encode_any(one) for one in made.values())
        if self._labels_apart or not _is_valid(element.visibility):
            key += (element.visibility,)
        merged = self._results.get(key)
        states = self._states(element)
        if merged is None:
            self._results[key] = _Merged(element, states, made)
            return
        for name, state in states.items():
            earlier = merged.states.get(name)
            merge = self._aggregator(name).merge
            merged.states[name] = state if earlier is None else merge(earlier, state)
        merged.timestamp = max(merged.timestamp, element.timestamp)
        merged.labels.add(element.visibility)

    def results(self) -> list[StoredElement]:
        """Give the merged elements of the row, in key order, and forget them."""
        ready = sorted(self._results.items(), key=lambda item: _order(item[0]))
        self._results = {}
        return [self._finish(merged) for _, merged in ready]

    def _states(self, element: StoredElement) -> dict[str, Any]:
        states = {n: element.states[n] for n in self._own if element.states.get(n) is not None}
        for name, aggregator in self._started.items():
            value = element.properties.get(name)
            if value is not None:
                states[name] = aggregator.take(value, element.timestamp)
        return states

    def _aggregator(self, name: str) -> Aggregator:
        return self._own.get(name) or self._started[name]

    def _finish(self, merged: _Merged) -> StoredElement:
        first = merged.first
        properties = {
            field.name: first.properties[field.name]
            for field in self._kept
            if field.name in first.properties
        }
        properties |= {name: one for name, one in merged.made.items() if one is not None}
        for name, state in merged.states.items():
            properties[name] = self._aggregator(name).finish(state)
        labels = tuple(sorted(merged.labels))
        label = _conjoined(labels) if _is_valid(labels[0]) else labels[0]
        return replace(
            first,
            properties=properties,
            visibility=label,
            timestamp=merged.timestamp,
            states=merged.states,
        )


class FillingMerger(Merger):
    """Merges over labels first, then fills in defaults and merges the rest: what people would see.

    A default counts for an element that has no value under any label that its reader sees.
    """

    def __init__(self, group: Group, steps: Steps, keys: Keys, *, by_visibility: bool) -> None:
        super().__init__(group, steps, keys, by_visibility=by_visibility)
        self._first = Merger(group, Steps(), keys, by_visibility=by_visibility)
        self._fill = keys.defaults(group.name).fill

    def add(self, element: StoredElement) -> None:
        """Take an element of the row."""
        self._first.add(element)

    def results(self) -> list[StoredElement]:
        """Give the merged elements of the row, in key order, and forget them."""
        for element in self._first.results():
            super().add(self._fill(element))
        return super().results()


def make_merger(group: Group, steps: Steps, keys: Keys, *, by_visibility: bool) -> Merger:
    """Return what merges the elements of a group."""
    cls = FillingMerger if merges_defaults(group, steps, keys) else Merger
    return cls(group, steps, keys, by_visibility=by_visibility)


class _Merged:
    __slots__ = ("first", "labels", "made", "states", "timestamp")

    def __init__(
        self, element: StoredElement, states: dict[str, Any], made: dict[str, Any]
    ) -> None:
        self.first, self.states, self.made = element, dict(states), made
        self.timestamp, self.labels = element.timestamp, {element.visibility}


def _key(field: PlanField, element: StoredElement) -> bytes | None:
    value = field.get(element)
    return None if value is None else field.codec.encode(value)


def _order(key: tuple[Any, ...]) -> tuple[tuple[bool, bytes], ...]:
    return tuple((part is not None, part or b"") for part in key)


def fields_after(
    group: Group, keys: Keys, started: Mapping[str, Aggregator]
) -> dict[str, PlanField]:
    """Give the fields of a group as filters after merging see them.

    ``started`` are the aggregators of merging that are not those of the stored states.
    """
    found = keys.plan_of(group.name).fields(group.name)
    names = [*group.ids, *(one.name for one in group.properties)]
    fields = {}
    for name in names:
        field = keys.field(group.name, name)
        fields[field] = found.find(field)
    for built_in in ("kind", "directed", "matched", "visibility", "timestamp", "group"):
        fields.setdefault(built_in, found.find(built_in))
    return fields | {name: PlanField(name, one.codec, one) for name, one in started.items()}
