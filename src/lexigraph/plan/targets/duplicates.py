"""Deleting in groups that keep duplicates: every element of a key goes, so all have to be meant.

Layer ``plan``. Elements of such a group share the columns of their key, and a delete marker hides
all of a column: those with other values and other times too. So a delete names the key alone, or
each of the elements that share it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from lexigraph.codec import codec_for
from lexigraph.errors import LexigraphError, UsageError, show
from lexigraph.keyplan import StoredElement
from lexigraph.layout.write.given import GivenElement
from lexigraph.schema import ClassElement, Group, plan_field
from lexigraph.schema.keys import fitted, label_of, plain, time_of
from lexigraph.schema.model import EDGE

DeleteKey = tuple[Any, ...]
"""What tells elements of a group apart for a delete: group, direction, key forms of the ids."""


@dataclass(slots=True)
class _Meant:
    """An element that was given: what it says besides its ids, in a form that can be compared."""

    by: dict[str, Any]
    values: dict[str, Any]
    """Empty where the key alone was named: that means all of its elements."""
    is_key: bool


@dataclass(slots=True)
class _Shared:
    group: Group
    meant: list[_Meant] = field(default_factory=list)
    found: list[StoredElement] = field(default_factory=list)


class Duplicates:
    """What a delete means in groups that keep duplicates, and what it would reach."""

    def __init__(self) -> None:
        self._keys: dict[DeleteKey, _Shared] = {}

    def __bool__(self) -> bool:
        """Tell whether there is anything to check."""
        return bool(self._keys)

    def mean(self, key: DeleteKey, group: Group, given: GivenElement) -> None:
        """Take an element that was given."""
        names = _names(group, given)
        held = {name: _said(group, name, given.properties.get(name)) for name in names}
        by = {name: one for name, one in held.items() if name in group.group_by and one is not None}
        values = {name: one for name, one in held.items() if name not in group.group_by}
        if values.get(group.timestamp or "", 0) is None:
            del values[group.timestamp or ""]
        is_key = not values and not _is_whole(given.original)
        self._keys.setdefault(key, _Shared(group)).meant.append(_Meant(by, values, is_key))

    def begin(self) -> None:
        """Forget what was found: it is looked for again."""
        for shared in self._keys.values():
            shared.found.clear()

    def see(self, key: DeleteKey, element: StoredElement) -> None:
        """Take an element that the delete would reach."""
        if key in self._keys:
            self._keys[key].found.append(element)

    def check(self) -> None:
        """Raise UsageError if an element would go that was not meant."""
        for shared in self._keys.values():
            left = _left(shared)
            if left:
                raise _refused(shared, left)


def _left(shared: _Shared) -> list[StoredElement]:
    """Return the elements that nothing given stands for; each given one stands for one."""
    group = shared.group
    # Those that say most first: they fit the fewest.
    meant = sorted(shared.meant, key=lambda one: -len(one.values) - len(one.by))
    left = []
    for element in shared.found:
        read = _reader(group, element)
        fits = [one for one in meant if _same(one.by, read) and _same(one.values, read)]
        if not fits:
            left.append(element)
        elif not fits[0].is_key and not any(one.is_key for one in fits):
            meant.remove(fits[0])
    return left


def _same(said: dict[str, Any], read: Callable[[str], Any]) -> bool:
    return all(read(name) == value for name, value in said.items())


def _reader(group: Group, element: StoredElement) -> Callable[[str], Any]:
    def read(name: str) -> Any:
        if name == group.visibility:
            return element.visibility
        if name == group.timestamp:
            return element.timestamp
        return _said(group, name, element.properties.get(plan_field(group, name)))

    return read


def _is_whole(original: Any) -> bool:
    # A dict says what it says; an element says of everything else that it does not have it.
    return not isinstance(original, Mapping)


def _names(group: Group, given: GivenElement) -> Iterable[str]:
    known = {one.name for one in group.properties}
    if not _is_whole(given.original):
        return [name for name, one in given.properties.items() if name in known and one is not None]
    if isinstance(given.original, ClassElement):
        return [name for _, name in given.original._property_names if name in known]
    return known


def _said(group: Group, name: str, value: Any) -> Any:
    """Return a value in a form that can be compared."""
    if name == group.visibility:
        return b"" if value is None else label_of(value)
    if value is None:
        return None
    if name == group.timestamp:
        return time_of(value)
    kind = group.property(name).type
    try:
        return codec_for(kind.codec).encode_value(plain(kind, fitted(kind, value)))
    except LexigraphError:
        # What a sketch or a collection shows.
        return repr(value)


def _refused(shared: _Shared, left: list[StoredElement]) -> UsageError:
    group, first = shared.group, left[0]
    ids = {name: getattr(first, name) for name in group.ids}
    if group.kind == EDGE and group.directed is None:
        ids["directed"] = first.directed
    said = ", ".join(f"{name}={show(one, 40)}" for name, one in ids.items())
    key = {"group": group.name, **ids}
    return UsageError(
        f"group {group.name!r} keeps duplicates, and elements with the key {said} can only be "
        f"deleted together: {len(left)} of {len(shared.found)} were not passed",
        hint=f"Pass all of them, or only the key to delete all: {show(key, 200)}.",
        group=group.name,
        **ids,
    )
