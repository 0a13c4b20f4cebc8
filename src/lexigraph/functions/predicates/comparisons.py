"""Comparisons of a field with a value or with another field, membership and presence.

Layer ``functions``. Values are key forms and are compared as bytes, undecoded. An absent field
fails every one of them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from lexigraph.errors import InvalidOption
from lexigraph.functions.predicates.base import Fields, Predicate, PredicateReader, Test


@dataclass(frozen=True, slots=True)
class _Comparison(Predicate):
    field: str
    value: bytes
    members: ClassVar[tuple[str, ...]] = ("field", "value")
    test: ClassVar[Callable[[Any, Any], bool]]

    @classmethod
    def read(cls, reader: PredicateReader) -> Self:
        return cls(reader.text("field"), reader.byte_string("value"))

    def bind(self, fields: Fields) -> Test:
        key_of, value, test = fields.key_of(self.field), self.value, type(self).test

        def holds(element: Any) -> bool:
            key = key_of(element)
            return key is not None and test(key, value)

        return holds

    def to_json(self) -> dict[str, Any]:
        return {"op": self.name, "field": self.field, "value": self.value}

    @classmethod
    def variant(cls, members: Iterable[str]) -> type[Predicate]:
        return FIELD_COMPARISONS[cls.name] if "other" in members else cls

    def fields(self) -> Iterator[str]:
        yield self.field


class Equal(_Comparison):
    """The field has this key form."""

    name, test = "eq", operator.eq


class NotEqual(_Comparison):
    """The field is there and has another key form."""

    name, test = "ne", operator.ne


class Less(_Comparison):
    """The field is less than this value."""

    name, test = "lt", operator.lt


class LessOrEqual(_Comparison):
    """The field is less than this value or has it."""

    name, test = "le", operator.le


class Greater(_Comparison):
    """The field is greater than this value."""

    name, test = "gt", operator.gt


class GreaterOrEqual(_Comparison):
    """The field is greater than this value or has it."""

    name, test = "ge", operator.ge


@dataclass(frozen=True, slots=True)
class AnyOf(Predicate):
    """The field has one of these key forms."""

    field: str
    values: tuple[bytes, ...]
    name: ClassVar[str] = "in"
    members: ClassVar[tuple[str, ...]] = ("field", "values")

    @classmethod
    def read(cls, reader: PredicateReader) -> Self:
        """Read field and values."""
        return cls(reader.text("field"), reader.byte_strings("values"))

    def bind(self, fields: Fields) -> Test:
        """Look the key form up in a set."""
        key_of, values = fields.key_of(self.field), frozenset(self.values)
        return lambda element: key_of(element) in values

    def to_json(self) -> dict[str, Any]:
        """Write field and values."""
        return {"op": self.name, "field": self.field, "values": list(self.values)}

    @classmethod
    def variant(cls, members: Iterable[str]) -> type[Predicate]:
        """Look into a set of the scan where one is named."""
        return InSet if "set" in members else cls

    def fields(self) -> Iterator[str]:
        """Yield the one field."""
        yield self.field


@dataclass(frozen=True, slots=True)
class InSet(Predicate):
    """The key form of the field is in a set that the scan brings along, or may be."""

    field: str
    set: str
    name: ClassVar[str] = "in"
    members: ClassVar[tuple[str, ...]] = ("field", "set")

    @classmethod
    def read(cls, reader: PredicateReader) -> Self:
        """Read field and name of the set."""
        return cls(reader.text("field"), reader.text("set"))

    def bind(self, fields: Fields) -> Test:
        """Look the key form up in the set."""
        key_of, members = fields.key_of(self.field), fields.key_set(self.set)

        def holds(element: Any) -> bool:
            key = key_of(element)
            return key is not None and key in members

        return holds

    def to_json(self) -> dict[str, Any]:
        """Write field and name of the set."""
        return {"op": self.name, "field": self.field, "set": self.set}

    def fields(self) -> Iterator[str]:
        """Yield the one field."""
        yield self.field


@dataclass(frozen=True, slots=True)
class Exists(Predicate):
    """The field is there."""

    field: str
    name: ClassVar[str] = "exists"
    members: ClassVar[tuple[str, ...]] = ("field",)

    @classmethod
    def read(cls, reader: PredicateReader) -> Self:
        """Read the field."""
        return cls(reader.text("field"))

    def bind(self, fields: Fields) -> Test:
        """Ask for presence alone; works for sets too."""
        return fields.presence_of(self.field)

    def to_json(self) -> dict[str, Any]:
        """Write the field."""
        return {"op": self.name, "field": self.field}

    def fields(self) -> Iterator[str]:
        """Yield the one field."""
        yield self.field


COMPARISONS = (Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual)


@dataclass(frozen=True, slots=True)
class _FieldComparison(Predicate):
    field: str
    other: str
    members: ClassVar[tuple[str, ...]] = ("field", "other")
    test: ClassVar[Callable[[Any, Any], bool]]

    @classmethod
    def read(cls, reader: PredicateReader) -> Self:
        return cls(reader.text("field"), reader.text("other"))

    def bind(self, fields: Fields) -> Test:
        left, right, test = fields.key_of(self.field), fields.key_of(self.other), type(self).test
        codecs = [fields.holds(name).result for name in (self.field, self.other)]
        if codecs[0] is not codecs[1]:
            raise InvalidOption(
                f"{self.field!r} and {self.other!r} are of different types and cannot be compared"
            )

        def holds(element: Any) -> bool:
            one, other = left(element), right(element)
            return one is not None and other is not None and test(one, other)

        return holds

    def to_json(self) -> dict[str, Any]:
        return {"op": self.name, "field": self.field, "other": self.other}

    def fields(self) -> Iterator[str]:
        yield self.field
        yield self.other


class EqualFields(_FieldComparison):
    """Both fields have one key form."""

    name, test = "eq", operator.eq


class NotEqualFields(_FieldComparison):
    """Both fields are there and differ."""

    name, test = "ne", operator.ne


class LessField(_FieldComparison):
    """The field is less than the other."""

    name, test = "lt", operator.lt


class LessOrEqualField(_FieldComparison):
    """The field is less than the other or is equal to it."""

    name, test = "le", operator.le


class GreaterField(_FieldComparison):
    """The field is greater than the other."""

    name, test = "gt", operator.gt


class GreaterOrEqualField(_FieldComparison):
    """The field is greater than the other or is equal to it."""

    name, test = "ge", operator.ge


FIELD_COMPARISONS: dict[str, type[_FieldComparison]] = {
    cls.name: cls
    for cls in (
        *(EqualFields, NotEqualFields, LessField),
        *(LessOrEqualField, GreaterField, GreaterOrEqualField),
    )
}


def compare(op: str, field: str, value: bytes) -> Predicate:
    """Make a comparison by its name.

    >>> compare("ge", "age", b"\\x92").to_json()
    {'op': 'ge', 'field': 'age', 'value': b'\\x92'}
    """
    for comparison in COMPARISONS:
        if comparison.name == op:
            return comparison(field, value)
    names = ", ".join(comparison.name for comparison in COMPARISONS)
    raise InvalidOption(f"there is no comparison {op!r}; available: {names}")
