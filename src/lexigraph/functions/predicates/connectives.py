"""Predicates made of predicates: and, or, not.

Layer ``functions``. However they are made, they nest no deeper than every engine can follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from lexigraph.errors import InvalidOption
from lexigraph.functions.predicates.base import MAX_DEPTH, Fields, Predicate, PredicateReader, Test


@dataclass(frozen=True, slots=True)
class _Several(Predicate):
    of: tuple[Predicate, ...]
    depth: int = field(init=False, repr=False, compare=False, default=1)
    members: ClassVar[tuple[str, ...]] = ("of",)

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", _depth_around(*self.of))

    @classmethod
    def read(cls, reader: PredicateReader) -> Self:
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
    depth: int = field(init=False, repr=False, compare=False, default=1)
    name: ClassVar[str] = "not"
    members: ClassVar[tuple[str, ...]] = ("of",)

    def __post_init__(self) -> None:
        """Refuse to nest too deep."""
        object.__setattr__(self, "depth", _depth_around(self.of))

    @classmethod
    def read(cls, reader: PredicateReader) -> Self:
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
        """Yield those of the one inside."""
        yield from self.of.fields()


def _depth_around(*inner: Predicate) -> int:
    depth = 1 + max((one.depth for one in inner), default=0)
    if depth > MAX_DEPTH:
        raise InvalidOption(f"predicates nest at most {MAX_DEPTH} deep")
    return depth
