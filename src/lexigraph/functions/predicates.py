"""Predicates over the fields of an element, as data.

Layer ``functions``. Values are key forms, so every language compares bytes and gives the same
answer. A comparison with an absent field is false, also ``ne``. A predicate is read once, bound
once to the fields of a group, and then called for each element.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Self

from lexigraph.errors import InvalidOption
from lexigraph.functions.registry import Registry

Test = Callable[[Any], bool]
MAX_DEPTH = 32
"""How deep predicates may nest, so that no scan can exhaust the stack of an engine."""


class Fields(Protocol):
    """What a predicate asks of a group: how to get at a field of an element."""

    def key_of(self, field: str) -> Callable[[Any], bytes | None]:
        """Give a reader of the field's key form; refuse fields that have none."""
        ...

    def presence_of(self, field: str) -> Test:
        """Give a test for whether the field is there."""
        ...


class Reader(Protocol):
    """How a predicate reads its own JSON; made by :func:`parse_predicate`."""

    def text(self, name: str) -> str:
        """Read a text."""
        ...

    def byte_string(self, name: str) -> bytes:
        """Read bytes."""
        ...

    def byte_strings(self, name: str) -> tuple[bytes, ...]:
        """Read a list of bytes."""
        ...

    def predicate(self, name: str) -> Predicate:
        """Read a predicate inside this one."""
        ...

    def predicates(self, name: str) -> tuple[Predicate, ...]:
        """Read a list of predicates inside this one."""
        ...


class Predicate(ABC):
    """A question about one element. ``name`` is its ``op``; ``members`` are its JSON fields."""

    name: ClassVar[str]
    members: ClassVar[tuple[str, ...]]

    @classmethod
    @abstractmethod
    def read(cls, reader: Reader) -> Self:
        """Make one from its JSON fields."""

    @abstractmethod
    def bind(self, fields: Fields) -> Test:
        """Give a test of elements that have these fields."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """Write it; byte strings stay bytes, their JSON form is the store's."""

    def fields(self) -> Iterator[str]:
        """Give the names of the fields it looks at."""
        return iter(())


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


@dataclass(frozen=True, slots=True)
class _Several(Predicate):
    of: tuple[Predicate, ...]
    members: ClassVar[tuple[str, ...]] = ("of",)

    @classmethod
    def read(cls, reader: Reader) -> Self:
        return cls(reader.predicates("of"))

    def to_json(self) -> dict[str, Any]:
        return {"op": self.name, "of": [one.to_json() for one in self.of]}

    def fields(self) -> Iterator[str]:
        for one in self.of:
            yield from one.fields()


class Both(_Several):
    """All hold; of none: true."""

    name = "and"

    def bind(self, fields: Fields) -> Test:
        """Ask one after another, up to the first that fails."""
        tests = [one.bind(fields) for one in self.of]
        return lambda element: all(test(element) for test in tests)


class Either(_Several):
    """At least one holds; of none: false."""

    name = "or"

    def bind(self, fields: Fields) -> Test:
        """Ask one after another, up to the first that holds."""
        tests = [one.bind(fields) for one in self.of]
        return lambda element: any(test(element) for test in tests)


@dataclass(frozen=True, slots=True)
class Negation(Predicate):
    """It does not hold."""

    of: Predicate
    name: ClassVar[str] = "not"
    members: ClassVar[tuple[str, ...]] = ("of",)

    @classmethod
    def read(cls, reader: Reader) -> Self:
        """Read the one inside."""
        return cls(reader.predicate("of"))

    def bind(self, fields: Fields) -> Test:
        """Turn the answer round."""
        test = self.of.bind(fields)
        return lambda element: not test(element)

    def to_json(self) -> dict[str, Any]:
        """Write the one inside."""
        return {"op": self.name, "of": self.of.to_json()}

    def fields(self) -> Iterator[str]:
        """Give those of the one inside."""
        yield from self.of.fields()


COMPARISONS = (Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual)

BUILT_IN_PREDICATES: tuple[type[Predicate], ...] = (
    *COMPARISONS,
    AnyOf,
    Exists,
    Both,
    Either,
    Negation,
)

PREDICATES: Registry[Predicate] = Registry("predicate", BUILT_IN_PREDICATES)


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
