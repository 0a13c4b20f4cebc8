"""Transforms of collections and maps, and those that look at whether there is a value at all.

Layer ``functions``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sized
from typing import Any, ClassVar

from lexigraph.errors import InvalidValue, show
from lexigraph.functions.java_regex import compile_java
from lexigraph.functions.options import Option, integer
from lexigraph.functions.transforms.base import OfPresent, Transform

_ANYTHING = Option(object, None)


def _sized(value: Any) -> Any:
    if not isinstance(value, Sized):
        raise InvalidValue(f"a collection is needed, not {show(value)}")
    return value


def _map(value: Any) -> Any:
    if not isinstance(value, Mapping):
        raise InvalidValue(f"a map is needed, not {show(value)}")
    return value


class IdentityTransform(Transform):
    """The value as it is."""

    name = "identity"

    def apply(self, *values: Any) -> Any:
        """Return it."""
        return values[0]


class ToNull(Transform):
    """Nothing, whatever there was."""

    name = "to-null"

    def apply(self, *values: Any) -> Any:
        """Forget it."""
        return None


class SetValue(Transform):
    """Always ``value``."""

    name = "set-value"
    options: ClassVar[Mapping[str, Option]] = {"value": _ANYTHING}

    def apply(self, *values: Any) -> Any:
        """Return the one value."""
        return self.settings["value"]


class DefaultIfNull(Transform):
    """The value, or ``default`` where it is absent."""

    name = "default-if-null"
    options: ClassVar[Mapping[str, Option]] = {"default": _ANYTHING}

    def apply(self, *values: Any) -> Any:
        """Fill the gap."""
        return self.settings["default"] if values[0] is None else values[0]


class DefaultIfEmpty(OfPresent):
    """The value, or ``default`` where it is an empty text or collection."""

    name = "default-if-empty"
    options: ClassVar[Mapping[str, Option]] = {"default": _ANYTHING}

    def of(self, value: Any) -> Any:
        """Fill the gap."""
        return value if len(_sized(value)) else self.settings["default"]


class LengthTransform(Transform):
    """The length of a text or collection, at most ``max``; 0 where there is none."""

    name = "length"
    options: ClassVar[Mapping[str, Option]] = {"max": integer(2**31 - 1, 0, 2**31 - 1)}

    def apply(self, *values: Any) -> int:
        """Count."""
        length = 0 if values[0] is None else len(_sized(values[0]))
        return int(min(length, self.settings["max"]))


class IsEmpty(Transform):
    """Whether a collection has no members."""

    name = "is-empty"

    def apply(self, *values: Any) -> bool:
        """Count."""
        if isinstance(values[0], str | bytes):
            raise InvalidValue(f"a collection is needed, not {show(values[0])}")
        return len(_sized(values[0])) == 0


class NthItem(Transform):
    """The member at place ``n``, from 0; negative ones count from the end."""

    name = "nth-item"
    options: ClassVar[Mapping[str, Option]] = {"n": integer(0, -(2**31), 2**31 - 1)}

    def apply(self, *values: Any) -> Any:
        """Pick it."""
        return list(_sized(values[0]))[self.settings["n"]]


class FirstItem(Transform):
    """The first member; absent if there is none."""

    name = "first-item"

    def apply(self, *values: Any) -> Any:
        """Pick it."""
        return next(iter(_sized(values[0])), None)


class LastItem(Transform):
    """The last member; absent if there is none."""

    name = "last-item"

    def apply(self, *values: Any) -> Any:
        """Pick it."""
        members = list(_sized(values[0]))
        return members[-1] if members else None


class Longest(Transform):
    """The longer of two texts or collections; of equally long ones the second."""

    name = "longest"
    inputs = 2

    def apply(self, *values: Any) -> Any:
        """Compare lengths."""
        left, right = values
        if left is None or right is None:
            return right if left is None else left
        return left if len(_sized(left)) > len(_sized(right)) else right


class KeysTransform(OfPresent):
    """The keys of a map."""

    name = "keys"

    def of(self, value: Any) -> tuple[Any, ...]:
        """Return them."""
        return tuple(_map(value))


class ValuesTransform(OfPresent):
    """The values of a map."""

    name = "values"

    def of(self, value: Any) -> tuple[Any, ...]:
        """Return them."""
        return tuple(_map(value).values())


class ValueOf(OfPresent):
    """What a map holds under ``key``, for example a count of a frequency map."""

    name = "value-of"
    options: ClassVar[Mapping[str, Option]] = {"key": _ANYTHING}

    def of(self, value: Any) -> Any:
        """Look it up."""
        return _map(value).get(self.settings["key"])


class KeysMatching(OfPresent):
    """A map with those keys that match ``pattern`` as a whole; without one all of it."""

    name = "keys-matching"
    options: ClassVar[Mapping[str, Option]] = {"pattern": _ANYTHING}

    def of(self, value: Any) -> Any:
        """Keep what matches."""
        if self.settings["pattern"] is None:
            return _map(value)
        match = compile_java(self.settings["pattern"]).fullmatch
        return {key: item for key, item in _map(value).items() if match(str(key))}


class LookUp(Transform):
    """What ``dictionary`` has for the value."""

    name = "look-up"
    options: ClassVar[Mapping[str, Option]] = {"dictionary": Option(dict, {})}

    def apply(self, *values: Any) -> Any:
        """Look it up."""
        return self.settings["dictionary"].get(values[0])


class ToListOf(Transform):
    """The members of a collection, or the one value, as a tuple."""

    name = "to-list"

    def apply(self, *values: Any) -> Any:
        """Put a single value into a tuple."""
        value = values[0]
        return tuple(value) if isinstance(value, list | tuple | set | frozenset) else (value,)


COLLECTIONS = (
    *(
        IdentityTransform,
        ToNull,
        SetValue,
        DefaultIfNull,
        DefaultIfEmpty,
        LengthTransform,
        IsEmpty,
        NthItem,
    ),
    *(
        FirstItem,
        LastItem,
        Longest,
        KeysTransform,
        ValuesTransform,
        ValueOf,
        KeysMatching,
        LookUp,
        ToListOf,
    ),
)
