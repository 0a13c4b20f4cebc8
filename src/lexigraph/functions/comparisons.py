"""Predicates about one field: comparisons, membership and presence.

Layer ``functions``. Values are key forms and are compared as bytes, undecoded. An absent field
fails every one of them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from lexigraph.errors import InvalidOption
from lexigraph.functions.predicates import Fields, Predicate, Reader, Test


@dataclass(frozen=True, slots=True)
class _Comparison(Predicate):
    field: str
    value: bytes
    members: ClassVar[tuple[str, ...]] = ("field", "value")
    test: ClassVar[Callable[[Any, Any], bool]]

    @classmethod
    def read(cls, reader: Reader) -> Self:
        return cls(reader.text("field"), reader.byte_string("value"))

    def bind(self, fields: Fields) -> Test:
        key_of, value, test = fields.key_of(self.field), self.value, type(self).test

        def holds(element: Any) -> bool:
            key = key_of(element)
            return key is not None and test(key, value)

        return holds

    def to_json(self) -> dict[str, Any]:
        return {"op": self.name, "field": self.field, "value": self.value}

    def fields(self) -> Iterator[str]:
        yield self.field


class Equal(_Comparison):
    """The field has this key form."""

    name, test = "eq", operator.eq


class NotEqual(_Comparison):
    """The field is there and has another key form."""

    name, test = "ne", operator.ne


class Less(_Comparison):
    """The field lies before this key form."""

    name, test = "lt", operator.lt


class LessOrEqual(_Comparison):
    """The field lies before this key form or has it."""

    name, test = "le", operator.le


class Greater(_Comparison):
    """The field lies behind this key form."""

    name, test = "gt", operator.gt


class GreaterOrEqual(_Comparison):
    """The field lies behind this key form or has it."""

    name, test = "ge", operator.ge


@dataclass(frozen=True, slots=True)
class AnyOf(Predicate):
    """The field has one of these key forms."""

    field: str
    values: tuple[bytes, ...]
    name: ClassVar[str] = "in"
    members: ClassVar[tuple[str, ...]] = ("field", "values")

    @classmethod
    def read(cls, reader: Reader) -> Self:
        """Read field and values."""
        return cls(reader.text("field"), reader.byte_strings("values"))

    def bind(self, fields: Fields) -> Test:
        """Look the key form up in a set."""
        key_of, values = fields.key_of(self.field), frozenset(self.values)
        return lambda element: key_of(element) in values

    def to_json(self) -> dict[str, Any]:
        """Write field and values."""
        return {"op": self.name, "field": self.field, "values": list(self.values)}

    def fields(self) -> Iterator[str]:
        """Give the one field."""
        yield self.field


@dataclass(frozen=True, slots=True)
class Exists(Predicate):
    """The field is there."""

    field: str
    name: ClassVar[str] = "exists"
    members: ClassVar[tuple[str, ...]] = ("field",)

    @classmethod
    def read(cls, reader: Reader) -> Self:
        """Read the field."""
        return cls(reader.text("field"))

    def bind(self, fields: Fields) -> Test:
        """Ask for presence alone; works for sets too."""
        return fields.presence_of(self.field)

    def to_json(self) -> dict[str, Any]:
        """Write the field."""
        return {"op": self.name, "field": self.field}

    def fields(self) -> Iterator[str]:
        """Give the one field."""
        yield self.field


COMPARISONS = (Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual)


def compare(op: str, field: str, value: bytes) -> Predicate:
    """Make a comparison by its name.

    >>> compare("ge", "age", b"\\x92").to_json()
    {'op': 'ge', 'field': 'age', 'value': b'\\x92'}
    """
    for comparison in COMPARISONS:
        if comparison.name == op:
            return comparison(field, value)
    names = ", ".join(comparison.name for comparison in COMPARISONS)
    raise InvalidOption(f"there is no comparison {op!r}; there are {names}")
