"""Which elements are meant: by group, ids, direction, and as many group-by values as are given.

Layer ``plan``. Values are compared by their key forms, as the store does: 1 and ``True`` are not
the same id, and an undirected edge is the same from either end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from lexigraph.codec import codec_for
from lexigraph.errors import ValidationError, show
from lexigraph.functions.predicates.base import PredicateJson
from lexigraph.keyplan import StoredElement
from lexigraph.layout import Place, Wanted
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.write.given import GivenElement, read_given
from lexigraph.plan.targets.duplicates import Duplicates
from lexigraph.schema import ClassElement, Group, key_form, plan_field
from lexigraph.schema.model import VERTEX

_Ids = tuple[bytes, ...]
_Kind = tuple[str, bool | None]


_Values = tuple[bytes | None, ...]
_Targets = dict[tuple[str, ...], set[_Values]]
"""What group-by values must be, for each choice of names; those not named may be anything."""


class Identities:
    """Some elements of a graph, to be found in its tables."""

    def __init__(self, stored: StoredGraph, given: Iterable[Any]) -> None:
        self._stored = stored
        self._targets: dict[_Kind, dict[_Ids, _Targets]] = {}
        self._ids: dict[_Kind, list[tuple[Any, ...]]] = {}
        self.duplicates = Duplicates()
        """Those of groups that keep duplicates, where all of a key have to be meant."""
        for item in given:
            self._take(read_given(item, stored.schema))

    def places(self) -> Iterator[tuple[str, Place]]:
        """Say where to look for them, with the group that each place is about.

        What a place leaves to be filtered is about that group alone; it lets all of them through,
        and few others.
        """
        layout = self._stored.layout
        for (name, directed), ids in self._ids.items():
            if self._stored.schema.groups[name].kind == VERTEX:
                wanted = Wanted(frozenset({name}), edges=False)
                places = layout.around([one for (one,) in ids], wanted)
            else:
                wanted = Wanted(frozenset({name}), vertices=False, directed=directed)
                places = layout.edges_between([(a, b) for a, b in ids], wanted)
            by = self._where(name, directed)
            for place in places:
                parts = [one for one in (place.where, by) if one is not None]
                where = {"op": "and", "of": parts} if parts else None
                yield name, replace(place, where=where)

    def _where(self, name: str, directed: bool | None) -> PredicateJson | None:  # noqa: FBT001
        """Give a predicate of the group-by values that any of them has, ``None`` for all."""
        values: dict[tuple[str, ...], list[set[bytes | None]]] = {}
        for targets in self._targets[name, directed].values():
            for names, wanted in targets.items():
                held = values.setdefault(names, [set() for _ in names])
                for one in wanted:
                    for known, value in zip(held, one, strict=True):
                        known.add(value)
        if () in values:
            return None
        group, layout = self._stored.schema.groups[name], self._stored.layout
        choices = [
            {
                "op": "and",
                "of": [_in(plan_field(group, n), one) for n, one in zip(names, held, strict=True)],
            }
            for names, held in values.items()
        ]
        return layout.predicate(name, {"op": "or", "of": choices})

    def match(self, element: StoredElement) -> bool:
        """Tell whether a stored element is one of them."""
        group = self._stored.schema.groups[element.group]
        kind, ids = self.key_of(element)
        targets = self._targets.get(kind, {}).get(ids, {})
        return any(_held(group, element, names) in wanted for names, wanted in targets.items())

    def see(self, element: StoredElement) -> None:
        """Note that an element would be deleted; ``duplicates`` says whether all were meant."""
        self.duplicates.see(self.key_of(element), element)

    def all_keys(self) -> Iterator[tuple[_Kind, _Ids]]:
        """Yield what the ids of each of them are known by."""
        for kind, targets in self._targets.items():
            for ids in targets:
                yield kind, ids

    def key_of(self, element: StoredElement) -> tuple[_Kind, _Ids]:
        """Return what the ids of any element are known by."""
        group = self._stored.schema.groups[element.group]
        values = {name: getattr(element, name) for name in group.ids}
        directed = element.directed if group.kind != VERTEX else None
        return (element.group, directed), _ids_key(group, values, directed)

    def _take(self, given: GivenElement) -> None:
        group = self._stored.schema.groups[given.group]
        missing = [name for name in group.ids if given.ids.get(name) is None]
        directed = None if group.kind == VERTEX else given.is_directed
        if missing or (group.kind != VERTEX and not isinstance(directed, bool)):
            wrong = missing[0] if missing else "directed"
            raise ValidationError(
                f"{show(given)} does not identify an element: {wrong!r} is missing",
                element=given.original,
                property=wrong,
                reason="it is missing",
                hint="Pass all ids, and 'directed' for edges of a group that has both kinds.",
            )
        key = _ids_key(group, given.ids, directed)
        kind = (group.name, directed)
        targets = self._targets.setdefault(kind, {})
        if key not in targets:
            self._ids.setdefault(kind, []).append(tuple(given.ids[one] for one in group.ids))
        if not group.aggregates:
            self.duplicates.mean((kind, key), group, given)
        by = _by(group, given)
        targets.setdefault(key, {}).setdefault(tuple(by), set()).add(tuple(by.values()))


def _ids_key(group: Group, ids: Mapping[str, Any], directed: bool | None) -> _Ids:  # noqa: FBT001
    keys = [key_form(group, name, ids[name]) for name in group.ids]
    return tuple(sorted(keys) if directed is False else keys)


def _by(group: Group, given: GivenElement) -> dict[str, bytes | None]:
    found: dict[str, bytes | None] = {}
    for name in group.group_by:
        value = given.properties.get(name)
        if value is not None:
            found[name] = key_form(group, name, value)
        elif group.property(name).type.optional and (
            name in given.properties or isinstance(given.original, ClassElement)
        ):
            found[name] = None
    return found


def _in(field: str, values: set[bytes | None]) -> PredicateJson:
    some = {"op": "in", "field": field, "values": sorted(one for one in values if one is not None)}
    if None not in values:
        return some
    return {"op": "or", "of": [some, {"op": "not", "of": {"op": "exists", "field": field}}]}


def _held(group: Group, element: StoredElement, names: Iterable[str]) -> _Values:
    return tuple(
        _key(group, name, element.properties.get(plan_field(group, name))) for name in names
    )


def _key(group: Group, name: str, value: Any) -> bytes | None:
    return None if value is None else codec_for(group.property(name).type.codec).encode(value)
