"""Predicates that look into a value: patterns, parts of texts, members and lengths, and ages.

Layer ``functions``. As everywhere, an absent field fails every one of them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, Self

from lexigraph.errors import InvalidOption
from lexigraph.functions.java_regex import compile_java
from lexigraph.functions.predicates.base import Fields, Predicate, PredicateReader, Test

_HOW: dict[str, Callable[[int, int], bool]] = {
    name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")
}
_EPOCH = datetime(1970, 1, 1)
_MICRO = timedelta(microseconds=1)
TIMES = ("datetime", "naive_datetime", "date", "int", "int64")
"""The codecs whose values have an age; integers are milliseconds since 1970."""


@dataclass(frozen=True, slots=True)
class _AboutOne(Predicate):
    field: str

    def fields(self) -> Iterator[str]:
        """Yield the one field."""
        yield self.field

    def _require(self, fields: Fields, *codecs: str) -> str:
        found = fields.holds(self.field).result
        if found is None or found.name not in codecs:
            held = "a collection" if found is None else found.name
            raise InvalidOption(
                f"{self.name!r} looks at {', '.join(codecs)}; field {self.field!r} holds {held}"
            )
        return found.name


@dataclass(frozen=True, slots=True)
class Matches(_AboutOne):
    """The whole text matches a pattern, in Java's syntax as far as Python and Rust share it."""

    pattern: str
    name: ClassVar[str] = "regex"
    members: ClassVar[tuple[str, ...]] = ("field", "pattern")

    def __post_init__(self) -> None:
        """Refuse what is no pattern."""
        compile_java(self.pattern)

    @classmethod
    def read(cls, reader: PredicateReader) -> Self:
        """Read field and pattern."""
        return cls(reader.text("field"), reader.text("pattern"))

    def bind(self, fields: Fields) -> Test:
        """Compile once."""
        self._require(fields, "str")
        get, match = fields.value_of(self.field), compile_java(self.pattern).fullmatch

        def holds(element: Any) -> bool:
            text = get(element)
            return text is not None and match(text) is not None

        return holds

    def to_json(self) -> dict[str, Any]:
        """Write field and pattern."""
        return {"op": self.name, "field": self.field, "pattern": self.pattern}


@dataclass(frozen=True, slots=True)
class Substring(_AboutOne):
    """The text holds another one, whatever the case with ``ignore_case``."""

    value: str
    ignore_case: bool = False
    name: ClassVar[str] = "substring"
    members: ClassVar[tuple[str, ...]] = ("field", "value")
    optional: ClassVar[tuple[str, ...]] = ("ignore_case",)

    @classmethod
    def read(cls, reader: PredicateReader) -> Self:
        """Read field, text and whether case matters."""
        ignore = reader.flag("ignore_case") if reader.has("ignore_case") else False
        return cls(reader.text("field"), reader.text("value"), ignore)

    def bind(self, fields: Fields) -> Test:
        """Compare lower-case letters where case does not matter."""
        self._require(fields, "str")
        get, ignore = fields.value_of(self.field), self.ignore_case
        part = self.value.lower() if ignore else self.value

        def holds(element: Any) -> bool:
            text = get(element)
            return text is not None and part in (text.lower() if ignore else text)

        return holds

    def to_json(self) -> dict[str, Any]:
        """Write all three; the default is left out."""
        data: dict[str, Any] = {"op": self.name, "field": self.field, "value": self.value}
        return {**data, "ignore_case": True} if self.ignore_case else data


@dataclass(frozen=True, slots=True)
class Contains(_AboutOne):
    """The collection has a member of this key form; a map has it as a key."""

    value: bytes
    name: ClassVar[str] = "contains"
    members: ClassVar[tuple[str, ...]] = ("field", "value")

    @classmethod
    def read(cls, reader: PredicateReader) -> Self:
        """Read field and value."""
        return cls(reader.text("field"), reader.byte_string("value"))

    def bind(self, fields: Fields) -> Test:
        """Compare the key form of each member."""
        codec, result = fields.holds(self.field)
        if result is not None:
            raise InvalidOption(
                f"{self.name!r} looks at collections; field {self.field!r} holds {result.name}",
                hint="Compare it with 'eq', or look for a part of a text with 'substring'.",
            )
        get, encode, value = fields.value_of(self.field), codec.encode, self.value

        def holds(element: Any) -> bool:
            return any(encode(member) == value for member in get(element) or ())

        return holds

    def to_json(self) -> dict[str, Any]:
        """Write field and value."""
        return {"op": self.name, "field": self.field, "value": self.value}


@dataclass(frozen=True, slots=True)
class LengthPredicate(_AboutOne):
    """The number of characters, bytes or members compares so with ``size``."""

    compare: str
    size: int
    name: ClassVar[str] = "length"
    members: ClassVar[tuple[str, ...]] = ("field", "compare", "size")

    @classmethod
    def read(cls, reader: PredicateReader) -> Self:
        """Read field, comparison and size."""
        compare = reader.choice("compare", tuple(_HOW))
        return cls(reader.text("field"), compare, reader.integer("size"))

    def bind(self, fields: Fields) -> Test:
        """Count."""
        if fields.holds(self.field).result is not None:
            self._require(fields, "str", "bytes")
        get, test, size = fields.value_of(self.field), _HOW[self.compare], self.size

        def holds(element: Any) -> bool:
            value = get(element)
            return value is not None and test(len(value), size)

        return holds

    def to_json(self) -> dict[str, Any]:
        """Write field, comparison and size."""
        data = {"op": self.name, "field": self.field}
        return {**data, "compare": self.compare, "size": self.size}


@dataclass(frozen=True, slots=True)
class AgeOff(_AboutOne):
    """The moment is less than ``ttl`` microseconds ago, or still to come.

    Integers are milliseconds since 1970, but the field ``timestamp`` is in microseconds.
    """

    ttl: int
    name: ClassVar[str] = "age-off"
    members: ClassVar[tuple[str, ...]] = ("field", "ttl")

    @classmethod
    def read(cls, reader: PredicateReader) -> Self:
        """Read field and age."""
        return cls(reader.text("field"), reader.integer("ttl"))

    def bind(self, fields: Fields) -> Test:
        """Compare with the scan's clock."""
        self._require(fields, *TIMES)
        get, oldest = fields.value_of(self.field), fields.now - self.ttl
        unit = 1 if self.field == "timestamp" else 1000

        def holds(element: Any) -> bool:
            moment = get(element)
            return moment is not None and _micros(moment, unit) > oldest

        return holds

    def to_json(self) -> dict[str, Any]:
        """Write field and age."""
        return {"op": self.name, "field": self.field, "ttl": self.ttl}


def _micros(moment: Any, unit: int) -> int:
    if isinstance(moment, int):
        return moment * unit
    if not isinstance(moment, datetime):
        moment = datetime(moment.year, moment.month, moment.day)
    elif moment.tzinfo is not None:
        moment = moment.astimezone(UTC).replace(tzinfo=None)
    return int((moment - _EPOCH) // _MICRO)


CONTENTS = (Matches, Substring, Contains, LengthPredicate, AgeOff)
